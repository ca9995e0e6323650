"""What the benchmark and its test measure with: programs of one release build, callgrind, and turns of commands."""
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import tempfile
from dataclasses import dataclass

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent.parent
SPEC = HERE / "spec.yaml"


class NotHere(Exception):
    """Something that the measurement needs is missing; the text says what."""


@dataclass(frozen=True)
class Build:
    """The programs of one static release build, and what they were made with."""
    directory: pathlib.Path

    @property
    def flexslice(self):
        return str(self.directory / "flexslice")

    def tool(self, name):
        return str(self.directory / "tests" / f"flexslice-{name}")

    def cached(self, name):
        """A value of the build's CMake cache."""
        found = re.search(rf"^{name}:\w+=(.*)$", (self.directory / "CMakeCache.txt").read_text(), re.MULTILINE)
        return found.group(1) if found else ""

    def is_release(self):
        return self.cached("CMAKE_BUILD_TYPE") == "Release" and self.cached("FLEXSLICE_STATIC") == "ON" \
            and not self.cached("CMAKE_CXX_FLAGS")

    def made_with(self):
        """What instruction counts depend on beside our own code."""
        compiler = subprocess.run([self.cached("CMAKE_CXX_COMPILER"), "--version"], capture_output=True, text=True, check=True)
        return {"compiler": re.sub(r'^[cg]\+\+ ', 'g++ ', compiler.stdout.splitlines()[0]), "yaml-cpp": package_version("libyaml-cpp-dev"),
                "libc": package_version("libc6-dev"), "cxxopts": package_version("libcxxopts-dev"), "valgrind": package_version("valgrind")}


def package_version(package):
    if not shutil.which("dpkg-query"):
        return "unknown"
    query = subprocess.run(["dpkg-query", "--show", "--showformat=${Version}", package], capture_output=True, text=True)
    return query.stdout or "unknown"


def release_build():
    """Builds what is measured in build/release, as ./bootstrap does."""
    say = dict(cwd=SOURCE, stdout=subprocess.DEVNULL, check=True)
    subprocess.run(["cmake", "--preset", "release", "--log-level=WARNING", "-DFLEXSLICE_TESTS=ON"], **say)
    targets = ["flexslice", "flexslice-events", "flexslice-empty", "flexslice-measure"]
    subprocess.run(["cmake", "--build", "--preset", "release", "--target", *targets], **say)
    return Build(SOURCE / "build" / "release")


def instructions(command, only=None, status=0):
    """How many instructions the command executes; with `only`, those inside that function. The environment is empty and the directory
    this one, so that the count depends on the program alone."""
    if not shutil.which("valgrind"):
        raise NotHere("valgrind is not here")
    with tempfile.TemporaryDirectory() as directory:
        output = f"{directory}/out"
        options = [f"--callgrind-out-file={output}"] + ([f"--toggle-collect={only}"] if only else [])
        run = subprocess.run(["valgrind", "--tool=callgrind", *options, *command], cwd=HERE, env={"PATH": os.environ["PATH"]},
                             stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        if run.returncode != status:
            raise RuntimeError(f"{command}: exit status {run.returncode}\n{run.stderr}")
        return int(re.search(r"^summary: (\d+)", pathlib.Path(output).read_text(), re.MULTILINE).group(1))


def event_passes(build, source):
    """Instructions of a compilation, as a multiple of yaml-cpp's own event pass over the same bytes."""
    program = instructions([build.flexslice, "compile", "--jobs=1", source])
    return program / instructions([build.tool("events"), source], only="event_pass")


@dataclass(frozen=True)
class Runs:
    seconds: list
    cpu_seconds: list
    peak_kib: int
    status: int

    @property
    def median(self):
        return statistics.median(self.seconds)

    @property
    def cpu(self):
        return statistics.median(self.cpu_seconds)


def turns(build, rounds, commands, directory=HERE):
    """Runs the commands by turns, `rounds` times each. A command is a list of words; `<FILE` in front is its stdin, a lone `&` joins
    two that run at the same time. A caller checks the status."""
    words = []
    for command in commands:
        words += ([","] if words else []) + [str(word) for word in command]
    run = subprocess.run([build.tool("measure"), str(rounds), *words], cwd=directory, capture_output=True, text=True, check=True)
    results = [json.loads(line) for line in run.stdout.splitlines()]
    return [Runs([wall / 1e9 for wall in each["wall_ns"]], [cpu / 1e9 for cpu in each["cpu_ns"]], each["peak_kib"], each["status"])
            for each in results]


def good_turns(build, rounds, commands, directory=HERE):
    """The same, where every command must succeed."""
    results = turns(build, rounds, commands, directory)
    for command, result in zip(commands, results):
        if result.status != 0:
            raise RuntimeError(f"{' '.join(map(str, command))[:200]}: exit status {result.status}")
    return results


def numbered(index):
    """The spec of the benchmark under a name of its own; all have the same length."""
    return SPEC.read_text().replace("name: pre-train\n", f"name: pre-{index:06d}\n", 1)


def write_files(directory, count):
    """`count` specs as files; their names, relative to the directory."""
    names = [f"{index:06d}.yaml" for index in range(count)]
    for index, name in enumerate(names):
        (directory / name).write_text(numbered(index))
    return names


def write_stream(path, count):
    with path.open("w") as out:
        for index in range(count):
            out.write("---\n" + numbered(index))
    return path


def write_objects(path, text, count):
    """One file of `count` objects: those of the manifests `text`, each time under another name."""
    objects = text.removeprefix("---\n").split("---\n")
    path.write_text("---\n".join(objects[index % len(objects)].replace("pre-train", f"pre-{index // len(objects):06d}")
                                for index in range(count)))
    return path


def write_tree(directory, count, manifests):
    """`count` files in nested folders, one of a hundred of which is `manifests`; the others mention no TPU."""
    plain = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata:\n" + "".join(
        f"  key-{index}: a value of an ordinary length, number {index}\n" for index in range(40))
    for index in range(count):
        folder = directory / f"{index % 200 // 20:02}" / f"{index % 200:03}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{index:06d}.yaml").write_text(manifests if index % 100 == 0 else plain)
    return directory
