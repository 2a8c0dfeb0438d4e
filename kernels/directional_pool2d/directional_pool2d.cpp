// y = the largest value of each window along one direction of [N, C, H, W], and its gradient.
//
// Both directions are one loop: output lane i of a block looks at x[i * lane + k * step] for k = 0 … kernel - 1. Along
// rows the lanes are neighbouring windows, along columns they are neighbouring columns; either way rows are read in
// the order of memory, and the maxima of a block stay in the first-level cache.
// The loops are compiled for float and double; opstudio::Elements brings elements of every type there and back.
#include <opstudio/kernel.h>

#include <cstring>
#include <limits>

namespace {

using opstudio::Elements;
using opstudio::View;

// Outputs that are worked on at once.
constexpr int64_t kLanes = 256;

// What the attributes ask for.
struct Windows {
  bool vertical;
  int64_t kernel;
  int64_t stride;

  OPSTUDIO_BRIEF explicit Windows(const opstudio::Call& call)
      : vertical(call.text("direction") == "vertical"),
        kernel(call.integer("kernel")),
        stride(call.integer("stride")) {
    const int64_t side = call.input("x").size(vertical ? 2 : 3);
    OPSTUDIO_CHECK(kernel > 0, "kernel is ", kernel, ", but a window has at least one element");
    OPSTUDIO_CHECK(stride > 0, "stride is ", stride, ", but windows move by at least one element");
    OPSTUDIO_CHECK(kernel <= side, "kernel is ", kernel, ", but x has only ", side, vertical ? " rows" : " columns");
    OPSTUDIO_CHECK(kernel <= std::numeric_limits<int32_t>::max(), "kernel is ", kernel, ", which is above 2^31 - 1");
  }
};

// Strides of a tensor, in elements.
struct Layout {
  int64_t channels;
  int64_t image, channel, row, column;

  OPSTUDIO_BRIEF explicit Layout(const View& view)
      : channels(view.size(1)),
        image(view.stride(0)),
        channel(view.stride(1)),
        row(view.stride(2)),
        column(view.stride(3)) {}

  // The strides of a contiguous tensor of the same shape.
  OPSTUDIO_BRIEF static Layout contiguous(const View& view) {
    Layout result(view);
    result.column = 1;
    result.row = view.size(3);
    result.channel = result.row * view.size(2);
    result.image = result.channel * view.size(1);
    return result;
  }

  int64_t plane(int64_t index) const { return index / channels * image + index % channels * channel; }
};

// A piece of work that shares no element of x's gradient with another one: along rows the windows of one row, along
// columns the windows of a block of columns.
struct Strip {
  int64_t plane;
  int64_t first_row, rows;        // of the output
  int64_t first_column, columns;  // of the output

  // Calls body(row, column, lanes) for the blocks of outputs, which are neighbours in a row.
  template <class F>
  void for_each_block(F&& body) const {
    for (int64_t row = first_row; row < first_row + rows; ++row) {
      for (int64_t done = 0; done < columns; done += kLanes) {
        body(row, first_column + done, columns - done < kLanes ? columns - done : kLanes);
      }
    }
  }
};

class Strips {
 public:
  OPSTUDIO_BRIEF Strips(const Windows& windows, const View& x, const View& y)
      : vertical_(windows.vertical),
        rows_(y.size(2)),
        columns_(y.size(3)),
        x_rows_(x.size(2)),
        x_columns_(x.size(3)),
        per_plane_(vertical_ ? (columns_ + kLanes - 1) / kLanes : rows_),
        count_(y.size(0) * y.size(1) * per_plane_) {}

  int64_t count() const { return count_; }

  // So many strips that handing them to a thread is worth it; each output costs `kernel` comparisons.
  int64_t grain(int64_t kernel) const {
    const int64_t elements = vertical_ ? rows_ * (columns_ < kLanes ? columns_ : kLanes) : columns_;
    return 1 + opstudio::kElementGrain / (elements * kernel + 1);
  }

  OPSTUDIO_BRIEF Strip at(int64_t index) const {
    const int64_t plane = index / per_plane_, part = index % per_plane_;
    if (!vertical_) return {plane, part, 1, 0, columns_};
    const int64_t left = columns_ - part * kLanes;
    return {plane, 0, rows_, part * kLanes, left < kLanes ? left : kLanes};
  }

