"""Tests of the window: behaviour, without a screen."""
