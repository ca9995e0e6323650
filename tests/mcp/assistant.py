"""Speaks with `flexslice mcp` by hand, as the specification of the protocol has it."""
import json
import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
FLEXSLICE = os.environ.get("FLEXSLICE", str(ROOT / "build/dev/flexslice"))
VERSION = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
META = {VERSION: "2026-07-28", CAPABILITIES: {}}


def example(name):
    return (ROOT / "examples" / name).read_text()


def request(identity, method, meta=META, **params):
    return {"jsonrpc": "2.0", "id": identity, "method": method, "params": {**params, **({"_meta": meta} if meta is not None else {})}}


def talk(*messages, arguments=()):
    """Answers of a server that gets all of it at once; each line of its stdout is a message, and it says nothing else."""
    data = b"".join(message if isinstance(message, bytes) else json.dumps(message).encode() + b"\n" for message in messages)
    done = subprocess.run([FLEXSLICE, "mcp", *arguments], input=data, capture_output=True, timeout=120, check=False)
    assert done.returncode == 0 and done.stderr == b"", done
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert all(answer["jsonrpc"] == "2.0" for answer in answers), answers
    return answers


def call(tool, /, **arguments):
    """The result of a tool."""
    answer, = talk(request(1, "tools/call", name=tool, arguments=arguments))
    return answer["result"]


def text(result):
    content, = result["content"]
    assert content["type"] == "text"
    return content["text"]


def named(**texts):
    """named(a="…") is the list of texts that tools take."""
    return [{"name": name, "text": value} for name, value in texts.items()]
