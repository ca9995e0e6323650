"""What the tests of this folder share: runs of the program, and what a compiled spec is, comments aside."""
import os
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
FLEXSLICE = str(pathlib.Path(os.environ.get("FLEXSLICE", ROOT / "build/dev/flexslice")).resolve())
# What a team has at hand; the other artifacts follow from these.
SOURCES = ("manifests.yaml", "provision.sh", "queues.yaml", "volumes.yaml")
FINE, FINDINGS, USAGE, IO = 0, 1, 2, 3


def run(*arguments, cwd=None, stdin=b""):
    return subprocess.run([FLEXSLICE, *map(str, arguments)], cwd=cwd, input=stdin, capture_output=True, check=False)


def options(example):
    file = example / "options"
    return file.read_text().split() if file.exists() else []


def import_files(files, *arguments):
    """(spec, findings, status) of files, given as {name: text}."""
    with tempfile.TemporaryDirectory() as directory:
        for name, text in files.items():
            (pathlib.Path(directory) / name).write_text(text)
        done = run("import", "--color", "never", *arguments, *files, cwd=directory)
        return done.stdout.decode(), done.stderr.decode(), done.returncode


def compile_spec(spec, *arguments, sources=SOURCES):
    """(files without comments, findings) of a spec."""
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory) / "spec.yaml"
        path.write_text(spec)
        out = pathlib.Path(directory) / "out"
        done = run("compile", "--color", "never", "--no-comments", "--out-dir", out, *arguments, path, cwd=directory)
        files = {}
        for file in sorted(out.rglob("*")) if out.exists() else []:
            if file.name in sources:
                folder = file.parent.name
                files[f"{folder}-{file.name}"] = file.read_text()
        return files, done.stderr.decode(), done.returncode
