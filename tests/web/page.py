"""Where the built page is, and the texts that the tests give it."""
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FLEXSLICE = os.environ.get("FLEXSLICE", str(ROOT / "build/dev/flexslice"))
PAGE = ROOT / "build/web/page"
EXAMPLES = sorted(ROOT.glob("examples/*/spec.yaml"))
SPEC = (ROOT / "examples/multi-host/spec.yaml").read_text()
MANIFESTS = (ROOT / "examples/multi-host/expected/manifests.yaml").read_text()
MISSING = None if (PAGE / "engine.js").exists() else "the page is not built: ./bootstrap web builds it"

sys.path.insert(0, str(ROOT / "tests"))
from hostile import LARGE, hostile  # noqa: E402


def run(*words, text=None):
    return subprocess.run([FLEXSLICE, *map(str, words)], input=text, capture_output=True, text=True, check=False)
