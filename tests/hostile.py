"""Texts of at most 1 MiB that nobody would write by hand, and what people paste by mistake."""
import pathlib
import random

ROOT = pathlib.Path(__file__).resolve().parents[1]
SPEC = (ROOT / "examples/multi-host/spec.yaml").read_text()
MANIFESTS = (ROOT / "examples/multi-host/expected/manifests.yaml").read_text()
MISTAKES = [(ROOT / f"src/web/samples/{name}-with-mistakes.yaml").read_text() for name in ("spec", "manifest")]
HEAD = b"apiVersion: flexslice/v1\n"
LARGE = 1 << 20


def hostile():
    """Pairs of a name and bytes."""
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
    yield "items", HEAD + b"- a\n" * 250000
    yield "keys", HEAD + b"".join(b"k%d: 1\n" % i for i in range(80000))
    yield "one line", b"apiVersion: flexslice/v1\nname: " + b"a" * 1000000
    yield "specs", f"---\n{SPEC}".encode() * (LARGE // (len(SPEC) + 4))
    yield "manifests", MANIFESTS.encode() * (LARGE // len(MANIFESTS))
    yield "a field on one line", HEAD + b"tpu: {" + b",".join(b"k%d: 1" % i for i in range(80000)) + b"}"
    yield "letters of two units", HEAD + "tpu: {".encode() + ",".join(f"\U0001f600{i}: 1" for i in range(70000)).encode() + b"}"
    yield "the same key", HEAD + b"a: 1\n" * 200000
    yield "indented keys", HEAD + b"".join(b" " * i + b"a:\n" for i in range(1400))
    yield "quotes", HEAD + b'a: "\n' * 180000
    yield "suppressions", HEAD + b"a: 1 # flexslice: allow FS3002\n" * 30000
    yield "merged keys", HEAD + b"z: &x {a: 1}\n" + b"".join(b"a%d: {<<: *x}\n" % i for i in range(50000))
    yield "zones", SPEC.replace("[us-east5-b]", f"[{', '.join(['us-east5-b'] * 80000)}]").encode()
    yield "points", f"{SPEC}matrix:\n  vary:\n    workload.command: [{', '.join(f'[a{i}]' for i in range(100000))}]\n".encode()
    yield "empty specs", (b"---\n" + HEAD) * 20000
    yield "empty documents", b"---\n" * 20000
    yield "kinds", b"---\napiVersion: batch/v1\nkind: Job\n" * 20000
    yield "specs with mistakes", f"---\n{MISTAKES[0]}".encode() * (LARGE // (len(MISTAKES[0]) + 4))
    yield "manifests with mistakes", f"---\n{MISTAKES[1]}".encode() * (LARGE // (len(MISTAKES[1]) + 4))
    yield "script", b"gcloud container node-pools create a --machine-type=ct6e-standard-4t --tpu-topology=4x6\n" * 11000
    yield "code fences", b"```\n" * 260000
