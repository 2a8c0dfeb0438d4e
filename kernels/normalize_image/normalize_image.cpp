// y = (x / full_scale - mean) / std, from bytes [N, H, W, C] to float [N, C, H, W]. Images are cut into tiles whose bytes
// stay in the first-level cache while their channels are taken apart.
#include <opstudio/kernel.h>

#include "pixel_loops.h"

namespace {

using normalize_image::Line;
using normalize_image::PixelLoops;
using opstudio::View;

// Pixels of a tile.
constexpr int64_t kTile = 2048;

// Writes the lines of all channels; refuses numbers that make none.
OPSTUDIO_BRIEF void make_lines(const opstudio::Call& call, int64_t channels, Line* lines) {
  const auto mean = call.numbers("mean"), std = call.numbers("std");
  const double full_scale = call.number("full_scale");
  OPSTUDIO_CHECK(mean.size() == channels, "mean has ", mean.size(), " numbers, but x has ", channels, " channels");
  OPSTUDIO_CHECK(std.size() == channels, "std has ", std.size(), " numbers, but x has ", channels, " channels");
  OPSTUDIO_CHECK(full_scale != 0, "full_scale is 0, but x is divided by it");
  for (int64_t channel = 0; channel < channels; ++channel) {
    OPSTUDIO_CHECK(std[channel] != 0, "std of channel ", channel, " is 0, but x is divided by it");
    lines[channel] = {static_cast<float>(full_scale * mean[channel]),
                      static_cast<float>(1 / (full_scale * std[channel]))};
  }
}

// The tiles of all images. Rows that follow each other in both tensors are one long row.
struct Tiles {
  int64_t images, rows, columns, channels;
  int64_t x_image, x_row, x_column, x_channel;
  int64_t y_image, y_plane, y_row, y_column;
  int64_t per_row;  // tiles

  OPSTUDIO_BRIEF Tiles(const View& x, const View& y)
      : images(x.size(0)),
        rows(x.size(1)),
        columns(x.size(2)),
        channels(x.size(3)),
        x_image(x.stride(0)),
        x_row(x.stride(1)),
        x_column(x.stride(2)),
        x_channel(x.stride(3)),
        y_image(y.stride(0)),
        y_plane(y.stride(1)),
        y_row(y.stride(2)),
        y_column(y.stride(3)) {
    if (x_row == columns * x_column && y_row == columns * y_column) {
      columns *= rows;
      rows = 1;
    }
    per_row = (columns + kTile - 1) / kTile;
  }

  int64_t count() const { return images * rows * per_row; }
  int64_t grain() const { return 1 + opstudio::kElementGrain / (kTile * (channels + 1)); }
};

// A call.
struct Normalization {
  Tiles tiles;
  PixelLoops loops;
  const Line* lines;
  const uint8_t* x;
  float* y;

  OPSTUDIO_BRIEF void compute(int64_t index) const {
    const int64_t first = index % tiles.per_row * kTile, left = tiles.columns - first;
    const int64_t row = index / tiles.per_row % tiles.rows, image = index / tiles.per_row / tiles.rows;
    const int64_t count = left < kTile ? left : kTile;
    const uint8_t* const from = x + image * tiles.x_image + row * tiles.x_row + first * tiles.x_column;
    float* const to = y + image * tiles.y_image + row * tiles.y_row + first * tiles.y_column;
    const auto split = loops.split_for(tiles.channels);
    const bool is_packed = tiles.x_channel == 1 && tiles.x_column == tiles.channels && tiles.y_column == 1;
    if (split != nullptr && is_packed) return split(from, lines, to, tiles.y_plane, count);
    for (int64_t channel = 0; channel < tiles.channels; ++channel) {
      take(from + channel * tiles.x_channel, lines[channel], to + channel * tiles.y_plane, count);
    }
  }

 private:
  OPSTUDIO_BRIEF void take(const uint8_t* from, Line line, float* to, int64_t count) const {
    if (tiles.y_column == 1) return loops.one(from, tiles.x_column, line, to, count);
    for (int64_t i = 0; i < count; ++i) to[i * tiles.y_column] = line.at(from[i * tiles.x_column]);
  }
};

void forward(const opstudio::Call& call) {
  const View x = call.input("x"), y = call.output("y");
  const Tiles tiles(x, y);
  if (tiles.channels == 0) return;  // there is no plane to fill, whatever the numbers
  Line* const lines = call.scratch<Line>(tiles.channels);
  make_lines(call, tiles.channels, lines);
  const Normalization work{tiles, normalize_image::pixel_loops(), lines, x.data<uint8_t>(), y.data<float>()};
  call.parallel_for(tiles.count(), tiles.grain(), [&](int64_t begin, int64_t end) {
    for (int64_t index = begin; index < end; ++index) work.compute(index);
  });
}

}  // namespace

OPSTUDIO_KERNEL(forward)
