"""What the program makes of every example, for the golden test and for `bless`."""
import os
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
FLEXSLICE = str(pathlib.Path(os.environ.get("FLEXSLICE", ROOT / "build/dev/flexslice")).resolve())
SCHEMAS = {"flexslice.schema.json": ["schema"], "plan.schema.json": ["schema", "--plan"], "fields.md": ["schema", "--reference"]}


def examples():
    return sorted(path.parent for path in (ROOT / "examples").glob("*/spec.yaml"))


def options(example):
    """The rest of the command line, one word a line, for examples that need more than their spec."""
    file = example / "options"
    return file.read_text().split() if file.exists() else []


def compile_example(example, spec=None):
    """File name -> bytes, of all artifacts."""
    with tempfile.TemporaryDirectory() as directory:
        command = [FLEXSLICE, "compile", "--color", "never", "--out-dir", directory, *options(example), str(spec or "spec.yaml")]
        done = subprocess.run(command, cwd=example, capture_output=True, check=False)
        # Findings, without the last line: how many files were written where.
        findings = b"".join(line for line in done.stderr.splitlines(True) if not line.startswith(f"{directory}: ".encode()))
        files = {"stderr": findings} if findings else {}
        for path in sorted(pathlib.Path(directory).rglob("*")):
            if path.is_file():
                files[str(path.relative_to(directory))] = path.read_bytes()
        if done.returncode != 0:
            raise AssertionError(f"{' '.join(command)} exits {done.returncode}:\n{done.stderr.decode()}")
    # All of one spec's files stand in a folder of its name; several documents give several folders.
    folders = {name.split("/")[0] for name in files if "/" in name}
    if len(folders) == 1:
        files = {name.split("/", 1)[-1]: text for name, text in files.items()}
    return files


def schema(arguments):
    return subprocess.run([FLEXSLICE, *arguments], capture_output=True, check=True).stdout
