"""Run benches by name, or all of them: ``python -m bench [NAME ...]``."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
#: In the order in which they run; each prints its own table.
BENCHES = tuple(sorted(path.stem for path in HERE.glob("*_speed.py")))


def main(names: list[str]) -> int:
    """Run each bench in a process of its own; leave with 1 when one of them failed."""
    unknown = [name for name in names if name not in BENCHES and f"{name}_speed" not in BENCHES]
    if unknown:
        print(f"no bench {unknown[0]!r}; benches: {', '.join(BENCHES)}", file=sys.stderr)
        return 2
    chosen = [name if name in BENCHES else f"{name}_speed" for name in names] or list(BENCHES)
    # Compiled modules are part of how the command runs on a person's machine.
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    failed = 0
    for name in chosen:
        print(f"\n# {name}\n", flush=True)
        failed |= (
            subprocess.run(
                [sys.executable, "-m", f"bench.{name}"], cwd=HERE.parent, env=environment, check=False
            ).returncode
            != 0
        )
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
