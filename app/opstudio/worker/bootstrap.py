"""The script that a worker process starts with.

It makes the package ``opstudio`` importable without putting the studio's folder on ``sys.path``, where the packages
beside it would hide those of the workspace's interpreter.
"""

import importlib.util
import sys
from pathlib import Path


def _install_package() -> None:
    folder = Path(__file__).resolve().parent.parent
    spec = importlib.util.spec_from_file_location(
        "opstudio", folder / "__init__.py", submodule_search_locations=[str(folder)]
    )
    assert spec is not None
    assert spec.loader is not None
    package = importlib.util.module_from_spec(spec)
    sys.modules["opstudio"] = package
    spec.loader.exec_module(package)


if __name__ == "__main__":
    # A script's own folder comes first on the path; here that is a folder of the package.
    own = str(Path(__file__).resolve().parent)
    sys.path[:] = [entry for entry in sys.path if entry != own]
    # Workers import the person's modules by path and leave no caches beside them.
    sys.dont_write_bytecode = True
    _install_package()
    from opstudio.worker.server import main

    main(sys.argv[1:])
