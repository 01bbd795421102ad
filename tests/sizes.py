"""How much the properties try: ``BRAIN_PROPERTIES=20`` makes twenty times as many examples as a run in passing."""

from __future__ import annotations

import os

#: What the usual number of examples is multiplied by.
TIMES = int(os.environ.get("BRAIN_PROPERTIES", "1"))
