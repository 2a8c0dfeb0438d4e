// How row_softmax cuts its tensors into tiles, which are read in the order of memory, whatever axis it works along.
#ifndef ROW_SOFTMAX_TILES_H
#define ROW_SOFTMAX_TILES_H

#include <cstdint>

#include <opstudio/kernel.h>

namespace row_softmax {

// Lanes of a tile: a few cache lines at once, and all accumulators of a tile stay in the first-level cache.
constexpr int kLanes = 128;

// A tile has `results` neighbouring columns and computes one result for each (a row along the innermost axis is a tile
// of one column). Narrow columns leave lanes free: a step then takes several rows of the tile at once, a power of two,
// and their results are joined at the end. Lane i belongs to column i % results.
struct Tile {
  static constexpr int kMaximumOperands = 3;
  int results;
  int width;      // lanes of a full step: a multiple of `results`
  int64_t steps;  // full steps
  int rest;       // lanes of one more step, where the rows do not divide evenly; else 0
  int64_t offset[kMaximumOperands];
  int64_t step[kMaximumOperands];  // strides, in elements, from one step to the next and from lane to lane
  int64_t lane[kMaximumOperands];

  // Calls body(step, width) for each step.
  template <class F>
  void for_each_step(F&& body) const {
    const int64_t count = steps + (rest > 0 ? 1 : 0);
    for (int64_t index = 0; index < count; ++index) body(index, index < steps ? width : rest);
  }
};

// All tiles of tensors of one shape. The first tensor decides on the order.
class Tiling {
 public:
  OPSTUDIO_BRIEF Tiling(const opstudio::View* const* views, int operands, int64_t axis) : operands_(operands) {
    const opstudio::View& first = *views[0];
    OPSTUDIO_CHECK(first.rank() <= opstudio::kMaximumRank, "rank ", first.rank(), " is above ", opstudio::kMaximumRank);
    // A tensor without axes is a row of one element, as in PyTorch.
    const bool is_scalar = first.rank() == 0 && (axis == 0 || axis == -1);
    const int along = is_scalar ? 0 : first.resolve_axis(axis);
    if (!is_scalar) {
      length_ = first.size(along);
      for (int i = 0; i < operands_; ++i) step_[i] = views[i]->stride(along);
      for (int other = 0; other < first.rank(); ++other) {
        if (other != along) add_axis(views, other);
      }
    }
    choose_columns();
    count_ = blocks_;
    for (int other = 0; other < rank_; ++other) count_ *= sizes_[other];
    if (length_ == 0) count_ = 0;
  }

  int64_t count() const { return count_; }

  // Elements of a tile.
  int64_t tile_size() const { return length_ * (blocks_ > 1 ? kLanes : columns_); }

  OPSTUDIO_BRIEF Tile tile(int64_t index) const {
    Tile result;
    const int64_t first_column = index % blocks_ * kLanes, left = columns_ - first_column;
    index /= blocks_;
    result.results = static_cast<int>(left < kLanes ? left : kLanes);
    result.width = result.results * rows_per_step_;
    result.steps = length_ / rows_per_step_;
    result.rest = static_cast<int>(length_ % rows_per_step_) * result.results;
    for (int i = 0; i < operands_; ++i) {
      result.step[i] = step_[i] * rows_per_step_;
      result.lane[i] = column_[i];
      result.offset[i] = first_column * column_[i];
    }
    for (int axis = rank_ - 1; axis >= 0; --axis) {
      const int64_t position = index % sizes_[axis];
      index /= sizes_[axis];
      for (int i = 0; i < operands_; ++i) result.offset[i] += position * strides_[axis][i];
    }
    return result;
  }

 private:
  // Joins an axis to the one before it where all tensors allow that.
  OPSTUDIO_BRIEF void add_axis(const opstudio::View* const* views, int axis) {
    const int64_t size = views[0]->size(axis);
    if (size == 1) return;
    bool joins = rank_ > 0;
    for (int i = 0; i < operands_; ++i) joins = joins && strides_[rank_ - 1][i] == views[i]->stride(axis) * size;
    if (!joins) sizes_[rank_++] = 1;
    sizes_[rank_ - 1] *= size;
    for (int i = 0; i < operands_; ++i) strides_[rank_ - 1][i] = views[i]->stride(axis);
  }

  // Takes the axis along which neighbours lie closest as columns, unless the elements of a row lie closer.
  OPSTUDIO_BRIEF void choose_columns() {
    int closest = -1;
    for (int other = 0; other < rank_; ++other) {
      const bool is_closer = closest < 0 || strides_[other][0] < strides_[closest][0];
      if (strides_[other][0] > 0 && is_closer) closest = other;
    }
    if (closest >= 0 && (length_ <= kShortRow || strides_[closest][0] < step_[0])) {
      take_columns(closest);
    } else {
      for (int i = 0; i < operands_; ++i) column_[i] = step_[i];
    }
    bool fills_gaps = true;  // whether the next row follows the last column
    for (int i = 0; i < operands_; ++i) fills_gaps = fills_gaps && step_[i] == columns_ * column_[i];
    while (fills_gaps && rows_per_step_ < length_ && 2 * rows_per_step_ * columns_ <= kLanes) rows_per_step_ *= 2;
  }

  void take_columns(int closest) {
    columns_ = sizes_[closest];
    blocks_ = (columns_ + kLanes - 1) / kLanes;
    for (int i = 0; i < operands_; ++i) column_[i] = strides_[closest][i];
    --rank_;
    for (int other = closest; other < rank_; ++other) {
      sizes_[other] = sizes_[other + 1];
      for (int i = 0; i < operands_; ++i) strides_[other][i] = strides_[other + 1][i];
    }
  }

  // Rows up to this length leave most lanes idle: many of them are worked on side by side instead.
  static constexpr int64_t kShortRow = 32;

  int operands_;
  int rank_ = 0;
  int64_t length_ = 1;
  int64_t columns_ = 1;
  int64_t blocks_ = 1;  // of columns
  int rows_per_step_ = 1;
  int64_t count_ = 1;
  int64_t step_[Tile::kMaximumOperands] = {1, 1, 1};
  int64_t column_[Tile::kMaximumOperands] = {};
  int64_t sizes_[opstudio::kMaximumRank] = {};
  int64_t strides_[opstudio::kMaximumRank][Tile::kMaximumOperands] = {};
};

// One of the tensors, step by step through a tile, in the type to compute in.
template <class C>
class TileElements {
 public:
  TileElements(const opstudio::Elements& elements, const Tile& tile, int operand)
      : elements_(elements), offset_(tile.offset[operand]), step_(tile.step[operand]), lane_(tile.lane[operand]) {
    in_place_ = elements.place<C>(offset_, lane_, nullptr);
  }

  bool converts() const { return elements_.converts(); }

  // The values of a step: where they lie, or copied into the buffer.
  const C* load(int64_t step, int width, C* buffer) const {
    return in_place_ != nullptr ? in_place_ + step * step_
                                : elements_.load(offset_ + step * step_, lane_, width, buffer);
  }

  // Where to compute the values of a step: where they belong, or the buffer, from where `store` puts them there.
  C* place(int64_t step, C* buffer) const { return in_place_ != nullptr ? in_place_ + step * step_ : buffer; }
  void store(const C* values, int64_t step, int width) const {
    if (in_place_ == nullptr) elements_.store(values, offset_ + step * step_, lane_, width);
  }

 private:
  const opstudio::Elements& elements_;
  int64_t offset_, step_, lane_;
  C* in_place_;  // the first element, where nothing need be copied or converted
};

}  // namespace row_softmax

#endif
