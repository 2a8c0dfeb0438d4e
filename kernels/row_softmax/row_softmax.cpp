// y = exp(x - max x) / sum exp(x - max x) along one axis, and its gradient. See README.md for how it reads memory.
#include <opstudio/kernel.h>

#include <limits>

#include "lane_loops.h"
#include "tiles.h"

namespace {

using opstudio::Elements;
using opstudio::View;
using row_softmax::kLanes;
using row_softmax::LaneLoops;
using row_softmax::Tile;
using row_softmax::TileElements;
using row_softmax::Tiling;

// A softmax costs about four times as much for each element as other element-wise work.
constexpr int64_t kGrain = opstudio::kElementGrain / 4;

// So many steps are summed by themselves before they are added to the sum of all: the rounding errors of a long sum
// grow with its blocks then, not with its elements.
constexpr int64_t kBlock = 64;

template <class C>
void fill(C* values, C value) {
  for (int lane = 0; lane < kLanes; ++lane) values[lane] = value;
}

template <class C>
OPSTUDIO_NOINLINE void invert(const C* values, C* results, int count) {
  OPSTUDIO_INDEPENDENT
  for (int lane = 0; lane < count; ++lane) results[lane] = 1 / values[lane];
}

// Joins the lanes that belong to one column, halves with halves; the first lane of each column gets the result.
template <class C, class F>
OPSTUDIO_NOINLINE void join_lanes(const Tile& tile, C* values, F join) {
  for (int half = tile.width / 2; half >= tile.results; half /= 2) {
    OPSTUDIO_INDEPENDENT
    for (int lane = 0; lane < half; ++lane) values[lane] = join(values[lane], values[lane + half]);
  }
}

// Gives all lanes of a column what its first lane has.
template <class C>
OPSTUDIO_NOINLINE void spread(const Tile& tile, C* values) {
  if (tile.results == 1) {
    fill(values, values[0]);
  } else {
    for (int lane = tile.results; lane < tile.width; ++lane) values[lane] = values[lane - tile.results];
  }
}

// The sums of the lanes of a tile.
template <class C>
class LaneSums {
 public:
  explicit LaneSums(const Tile& tile) : tile_(tile) { fill(block_, C(0)); }

  // Where the loops add to.
  C* block() { return block_; }

  void end_step(int64_t step) {
    if (step % kBlock == kBlock - 1) end_block();
  }

  // Returns the sums, each in the first lane of its column.
  C* finish() {
    if (has_total_) end_block();
    C* const sums = has_total_ ? total_ : block_;
    join_lanes(tile_, sums, [](C first, C second) { return first + second; });
    return sums;
  }

 private:
  OPSTUDIO_NOINLINE void end_block() {
    if (!has_total_) fill(total_, C(0));
    has_total_ = true;
    for (int lane = 0; lane < kLanes; ++lane) total_[lane] += block_[lane];
    fill(block_, C(0));
  }

  const Tile& tile_;
  bool has_total_ = false;  // tiles of one block, which most are, need none
  C block_[kLanes];
  C total_[kLanes];
};

template <class C>
OPSTUDIO_NOINLINE void softmax_tile(const Tile& tile, const TileElements<C>& x, const TileElements<C>& y) {
  const LaneLoops<C> loops = row_softmax::lane_loops<C>();
  C highest[kLanes], buffer[kLanes], results[kLanes];
  fill(highest, -std::numeric_limits<C>::infinity());
  tile.for_each_step([&](int64_t step, int width) {
    loops.raise_maximum(x.load(step, width, buffer), highest, width);
  });
  join_lanes(tile, highest, [](C first, C second) { return first > second ? first : second; });
  spread(tile, highest);

  // A float or double output holds the exponentials until their sum is known. Half types would round them twice:
  // there they are computed again.
  LaneSums<C> sums(tile);
  tile.for_each_step([&](int64_t step, int width) {
    C* const exponentials = y.place(step, results);
    loops.add_exponentials(x.load(step, width, buffer), highest, exponentials, sums.block(), width);
    if (!y.converts()) y.store(exponentials, step, width);
    sums.end_step(step);
  });

  C factor[kLanes];
  const C* const totals = sums.finish();
  invert(totals, factor, tile.results);
  spread(tile, factor);
  tile.for_each_step([&](int64_t step, int width) {
    if (y.converts()) {
      loops.add_exponentials(x.load(step, width, buffer), highest, results, sums.block(), width);  // the sum is known
    }
    const C* const exponentials = y.converts() ? results : y.load(step, width, buffer);
    C* const products = y.place(step, results);
    loops.multiply(exponentials, factor, products, width);
    y.store(products, step, width);
  });
}

template <class C>
OPSTUDIO_NOINLINE void gradient_tile(const Tile& tile, const TileElements<C>& y, const TileElements<C>& grad_y,
                                     const TileElements<C>& grad_x) {
  const LaneLoops<C> loops = row_softmax::lane_loops<C>();
  C y_buffer[kLanes], gradient_buffer[kLanes], results[kLanes];
  LaneSums<C> sums(tile);
  tile.for_each_step([&](int64_t step, int width) {
    const C* const gradients = grad_y.load(step, width, gradient_buffer);
    loops.add_products(y.load(step, width, y_buffer), gradients, sums.block(), width);
    sums.end_step(step);
  });
  C* const totals = sums.finish();
  spread(tile, totals);
  tile.for_each_step([&](int64_t step, int width) {
    const C* const gradients = grad_y.load(step, width, gradient_buffer);
    C* const target = grad_x.place(step, results);
    loops.multiply_difference(y.load(step, width, y_buffer), gradients, totals, target, width);
    grad_x.store(target, step, width);
  });
}

// Runs body(tile, Tag<type to compute in>()) over all tiles on the host's threads.
template <class F>
void for_each_tile(const opstudio::Call& call, const Tiling& tiling, int32_t type, const F& body) {
  call.parallel_for(tiling.count(), 1 + kGrain / (tiling.tile_size() + 1), [&](int64_t begin, int64_t end) {
    opstudio::dispatch_compute<opstudio::FloatingTypes>(type, [&](auto tag) {
      for (int64_t index = begin; index < end; ++index) body(tiling.tile(index), tag);
    });
  });
}

void forward(const opstudio::Call& call) {
  const View x = call.input("x"), y = call.output("y");
  const View* const views[] = {&x, &y};
  const Tiling tiling(views, 2, call.integer("axis"));
  const auto loops = opstudio::element_loops<opstudio::FloatingTypes>(x.type());
  const Elements from(x, loops), to(y, loops);
  for_each_tile(call, tiling, x.type(), [&](const Tile& tile, auto tag) {
    using C = typename decltype(tag)::type;
    softmax_tile<C>(tile, {from, tile, 0}, {to, tile, 1});
  });
}

// dx = y * (dy - sum of y * dy along the axis)
void backward(const opstudio::Call& call) {
  const View y = call.input("y"), grad_y = call.input("grad_y"), grad_x = call.output("grad_x");
  const View* const views[] = {&y, &grad_y, &grad_x};
  const Tiling tiling(views, 3, call.integer("axis"));
  const auto loops = opstudio::element_loops<opstudio::FloatingTypes>(y.type());
  const Elements results(y, loops), gradients(grad_y, loops), to(grad_x, loops);
  for_each_tile(call, tiling, y.type(), [&](const Tile& tile, auto tag) {
    using C = typename decltype(tag)::type;
    gradient_tile<C>(tile, {results, tile, 0}, {gradients, tile, 1}, {to, tile, 2});
  });
}

}  // namespace

OPSTUDIO_KERNEL(forward, backward)
