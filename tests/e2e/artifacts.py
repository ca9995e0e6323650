"""The artifacts of a spec, as files, made by the program under test ($FLEXSLICE)."""

import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FLEXSLICE = os.environ.get("FLEXSLICE", str(ROOT / "build/dev/flexslice"))


def examples():
    """Folder name of every example."""
    return sorted(path.parent.name for path in (ROOT / "examples").glob("*/spec.yaml"))


def compile_spec(spec, directory):
    """Compiles a spec (a path, or its text) below `directory` and returns the folder with its files."""
    directory = Path(directory, "out")
    if not isinstance(spec, Path):
        path = directory.with_name("spec.yaml")
        path.write_text(spec, encoding="utf-8")
        spec = path
    options = spec.with_name("options")  # the rest of an example's command line
    words = options.read_text(encoding="utf-8").split() if options.exists() else []
    run = subprocess.run([FLEXSLICE, "compile", "--color=never", "--out-dir", directory, *words, spec],
                         cwd=spec.parent, capture_output=True, encoding="utf-8", check=False)
    assert run.returncode == 0, f"{spec} does not compile:\n{run.stderr}"
    return min(directory.iterdir(), key=lambda folder: len(folder.name))  # those of a sweep's points have longer names


def compile_example(name, directory):
    """Compiles examples/NAME; see compile_spec."""
    return compile_spec(ROOT / "examples" / name / "spec.yaml", directory)
