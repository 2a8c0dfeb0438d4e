// What tests ask of the kernel header, as a program: header_program COMMAND, data on standard input and output.
#include <opstudio/kernel.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace {

using opstudio::View;

std::string refusal;  // what the kernel said when it refused
std::vector<std::unique_ptr<void, decltype(&std::free)>> scratch;

// A host with one thread for each piece.
void parallel_for(void*, int64_t count, int64_t grain, opstudio_range run, void* argument) {
  std::vector<std::thread> threads;
  for (int64_t begin = 0; begin < count; begin += grain) {
    threads.emplace_back(run, argument, begin, begin + grain < count ? begin + grain : count);
  }
  for (std::thread& thread : threads) thread.join();
}

void* allocate(void*, size_t bytes) {
  if (bytes > (size_t(1) << 40)) return nullptr;
  void* memory = std::aligned_alloc(64, (bytes + 64) / 64 * 64);
  scratch.emplace_back(memory, &std::free);
  return memory;
}

void fail(void*, const char* message) { refusal = message; }

const opstudio_host kHost{OPSTUDIO_ABI_VERSION, sizeof(opstudio_host), nullptr, parallel_for, allocate, fail, nullptr};

// A tensor of float32 over memory that the caller lays out.
struct Tensor {
  std::vector<float> memory;
  std::vector<int64_t> shape, strides;
  opstudio_view raw;

  Tensor(std::vector<float> values, std::vector<int64_t> sizes, std::vector<int64_t> steps,
         int32_t type = OPSTUDIO_FLOAT32)
      : memory(std::move(values)), shape(std::move(sizes)), strides(std::move(steps)) {
    raw = {memory.data(), shape.data(), strides.data(), static_cast<int32_t>(shape.size()), type};
  }
};

// Runs a kernel function with input "x", output "y" and attribute "size"; prints the refusal, or "done".
template <void (*Function)(const opstudio::Call&)>
void run(Tensor& x, Tensor& y) {
  const opstudio_argument inputs[] = {{"x", &x.raw, 1}}, outputs[] = {{"y", &y.raw, 1}};
  const int64_t size = 3;
  const opstudio_attribute attributes[] = {{"size", OPSTUDIO_ATTRIBUTE_INT, 1, &size, nullptr, nullptr}};
  const opstudio_call call{sizeof(opstudio_call), &kHost, inputs, 1, outputs, 1, attributes, 1};
  const int32_t status = opstudio::detail::make_kernel<Function>()->forward(&call);
  std::printf("%s\n", status == 0 ? "done" : refusal.c_str());
}

void twice(const opstudio::Call& call) {
  const View x = call.input("x"), y = call.output("y");
  opstudio::map<float>(call, y, [](float value) { return 2 * value; }, x);
}

template <class List>
void dispatch_to(const opstudio::Call& call) {
  opstudio::dispatch<List>(call.input("x").type(), [](auto) {});
}

void no_input(const opstudio::Call& call) { call.input("z"); }
void no_attribute(const opstudio::Call& call) { call.integer("width"); }
void wrong_kind(const opstudio::Call& call) { call.number("size"); }
void wrong_type(const opstudio::Call& call) { call.input("x").data<double>(); }
void wrong_axis(const opstudio::Call& call) { call.input("x").size(-3); }
void too_much_scratch(const opstudio::Call& call) { call.scratch<double>(int64_t(1) << 50); }
void throws_a_number(const opstudio::Call&) { throw 3; }
void long_message(const opstudio::Call&) {
  throw opstudio::Error(std::string(400, 'a').c_str(), std::string(400, 'b').c_str());
}
void parts(const opstudio::Call&) { throw opstudio::Error("one ", 1, ", half ", 0.5, ", largest ", int64_t(1) << 62); }
void piece_fails(const opstudio::Call& call) {
  call.parallel_for(100, 10, [](int64_t begin, int64_t) { OPSTUDIO_CHECK(begin != 70, "piece ", begin, " fails"); });
}

void every_piece_once(const opstudio::Call& call) {
  std::vector<std::atomic<int>> seen(1003);
  call.parallel_for(1003, 97, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) ++seen[static_cast<size_t>(i)];
  });
  for (size_t i = 0; i < seen.size(); ++i) {
    OPSTUDIO_CHECK(seen[i] == 1, "element ", i, " was seen ", seen[i].load(), " times");
  }
  call.parallel_for(0, 97, [](int64_t, int64_t) { throw opstudio::Error("a loop over nothing ran"); });
}

void aligned_scratch(const opstudio::Call& call) {
  float* const first = call.scratch<float>(5);
  float* const second = call.scratch<float>(5);
  call.scratch<float>(0);
  for (int i = 0; i < 5; ++i) first[i] = 1, second[i] = 2;
  const auto address = [](const float* pointer) { return reinterpret_cast<uintptr_t>(pointer); };
  OPSTUDIO_CHECK(address(first) % 64 == 0 && address(second) % 64 == 0, "not aligned");
  OPSTUDIO_CHECK(first[4] == 1, "two pieces of scratch memory overlap");
}

