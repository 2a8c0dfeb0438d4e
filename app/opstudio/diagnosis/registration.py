"""PyTorch's refusals of a registration. They end the process, so that all there is are the worker's last words."""

from __future__ import annotations

import enum

from opstudio.worker.outcome import Ending, Outcome


class Refusal(enum.Enum):
    """Why PyTorch refused; each belongs to one rule."""

    SCHEMA_SYNTAX = ("type specifier", "but found", "expected arrow", "in an operator's schema string")
    TWICE = ("Only a single TORCH_LIBRARY", "with the same name and overload name multiple times")
    SIGNATURE = ("Inferred operator schema",)
    KERNEL_SIGNATURES = ("Mismatch in kernel C++ signatures",)


def refusal_text(outcome: Outcome) -> str:
    """Return what PyTorch said before it ended the process, on one line, or an empty text."""
    if outcome.ending is not Ending.CRASHED or outcome.signal != "SIGABRT":
        return ""
    _, _, text = outcome.last_words.partition("what():")
    return " ".join((text or outcome.last_words).split("Exception raised from")[0].split())


def refusal_of(outcome: Outcome) -> Refusal | None:
    """Return which known refusal an outcome is."""
    said = refusal_text(outcome)
    return next((refusal for refusal in Refusal if any(mark in said for mark in refusal.value)), None)
