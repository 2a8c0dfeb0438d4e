"""``python -m opstudio`` runs the command line."""

import sys

from opstudio.cli.main import main

sys.exit(main())
