"""Writes the engine of the page as one script: that of emscripten, with its program compressed in it.

usage: pack.py ENGINE.js ENGINE.wasm OUT.js

The policy of the page lets nothing be fetched, so the program comes in a script. Compressed first, base64 costs a server that
compresses nearly nothing, and one that does not a third of the size.
"""
import base64
import gzip
import pathlib
import sys

UNPACK = """
{
  const make = createEngine, program = "%s";
  createEngine = async (options = {}) => {
    const bytes = Uint8Array.from(atob(program), (letter) => letter.charCodeAt(0));
    const unpacked = new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")));
    return make({...options, wasmBinary: new Uint8Array(await unpacked.arrayBuffer())});
  };
  if (typeof module === "object") module.exports = createEngine;
}
"""

script, program, out = map(pathlib.Path, sys.argv[1:])
out.parent.mkdir(parents=True, exist_ok=True)
packed = base64.b64encode(gzip.compress(program.read_bytes(), 9, mtime=0)).decode()
out.write_text(script.read_text() + UNPACK % packed)
