// y = x / sqrt(mean(x²) + epsilon) * weight along the last axis, and its gradients. See README.md for how it sums.
#include <opstudio/kernel.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "row_loops.h"

namespace {

using opstudio::Elements;
using opstudio::View;
using rms_norm::kRun;
using rms_norm::row_loops;
using rms_norm::RowLoops;
using rms_norm::Scale;

// Sums of squares below this one may have lost squares that are below the smallest double.
constexpr double kSmallest = 1e-280;

// A tensor row by row, in the type to compute in.
struct RowElements {
  Elements elements;
  opstudio::Rows rows;
  int64_t stride;

  OPSTUDIO_BRIEF RowElements(const View& view, const opstudio::ElementLoops& loops)
      : elements(view, loops), rows(view, view.rank() - 1), stride(view.stride(-1)) {}

  template <class C>
  const C* load(int64_t row, int64_t first, int64_t count, C* buffer) const {
    return elements.load(row + first * stride, stride, count, buffer);
  }
  template <class C>
  C* place(int64_t row, int64_t first, C* buffer) const {
    return elements.place(row + first * stride, stride, buffer);
  }
  template <class C>
  void store(const C* values, int64_t row, int64_t first, int64_t count) const {
    elements.store(values, row + first * stride, stride, count);
  }
};

// What all calls of one size share.
struct Norm {
  int64_t count;   // of rows
  int64_t length;  // of a row
  double epsilon;

  OPSTUDIO_BRIEF Norm(const opstudio::Call& call, const View& x, const View& weight)
      : count(1), length(x.size(-1)), epsilon(call.number("epsilon")) {
    OPSTUDIO_CHECK(weight.rank() == 1 && weight.size(0) == length, "weight has ", weight.count(),
                   " elements, but the last axis of x has ", length);
    OPSTUDIO_CHECK(epsilon >= 0, "epsilon is ", epsilon, ", but a mean of squares has no root below zero");
    for (int axis = 0; axis + 1 < x.rank(); ++axis) count *= x.size(axis);
  }

  int64_t grain() const { return 1 + opstudio::kElementGrain / (length + 1); }

  // Calls body(first, count) for the runs of a row.
  template <class F>
  void for_each_run(F&& body) const {
    for (int64_t first = 0; first < length; first += kRun) body(first, length - first < kRun ? length - first : kRun);
  }

  template <class C>
  double sum_squares(const RowLoops<C>& loops, const RowElements& x, int64_t row, double inverse_unit) const {
    C buffer[kRun];
    double sum = 0;
    for_each_run([&](int64_t first, int64_t run) {
      sum += loops.sum_squares(x.load(row, first, run, buffer), inverse_unit, run);
    });
    return sum;
  }

  template <class C>
  OPSTUDIO_NOINLINE Scale scale(const RowLoops<C>& loops, const RowElements& x, int64_t row) const {
    const double mean = sum_squares(loops, x, row, 1) / double(length) + epsilon;
    if (mean <= std::numeric_limits<double>::max() && mean >= kSmallest) return {1, 1 / std::sqrt(mean)};
    return careful_scale(loops, x, row, mean);
  }

  // The same for rows whose squares a double cannot hold: the largest element is made a number near 1.
  template <class C>
  OPSTUDIO_NOINLINE Scale careful_scale(const RowLoops<C>& loops, const RowElements& x, int64_t row,
                                        double mean) const {
    double largest = std::sqrt(epsilon);
    C buffer[kRun];
    for_each_run([&](int64_t first, int64_t run) {
      const C* const values = x.load(row, first, run, buffer);
      for (int64_t i = 0; i < run; ++i) largest = std::fabs(values[i]) > largest ? std::fabs(values[i]) : largest;
    });
    // A row of zeros, and one that holds infinity or NaN, end as the formula says.
    if (!(largest > 0 && largest <= std::numeric_limits<double>::max())) return {1, 1 / std::sqrt(mean)};
    int exponent;
    std::frexp(largest, &exponent);
    const double inverse_unit = std::ldexp(1.0, exponent < -1000 ? 1000 : -exponent);
    const double root = std::sqrt(epsilon) * inverse_unit;
    return {inverse_unit, 1 / std::sqrt(sum_squares(loops, x, row, inverse_unit) / double(length) + root * root)};
  }
};

// A forward call.
struct Forward {
  Norm norm;
  RowElements x, weight, y;

  template <class C>
  OPSTUDIO_NOINLINE void compute(int64_t begin, int64_t end) const {
    const RowLoops<C> loops = row_loops<C>();
    C x_buffer[kRun], weight_buffer[kRun], results[kRun];
    for (int64_t row = begin; row < end; ++row) {
      const int64_t from = x.rows.offset(row), to = y.rows.offset(row);
      const Scale scale = norm.scale(loops, x, from);
      norm.for_each_run([&](int64_t first, int64_t run) {
        const C* const values = x.load(from, first, run, x_buffer);
        const C* const weights = weight.load(0, first, run, weight_buffer);
        C* const target = y.place(to, first, results);
        loops.normalize(values, weights, scale, target, run);
        y.store(target, to, first, run);
      });
    }
  }
};

// The parts that the rows are shared among: the gradient of the weights is a sum over rows, and each part has one of its
// own. How many there are depends on the shape alone, so that the result does not depend on the threads.
struct Parts {
  static constexpr int64_t kMost = 32;
  int64_t rows;  // of a part
  int64_t count;