  // What a strip reads of x.
  OPSTUDIO_BRIEF Strip source(const Strip& strip) const {
    if (vertical_) return {strip.plane, 0, x_rows_, strip.first_column, strip.columns};
    return {strip.plane, strip.first_row, 1, 0, x_columns_};
  }

 private:
  bool vertical_;
  int64_t rows_, columns_, x_rows_, x_columns_, per_plane_, count_;
};

// Where the windows of a block begin in x, and how their elements and those of their neighbours follow.
struct Reading {
  int64_t row_scale, column_scale;  // elements of x from one output row or column to the next
  int64_t step;                     // from one element of a window to the next
  int64_t lane;                     // from the window of one lane to that of the next

  OPSTUDIO_BRIEF Reading(const Windows& windows, const Layout& layout)
      : row_scale(windows.vertical ? layout.row * windows.stride : layout.row),
        column_scale(windows.vertical ? layout.column : layout.column * windows.stride),
        step(windows.vertical ? layout.row : layout.column),
        lane(column_scale) {}

  int64_t offset(int64_t row, int64_t column) const { return row * row_scale + column * column_scale; }
};

// The first maximum counts; NaN is larger than everything, and the last one counts.
template <class C>
bool is_above(C value, C highest) {
  return value > highest || value != value;
}

// Raises the maxima by one element of each window. Compilers make a loop of its own for neighbours (stride 1).
template <class C>
OPSTUDIO_NOINLINE void raise(const C* values, int64_t stride, C* highest, int64_t lanes) {
  OPSTUDIO_INDEPENDENT
  for (int64_t i = 0; i < lanes; ++i) {
    const C value = values[i * stride];
    highest[i] = is_above(value, highest[i]) ? value : highest[i];
  }
}

// The same, noting which element of the window it was.
template <class C>
OPSTUDIO_NOINLINE void raise_with_place(const C* values, int64_t stride, int32_t place, C* highest, int32_t* places,
                                        int64_t lanes) {
  OPSTUDIO_INDEPENDENT
  for (int64_t i = 0; i < lanes; ++i) {
    const C value = values[i * stride];
    const bool above = is_above(value, highest[i]);
    highest[i] = above ? value : highest[i];
    places[i] = above ? place : places[i];
  }
}

// Where windows without any element yet begin.
template <class C>
void start(C* highest, int64_t lanes) {
  for (int64_t i = 0; i < lanes; ++i) highest[i] = -std::numeric_limits<C>::infinity();
}

// A forward call.
struct Pooling {
  Windows windows;
  Layout from, to;
  Reading reading;
  Elements x, y;

  template <class C>
  OPSTUDIO_NOINLINE void compute(const Strip& strip) const {
    C buffer[kLanes], results[kLanes];
    const int64_t x_plane = from.plane(strip.plane), y_plane = to.plane(strip.plane);
    strip.for_each_block([&](int64_t row, int64_t column, int64_t lanes) {
      const int64_t first = x_plane + reading.offset(row, column), target = y_plane + row * to.row + column * to.column;
      C* const highest = y.place(target, to.column, results);
      start(highest, lanes);
      for (int64_t k = 0; k < windows.kernel; ++k) {
        int64_t stride = reading.lane;
        const C* const values = x.load_strided(first + k * reading.step, stride, lanes, buffer);
        raise(values, stride, highest, lanes);
      }
      y.store(highest, target, to.column, lanes);
    });
  }
};

// A backward call: adds the gradient of every output to where its maximum came from. Several windows may share an
// element: the sums of half types are kept in float, in a tensor of their own, and rounded once.
struct Gradient {
  Windows windows;
  Strips strips;
  Layout from, gradients, of_sums, to;
  Reading reading, adding;
  Elements x, grad_y, grad_x;
  void* sums;

  template <class C>
  OPSTUDIO_NOINLINE void compute(const Strip& strip) const {
    C buffer[kLanes], highest[kLanes];
    int32_t places[kLanes];
    const Strip source = strips.source(strip);
    clear<C>(source);
    const int64_t x_plane = from.plane(strip.plane), gradient_plane = gradients.plane(strip.plane);
    C* const sum_plane = static_cast<C*>(sums) + of_sums.plane(strip.plane);
    strip.for_each_block([&](int64_t row, int64_t column, int64_t lanes) {
      find_places(x_plane + reading.offset(row, column), buffer, highest, places, lanes);
      int64_t stride = gradients.column;
      const int64_t first = gradient_plane + row * gradients.row + column * gradients.column;
      const C* const values = grad_y.load_strided(first, stride, lanes, buffer);
      add(values, stride, places, sum_plane + adding.offset(row, column), lanes);
    });
    if (grad_x.converts()) round<C>(source);
  }

