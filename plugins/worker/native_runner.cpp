// Runs a kernel by itself, without Python or a framework, under the compiler's sanitizers.
//
//   runner CALLS ARRAYS THREADS CALLERS
//
// CALLS lists the calls as words, ARRAYS holds the data of their inputs. Every call is made by CALLERS threads at the
// same time, each of them with THREADS more for the kernel's parallel loops. The form of a call:
//
//   call NAME forward|backward
//   attribute NAME KIND COUNT VALUE…          KIND as in abi.h; text as hexadecimal digits
//   input NAME COUNT   { view TYPE RANK SIZE… OFFSET }
//   output NAME TYPE RANK SIZE…
//   run
#include <sys/mman.h>
#include <sys/stat.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "opstudio/abi.h"
#include "opstudio_host/kernel_call.h"

extern "C" const opstudio_kernel* opstudio_kernel_entry(void);

namespace {

using opstudio::host::CallState;
using opstudio::host::KernelArguments;
using opstudio::host::KernelAttributes;

int threads = 2;
int callers = 1;

size_t element_size(int32_t type) {
  switch (type) {
    case OPSTUDIO_FLOAT64:
    case OPSTUDIO_INT64: return 8;
    case OPSTUDIO_FLOAT32:
    case OPSTUDIO_INT32: return 4;
    case OPSTUDIO_FLOAT16:
    case OPSTUDIO_BFLOAT16:
    case OPSTUDIO_INT16: return 2;
    default: return 1;
  }
}

struct Tensor {
  std::string name;
  int32_t type = 0;
  std::vector<int64_t> shape, strides;
  const char* source = nullptr;  // null for outputs

