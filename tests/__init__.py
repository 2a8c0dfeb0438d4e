"""Tests of the studio; `tests.support` holds what several of them share."""
