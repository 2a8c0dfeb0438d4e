"""One file for each rule, in a folder for each family; each holds a ``RULE`` manifest and is found by discovery.

The docstring of a rule is its page: ``opstudio explain ID`` prints it, so that it has the headings *What it finds*,
*Why it happens*, *How to fix* and *Source*.
"""
