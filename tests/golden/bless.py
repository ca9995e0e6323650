"""Writes examples/*/expected and schemas/ anew from the program. Read the diff before you commit it."""
import shutil

import expected

for example in expected.examples():
    folder = example / "expected"
    shutil.rmtree(folder, ignore_errors=True)
    for name, text in expected.compile_example(example).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)
for name, arguments in expected.SCHEMAS.items():
    (expected.ROOT / "schemas" / name).write_bytes(expected.schema(arguments))
