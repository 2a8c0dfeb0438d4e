"""Build and load the extension named on the command line, and compare forward and backward once."""

import sys

import torch
import torch.utils.cpp_extension

torch.utils.cpp_extension.load("relu6_scale_extension", [sys.argv[1]], is_python_module=False)
torch.manual_seed(0)  # a number on an edge of the clamp has two derivatives
x = torch.randn(8, 512, 768, requires_grad=True)
y = torch.ops.bench.relu6_scale(x, 0.75)
y.sum().backward()
z = x.detach().clone().requires_grad_()
expected = torch.clamp(z * 0.75, 0.0, 6.0)
expected.sum().backward()
assert torch.equal(y, expected)
assert torch.equal(x.grad, z.grad)
