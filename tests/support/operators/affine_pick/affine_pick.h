// What both directions of affine_pick share.
#pragma once

#include <opstudio/kernel.h>

namespace affine_pick {

void backward(const opstudio::Call& call);

inline int64_t checked_pick(const opstudio::Call& call, int64_t index, int64_t columns) {
  const int64_t pick = call.integers("picks")[index];
  OPSTUDIO_CHECK(pick >= 0 && pick < columns, "pick ", pick, " is outside of ", columns, " columns");
  return pick;
}

}  // namespace affine_pick
