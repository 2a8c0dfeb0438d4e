// y = exp(x - max x) / sum exp(x - max x) along one axis, and its gradient. See README.md for how it reads memory.
#include <opstudio/kernel.h>

#include <limits>
#include <type_traits>

#include "lane_loops.h"
#include "tiles.h"

namespace {

using row_softmax::kLanes;
using row_softmax::LaneLoops;
using row_softmax::Tile;
using row_softmax::Tiling;

// A softmax costs about four times as much for each element as other element-wise work.
constexpr int64_t kGrain = opstudio::kElementGrain / 4;

// So many steps are summed by themselves before they are added to the sum of all: the rounding errors of a long sum
// grow with its blocks then, not with its elements.
constexpr int64_t kBlock = 64;

// Joins the lanes that belong to one column, halves with halves; the first lane of each column gets the result.
template <class C, class F>
void join_lanes(const Tile& tile, C* values, const F& join) {
  for (int half = tile.width / 2; half >= tile.results; half /= 2) {
    ROW_SOFTMAX_INDEPENDENT
    for (int lane = 0; lane < half; ++lane) values[lane] = join(values[lane], values[lane + half]);
  }
}

// Gives all lanes of a column what its first lane has.
template <class C>
void spread(const Tile& tile, C* values) {
  if (tile.results == 1) {
    const C value = values[0];
    for (int lane = 1; lane < tile.width; ++lane) values[lane] = value;
  } else {
    for (int lane = tile.results; lane < tile.width; ++lane) values[lane] = values[lane - tile.results];
  }
}

// The sums of the lanes of a tile.
template <class C>
class LaneSums {
 public:
  explicit LaneSums(const Tile& tile) : tile_(tile) { clear(); }

  // Where the loops add to.
  C* block() { return block_; }

  void end_step(int64_t step) {
    if (step % kBlock == kBlock - 1) end_block();
  }

  // Returns the sums, each in the first lane of its column.
  C* finish() {
    C* sums = block_;
    if (has_total_) {
      end_block();
      sums = total_;
    }
    join_lanes(tile_, sums, [](C first, C second) { return first + second; });
    return sums;
  }

 private:
  void clear() {
    for (int lane = 0; lane < tile_.width; ++lane) block_[lane] = 0;
  }

  void end_block() {
    for (int lane = 0; lane < tile_.width; ++lane) {
      total_[lane] = has_total_ ? total_[lane] + block_[lane] : block_[lane];
    }
    has_total_ = true;
    clear();
  }

