"""The Meta kernel of an operator: shape and type of what it returns, as one call in PyTorch shows them."""

from __future__ import annotations

from opstudio.model.export_debugging.eager_records import TensorNote
from opstudio.model.export_debugging.records import StubKind
from opstudio.model.export_debugging.signature import Parameter, Signature
from opstudio.model.export_debugging.stubs.stub import Draft


def draft_fake(signature: Signature) -> Draft:
    """Return the kernel. Sizes that no input has are numbers of the example, which are the person's to generalise."""
    todo: list[str] = []
    arguments = ", ".join(
        item.variable if item.default is None else f"{item.variable}={item.default}" for item in signature.parameters
    )
    results = [_result(signature, note, todo) for note in signature.outputs]
    returned = ", ".join(results) if len(results) <= 1 else f"({', '.join(results)})"
    code = [
        f'@torch.library.register_fake("{signature.qualified_name}")',
        f"def {signature.identifier}_fake({arguments}):",
        f"    return {returned or 'None'}",
    ]
    return Draft(
        kind=StubKind.FAKE,
        signature=signature,
        exporter=None,
        imports=("import torch",),
        code=tuple(code),
        todo=tuple(todo),
    )


def _result(signature: Signature, note: TensorNote, todo: list[str]) -> str:
    single = [
        (item, given)
        for item in signature.tensors
        if not item.is_list and not item.is_optional and (given := signature.first_input(item)) is not None
    ]
    for item, given in single:
        if given.sizes == note.sizes:
            changed = "" if given.type == note.type else f", dtype=torch.{note.type}"
            return f"torch.empty_like({item.variable}{changed})"
    sizes = [_size(single, axis, size) for axis, size in enumerate(note.sizes)]
    numbers = [text for text in sizes if text.isdecimal()]
    if numbers:
        todo.append(f"{signature.qualified_name}: {', '.join(numbers)} is of the example; write what it follows from")
    given_by = next((item for item, given in single if given.type == note.type), None)
    shape = f"({', '.join(sizes)}{',' if len(sizes) == 1 else ''})"
    if given_by is None:
        return f"torch.empty({shape}, dtype=torch.{note.type})"
    return f"{given_by.variable}.new_empty({shape})"


def _size(single: list[tuple[Parameter, TensorNote]], axis: int, size: int) -> str:
    """Return where a size comes from: the same axis of an input, or another one that has it."""
    for item, given in single:
        if axis < len(given.sizes) and given.sizes[axis] == size:
            return f"{item.variable}.shape[{axis}]"
    for item, given in single:
        if size > 1 and size in given.sizes:
            return f"{item.variable}.shape[{given.sizes.index(size)}]"
    return str(size)
