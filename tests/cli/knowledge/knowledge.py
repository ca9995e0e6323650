"""Runs the program, and reads the catalog's own files independently of it."""
import functools
import os
import pathlib
import re
import shutil
import subprocess
import unittest

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[3]
FLEXSLICE = os.environ.get("FLEXSLICE", str(ROOT / "build/dev/flexslice"))
EXAMPLES = sorted(path.parent for path in (ROOT / "examples").glob("*/spec.yaml"))


def run(*arguments, stdin=None, cwd=None, env=None):
    """Exit status, stdout, stderr."""
    done = subprocess.run([FLEXSLICE, *arguments], input=stdin, cwd=cwd, env=env, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def tool(name):
    path = shutil.which(name)
    if path is None:
        if os.environ.get("CI"):
            raise AssertionError(f"{name} is not installed")
        raise unittest.SkipTest(f"{name} is not installed")
    return path


@functools.cache
def read(path):
    return yaml.load((ROOT / "src/catalog/data" / path).read_text(), yaml.BaseLoader)


@functools.cache
def generations():
    """Id -> generation, as its file has it, with every number as text."""
    files = sorted((ROOT / "src/catalog/data/generations").glob("*.yaml"))
    return {each["id"]: each for file in files for each in read(file.relative_to(ROOT / "src/catalog/data"))["generations"]}


@functools.cache
def models():
    return {each["name"]: each for each in read("models.yaml")["models"]}


def support(model, generation):
    """The row that speaks of the generation, or None."""
    return next((row for row in model["supports"] if generation in row["generations"]), None)


def supported(model, generation):
    row = support(model, generation)
    return row is not None and row.get("supported", "true") == "true"


def product(sizes):
    result = 1
    for size in sizes:
        result *= size
    return result


def chips(topology):
    return product(int(size) for size in topology.split("x"))


@functools.cache
def commands():
    """Name of every command that --help lists."""
    return re.findall(r"^  ([a-z]+)  ", run("--help")[1], re.MULTILINE)


def one_line(text):
    """Without the line breaks of the layout."""
    return " ".join(text.split())