  const Tile& tile_;
  bool has_total_ = false;  // tiles of one block, which most are, need none
  C block_[kLanes];
  C total_[kLanes];
};

template <class T, class C>
void softmax_tile(const Tile& tile, const LaneLoops<C>& loops, const T* x, T* y) {
  x += tile.offset[0], y += tile.offset[1];
  const int64_t x_lane = tile.lane[0], y_lane = tile.lane[1];
  C highest[kLanes], buffer[kLanes], results[kLanes];
  for (int lane = 0; lane < tile.width; ++lane) highest[lane] = -std::numeric_limits<C>::infinity();
  tile.for_each_step([&](int64_t step, int width) {
    loops.raise_maximum(row_softmax::load(x + step * tile.step[0], x_lane, width, buffer), highest, width);
  });
  join_lanes(tile, highest, [](C first, C second) { return first > second ? first : second; });
  spread(tile, highest);

  // A float or double output holds the exponentials until their sum is known. Half types would round them twice:
  // there they are computed again.
  constexpr bool kKeeps = std::is_same_v<T, C>;
  LaneSums<C> sums(tile);
  tile.for_each_step([&](int64_t step, int width) {
    const C* values = row_softmax::load(x + step * tile.step[0], x_lane, width, buffer);
    T* const target = y + step * tile.step[1];
    C* const exponentials = row_softmax::place_for<C>(target, y_lane, results);
    loops.add_exponentials(values, highest, exponentials, sums.block(), width);
    if constexpr (kKeeps) row_softmax::store(exponentials, target, y_lane, width);
    sums.end_step(step);
  });

  C factor[kLanes];
  const C* const totals = sums.finish();
  for (int lane = 0; lane < tile.results; ++lane) factor[lane] = 1 / totals[lane];
  spread(tile, factor);
  tile.for_each_step([&](int64_t step, int width) {
    T* const target = y + step * tile.step[1];
    C* const products = row_softmax::place_for<C>(target, y_lane, results);
    const C* exponentials = results;
    if constexpr (kKeeps) {
      exponentials = row_softmax::load(target, y_lane, width, buffer);
    } else {
      const C* values = row_softmax::load(x + step * tile.step[0], x_lane, width, buffer);
      loops.add_exponentials(values, highest, results, sums.block(), width);  // the sum is known
    }
    loops.multiply(exponentials, factor, products, width);
    row_softmax::store(products, target, y_lane, width);
  });
}

template <class T, class C>
void gradient_tile(const Tile& tile, const LaneLoops<C>& loops, const T* y, const T* grad_y, T* grad_x) {
  y += tile.offset[0], grad_y += tile.offset[1], grad_x += tile.offset[2];
  C y_buffer[kLanes], gradient_buffer[kLanes], results[kLanes];
  const auto load_y = [&](int64_t step, int width) {
    return row_softmax::load(y + step * tile.step[0], tile.lane[0], width, y_buffer);
  };
  const auto load_gradient = [&](int64_t step, int width) {
    return row_softmax::load(grad_y + step * tile.step[1], tile.lane[1], width, gradient_buffer);
  };
  LaneSums<C> sums(tile);
  tile.for_each_step([&](int64_t step, int width) {
    loops.add_products(load_y(step, width), load_gradient(step, width), sums.block(), width);
    sums.end_step(step);
  });
  C* const totals = sums.finish();
  spread(tile, totals);
  tile.for_each_step([&](int64_t step, int width) {
    T* const target = grad_x + step * tile.step[2];
    C* const ready = row_softmax::place_for<C>(target, tile.lane[2], results);
    loops.multiply_difference(load_y(step, width), load_gradient(step, width), totals, ready, width);
    row_softmax::store(ready, target, tile.lane[2], width);
  });
}

// Runs body(tile) over all tiles on the host's threads.
template <class F>
void for_each_tile(const opstudio::Call& call, const Tiling& tiling, F&& body) {
  call.parallel_for(tiling.count(), 1 + kGrain / (tiling.tile_size() + 1), [&](int64_t begin, int64_t end) {
    for (int64_t index = begin; index < end; ++index) body(tiling.tile(index));
  });
}

void forward(const opstudio::Call& call) {
  const opstudio::View x = call.input("x"), y = call.output("y");
  const opstudio::View* const views[] = {&x, &y};
  const Tiling tiling(views, 2, call.integer("axis"));
  opstudio::dispatch<opstudio::FloatingTypes>(x.type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    const auto& loops = row_softmax::lane_loops<opstudio::compute_t<T>>();
    for_each_tile(call, tiling, [&](const Tile& tile) { softmax_tile(tile, loops, x.data<T>(), y.data<T>()); });
  });
}

// dx = y * (dy - sum of y * dy along the axis)
void backward(const opstudio::Call& call) {
  const opstudio::View grad_y = call.input("grad_y"), y = call.input("y"), grad_x = call.output("grad_x");
  const opstudio::View* const views[] = {&y, &grad_y, &grad_x};
  const Tiling tiling(views, 3, call.integer("axis"));
  opstudio::dispatch<opstudio::FloatingTypes>(y.type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    const auto& loops = row_softmax::lane_loops<opstudio::compute_t<T>>();
    for_each_tile(call, tiling, [&](const Tile& tile) {
      gradient_tile(tile, loops, y.data<T>(), grad_y.data<T>(), grad_x.data<T>());
    });
  });
}

}  // namespace

OPSTUDIO_KERNEL(forward, backward)
