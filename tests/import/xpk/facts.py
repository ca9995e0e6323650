"""The program, and what facts.yaml says of a line."""
import os
import pathlib
import subprocess

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[3]
FLEXSLICE = str(pathlib.Path(os.environ.get("FLEXSLICE", ROOT / "build/dev/flexslice")).resolve())
FACTS = yaml.safe_load((pathlib.Path(__file__).resolve().parent / "facts.yaml").read_text())


def flexslice(*arguments, cwd):
    return subprocess.run([FLEXSLICE, *arguments, "--color", "never"], cwd=cwd, capture_output=True, text=True, check=False)


def of(line):
    """Path -> value of the tool's JobSet."""
    both = FACTS["usual"][line["tool"]] | FACTS[line["id"]]
    return {path: value for path, value in both.items() if value is not None}
