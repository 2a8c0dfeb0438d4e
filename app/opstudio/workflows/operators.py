"""An operator of a workspace, read: its folder, its contract and the text of the contract."""

from __future__ import annotations

import dataclasses
import functools
from dataclasses import dataclass

from opstudio.base.errors import InputError
from opstudio.base.finding import Finding
from opstudio.base.toml_document import TomlDocument
from opstudio.build.records import OperatorSources
from opstudio.build.symbols import source_lines
from opstudio.contract.operator import OperatorContract
from opstudio.contract.toml_file import read_contract_document
from opstudio.diagnosis.rule import RuleContext
from opstudio.workspace.folder import OperatorFolder, Workspace


@dataclass(frozen=True, slots=True)
class LoadedOperator:
    """An operator whose contract was read."""

    workspace: Workspace
    folder: OperatorFolder
    contract: OperatorContract
    document: TomlDocument

    @property
    def name(self) -> str:
        """The name of the operator's folder, which is its name on command lines."""
        return self.folder.name

    @property
    def sources(self) -> OperatorSources:
        """The operator as build backends see it."""
        return OperatorSources(self.folder.path, self.contract)

    def rule_context(self, stage: str) -> RuleContext:
        """Return what rules may know of the operator."""
        return RuleContext(
            stage=stage,
            folder=self.folder.path,
            contract=self.contract,
            document=self.document,
            locate=functools.cache(source_lines),
            relative=self.workspace.relative,
        )


def load_operator(workspace: Workspace, folder: OperatorFolder) -> LoadedOperator:
    """Read the contract of an operator.

    Raises:
        InputError: the contract is wrong; places are relative to the workspace, as those of all findings are.
    """
    try:
        contract, document = read_contract_document(folder.contract_path)
    except InputError as error:
        raise InputError(tuple(relative_finding(finding, workspace) for finding in error.findings)) from error
    return LoadedOperator(workspace, folder, contract, document)


def relative_finding(finding: Finding, workspace: Workspace) -> Finding:
    """Return a finding with its places told from the workspace, as those of all findings are."""
    places = tuple(
        dataclasses.replace(place, file=workspace.relative(place.file)) if place.file else place
        for place in finding.places
    )
    return dataclasses.replace(finding, places=places)
