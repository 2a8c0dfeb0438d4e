"""From sources to libraries: backends plan, one runner executes, compilers' words become places in files."""
