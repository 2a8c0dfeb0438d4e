"""What operators of ONNX do, in a few families that are worth a colour each."""

from __future__ import annotations

import enum

from PySide6.QtCore import QT_TRANSLATE_NOOP


class Family(enum.Enum):
    """The values are the English titles."""

    PRODUCT = str(QT_TRANSLATE_NOOP("Family", "convolutions and matrix products"))
    ACTIVATION = str(QT_TRANSLATE_NOOP("Family", "activations"))
    NORMALIZATION = str(QT_TRANSLATE_NOOP("Family", "normalization"))
    REDUCTION = str(QT_TRANSLATE_NOOP("Family", "pooling and reductions"))
    ELEMENTWISE = str(QT_TRANSLATE_NOOP("Family", "elementwise"))
    SHAPE = str(QT_TRANSLATE_NOOP("Family", "shape and data movement"))
    CONTROL = str(QT_TRANSLATE_NOOP("Family", "control flow, sequences, randomness"))
    QUANTIZATION = str(QT_TRANSLATE_NOOP("Family", "quantization and casts"))
    OTHER = str(QT_TRANSLATE_NOOP("Family", "other"))


_TYPES: dict[Family, str] = {
    Family.PRODUCT: "Conv ConvTranspose DeformConv Gemm MatMul Einsum Attention LSTM GRU RNN ConvInteger "
    "MatMulInteger QLinearConv QLinearMatMul RotaryEmbedding DFT STFT CausalConvWithState LinearAttention "
    "MultiHeadAttention GroupQueryAttention FusedConv FusedGemm FusedMatMul QAttention MatMulNBits",
    Family.ACTIVATION: "Relu LeakyRelu PRelu Sigmoid HardSigmoid Tanh Softmax LogSoftmax Hardmax Elu Selu Celu Gelu "
    "Mish HardSwish Swish Softplus Softsign ThresholdedRelu Clip Erf Shrink FastGelu QuickGelu BiasGelu",
    Family.NORMALIZATION: "BatchNormalization InstanceNormalization LayerNormalization GroupNormalization "
    "RMSNormalization LRN LpNormalization MeanVarianceNormalization Dropout SkipLayerNormalization "
    "SimplifiedLayerNormalization SkipSimplifiedLayerNormalization",
    Family.REDUCTION: "MaxPool AveragePool LpPool GlobalAveragePool GlobalMaxPool GlobalLpPool MaxRoiPool RoiAlign "
    "ArgMax ArgMin TopK CumSum CumProd NonMaxSuppression NonZero Unique MaxUnpool Det",
    Family.ELEMENTWISE: "Add Sub Mul Div Pow Sqrt Exp Log Neg Abs Reciprocal Min Max Mean Sum Mod Floor Ceil Round "
    "Sign Sin Cos Tan Asin Acos Atan Sinh Cosh Asinh Acosh Atanh And Or Xor Not Equal Greater GreaterOrEqual Less "
    "LessOrEqual Where IsNaN IsInf BitShift BitwiseAnd BitwiseOr BitwiseXor BitwiseNot",
    Family.SHAPE: "Reshape Transpose Concat Split Slice Gather GatherElements GatherND Scatter ScatterElements "
    "ScatterND Pad Resize Upsample Squeeze Unsqueeze Flatten Expand Tile Shape Size Identity DepthToSpace "
    "SpaceToDepth Compress OneHot Range ConstantOfShape EyeLike Trilu ReverseSequence GridSample AffineGrid Col2Im "
    "CenterCropPad TensorScatter Constant",
    Family.CONTROL: "If Loop Scan SequenceAt SequenceConstruct SequenceEmpty SequenceErase SequenceInsert "
    "SequenceLength SequenceMap SplitToSequence ConcatFromSequence Optional OptionalGetElement OptionalHasElement "
    "RandomNormal RandomNormalLike RandomUniform RandomUniformLike Bernoulli Multinomial",
    Family.QUANTIZATION: "QuantizeLinear DequantizeLinear DynamicQuantizeLinear Cast CastLike BitCast",
}
_BY_TYPE = {name: family for family, names in _TYPES.items() for name in names.split()}
_BY_PREFIX = {"Reduce": Family.REDUCTION, "QLinear": Family.PRODUCT, "Random": Family.CONTROL}


def family_of(operator_type: str) -> Family:
    """Return the family of a type of the standard domain, or of the runtime's own that is named like one."""
    found = _BY_TYPE.get(operator_type)
    if found is None:
        prefixes = (family for prefix, family in _BY_PREFIX.items() if operator_type.startswith(prefix))
        found = next(prefixes, Family.OTHER)
    return found