  size_t bytes() const {
    size_t total = element_size(type);
    for (int64_t size : shape) total *= static_cast<size_t>(size);
    return total;
  }
};

struct Group {
  std::string name;
  std::vector<Tensor> tensors;
};

struct PlannedCall {
  std::string name;
  bool backward = false;
  KernelAttributes attributes;
  std::vector<Group> inputs, outputs;
};

// Splits a loop over threads of its own; the first piece runs on the caller.
void parallel_for(void*, int64_t count, int64_t grain, opstudio_range run, void* argument) {
  const int64_t pieces = std::clamp<int64_t>(grain > 0 ? (count + grain - 1) / grain : 1, 1, threads + 1);
  std::vector<std::thread> workers;
  for (int64_t piece = 1; piece < pieces; ++piece) {
    workers.emplace_back([=] { run(argument, count * piece / pieces, count * (piece + 1) / pieces); });
  }
  run(argument, 0, count / pieces);
  for (std::thread& worker : workers) worker.join();
}

// Memory of exactly the size that is needed, so that the sanitizer sees every step past it.
std::vector<std::unique_ptr<char[]>> fill(KernelArguments& arguments, const std::vector<Group>& groups) {
  std::vector<std::unique_ptr<char[]>> owned;
  for (const Group& group : groups) {
    arguments.begin(group.name);
    for (const Tensor& tensor : group.tensors) {
      owned.emplace_back(new char[tensor.bytes()]);
      if (tensor.source != nullptr) std::memcpy(owned.back().get(), tensor.source, tensor.bytes());
      arguments.add(owned.back().get(), tensor.shape.data(), tensor.strides.data(),
                    static_cast<int32_t>(tensor.shape.size()), tensor.type);
    }
  }
  return owned;
}

void make_call(const PlannedCall& planned) {
  const opstudio_kernel* kernel = opstudio_kernel_entry();
  KernelArguments inputs, outputs;
  const auto input_memory = fill(inputs, planned.inputs);
  const auto output_memory = fill(outputs, planned.outputs);
  CallState state;
  const opstudio_host host{OPSTUDIO_ABI_VERSION, sizeof(opstudio_host), &state,          parallel_for,
                           CallState::allocate,  CallState::fail,       nullptr};
  const std::string refusal = opstudio::host::call_kernel(planned.backward ? kernel->backward : kernel->forward, host,
                                                          state, inputs, outputs, planned.attributes);
  if (!refusal.empty()) std::printf("refused %s: %s\n", planned.name.c_str(), refusal.c_str());
}

void run(const PlannedCall& planned) {
  std::printf("run %s\n", planned.name.c_str());
  std::fflush(stdout);
  std::vector<std::thread> others;
  for (int i = 1; i < callers; ++i) others.emplace_back([&] { make_call(planned); });
  make_call(planned);
  for (std::thread& other : others) other.join();
}

Tensor read_tensor(std::ifstream& words, const char* arrays) {
  Tensor tensor;
  size_t rank = 0, offset = 0;
  words >> tensor.type >> rank;
  tensor.shape.resize(rank);
  for (int64_t& size : tensor.shape) words >> size;
  if (arrays != nullptr) {
    words >> offset;
    tensor.source = arrays + offset;
  }
  tensor.strides = opstudio::host::contiguous_strides(tensor.shape);
  return tensor;
}

void read_attribute(std::ifstream& words, PlannedCall& call) {
  int32_t kind = 0;
  size_t count = 0;
  std::vector<int64_t> integers;
  std::vector<double> numbers;
  std::string text;
  std::string name;
  words >> name >> kind >> count;
  for (size_t i = 0; i < count; ++i) {
    std::string word;
    words >> word;
    if (kind == OPSTUDIO_ATTRIBUTE_FLOAT || kind == OPSTUDIO_ATTRIBUTE_FLOATS) {
      numbers.push_back(std::strtod(word.c_str(), nullptr));
    } else if (kind == OPSTUDIO_ATTRIBUTE_STRING) {
      for (size_t at = 1; at + 1 < word.size(); at += 2) {  // the first character only keeps the word from being empty
        text.push_back(static_cast<char>(std::stoi(word.substr(at, 2), nullptr, 16)));
      }
    } else {
      integers.push_back(std::strtoll(word.c_str(), nullptr, 10));
    }
  }
  call.attributes.add(name, kind, integers, numbers, text);
}

const char* map_file(const char* path) {
  const int descriptor = open(path, O_RDONLY);
  struct stat status {};
  if (descriptor < 0 || fstat(descriptor, &status) != 0) return nullptr;
  void* memory = mmap(nullptr, static_cast<size_t>(status.st_size), PROT_READ, MAP_PRIVATE, descriptor, 0);
  close(descriptor);
  return memory == MAP_FAILED ? nullptr : static_cast<const char*>(memory);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 5) return 2;
  std::ifstream words(arguments[1]);
  const char* arrays = map_file(arguments[2]);
  threads = std::atoi(arguments[3]);
  callers = std::atoi(arguments[4]);
  if (!words || arrays == nullptr) return 2;
  auto call = std::make_unique<PlannedCall>();
  std::string word;
  while (words >> word) {
    if (word == "call") {
      std::string direction;
      call = std::make_unique<PlannedCall>();
      words >> call->name >> direction;
      call->backward = direction == "backward";
    } else if (word == "attribute") {
      read_attribute(words, *call);
    } else if (word == "input") {
      size_t views = 0;
      Group group;
      words >> group.name >> views;
      for (size_t i = 0; i < views; ++i) {
        words >> word;  // view
        group.tensors.push_back(read_tensor(words, arrays));
      }
      call->inputs.push_back(std::move(group));
    } else if (word == "output") {
      std::string name;
      words >> name;
      // Outputs of one name are the tensors of one group: the gradients of a variadic input.
      if (call->outputs.empty() || call->outputs.back().name != name) call->outputs.push_back({name, {}});
      call->outputs.back().tensors.push_back(read_tensor(words, nullptr));
    } else if (word == "run") {
      run(*call);
    }
  }
  std::printf("done\n");
  return 0;
}
