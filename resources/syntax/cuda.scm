; What CUDA adds to C++.
["__device__" "__global__" "__host__" "__shared__" "__constant__" "__restrict__" "__launch_bounds__"] @preprocessor
["<<<" ">>>"] @keyword
