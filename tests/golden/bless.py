"""Writes the expected output of examples and schemas/ again from the program, when all of it compiles. Read the diff before you commit it."""
import shutil

import expected

made = {expected.folder(example): expected.stored_form(example, expected.compile_example(example)) for example in expected.examples()}
schemas = {name: expected.schema(arguments) for name, arguments in expected.SCHEMAS.items()}
for folder, files in made.items():
    shutil.rmtree(folder, ignore_errors=True)
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)
for name, text in schemas.items():
    (expected.ROOT / "schemas" / name).write_bytes(text)
