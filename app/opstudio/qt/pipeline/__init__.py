"""The strip of stages above the editor."""
