// y = the largest value of each window along one direction of [N, C, H, W], and its gradient.
//
// Both directions are one loop: output lane i of a block looks at x[i * lane + k * step] for k = 0 … kernel - 1. Along
// rows the lanes are neighbouring windows, along columns they are neighbouring columns; either way rows are read in
// the order of memory, and the maxima of a block stay in the first-level cache.
#include <opstudio/kernel.h>

#include <limits>
#include <type_traits>

namespace {

// Outputs that are worked on at once.
constexpr int64_t kLanes = 256;

// What the attributes ask for.
struct Windows {
  bool vertical;
  int64_t kernel;
  int64_t stride;

  explicit Windows(const opstudio::Call& call)
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
  int64_t image, channel, row, column;

  explicit Layout(const opstudio::View& view)
      : image(view.stride(0)), channel(view.stride(1)), row(view.stride(2)), column(view.stride(3)) {}

  // The strides of a contiguous tensor of the same shape.
  static Layout contiguous(const opstudio::View& view) {
    Layout result(view);
    result.column = 1;
    result.row = view.size(3);
    result.channel = result.row * view.size(2);
    result.image = result.channel * view.size(1);
    return result;
  }

  int64_t plane(int64_t index, int64_t channels) const {
    return index / channels * image + index % channels * channel;
  }
};

// A piece of work that shares no element of x's gradient with another one: along rows the windows of one row, along
// columns the windows of a block of columns.
struct Strip {
  int64_t plane;
  int64_t first_row, rows;        // of the output
  int64_t first_column, columns;  // of the output
};

class Strips {
 public:
  Strips(const Windows& windows, const opstudio::View& x, const opstudio::View& y)
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

  Strip at(int64_t index) const {
    const int64_t plane = index / per_plane_, part = index % per_plane_;
    if (!vertical_) return {plane, part, 1, 0, columns_};
    const int64_t left = columns_ - part * kLanes;
    return {plane, 0, rows_, part * kLanes, left < kLanes ? left : kLanes};
  }

  // Calls body(row, column, columns) for the rows of x that a strip reads.
  template <class F>
  void for_each_row_of_x(const Strip& strip, F&& body) const {
    if (vertical_) {
      for (int64_t row = 0; row < x_rows_; ++row) body(row, strip.first_column, strip.columns);
    } else {
      body(strip.first_row, int64_t(0), x_columns_);
    }
  }

  // Calls body(row, column, lanes) for the blocks of outputs of a strip.
  template <class F>
  static void for_each_block(const Strip& strip, F&& body) {
    for (int64_t row = strip.first_row; row < strip.first_row + strip.rows; ++row) {
      for (int64_t done = 0; done < strip.columns; done += kLanes) {
        const int64_t left = strip.columns - done;
        body(row, strip.first_column + done, left < kLanes ? left : kLanes);
      }
    }
  }

 private:
  bool vertical_;
  int64_t rows_, columns_, x_rows_, x_columns_, per_plane_, count_;
};

// Where the window of an output begins in x, and how its elements and those of its neighbours follow.
struct Reading {
  int64_t row_scale, column_scale;  // elements of x from one output row or column to the next
  int64_t step;                     // from one element of a window to the next
  int64_t lane;                     // from the window of one lane to that of the next

  Reading(const Windows& windows, const Layout& layout)
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

// Raises the maxima by one element of each window. Contiguous lanes get a loop that becomes vector code.
template <class T, class C>
OPSTUDIO_NOINLINE void raise(const T* x, int64_t lane, C* highest, int64_t lanes) {
  if (lane == 1) {
    for (int64_t i = 0; i < lanes; ++i) {
      const C value = C(x[i]);
      highest[i] = is_above(value, highest[i]) ? value : highest[i];
    }
    return;
  }
  for (int64_t i = 0; i < lanes; ++i) {
    const C value = C(x[i * lane]);
    highest[i] = is_above(value, highest[i]) ? value : highest[i];
  }
}

// The same, noting which element of the window it was.
template <class T, class C>
void raise_with_place(const T* x, int64_t lane, int32_t place, C* highest, int32_t* places, int64_t lanes) {
  for (int64_t i = 0; i < lanes; ++i) {
    const C value = C(x[i * lane]);
    const bool above = is_above(value, highest[i]);
    highest[i] = above ? value : highest[i];
    places[i] = above ? place : places[i];
  }
}

// The outputs of one strip; `x` and `y` are the first elements of its plane.
template <class T>
void pool_strip(const Strip& strip, const Windows& windows, const Reading& reading, const T* x, const Layout& to,
                T* y) {
  using C = opstudio::compute_t<T>;
  Strips::for_each_block(strip, [&](int64_t row, int64_t column, int64_t lanes) {
    C highest[kLanes];
    for (int64_t i = 0; i < lanes; ++i) highest[i] = -std::numeric_limits<C>::infinity();
    const T* const first = x + reading.offset(row, column);
    for (int64_t k = 0; k < windows.kernel; ++k) raise(first + k * reading.step, reading.lane, highest, lanes);
    T* const target = y + row * to.row + column * to.column;
    for (int64_t i = 0; i < lanes; ++i) target[i * to.column] = T(highest[i]);
  });
}

void forward(const opstudio::Call& call) {
  const Windows windows(call);
  const opstudio::View x = call.input("x"), y = call.output("y");
  const Layout from(x), to(y);
  const Reading reading(windows, from);
  const Strips strips(windows, x, y);
  opstudio::dispatch<opstudio::FloatingTypes>(x.type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T* const source = x.data<T>();
    T* const target = y.data<T>();
    call.parallel_for(strips.count(), strips.grain(windows.kernel), [&](int64_t begin, int64_t end) {
      for (int64_t index = begin; index < end; ++index) {
        const Strip strip = strips.at(index);
        pool_strip(strip, windows, reading, source + from.plane(strip.plane, x.size(1)), to,
                   target + to.plane(strip.plane, x.size(1)));
      }
    });
  });
}

// Adds the gradient of every output to where its maximum came from. Several windows may share an element: the sums of
// half types are kept in float and rounded once.
template <class T>
class Gradient {
 public:
  using C = opstudio::compute_t<T>;
  static constexpr bool kSumsInPlace = std::is_same_v<T, C>;

