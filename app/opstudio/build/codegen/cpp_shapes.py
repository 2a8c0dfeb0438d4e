"""The C++ body that checks the shapes of inputs, names their dimensions and computes those of outputs."""

from __future__ import annotations

from opstudio.build.codegen.cpp_expressions import attributes_in, letter_name, render_expression
from opstudio.build.codegen.cpp_names import cpp_name
from opstudio.contract.operator import Input, OperatorContract, Output
from opstudio.contract.shape_syntax import Letter, Number, Star


def shape_attributes(contract: OperatorContract) -> list[str]:
    """Return the attributes that take part in shape rules, in the order of the contract."""
    used = {
        name
        for output in contract.outputs
        for element in contract.output_rule(output).elements
        if not isinstance(element, Star)
        for name in attributes_in(element)
    }
    return [item.name for item in contract.attributes if item.name in used]


class ShapeBody:
    """Writes the lines, remembering which letters have a name already."""

    def __init__(self, contract: OperatorContract) -> None:
        self._contract = contract
        self._letters: set[str] = set()
        self._stars: set[str] = set()
        self.lines: list[str] = []
        for item in contract.inputs:
            self._input(item)

    def results(self) -> str:
        """Return the shapes of all outputs as the items of a list."""
        return ", ".join(self._output(output) for output in self._contract.outputs)

    def _input(self, item: Input) -> None:
        if item.variadic:
            self.lines.append(f'check_given({cpp_name(item.name)}, "{item.name}");')
        if item.pattern is None:
            return
        if item.variadic:
            self._bind(item, f"{cpp_name(item.name)}.at(0)", "")
            self.lines.append(f"for (const std::vector<Size>& shape : {cpp_name(item.name)}) {{")
            self._bind(item, "shape", "  ")
            self.lines.append("}")
        elif item.optional:
            # What an absent input would name has no value, so that it is checked here and not named.
            self.lines.append(f"for (const std::vector<Size>& shape : {cpp_name(item.name)}) {{")
            self._bind(item, "shape", "  ", may_name=False)
            self.lines.append("}")
        else:
            self._bind(item, f"{cpp_name(item.name)}[0]", "")

    def _bind(self, item: Input, shape: str, indent: str, *, may_name: bool = True) -> None:
        assert item.pattern is not None
        elements = item.pattern.elements
        star = next((index for index, element in enumerate(elements) if isinstance(element, Star)), None)
        fixed = len(elements) - (star is not None)
        self.lines.append(
            f'{indent}check_rank({shape}, {fixed}, {"false" if star is None else "true"}, "{item.name}");'
        )
        for index, element in enumerate(elements):
            behind = star is not None and index > star
            axis = f"{shape}.size() - {len(elements) - index}" if behind else str(index)
            size = f"{shape}[{axis}]"
            match element:
                case Star(name):
                    self._star(name, shape, index, fixed - index, indent, item, may_name=may_name)
                case Number(value):
                    self.lines.append(f'{indent}check_size({size}, Size({value}), "{item.name}", {axis});')
                case Letter(name) if name in self._letters:
                    self.lines.append(f'{indent}check_size({size}, {letter_name(name)}, "{item.name}", {axis});')
                case Letter(name) if may_name:
                    self._letters.add(name)
                    self.lines.append(f"{indent}[[maybe_unused]] const Size {letter_name(name)} = {size};")

    def _star(  # noqa: PLR0913 - the place of one element
        self, name: str, shape: str, first: int, behind: int, indent: str, item: Input, *, may_name: bool
    ) -> None:
        covered = f"{shape}.begin() + {first}, {shape}.end() - {behind}"
        if name in self._stars:
            here = f"std::vector<Size>({covered})"
            self.lines.append(f'{indent}check_sizes({here}, {letter_name(name)}, "{item.name}", {first});')
        elif may_name:
            self._stars.add(name)
            self.lines.append(f"{indent}[[maybe_unused]] const std::vector<Size> {letter_name(name)}({covered});")

    def _output(self, output: Output) -> str:
        rule = self._contract.output_rule(output)
        if rule.same_as is not None:
            return f"{cpp_name(rule.same_as)}[0]"
        pieces: list[str] = []
        plain: list[str] = []
        for element in rule.elements:
            if isinstance(element, Star):
                pieces += [_sizes(plain)] if plain else []
                pieces.append(letter_name(element.name))
                plain = []
            else:
                plain.append(render_expression(element))
        if not pieces:
            return _sizes(plain)
        pieces += [_sizes(plain)] if plain else []
        return f"join_sizes<Size>({{{', '.join(pieces)}}})"


def _sizes(items: list[str]) -> str:
    return f"std::vector<Size>{{{', '.join(items)}}}"
