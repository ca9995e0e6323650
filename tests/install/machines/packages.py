"""The npm packages of this build tree, packed once for a test, and installed without a network."""
import functools
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(os.environ["FLEXSLICE_SOURCE"])
BUILD = pathlib.Path(os.environ.get("FLEXSLICE_BUILD", ROOT / "build/release"))
WASM = pathlib.Path(os.environ.get("FLEXSLICE_WASM", ROOT / "build/web/program/flexslice.js")).parent
REPOSITORY = "git+https://github.com/owner/flexslice.git"
HAS_WASM = (WASM / "program.wasm").exists()


def need(program):
    """Skips the test, or fails it where CI is set."""
    if shutil.which(program):
        return
    if os.environ.get("CI"):
        raise AssertionError(f"{program} is missing")
    raise unittest.SkipTest(f"{program} is missing")


def clean_environment(home, **more):
    """Of a user who has nothing: no cache, no settings."""
    kept = {name: value for name, value in os.environ.items() if not name.lower().startswith("npm_") and not name.startswith(("FLEXSLICE", "GITHUB_", "NODE_"))}
    return {**kept, "HOME": str(home), "npm_config_offline": "true", "npm_config_update_notifier": "false", "LC_ALL": "C.UTF-8", **more}


@functools.cache
def packed():
    """The files of the main package and of that with the native program."""
    folder = tempfile.TemporaryDirectory()
    packed.folder = folder  # for as long as the test runs
    wasm = ["-D", f"WASM={WASM}"] if HAS_WASM else []
    # A build without static libraries is as good for a test.
    command = ["cmake", "-D", f"BUILD={BUILD}", "-D", f"OUT={folder.name}", "-D", f"REPOSITORY={REPOSITORY}", *wasm, "-P", str(ROOT / "tools/packaging/npm/pack.cmake")]
    done = subprocess.run(command, capture_output=True, text=True, env=clean_environment(folder.name), check=False)
    if done.returncode != 0:
        raise AssertionError(done.stdout + done.stderr)
    native = next(pathlib.Path(folder.name).glob("flexslice-linux-*.tgz"))
    main = next(path for path in pathlib.Path(folder.name).glob("flexslice-*.tgz") if path != native)
    return main, native


def install(prefix, *packages):
    """As `npm install --global` does it; the finished process."""
    command = ["npm", "install", "--global", "--prefix", str(prefix), "--no-audit", "--no-fund", "--loglevel=error", *map(str, packages)]
    return subprocess.run(command, capture_output=True, text=True, env=clean_environment(prefix.parent), check=False, timeout=300)
