// normalize_image on a CUDA device: one thread for each pixel. Neighbouring threads read neighbouring pixels, whose bytes
// share cache lines, and write neighbours of each plane.
#include <cuda_runtime.h>

#include <opstudio/kernel.h>

namespace {

constexpr int kThreads = 256;
constexpr int64_t kMostBlocks = 65536;
constexpr int kMostChannels = 64;  // what fits into the parameters of a kernel with room to spare

// A tensor of four axes as a kernel parameter, in the order N, C, H, W: the host's arrays cannot be read on the device.
struct Image {
  int64_t image, channel, row, column;
};

// (byte - centre) * factor for each channel: bytes are exact, so that nothing is rounded before the subtraction.
struct Lines {
  int channels;
  float centre[kMostChannels];
  float factor[kMostChannels];

  Lines(const opstudio::Call& call, int64_t count) : channels(static_cast<int>(count)) {
    const auto mean = call.numbers("mean"), std = call.numbers("std");
    const double full_scale = call.number("full_scale");
    OPSTUDIO_CHECK(count <= kMostChannels, "x has ", count, " channels, which is above ", kMostChannels);
    OPSTUDIO_CHECK(mean.size() == count, "mean has ", mean.size(), " numbers, but x has ", count, " channels");
    OPSTUDIO_CHECK(std.size() == count, "std has ", std.size(), " numbers, but x has ", count, " channels");
    OPSTUDIO_CHECK(full_scale != 0, "full_scale is 0, but x is divided by it");
    for (int channel = 0; channel < channels; ++channel) {
      OPSTUDIO_CHECK(std[channel] != 0, "std of channel ", channel, " is 0, but x is divided by it");
      centre[channel] = static_cast<float>(full_scale * mean[channel]);
      factor[channel] = static_cast<float>(1 / (full_scale * std[channel]));
    }
  }
};

__global__ void normalize_pixels(Lines lines, Image from, Image to, int64_t rows, int64_t columns, int64_t count,
                                 const uint8_t* x, float* y) {
  const int64_t threads = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t pixel = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; pixel < count; pixel += threads) {
    const int64_t column = pixel % columns, row = pixel / columns % rows, image = pixel / columns / rows;
    const uint8_t* const source = x + image * from.image + row * from.row + column * from.column;
    float* const target = y + image * to.image + row * to.row + column * to.column;
    for (int channel = 0; channel < lines.channels; ++channel) {
      const float byte = source[channel * from.channel];
      target[channel * to.channel] = (byte - lines.centre[channel]) * lines.factor[channel];
    }
  }
}

void forward(const opstudio::Call& call) {
  const opstudio::View x = call.input("x"), y = call.output("y");
  if (x.count() == 0) return;  // a grid has at least one block
  const Lines lines(call, x.size(3));
  const Image from{x.stride(0), x.stride(3), x.stride(1), x.stride(2)};
  const Image to{y.stride(0), y.stride(1), y.stride(2), y.stride(3)};
  const int64_t rows = x.size(1), columns = x.size(2), count = x.size(0) * rows * columns;
  const int64_t blocks = (count + kThreads - 1) / kThreads;
  normalize_pixels<<<static_cast<unsigned>(blocks < kMostBlocks ? blocks : kMostBlocks), kThreads, 0,
                     call.stream<cudaStream_t>()>>>(lines, from, to, rows, columns, count, x.data<uint8_t>(),
                                                    y.data<float>());
  const cudaError_t status = cudaGetLastError();
  OPSTUDIO_CHECK(status == cudaSuccess, "the launch failed: ", cudaGetErrorString(status));
}

}  // namespace

OPSTUDIO_KERNEL(forward)
