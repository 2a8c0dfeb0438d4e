"""What a warm parent does while it waits, so that its children find everything imported and cached.

It works on a private operator on one thread; nothing of the workspace is touched.
"""

from __future__ import annotations


def import_modules() -> None:
    """Import what the checks import."""
    import numpy as np
    import onnx.helper  # noqa: F401
    import torch.autograd.gradcheck
    import torch.utils.dlpack

    import opstudio.checks.session  # noqa: F401
    from opstudio.checks.check import all_checks

    all_checks()
    torch.randn(4).sum().item()
    np.zeros(4).sum()


def run_small_checks() -> None:
    """Run opcheck and gradcheck on an operator of its own: their first run costs seconds, later ones milliseconds."""
    import torch

    library = torch.library.Library("opstudio_warm_up", "DEF")
    library.define("double(Tensor x) -> Tensor")
    library.impl("double", lambda x: x * 2, "CPU")
    library.impl("double", torch.empty_like, "Meta")
    torch.library.register_autograd("opstudio_warm_up::double", lambda _context, grad: grad * 2, lib=library)
    operator = torch.ops.opstudio_warm_up.double.default
    example = torch.randn(3, dtype=torch.float64, requires_grad=True)
    torch.autograd.gradcheck(operator, (example,))
    torch.library.opcheck(operator, (torch.randn(3, requires_grad=True),), raise_exception=False)
