"""Where the functions of an operator are, from its sources alone."""

from __future__ import annotations

import pytest

from opstudio.diagnosis.functions import blank_comments, find_function

NATIVE = """// void forward(Call& call) { is not here }
namespace {
template <typename T>
void scale_values(Call& call, View y) {
  y.fill(1);
}
}
OPSTUDIO_KERNEL(scale_values, scale_gradient)
"""
GRADIENT = """
void scale_gradient(Call& call,
                    View grad) {
}
"""
RAW = """struct function : torch::autograd::Function<function> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x) { return on_host(x); }
  static variable_list backward(AutogradContext* context, variable_list gradients) {
    return {gradients[0]};
  }
};
at::Tensor on_host(const at::Tensor& x) { return x.clone(); }
at::Tensor shape_only(const at::Tensor& x) { return at::empty_like(x); }
at::Tensor tracked(const at::Tensor& x) { return function::apply(x); }
TORCH_LIBRARY_IMPL(myops, CPU, m) { m.impl("scale", &on_host); }
TORCH_LIBRARY_IMPL(myops, Meta, m) {
  m.impl("scale", TORCH_FN(shape_only));
}
TORCH_LIBRARY_IMPL(myops, Autograd, m) { m.impl("myops::scale", tracked); }
"""


@pytest.mark.parametrize(
    ("role", "place"), [("forward", ("a.cpp", 4)), ("backward", ("b.cpp", 2)), ("meta", ("a.cpp", 4))]
)
def test_that_the_macro_names_the_functions_of_a_native_kernel(role: str, place: tuple[str, int]) -> None:
    texts = {"a.cpp": blank_comments(NATIVE), "b.cpp": blank_comments(GRADIENT)}

    assert find_function(texts, role, "scale") == place


@pytest.mark.parametrize(("role", "line"), [("forward", 7), ("backward", 3), ("meta", 8), ("autograd", 9)])
def test_that_registrations_name_the_functions_of_other_sources(role: str, line: int) -> None:
    assert find_function({"a.cpp": RAW}, role, "scale") == ("a.cpp", line)


def test_that_a_function_nobody_defines_is_not_found() -> None:
    assert find_function({"a.cpp": "at::Tensor scale_cpu(const at::Tensor& x);\n"}, "forward", "scale") is None
