"""The process side: user code, operator libraries and frameworks run here, never in the studio's own process.

The modules ``bootstrap``, ``server``, ``child``, ``context``, ``arrays`` and ``hosts`` run in the workspace's
interpreter and need only the standard library and NumPy beside the frameworks.
"""
