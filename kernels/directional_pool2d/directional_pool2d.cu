// directional_pool2d on a CUDA device: one thread for each output, and for each element of x's gradient. Neighbouring
// threads stand in neighbouring columns, so that their reads join whichever direction the windows have.
#include <cuda_runtime.h>

#include <cmath>

#include <opstudio/kernel.h>

namespace {

constexpr int kThreads = 256;
constexpr int64_t kMostBlocks = 65536;

// A tensor of four axes as a kernel parameter: the host's arrays cannot be read on the device.
struct Image {
  int64_t sizes[4];
  int64_t strides[4];

  explicit Image(const opstudio::View& view) {
    for (int axis = 0; axis < 4; ++axis) sizes[axis] = view.size(axis), strides[axis] = view.stride(axis);
  }

  int64_t count() const { return sizes[0] * sizes[1] * sizes[2] * sizes[3]; }
};

// Where element number `index` stands.
struct Position {
  int64_t at[4];

  __device__ Position(const Image& image, int64_t index) {
    for (int axis = 3; axis >= 0; --axis) {
      at[axis] = index % image.sizes[axis];
      index /= image.sizes[axis];
    }
  }

  __device__ int64_t offset(const Image& image) const {
    return at[0] * image.strides[0] + at[1] * image.strides[1] + at[2] * image.strides[2] + at[3] * image.strides[3];
  }
};

struct Windows {
  int axis;
  int64_t kernel;
  int64_t stride;

  explicit Windows(const opstudio::Call& call)
      : axis(call.text("direction") == "vertical" ? 2 : 3),
        kernel(call.integer("kernel")),
        stride(call.integer("stride")) {
    const int64_t side = call.input("x").size(axis);
    OPSTUDIO_CHECK(kernel > 0, "kernel is ", kernel, ", but a window has at least one element");
    OPSTUDIO_CHECK(stride > 0, "stride is ", stride, ", but windows move by at least one element");
    OPSTUDIO_CHECK(kernel <= side, "kernel is ", kernel, ", but x has only ", side, axis == 2 ? " rows" : " columns");
  }
};

// The largest element of a window and its place. The first maximum counts; NaN is larger than everything, and the last
// one counts.
template <class T, class C>
struct Maximum {
  C value = -C(INFINITY);
  int64_t place = 0;

  __device__ Maximum(const T* first, int64_t step, int64_t kernel) {
    for (int64_t k = 0; k < kernel; ++k) {
      const C candidate = C(first[k * step]);
      if (candidate > value || candidate != candidate) value = candidate, place = k;
    }
  }
};

// Calls body(index) for every element that this thread handles.
template <class F>
__device__ void for_each_element(int64_t count, const F& body) {
  const int64_t threads = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t index = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; index < count; index += threads) {
    body(index);
  }
}

template <class T, class C>
__global__ void pool(Windows windows, Image x_image, Image y_image, int64_t count, const T* x, T* y) {
  const int64_t step = x_image.strides[windows.axis];
  for_each_element(count, [&](int64_t index) {
    const Position output(y_image, index);
    Position first = output;
    first.at[windows.axis] *= windows.stride;
    y[output.offset(y_image)] = T(Maximum<T, C>(x + first.offset(x_image), step, windows.kernel).value);
  });
}

// Every element of x asks the windows that it is in whether it is their maximum: no two threads add to one place, so
// that the sum has one order and is kept in C.
template <class T, class C>
__global__ void pool_gradients(Windows windows, Image x_image, Image y_image, Image result_image, int64_t count,
                               const T* x, const T* grad_y, T* grad_x) {
  const int axis = windows.axis;
  const int64_t step = x_image.strides[axis], outputs = y_image.sizes[axis];
  for_each_element(count, [&](int64_t index) {
    const Position element(x_image, index);
    const int64_t position = element.at[axis];
    const int64_t before = position - windows.kernel;  // a window that begins here ends just before the element
    C sum = 0;
    Position window = element;
    for (int64_t output = before < 0 ? 0 : before / windows.stride + 1;
         output < outputs && output * windows.stride <= position; ++output) {
      window.at[axis] = output * windows.stride;
      const Maximum<T, C> maximum(x + window.offset(x_image), step, windows.kernel);
      if (window.at[axis] + maximum.place != position) continue;
      window.at[axis] = output;
      sum += C(grad_y[window.offset(y_image)]);
    }
    grad_x[element.offset(result_image)] = T(sum);
  });
}

unsigned blocks_for(int64_t count) {
  const int64_t blocks = (count + kThreads - 1) / kThreads;
  return static_cast<unsigned>(blocks < kMostBlocks ? blocks : kMostBlocks);
}

void check_launch() {
  const cudaError_t status = cudaGetLastError();
  OPSTUDIO_CHECK(status == cudaSuccess, "the launch failed: ", cudaGetErrorString(status));
}

void forward(const opstudio::Call& call) {
  const Windows windows(call);
  const opstudio::View x = call.input("x"), y = call.output("y");
  const Image x_image(x), y_image(y);
  const int64_t count = y_image.count();
  if (count == 0) return;  // a grid has at least one block
  opstudio::dispatch<opstudio::FloatingTypes>(x.type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    using C = opstudio::compute_t<T>;
    pool<T, C><<<blocks_for(count), kThreads, 0, call.stream<cudaStream_t>()>>>(windows, x_image, y_image, count,
                                                                               x.data<T>(), y.data<T>());
    check_launch();
  });
}

void backward(const opstudio::Call& call) {
  const Windows windows(call);
  const opstudio::View x = call.input("x"), grad_y = call.input("grad_y"), grad_x = call.output("grad_x");
  const Image x_image(x), y_image(grad_y), result_image(grad_x);
  const int64_t count = x_image.count();
  if (count == 0) return;
  opstudio::dispatch<opstudio::FloatingTypes>(x.type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    using C = opstudio::compute_t<T>;
    pool_gradients<T, C><<<blocks_for(count), kThreads, 0, call.stream<cudaStream_t>()>>>(
        windows, x_image, y_image, result_image, count, x.data<T>(), grad_y.data<T>(), grad_x.data<T>());
    check_launch();
  });
}

}  // namespace

OPSTUDIO_KERNEL(forward, backward)
