"""What the install tests share: the build tree, its settings, and an installation of it under a temporary prefix."""
import os
import pathlib
import re
import subprocess

ROOT = pathlib.Path(os.environ.get("FLEXSLICE_SOURCE", pathlib.Path(__file__).resolve().parents[2]))
BUILD = pathlib.Path(os.environ.get("FLEXSLICE_BUILD", ROOT / "build/dev"))
EXAMPLE = ROOT / "examples/multi-host"
FLEXSLICE = os.environ.get("FLEXSLICE", str(BUILD / "flexslice"))


def run(command, check=True, **options):
    """The finished process; its output is bytes. A failure shows what was said."""
    command = [str(word) for word in command]
    done = subprocess.run(command, capture_output=True, check=False, **{"stdin": subprocess.DEVNULL, **options})
    if check and done.returncode != 0:
        said = (done.stdout + done.stderr).decode(errors="replace")
        raise AssertionError(f"{' '.join(command)} exits {done.returncode}:\n{said}")
    return done


def compiled(*options, spec=b""):
    """What the program of the build tree makes of a spec on its stdin."""
    return run([FLEXSLICE, "compile", *options, "-"], stdin=None, input=spec).stdout.decode()


def cache():
    """The build tree's settings."""
    settings = {}
    for line in (BUILD / "CMakeCache.txt").read_text().splitlines():
        if "=" in line and not line.startswith(("#", "/")):
            key, value = line.split("=", 1)
            settings[key.split(":")[0]] = value
    return settings


def install(prefix, *options):
    run(["cmake", "--install", BUILD, "--prefix", prefix, *options])


def files(folder):
    """Paths of all files below the folder, relative to it."""
    folder = pathlib.Path(folder)
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir()}


def broken_links(folder):
    """Links of pages in the folder that do not lead to a file in it."""
    folder = pathlib.Path(folder).resolve()
    broken = []
    for page in sorted(folder.rglob("*.md")):
        for link in re.findall(r"\]\(([^)\s]+)\)", page.read_text()):
            target = (page.parent / link.split("#")[0]).resolve()
            if not link.startswith(("https://", "#")) and not (target.exists() and folder in target.parents):
                broken.append(f"{page.relative_to(folder)}: {link}")
    return broken