  Gradient(const opstudio::Call& call, const Windows& windows, const Strips& strips)
      : windows_(windows),
        strips_(strips),
        x_(call.input("x")),
        grad_y_(call.input("grad_y")),
        grad_x_(call.output("grad_x")),
        sums_layout_(kSumsInPlace ? Layout(grad_x_) : Layout::contiguous(grad_x_)),
        reading_(windows, Layout(x_)),
        adding_(windows, sums_layout_) {
    if constexpr (kSumsInPlace) {
      sums_ = grad_x_.data<T>();
    } else {
      sums_ = call.scratch<C>(grad_x_.count());
    }
  }

  void compute(const Strip& strip) const {
    const int64_t channels = x_.size(1);
    const Layout from(x_), gradients(grad_y_), to(grad_x_);
    const T* const plane = x_.data<T>() + from.plane(strip.plane, channels);
    const T* const grad_plane = grad_y_.data<T>() + gradients.plane(strip.plane, channels);
    C* const sums = sums_ + sums_layout_.plane(strip.plane, channels);
    strips_.for_each_row_of_x(strip, [&](int64_t row, int64_t column, int64_t columns) {
      C* const first = sums + row * sums_layout_.row + column * sums_layout_.column;
      for (int64_t i = 0; i < columns; ++i) first[i * sums_layout_.column] = 0;
    });
    C highest[kLanes];
    int32_t places[kLanes];
    Strips::for_each_block(strip, [&](int64_t row, int64_t column, int64_t lanes) {
      find_places(plane + reading_.offset(row, column), highest, places, lanes);
      const T* const gradient = grad_plane + row * gradients.row + column * gradients.column;
      C* const target = sums + adding_.offset(row, column);
      for (int64_t i = 0; i < lanes; ++i) {
        target[i * adding_.lane + places[i] * adding_.step] += C(gradient[i * gradients.column]);
      }
    });
    if constexpr (!kSumsInPlace) {
      T* const results = grad_x_.data<T>() + to.plane(strip.plane, channels);
      strips_.for_each_row_of_x(strip, [&](int64_t row, int64_t column, int64_t columns) {
        const C* const first = sums + row * sums_layout_.row + column;
        T* const target = results + row * to.row + column * to.column;
        for (int64_t i = 0; i < columns; ++i) target[i * to.column] = T(first[i]);
      });
    }
  }

 private:
  void find_places(const T* first, C* highest, int32_t* places, int64_t lanes) const {
    for (int64_t i = 0; i < lanes; ++i) highest[i] = -std::numeric_limits<C>::infinity(), places[i] = 0;
    for (int64_t k = 0; k < windows_.kernel; ++k) {
      raise_with_place(first + k * reading_.step, reading_.lane, static_cast<int32_t>(k), highest, places, lanes);
    }
  }

  const Windows& windows_;
  const Strips& strips_;
  opstudio::View x_, grad_y_, grad_x_;
  Layout sums_layout_;
  Reading reading_, adding_;
  C* sums_;
};

void backward(const opstudio::Call& call) {
  const Windows windows(call);
  const opstudio::View x = call.input("x"), grad_y = call.input("grad_y");
  const Strips strips(windows, x, grad_y);
  opstudio::dispatch<opstudio::FloatingTypes>(x.type(), [&](auto tag) {
    const Gradient<typename decltype(tag)::type> gradient(call, windows, strips);
    call.parallel_for(strips.count(), strips.grain(windows.kernel), [&](int64_t begin, int64_t end) {
      for (int64_t index = begin; index < end; ++index) gradient.compute(strips.at(index));
    });
  });
}

}  // namespace

OPSTUDIO_KERNEL(forward, backward)
