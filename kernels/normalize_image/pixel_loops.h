// The innermost loops of normalize_image: from bytes to planes of float. They are built for several instruction sets and
// chosen when the kernel runs.
#ifndef NORMALIZE_IMAGE_PIXEL_LOOPS_H
#define NORMALIZE_IMAGE_PIXEL_LOOPS_H

#include <cstddef>
#include <cstdint>
#include <utility>

#include <opstudio/instruction_sets.h>
#include <opstudio/kernel.h>

namespace normalize_image {

// What the bytes of a channel become: (byte - centre) * factor. Bytes are exact, so that nothing is rounded before the
// subtraction; a product and a sum would lose most digits of results near zero.
struct Line {
  float centre;
  float factor;

  OPSTUDIO_INLINE float at(uint8_t byte) const { return (static_cast<float>(byte) - centre) * factor; }
};

// Pixels whose channels lie side by side, to as many planes: one pass, in which compilers make shuffles of the steps.
template <size_t... Channels>
OPSTUDIO_INLINE void split(const uint8_t* x, const Line* lines, float* y, int64_t plane, int64_t count,
                           std::index_sequence<Channels...>) {
  constexpr size_t kChannels = sizeof...(Channels);
  const Line own[] = {lines[Channels]...};  // out of reach of what is written
  OPSTUDIO_INDEPENDENT
  for (int64_t i = 0; i < count; ++i) {
    ((y[static_cast<int64_t>(Channels) * plane + i] = own[Channels].at(x[i * kChannels + Channels])), ...);
  }
}

// One channel with any step from pixel to pixel.
OPSTUDIO_INLINE void take(const uint8_t* x, int64_t step, Line line, float* y, int64_t count) {
  OPSTUDIO_INDEPENDENT
  for (int64_t i = 0; i < count; ++i) y[i] = line.at(x[i * step]);
}

// Pixels of `channels` channels, side by side, to planes `plane` elements apart; and one channel of any layout to a plane.
struct PixelLoops {
  using Split = void (*)(const uint8_t* x, const Line* lines, float* y, int64_t plane, int64_t count);
  Split three;
  Split four;
  void (*one)(const uint8_t* x, int64_t step, Line line, float* y, int64_t count);

  // The loop for so many channels, or null.
  Split split_for(int64_t channels) const { return channels == 3 ? three : channels == 4 ? four : nullptr; }
};

#define NORMALIZE_IMAGE_BUILD(name, target)                                                                          \
  struct name {                                                                                                      \
    target static void three(const uint8_t* x, const Line* lines, float* y, int64_t plane, int64_t count) {          \
      split(x, lines, y, plane, count, std::make_index_sequence<3>());                                               \
    }                                                                                                                \
    target static void four(const uint8_t* x, const Line* lines, float* y, int64_t plane, int64_t count) {           \
      split(x, lines, y, plane, count, std::make_index_sequence<4>());                                               \
    }                                                                                                                \
    target static void one(const uint8_t* x, int64_t step, Line line, float* y, int64_t count) {                     \
      take(x, step, line, y, count);                                                                                 \
    }                                                                                                                \
    static PixelLoops loops() { return {three, four, one}; }                                                         \
  };

NORMALIZE_IMAGE_BUILD(Plain, OPSTUDIO_PLAIN)
#if OPSTUDIO_HAS_WIDE_BUILDS
NORMALIZE_IMAGE_BUILD(Avx2, OPSTUDIO_AVX2)
NORMALIZE_IMAGE_BUILD(Avx512, OPSTUDIO_AVX512)
#endif
#undef NORMALIZE_IMAGE_BUILD

// Chooses the loops for this processor.
inline PixelLoops pixel_loops() {
#if OPSTUDIO_HAS_WIDE_BUILDS
  if (opstudio::has_avx512()) return Avx512::loops();
  if (opstudio::has_avx2()) return Avx2::loops();
#endif
  return Plain::loops();
}

}  // namespace normalize_image

#endif