  OPSTUDIO_BRIEF explicit Parts(const Norm& norm)
      : rows((norm.count + kMost - 1) / kMost), count(0) {
    rows = rows < norm.grain() ? norm.grain() : rows;
    count = (norm.count + rows - 1) / rows;
  }
};

// A backward call.
struct Backward {
  Norm norm;
  Parts parts;
  RowElements x, weight, grad_y, grad_x, grad_weight;
  double* sums;  // of the parts, one after the other

  template <class C>
  OPSTUDIO_NOINLINE void compute(int64_t part) const {
    const RowLoops<C> loops = row_loops<C>();
    double* const part_sums = sums + part * norm.length;
    std::memset(part_sums, 0, static_cast<size_t>(norm.length) * sizeof(double));
    const int64_t begin = part * parts.rows, left = norm.count - begin;
    for (int64_t row = begin; row < begin + (left < parts.rows ? left : parts.rows); ++row) {
      differentiate(loops, row, part_sums);
    }
  }

  // Adds up what the parts found, for the columns from `begin`.
  template <class C>
  OPSTUDIO_NOINLINE void join(int64_t begin, int64_t end) const {
    C results[kRun];
    for (int64_t first = begin; first < end; first += kRun) {
      const int64_t run = end - first < kRun ? end - first : kRun;
      C* const target = grad_weight.place(0, first, results);
      for (int64_t i = 0; i < run; ++i) {
        double sum = 0;
        for (int64_t part = 0; part < parts.count; ++part) sum += sums[part * norm.length + first + i];
        target[i] = C(sum);
      }
      grad_weight.store(target, 0, first, run);
    }
  }

 private:
  template <class C>
  void differentiate(const RowLoops<C>& loops, int64_t row, double* part_sums) const {
    C x_buffer[kRun], weight_buffer[kRun], gradient_buffer[kRun], results[kRun];
    const int64_t from = x.rows.offset(row), gradients = grad_y.rows.offset(row), to = grad_x.rows.offset(row);
    const Scale scale = norm.scale(loops, x, from);
    double sum = 0;
    norm.for_each_run([&](int64_t first, int64_t run) {
      sum += loops.sum_products(x.load(from, first, run, x_buffer), weight.load(0, first, run, weight_buffer),
                                grad_y.load(gradients, first, run, gradient_buffer), scale, run);
    });
    const double mean = sum / double(norm.length);
    norm.for_each_run([&](int64_t first, int64_t run) {
      C* const target = grad_x.place(to, first, results);
      loops.differentiate(x.load(from, first, run, x_buffer), weight.load(0, first, run, weight_buffer),
                          grad_y.load(gradients, first, run, gradient_buffer), scale, mean, target, part_sums + first,
                          run);
      grad_x.store(target, to, first, run);
    });
  }
};

void forward(const opstudio::Call& call) {
  const View x = call.input("x"), weight = call.input("weight"), y = call.output("y");
  const auto loops = opstudio::element_loops<opstudio::FloatingTypes>(x.type());
  const Forward work{Norm(call, x, weight), {x, loops}, {weight, loops}, {y, loops}};
  if (work.norm.length == 0) return;
  call.parallel_for(work.norm.count, work.norm.grain(), [&](int64_t begin, int64_t end) {
    opstudio::dispatch_compute<opstudio::FloatingTypes>(
        x.type(), [&](auto tag) { work.compute<typename decltype(tag)::type>(begin, end); });
  });
}

void backward(const opstudio::Call& call) {
  const View x = call.input("x"), weight = call.input("weight"), grad_y = call.input("grad_y");
  const View grad_x = call.output("grad_x"), grad_weight = call.output("grad_weight");
  const auto loops = opstudio::element_loops<opstudio::FloatingTypes>(x.type());
  const Norm norm(call, x, weight);
  const Parts parts(norm);
  double* const sums = call.scratch<double>(parts.count * norm.length);
  const Backward work{norm,           parts, {x, loops}, {weight, loops}, {grad_y, loops}, {grad_x, loops},
                      {grad_weight, loops}, sums};
  const auto compute = [&](auto&& body) { opstudio::dispatch_compute<opstudio::FloatingTypes>(x.type(), body); };
  call.parallel_for(parts.count, 1, [&](int64_t begin, int64_t end) {
    compute([&](auto tag) {
      for (int64_t part = begin; part < end; ++part) work.compute<typename decltype(tag)::type>(part);
    });
  });
  call.parallel_for(norm.length, 4 * kRun, [&](int64_t begin, int64_t end) {
    compute([&](auto tag) { work.join<typename decltype(tag)::type>(begin, end); });
  });
}

}  // namespace

OPSTUDIO_KERNEL(forward, backward)
