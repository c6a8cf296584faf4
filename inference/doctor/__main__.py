"""`python -m inference.doctor`."""

import sys

from inference.doctor import main

sys.exit(main(sys.argv[1:]))
