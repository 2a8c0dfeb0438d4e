"""Sources generated from contracts: readable C++, free of the studio."""
