"""Where the built page is, and the texts that the tests give it."""
import os
import pathlib
import random
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
FLEXSLICE = os.environ.get("FLEXSLICE", str(ROOT / "build/dev/flexslice"))
PAGE = ROOT / "build/web/page"
EXAMPLES = sorted(ROOT.glob("examples/*/spec.yaml"))
SPEC = (ROOT / "examples/multi-host/spec.yaml").read_text()
MANIFESTS = (ROOT / "examples/multi-host/expected/manifests.yaml").read_text()
MISSING = None if (PAGE / "engine.js").exists() else "the page is not built: ./bootstrap web builds it"
LARGE = 1 << 20


def run(*words, text=None):
    return subprocess.run([FLEXSLICE, *map(str, words)], input=text, capture_output=True, text=True, check=False)


def hostile():
    """(name, bytes of at most 1 MiB): what nobody would write by hand, and what people paste by mistake."""
    random.seed(1)
    letters = "abcdefghijklmnopqrst"
    bomb = SPEC + "a: &a [x, x, x, x, x, x, x, x, x]\n"
    bomb += "".join(f"{each}: &{each} [{', '.join([f'*{before}'] * 9)}]\n" for before, each in zip(letters, letters[1:]))
    yield "binary", random.randbytes(LARGE)
    yield "zeros", bytes(LARGE)
    yield "broken UTF-8", b"name: caf\xe9\n\xed\xa0\x80\xff\xfe: \xc3" * 50000
    yield "aliases", bomb.encode()
    yield "brackets", b"apiVersion: flexslice/v1\na: " + b"[" * 500000
    yield "braces", b"{" * LARGE
    yield "dollars", b"$" * LARGE
    yield "items", b"apiVersion: flexslice/v1\n" + b"- a\n" * 250000
    yield "keys", b"apiVersion: flexslice/v1\n" + b"".join(b"k%d: 1\n" % i for i in range(80000))
    yield "one line", b"apiVersion: flexslice/v1\nname: " + b"a" * 1000000
    yield "specs", f"---\n{SPEC}".encode() * (LARGE // (len(SPEC) + 4))
    yield "manifests", MANIFESTS.encode() * (LARGE // len(MANIFESTS))
    yield "script", b"gcloud container node-pools create a --machine-type=ct6e-standard-4t --tpu-topology=4x6\n" * 11000
    yield "code fences", b"```\n" * 260000
