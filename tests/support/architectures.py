"""Five architectures that people know, small, with random weights, and a program that exports them with both exporters.

Run as ``python -m tests.support.architectures FOLDER``: it writes ``<architecture>-<exporter>.onnx``, and the classes
of the modules by their names as ``<architecture>.json``.
"""

from __future__ import annotations

import json
import logging
import sys
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import torch  # noqa: TID253 - a program of its own, started by tests
from torch import nn  # noqa: TID253

DOMAIN = "vision_lab"
OPSET = 18
EXPORTERS = ("torchscript", "dynamo")


class ResidualBlock(nn.Module):
    def __init__(self, inner: int, outer: int, stride: int) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(inner, outer, 3, stride, 1)
        self.relu = nn.ReLU()
        self.conv2 = nn.Conv2d(outer, outer, 3, 1, 1)
        self.downsample = nn.Conv2d(inner, outer, 1, stride) if stride > 1 else None

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        beside = x if self.downsample is None else self.downsample(x)
        return self.relu(self.conv2(self.relu(self.conv1(x))) + beside)


class Backbone(nn.Module):
    """The layers of a ResNet-18 before its head, with eight channels instead of 64."""

    def __init__(self, stages: int = 4) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(3, 8, 7, 2, 3)
        self.relu = nn.ReLU()
        self.maxpool = nn.MaxPool2d(3, 2, 1)
        self.stages = stages
        for stage in range(stages):
            inner, outer = 8 * 2 ** max(stage - 1, 0), 8 * 2**stage
            blocks = ResidualBlock(inner, outer, 2 if stage else 1), ResidualBlock(outer, outer, 1)
            self.add_module(f"layer{stage + 1}", nn.Sequential(*blocks))

    def forward(self, x: torch.Tensor) -> list[torch.Tensor]:
        x = self.maxpool(self.relu(self.conv1(x)))
        found = []
        for stage in range(self.stages):
            x = self.get_submodule(f"layer{stage + 1}")(x)
            found.append(x)
        return found


class ResidualNetwork(Backbone):
    def __init__(self) -> None:
        super().__init__()
        self.avgpool = nn.AdaptiveAvgPool2d(1)
        self.fc = nn.Linear(64, 10)

    def forward(self, x: torch.Tensor) -> torch.Tensor:  # type: ignore[override]
        return self.fc(torch.flatten(self.avgpool(super().forward(x)[-1]), 1))


@torch.library.custom_op(f"{DOMAIN}::decode_boxes", mutates_args=())
def decode_boxes(boxes: torch.Tensor, scores: torch.Tensor, threshold: float) -> torch.Tensor:
    return torch.cat((boxes * (scores > threshold), scores), 1)


@decode_boxes.register_fake
def _(boxes: torch.Tensor, scores: torch.Tensor, threshold: float) -> torch.Tensor:
    del threshold
    return torch.cat((boxes, scores), 1)