void refuse_all() {
  Tensor x({1, 2}, {2}, {1}), y({0, 0}, {2}, {1}), integers({1, 2}, {2}, {1}, OPSTUDIO_INT64), short_one({0}, {1}, {1});
  run<dispatch_to<opstudio::IntegerTypes>>(x, y);
  run<dispatch_to<opstudio::FloatingTypes>>(integers, y);
  run<dispatch_to<opstudio::AllTypes>>(integers, y);
  run<no_input>(x, y);
  run<no_attribute>(x, y);
  run<wrong_kind>(x, y);
  run<wrong_type>(x, y);
  run<wrong_axis>(x, y);
  run<twice>(x, short_one);
  run<too_much_scratch>(x, y);
  run<throws_a_number>(x, y);
  run<long_message>(x, y);
  run<parts>(x, y);
  run<piece_fails>(x, y);
  run<every_piece_once>(x, y);
  run<aligned_scratch>(x, y);
}

// Reads rank, sizes, strides of x and of y and the elements of x's memory; prints the memory of y after y = 2 x.
void map_strided() {
  int rank = 0;
  if (std::scanf("%d", &rank) != 1) std::abort();
  const auto numbers = [](int count) {
    std::vector<int64_t> result(static_cast<size_t>(count));
    for (int64_t& number : result) {
      long long value = 0;
      if (std::scanf("%lld", &value) != 1) std::abort();
      number = value;
    }
    return result;
  };
  const std::vector<int64_t> shape = numbers(rank), x_strides = numbers(rank), y_strides = numbers(rank);
  const int64_t x_size = numbers(1)[0], y_size = numbers(1)[0];
  std::vector<float> values(static_cast<size_t>(x_size));
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  Tensor x(values, shape, x_strides);
  Tensor y(std::vector<float>(static_cast<size_t>(y_size), -1.0f), shape, y_strides);
  run<twice>(x, y);
  for (float value : y.memory) std::printf("%g ", static_cast<double>(value));
}

// Reads every third element of x, 600 of them, and writes their doubles to every second one of y; prints the size of
// the values that it computed with and the memory of y as float32.
template <class T>
void double_elements() {
  constexpr int64_t kCount = 600;
  std::vector<T> from(3 * kCount), to(2 * kCount, T(-1.0f));
  for (size_t i = 0; i < from.size(); ++i) from[i] = T(static_cast<float>(i));
  const int64_t sizes[] = {3 * kCount, 2 * kCount}, stride = 1;
  const opstudio_view x{from.data(), &sizes[0], &stride, 1, opstudio::type_code<T>::value};
  const opstudio_view y{to.data(), &sizes[1], &stride, 1, opstudio::type_code<T>::value};
  const auto loops = opstudio::element_loops<opstudio::FloatingTypes>(x.type);
  const opstudio::Elements input(View(x), loops), output(View(y), loops);
  opstudio::dispatch_compute<opstudio::FloatingTypes>(x.type, [&](auto tag) {
    using C = typename decltype(tag)::type;
    std::vector<C> buffer(kCount), results(kCount);
    const C* const values = input.load(0, 3, kCount, buffer.data());
    C* const doubled = output.place(0, 2, results.data());
    for (size_t i = 0; i < kCount; ++i) doubled[i] = 2 * values[i];
    output.store(doubled, 0, 2, kCount);
    std::printf("%d\n", static_cast<int>(sizeof(C)));
  });
  for (const T& value : to) std::printf("%g ", static_cast<double>(static_cast<float>(value)));
}

// Turns every pattern of 16 bits into a float32.
template <class T>
void widen_all() {
  for (uint32_t bits = 0; bits < 65536; ++bits) {
    T value;
    value.bits = static_cast<uint16_t>(bits);
    const float wide = value;
    std::fwrite(&wide, sizeof wide, 1, stdout);
  }
}

// Rounds the float32 numbers of the standard input; in a loop over an array, as kernels do.
template <class T>
void round_all() {
  std::vector<float> values(1 << 20);
  std::vector<T> rounded(values.size());
  const size_t count = std::fread(values.data(), sizeof(float), values.size(), stdin);
  for (size_t i = 0; i < count; ++i) rounded[i] = T(values[i]);
  std::fwrite(rounded.data(), sizeof(T), count, stdout);
}

}  // namespace

int main(int, char** arguments) {
  const std::string command = arguments[1];
  if (command == "refusals") refuse_all();
  if (command == "map") map_strided();
  if (command == "elements-float32") double_elements<float>();
  if (command == "elements-float64") double_elements<double>();
  if (command == "elements-float16") double_elements<opstudio::float16>();
  if (command == "elements-bfloat16") double_elements<opstudio::bfloat16>();
  if (command == "widen-float16") widen_all<opstudio::float16>();
  if (command == "widen-bfloat16") widen_all<opstudio::bfloat16>();
  if (command == "round-float16") round_all<opstudio::float16>();
  if (command == "round-bfloat16") round_all<opstudio::bfloat16>();
  return 0;
}
