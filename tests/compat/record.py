"""Writes what this version promises to keep, once, when it is released: tests/compat/record.py 1.0"""
import pathlib
import shutil
import sys

import compat

# One of each kind, and of each way to nodes.
EXAMPLES = """autopilot-multi-host autopilot-multislice autopilot-single-host autoscaling batch-shards dynamic-slices everything fallback
fine-tune gateway ironwood multi-host multislice new-cluster nightly pathways pathways-headless pre-train queued ray-fine-tune ray-serve
reservation serve serve-multi-host serve-with-router shared-queue sweep team-queue two-containers v5p-multi-host""".split()


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


if __name__ == "__main__":
    folder = compat.HERE / sys.argv[1]
    folder.mkdir()
    for name in EXAMPLES:
        spec = folder / "specs" / f"{name}.yaml"
        spec.parent.mkdir(exist_ok=True)
        shutil.copyfile(compat.expected.ROOT / "examples" / name / "spec.yaml", spec)
        for file, text in compat.outputs(spec).items():
            write(folder / name / file, text)
    write(folder / "numbers.txt", "".join(f"{each}\n" for each in compat.numbers()))
    write(folder / "members.txt", "".join(f"{each}\n" for each in compat.json_members()))
    print(f"{len(EXAMPLES)} specs, {sum(1 for each in pathlib.Path(folder).rglob('*') if each.is_file())} files")
