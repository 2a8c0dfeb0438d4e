"""All that is known of an operator library that was looked into."""

from __future__ import annotations

from dataclasses import dataclass

from opstudio.model.runtime.records import LibraryContents
from opstudio.model.runtime.shared_library import SharedLibrary
from opstudio.worker.outcome import Ending, Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class LibraryEvidence:
    """A library: what its file says, what it registered, and how the process ended in which it did.

    ``contents`` is ``None`` where it registered nothing because it could not be loaded or ended the process;
    ``refusal`` is then what the loader said. ``outcome`` is ``None`` where the answer was known from before.
    """

    path: str
    file: SharedLibrary
    contents: LibraryContents | None
    refusal: str = ""
    outcome: Outcome | None = None

    @property
    def good(self) -> bool:
        """Whether everything was registered."""
        return self.contents is not None and not self.contents.refusal

    @property
    def ended(self) -> bool:
        """Whether it ended the process it was loaded into."""
        return self.outcome is not None and self.outcome.ending not in (Ending.FINISHED, Ending.FAILED)