 private:
  template <class C>
  void find_places(int64_t first, C* buffer, C* highest, int32_t* places, int64_t lanes) const {
    start(highest, lanes);
    for (int64_t i = 0; i < lanes; ++i) places[i] = 0;
    for (int64_t k = 0; k < windows.kernel; ++k) {
      int64_t stride = reading.lane;
      const C* const values = x.load_strided(first + k * reading.step, stride, lanes, buffer);
      raise_with_place(values, stride, static_cast<int32_t>(k), highest, places, lanes);
    }
  }

  template <class C>
  OPSTUDIO_NOINLINE void add(const C* values, int64_t stride, const int32_t* places, C* target, int64_t lanes) const {
    const int64_t lane = adding.lane, step = adding.step;
    for (int64_t i = 0; i < lanes; ++i) target[i * lane + places[i] * step] += values[i * stride];
  }

  template <class C>
  OPSTUDIO_BRIEF void clear(const Strip& source) const {
    C* const plane = static_cast<C*>(sums) + of_sums.plane(source.plane);
    source.for_each_block([&](int64_t row, int64_t column, int64_t lanes) {
      C* const first = plane + row * of_sums.row + column * of_sums.column;
      if (of_sums.column == 1) {
        std::memset(first, 0, static_cast<size_t>(lanes) * sizeof(C));
      } else {
        for (int64_t i = 0; i < lanes; ++i) first[i * of_sums.column] = 0;
      }
    });
  }

  template <class C>
  OPSTUDIO_BRIEF void round(const Strip& source) const {
    const C* const plane = static_cast<C*>(sums) + of_sums.plane(source.plane);
    const int64_t target = to.plane(source.plane);
    source.for_each_block([&](int64_t row, int64_t column, int64_t lanes) {
      const C* const first = plane + row * of_sums.row + column;
      grad_x.store(first, target + row * to.row + column * to.column, to.column, lanes);
    });
  }
};

// Computes all strips on the host's threads.
template <class Work>
void compute_all(const opstudio::Call& call, const Strips& strips, int32_t type, const Work& work) {
  call.parallel_for(strips.count(), strips.grain(work.windows.kernel), [&](int64_t begin, int64_t end) {
    opstudio::dispatch_compute<opstudio::FloatingTypes>(type, [&](auto tag) {
      for (int64_t i = begin; i < end; ++i) work.template compute<typename decltype(tag)::type>(strips.at(i));
    });
  });
}

OPSTUDIO_BRIEF void forward(const opstudio::Call& call) {
  const Windows windows(call);
  const View x = call.input("x"), y = call.output("y");
  const auto loops = opstudio::element_loops<opstudio::FloatingTypes>(x.type());
  const Layout from(x);
  const Pooling pooling{windows, from, Layout(y), Reading(windows, from), Elements(x, loops), Elements(y, loops)};
  compute_all(call, Strips(windows, x, y), x.type(), pooling);
}

OPSTUDIO_BRIEF void backward(const opstudio::Call& call) {
  const Windows windows(call);
  const View x = call.input("x"), grad_y = call.input("grad_y"), grad_x = call.output("grad_x");
  const Strips strips(windows, x, grad_y);
  const auto loops = opstudio::element_loops<opstudio::FloatingTypes>(x.type());
  const bool in_place = !loops.converts();
  const Layout from(x), to(grad_x), of_sums = in_place ? to : Layout::contiguous(grad_x);
  void* const sums = in_place ? grad_x.data_of_type(x.type()) : call.scratch<float>(grad_x.count());
  const Reading reading(windows, from), adding(windows, of_sums);
  const Elements of_x(x, loops), of_grad_y(grad_y, loops), of_grad_x(grad_x, loops);
  const Gradient gradient{windows, strips, from, Layout(grad_y), of_sums, to, reading, adding, of_x, of_grad_y, of_grad_x,
                          sums};
  compute_all(call, strips, x.type(), gradient);
}

}  // namespace

OPSTUDIO_KERNEL(forward, backward)
