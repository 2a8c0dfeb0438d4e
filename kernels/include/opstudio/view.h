// Tensors as a kernel sees them, and the ways through them.
#ifndef OPSTUDIO_VIEW_H
#define OPSTUDIO_VIEW_H

#include <cstddef>
#include <cstdint>

#include "opstudio/abi.h"
#include "opstudio/element_types.h"
#include "opstudio/error.h"

namespace opstudio {

// The largest rank that a strided walk can follow.
constexpr int kMaximumRank = 16;

// A contiguous run of values that somebody else owns.
template <class T>
class Span {
 public:
  Span(const T* data, int64_t size) : data_(data), size_(size) {}
  int64_t size() const { return size_; }
  const T& operator[](int64_t index) const { return data_[index]; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }

 private:
  const T* data_;
  int64_t size_;
};

class View {
 public:
  explicit View(const opstudio_view& raw) : raw_(&raw) {}

  int rank() const { return raw_->rank; }
  int32_t type() const { return raw_->type; }

  // The size along an axis; negative axes count from the end.
  int64_t size(int axis) const { return raw_->shape[resolve_axis(axis)]; }
  int64_t stride(int axis) const { return raw_->strides[resolve_axis(axis)]; }
  Span<int64_t> shape() const { return {raw_->shape, raw_->rank}; }
  Span<int64_t> strides() const { return {raw_->strides, raw_->rank}; }

  int64_t count() const {
    int64_t product = 1;
    for (int axis = 0; axis < raw_->rank; ++axis) product *= raw_->shape[axis];
    return product;
  }

  bool is_contiguous() const {
    int64_t expected = 1;
    for (int axis = raw_->rank - 1; axis >= 0; --axis) {
      if (raw_->shape[axis] == 0) return true;
      if (raw_->shape[axis] != 1 && raw_->strides[axis] != expected) return false;
      expected *= raw_->shape[axis];
    }
    return true;
  }

  // The first element. Throws when the tensor holds another type.
  template <class T>
  T* data() const {
    return static_cast<T*>(data_of_type(type_code<T>::value));
  }
  void* data_of_type(int32_t type) const {
    if (raw_->type != type) refuse_type(type);
    return raw_->data;
  }

  // Returns the axis counted from the front; throws when there is no such axis.
  OPSTUDIO_SHARED int resolve_axis(int64_t axis) const {
    const int64_t resolved = axis < 0 ? axis + raw_->rank : axis;
    OPSTUDIO_CHECK(resolved >= 0 && resolved < raw_->rank, "axis ", axis, " is outside of a tensor of rank ",
                   raw_->rank);
    return static_cast<int>(resolved);
  }

 private:
  [[noreturn]] OPSTUDIO_SHARED void refuse_type(int32_t type) const {
    throw Error("the kernel reads ", type_name(type), " where the tensor holds ", type_name(raw_->type));
  }

  const opstudio_view* raw_;
};

// Walks the rows along one axis of views of equal shape (apart from that axis): for each row, the offset of its first
// element in each view. A row is read with the stride of the axis.
class Rows {
 public:
  Rows(const View& view, int axis) : rank_(0), count_(1) {
    OPSTUDIO_CHECK(view.rank() <= kMaximumRank, "rank ", view.rank(), " is above ", kMaximumRank);
    for (int other = 0; other < view.rank(); ++other) {
      if (other == axis) continue;
      sizes_[rank_] = view.size(other);
      strides_[rank_] = view.stride(other);
      count_ *= sizes_[rank_++];
    }
  }

  int64_t count() const { return count_; }

  int64_t offset(int64_t row) const {
    int64_t offset = 0;
    for (int axis = rank_ - 1; axis >= 0; --axis) {
      offset += (row % sizes_[axis]) * strides_[axis];
      row /= sizes_[axis];
    }
    return offset;
  }

 private:
  int rank_;
  int64_t count_;
  int64_t sizes_[kMaximumRank];
  int64_t strides_[kMaximumRank];
};

namespace detail {

// The most tensors that one element-wise walk takes, the output included.
constexpr int kMaximumOperands = 8;

// Several views of one shape, with axes merged wherever all of them allow it, so that the innermost run is as long as
// can be. Contiguous views end up with one axis. Not a template, so that it is compiled once per kernel.
class Walk {
 public:
  OPSTUDIO_SHARED Walk(const View* const* views, int operands) : operands_(operands), rank_(0) {
    const View& first = *views[0];
    OPSTUDIO_CHECK(first.rank() <= kMaximumRank, "rank ", first.rank(), " is above ", kMaximumRank);
    for (int axis = 0; axis < first.rank(); ++axis) add_axis(views, axis);
    if (rank_ > 0) return;
    rank_ = 1;
    sizes_[0] = 1;
    for (int i = 0; i < operands_; ++i) strides_[0][i] = 1;
  }

  bool is_contiguous() const {
    bool contiguous = rank_ == 1;
    for (int i = 0; i < operands_; ++i) contiguous = contiguous && strides_[0][i] == 1;
    return contiguous;
  }

  int64_t inner_size() const { return sizes_[rank_ - 1]; }
  const int64_t* inner_strides() const { return strides_[rank_ - 1]; }

  // Sets the offset of element `index` (in row-major order) in each tensor.
  OPSTUDIO_SHARED void locate(int64_t index, int64_t* offsets) const {
    for (int i = 0; i < operands_; ++i) offsets[i] = 0;
    for (int axis = rank_ - 1; axis >= 0; --axis) {
      const int64_t position = index % sizes_[axis];
      index /= sizes_[axis];
      for (int i = 0; i < operands_; ++i) offsets[i] += position * strides_[axis][i];
    }
  }

 private:
  OPSTUDIO_SHARED void add_axis(const View* const* views, int axis) {
    const int64_t size = views[0]->size(axis);
    bool merges = rank_ > 0;
    for (int i = 0; i < operands_; ++i) {
      OPSTUDIO_CHECK(views[i]->rank() == views[0]->rank() && views[i]->size(axis) == size,
                     "an element-wise walk over tensors of different shapes");
      merges = merges && strides_[rank_ - 1][i] == views[i]->stride(axis) * size;
    }
    if (size == 1) return;
    if (!merges) sizes_[rank_++] = 1;
    sizes_[rank_ - 1] *= size;
    for (int i = 0; i < operands_; ++i) strides_[rank_ - 1][i] = views[i]->stride(axis);
  }

  int operands_;
  int rank_;
  int64_t sizes_[kMaximumRank] = {};
  int64_t strides_[kMaximumRank][kMaximumOperands] = {};
};

}  // namespace detail
}  // namespace opstudio

#endif
