// The elements of tensors as values to compute with, whatever type they are stored in.
//
// A kernel that reads and writes through `Elements` is compiled once for each type to compute in (float serves the half
// types too) instead of once for each type of element. See row_softmax for one that does.
#ifndef OPSTUDIO_ELEMENTS_H
#define OPSTUDIO_ELEMENTS_H

#include <cstdint>

#include "opstudio/element_loops.h"
#include "opstudio/view.h"

namespace opstudio {

// The elements of a tensor, read and written in runs of constant stride. Offsets and strides count elements; buffers
// hold a run in the type to compute in.
class Elements {
 public:
  // Throws when the tensor holds another type than that of the loops.
  Elements(const View& view, const ElementLoops& loops)
      : data_(static_cast<char*>(view.data_of_type(loops.type))), loops_(loops) {}

  bool converts() const { return loops_.converts(); }

  // Returns the values of a run: where they lie, or copied into the buffer.
  template <class C>
  const C* load(int64_t offset, int64_t stride, int64_t count, C* buffer) const {
    if (lies_ready(stride)) return static_cast<const C*>(at(offset));
    copy_in(offset, stride, count, buffer);
    return buffer;
  }

  // Returns the values of a run and sets `stride` to what they are apart: for loops that follow strides themselves,
  // so that only half types are copied.
  template <class C>
  const C* load_strided(int64_t offset, int64_t& stride, int64_t count, C* buffer) const {
    if (!converts()) return static_cast<const C*>(at(offset));
    copy_in(offset, stride, count, buffer);
    stride = 1;
    return buffer;
  }

  // Returns where to compute the values of a run: where they belong, or the buffer. Call `store` when they are there.
  template <class C>
  C* place(int64_t offset, int64_t stride, C* buffer) const {
    return lies_ready(stride) ? static_cast<C*>(at(offset)) : buffer;
  }

  // Writes the values of a run, unless they were computed in their place.
  template <class C>
  void store(const C* values, int64_t offset, int64_t stride, int64_t count) const {
    if (values != at(offset)) copy_out(values, offset, stride, count);
  }

 private:
  void* at(int64_t offset) const { return data_ + offset * loops_.size; }
  bool lies_ready(int64_t stride) const { return stride == 1 && !loops_.converts(); }

  // Half numbers that do not lie side by side are brought together before they are converted.
  OPSTUDIO_SHARED void copy_in(int64_t offset, int64_t stride, int64_t count, void* buffer) const {
    if (!converts()) return loops_.gather(at(offset), stride, count, buffer);
    if (stride == 1) return loops_.widen(at(offset), count, buffer);
    uint16_t together[detail::kBlock];
    for (int64_t done = 0; done < count; done += detail::kBlock) {
      const int64_t length = count - done < detail::kBlock ? count - done : detail::kBlock;
      loops_.gather(at(offset + done * stride), stride, length, together);
      loops_.widen(together, length, static_cast<float*>(buffer) + done);
    }
  }

  OPSTUDIO_SHARED void copy_out(const void* values, int64_t offset, int64_t stride, int64_t count) const {
    if (!converts()) return loops_.scatter(values, at(offset), stride, count);
    if (stride == 1) return loops_.narrow(values, at(offset), count);
    uint16_t together[detail::kBlock];
    for (int64_t done = 0; done < count; done += detail::kBlock) {
      const int64_t length = count - done < detail::kBlock ? count - done : detail::kBlock;
      loops_.narrow(static_cast<const float*>(values) + done, together, length);
      loops_.scatter(together, at(offset + done * stride), stride, length);
    }
  }

  char* data_;
  ElementLoops loops_;
};

}  // namespace opstudio

#endif