class FeaturePyramid(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.inner = nn.ModuleList([nn.Conv2d(channels, 16, 1) for channels in (16, 32)])
        self.outer = nn.ModuleList([nn.Conv2d(16, 16, 3, 1, 1) for _ in range(2)])

    def forward(self, fine: torch.Tensor, coarse: torch.Tensor) -> list[torch.Tensor]:
        top = self.inner[1](coarse)
        below = self.inner[0](fine) + nn.functional.interpolate(top, scale_factor=2.0)
        return [self.outer[0](below), self.outer[1](top)]


class DetectionHead(nn.Module):
    """Boxes and scores of one level, decoded by an operator of a domain of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.tower = nn.Sequential(nn.Conv2d(16, 16, 3, 1, 1), nn.ReLU(), nn.Conv2d(16, 16, 3, 1, 1), nn.ReLU())
        self.boxes = nn.Conv2d(16, 4, 3, 1, 1)
        self.scores = nn.Conv2d(16, 1, 3, 1, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.tower(x)
        found: torch.Tensor = decode_boxes(self.boxes(x), torch.sigmoid(self.scores(x)), 0.25)
        return found.flatten(2)


class Detector(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.backbone = Backbone(3)
        self.neck = FeaturePyramid()
        self.head = nn.ModuleList([DetectionHead(), DetectionHead()])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        levels = self.neck(*self.backbone(x)[-2:])
        return torch.cat([head(level) for head, level in zip(self.head, levels, strict=True)], 2)


class Attention(nn.Module):
    def __init__(self, width: int = 16, heads: int = 2) -> None:
        super().__init__()
        self.heads = heads
        self.query, self.key, self.value, self.out = (nn.Linear(width, width) for _ in range(4))

    def forward(self, x: torch.Tensor, memory: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
        query, key, value = (
            part.reshape(part.shape[0], part.shape[1], self.heads, -1).transpose(1, 2)
            for part in (self.query(x), self.key(memory), self.value(memory))
        )
        weights = query @ key.transpose(-1, -2) * 8**-0.5
        if mask is not None:
            weights = weights.masked_fill(mask, -1e4)
        mixed = torch.softmax(weights, -1) @ value
        return self.out(mixed.transpose(1, 2).reshape(x.shape))  # type: ignore[no-any-return]


class FeedForward(nn.Module):
    def __init__(self, width: int = 16) -> None:
        super().__init__()
        self.wide = nn.Linear(width, 4 * width)
        self.narrow = nn.Linear(4 * width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.narrow(nn.functional.gelu(self.wide(x)))  # type: ignore[no-any-return]


class EncoderLayer(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.attention = Attention()
        self.norm1 = nn.LayerNorm(16)
        self.feed_forward = FeedForward()
        self.norm2 = nn.LayerNorm(16)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.norm1(x + self.attention(x, x))
        return self.norm2(x + self.feed_forward(x))  # type: ignore[no-any-return]


class Encoder(nn.Module):
    def __init__(self, layers: int = 6) -> None:
        super().__init__()
        self.embedding = nn.Embedding(50, 16)
        self.position = nn.Parameter(torch.randn(12, 16))
        self.layers = nn.ModuleList([EncoderLayer() for _ in range(layers)])
        self.head = nn.Linear(16, 50)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        x = self.embedding(tokens) + self.position
        for layer in self.layers:
            x = layer(x)
        return self.head(x)  # type: ignore[no-any-return]


class DecoderLayer(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.self_attention = Attention()
        self.norm1 = nn.LayerNorm(16)
        self.cross_attention = Attention()
        self.norm2 = nn.LayerNorm(16)
        self.feed_forward = FeedForward()
        self.norm3 = nn.LayerNorm(16)

    def forward(self, x: torch.Tensor, memory: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        x = self.norm1(x + self.self_attention(x, x, mask))
        x = self.norm2(x + self.cross_attention(x, memory))
        return self.norm3(x + self.feed_forward(x))  # type: ignore[no-any-return]


class Decoder(nn.Module):
    """A causal mask that is computed from the tokens, and attention to a memory."""

    def __init__(self, layers: int = 3) -> None:
        super().__init__()
        self.embedding = nn.Embedding(50, 16)
        self.layers = nn.ModuleList([DecoderLayer() for _ in range(layers)])
        self.head = nn.Linear(16, 50)

    def forward(self, tokens: torch.Tensor, memory: torch.Tensor) -> torch.Tensor:
        x = self.embedding(tokens)
        mask = torch.cumsum(torch.ones_like(tokens), 1)
        mask = mask.unsqueeze(1) > mask.unsqueeze(2)
        for layer in self.layers:
            x = layer(x, memory, mask.unsqueeze(1))
        return self.head(x)  # type: ignore[no-any-return]


class DoubleConvolution(nn.Sequential):
    def __init__(self, inner: int, outer: int) -> None:
        super().__init__(nn.Conv2d(inner, outer, 3, 1, 1), nn.ReLU(), nn.Conv2d(outer, outer, 3, 1, 1), nn.ReLU())


class UNet(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.down = nn.ModuleList([DoubleConvolution(3, 8), DoubleConvolution(8, 16), DoubleConvolution(16, 32)])
        self.pool = nn.MaxPool2d(2)
        self.bottom = DoubleConvolution(32, 64)
        self.up = nn.ModuleList([nn.ConvTranspose2d(size, size // 2, 2, 2) for size in (64, 32, 16)])
        self.merge = nn.ModuleList([DoubleConvolution(size, size // 2) for size in (64, 32, 16)])
        self.head = nn.Conv2d(8, 2, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        kept = []
        for down in self.down:
            x = down(x)
            kept.append(x)
            x = self.pool(x)
        x = self.bottom(x)
        for up, merge in zip(self.up, self.merge, strict=True):
            x = merge(torch.cat((kept.pop(), up(x)), 1))
        return self.head(x)  # type: ignore[no-any-return]


def _tokens() -> torch.Tensor:
    return torch.arange(12).unsqueeze(0)


ARCHITECTURES: Mapping[str, tuple[Callable[[], nn.Module], Callable[[], tuple[torch.Tensor, ...]]]] = {
    "residual": (ResidualNetwork, lambda: (torch.randn(1, 3, 32, 32),)),
    "detector": (Detector, lambda: (torch.randn(1, 3, 32, 32),)),
    "encoder": (Encoder, lambda: (_tokens(),)),
    "decoder": (Decoder, lambda: (_tokens(), torch.randn(1, 9, 16))),
    "unet": (UNet, lambda: (torch.randn(1, 3, 16, 16),)),
}


def _symbolic(graph: Any, boxes: Any, scores: Any, threshold: Any) -> Any:
    from torch.onnx import symbolic_helper

    value = symbolic_helper._maybe_get_const(threshold, "f")
    return graph.op(f"{DOMAIN}::DecodeBoxes", boxes, scores, threshold_f=value).setType(boxes.type().with_sizes(None))


def _translation(boxes: Any, scores: Any, threshold: float) -> Any:
    import onnx
    from onnxscript import values

    schema = onnx.defs.OpSchema
    opset = values.Opset(DOMAIN, 1)
    described = schema(
        "DecodeBoxes",
        DOMAIN,
        1,
        inputs=[schema.FormalParameter("boxes", "T"), schema.FormalParameter("scores", "T")],
        outputs=[schema.FormalParameter("found", "T")],
        type_constraints=[("T", ["tensor(float)"], "")],
        attributes=[schema.Attribute("threshold", schema.AttrType.FLOAT, required=True)],
    )
    return values.Op(opset, "DecodeBoxes", described)(boxes, scores, threshold=threshold)


def export_all(folder: Path) -> None:
    """Write all architectures as both exporters write them."""
    torch.manual_seed(0)
    torch.onnx.register_custom_op_symbolic(f"{DOMAIN}::decode_boxes", _symbolic, OPSET)
    table = {torch.ops.vision_lab.decode_boxes.default: _translation}
    for name, (make, inputs) in ARCHITECTURES.items():
        module = make().eval()
        classes = {path: type(part).__name__ for path, part in module.named_modules()}
        (folder / f"{name}.json").write_text(json.dumps(classes), encoding="utf-8")
        torch.onnx.export(
            module,
            inputs(),
            str(folder / f"{name}-torchscript.onnx"),
            dynamo=False,
            opset_version=OPSET,
            custom_opsets={DOMAIN: 1},
        )
        program = torch.onnx.export(
            module, inputs(), dynamo=True, opset_version=OPSET, custom_translation_table=table, verbose=False
        )
        assert program is not None
        program.save(str(folder / f"{name}-dynamo.onnx"))


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    export_all(Path(sys.argv[1]))
