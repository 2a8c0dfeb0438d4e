"""The forward function of the template for element-wise operators, and ways to write it out by hand."""

from __future__ import annotations

MAPPED = "  opstudio::map<opstudio::FloatingTypes>(call, y, soften, x);\n"
FORMULA = "value / (1 + Compute(scale) * std::abs(value))"


def written_out(loop: str) -> str:
    """Return a loop over the elements of ``x`` and ``y`` in place of :data:`MAPPED`; its types are T and Compute."""
    return f"""  opstudio::dispatch<opstudio::FloatingTypes>(x.type(), [&](auto tag) {{
    using T = typename decltype(tag)::type;
    using Compute = opstudio::compute_t<T>;
{loop}  }});
"""


def each_element(head: str) -> str:
    """Return the loop with a head of one's own."""
    return written_out(f"    {head} y.data<T>()[i] = T(soften(Compute(x.data<T>()[i])));\n")
