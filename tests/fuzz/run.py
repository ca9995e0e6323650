"""Fuzzes: builds the preset `fuzz` and gives each target its time, one after the other, at the lowest priority.

    python3 tests/fuzz/run.py [--seconds N] [--build DIR] [TARGET...]

Starts from the examples, the ui cases, the built-in catalog and templates, and from corpus/TARGET; works in BUILD/fuzz/TARGET, where what
was found stays for the next time. An input that ends a target is printed: mend the cause and put the input into corpus/TARGET. Prints how
many inputs were tried and how many places of the code were reached.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent.parent
sys.path.insert(0, str(SOURCE / "tests/ui"))
import uicases  # noqa: E402

TARGETS = sorted(path.stem.removeprefix("fuzz_") for path in HERE.glob("fuzz_*.cpp"))
CORPORA = {"lint": SOURCE / "tests/ui/lint", "import": SOURCE / "tests/import/corpus"}  # other targets: corpus/TARGET


def specs():
    cases = list(SOURCE.glob("tests/ui/cases/*.yaml")) + [SOURCE / "tests/bench/spec.yaml"]
    return [uicases.whole(path.read_bytes()) for path in [*SOURCE.glob("examples/*/spec.yaml"), *cases] if path.exists()]


def seeds(target):
    """Inputs that the repository has anyway."""
    if target in ("parse", "compile", "fix", "lsp"):
        return specs()
    if target == "read":
        files = [*SOURCE.glob("examples/*/expected/*"), *SOURCE.glob("tests/golden/examples/*/*"), *SOURCE.glob("*.md")]
        return [path.read_bytes() for path in files if path.is_file()]
    if target == "catalog":
        return [path.read_bytes() for path in SOURCE.glob("src/catalog/data/**/*.yaml")]
    if target == "templates":
        folder = SOURCE / "templates"
        return [f"# {path.relative_to(folder).with_suffix('')}\n".encode() + path.read_bytes() for path in folder.glob("**/*.yaml")]
    return []


def words(schema):
    """Keys, choices and examples of the schema of specs."""
    if isinstance(schema, dict):
        for key, value in schema.items():
            if key in ("properties", "patternProperties"):
                yield from (f"{name}: " for name in value)
            if key in ("enum", "examples"):
                yield from (item for item in value if isinstance(item, str))
            yield from words(value)
    elif isinstance(schema, list):
        for item in schema:
            yield from words(item)


def dictionary(path):
    found = set(words(json.loads((SOURCE / "schemas/flexslice.schema.json").read_text())))
    for data in SOURCE.glob("src/catalog/data/**/*.yaml"):
        found.update(re.findall(r"[A-Za-z][A-Za-z0-9-]*:? ?", data.read_text()))
    found.update(["${", "}", "$when: ", "$each: ", "$merge: ", "$value: ", " in ", "---\n", "!!str ", "&a ", "*a", "<<: ", "|\n", ">-\n", "? "])
    escaped = sorted("".join(c if c.isalnum() or c in " -_:./${}<>|!&*?" else f"\\x{ord(c):02x}" for c in word)
                     for word in found if 2 <= len(word) <= 60 and word.isascii())
    path.write_text("".join(f'"{word}"\n' for word in escaped))


def build(directory):
    subprocess.run(["cmake", "--preset", "fuzz", "-B", str(directory)], cwd=SOURCE, check=True, stdout=subprocess.DEVNULL)
    programs = [f"flexslice-fuzz-{target}" for target in TARGETS]
    subprocess.run(["nice", "-n", "19", "cmake", "--build", str(directory), "--target", *programs], check=True, stdout=subprocess.DEVNULL)


def fuzz(target, directory, seconds):
    """Whether nothing was found."""
    work = directory / "fuzz" / target
    shutil.rmtree(work / "seeds", ignore_errors=True)
    for folder in ("seeds", "inputs", "found"):
        (work / folder).mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(seeds(target)):
        (work / "seeds" / str(number)).write_bytes(seed)
    dictionary(work / "words")
    command = ["nice", "-n", "19", str(directory / "tests" / f"flexslice-fuzz-{target}"), f"-max_total_time={seconds}", "-timeout=20",
               "-rss_limit_mb=2048", "-max_len=8192", "-print_final_stats=1", "-print_funcs=0", f"-artifact_prefix={work}/found/", f"-dict={work}/words",
               str(work / "inputs"), str(work / "seeds"), str(CORPORA.get(target, HERE / "corpus" / target))]
    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace",
                         env={**os.environ, "ASAN_OPTIONS": "detect_leaks=1:allocator_may_return_null=1"})
    (work / "log").write_text(run.stdout)
    count = re.search(r"number_of_executed_units: (\d+)", run.stdout)
    reached = re.findall(r"cov: (\d+) ft: (\d+)", run.stdout)
    print(f"{target:10} {int(count.group(1)) if count else 0:>10,} inputs  {reached[-1][0] if reached else '?':>6} places  "
          f"{'nothing found' if run.returncode == 0 else 'FOUND SOMETHING: ' + str(work / 'log')}", flush=True)
    return run.returncode == 0


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--seconds", type=int, default=300, help="for each target")
    options.add_argument("--build", type=pathlib.Path, default=SOURCE / "build" / "fuzz")
    options.add_argument("targets", nargs="*", metavar="TARGET", help=", ".join(TARGETS))
    chosen = options.parse_args()
    build(chosen.build)
    good = [fuzz(target, chosen.build, chosen.seconds) for target in chosen.targets or TARGETS]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
