#!/bin/sh
# Sets up a real Home Assistant for `pytest -m homeassistant`: version 2024.3.3, the newest that runs on
# Python 3.11, in an environment of its own (.venv-homeassistant unless another folder is named), with the
# versions that it was released with. About 700 MB with what it installs itself at its first start; several minutes.
# Run it once; it does nothing that is done already. Never part of CI, which has its recorded answers.
set -eu
home=${1:-$(dirname "$0")/../../.venv-homeassistant}
python=${PYTHON:-python3.11}
[ -x "$home/bin/python" ] || "$python" -m venv "$home"
if [ ! -x "$home/bin/hass" ]; then
    "$home/bin/pip" download -q --no-deps -d "$home/wheel" homeassistant==2024.3.3
    "$home/bin/python" - "$home" <<'PYTHON'
import pathlib, sys, zipfile
home = pathlib.Path(sys.argv[1])
(wheel,) = (home / "wheel").glob("*.whl")
with zipfile.ZipFile(wheel) as archive:
    constraints = archive.read("homeassistant/package_constraints.txt")
(home / "constraints.txt").write_bytes(constraints)
PYTHON
    # josepy 2 took out what this version's cloud integration imports
    nice "$home/bin/pip" install -q -c "$home/constraints.txt" homeassistant==2024.3.3 'josepy<2'
fi
echo "ready: pytest -m homeassistant (with HOMEASSISTANT=$home if that is not .venv-homeassistant of this checkout)"
