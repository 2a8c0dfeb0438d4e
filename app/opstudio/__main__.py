"""``python -m opstudio`` and ``opstudio`` run the command line."""

import os
import signal
import sys
from types import FrameType

_CANCELLED = 130


def main() -> int:
    """Run the command line; an interruption while it is still imported ends the process without a word too many."""
    signal.signal(signal.SIGINT, _leave)
    signal.signal(signal.SIGTERM, _leave)
    from opstudio.cli.main import main as run

    return run()


def _leave(_number: int, _frame: FrameType | None) -> None:
    # Nothing has begun: there is nothing to end in order.
    if "--json" in sys.argv[1:]:
        os.write(1, b'{"schema": "opstudio/cancelled/1", "cancelled": true}\n')
    os.write(2, b"cancelled\n")
    os._exit(_CANCELLED)


if __name__ == "__main__":
    sys.exit(main())
