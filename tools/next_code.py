"""The next free number of each hundred of diagnostics: the build target `next-code` prints it."""
import collections
import pathlib
import re

FILE = pathlib.Path(__file__).resolve().parents[1] / "src/diag/diagnostics.yaml"


def next_codes(text):
    """One more than the greatest of each hundred, so that a retired number is not taken again; a hundred that is full has none."""
    greatest = collections.defaultdict(int)
    for number in map(int, re.findall(r"^FS(\d{4}):", text, re.M)):
        greatest[number // 100] = max(greatest[number // 100], number)
    return [number + 1 for number in greatest.values() if number % 100 < 99]


if __name__ == "__main__":
    source = FILE.read_text()
    print(re.search(r"^#   1xxx.*\n#   4xxx.*\n", source, re.M)[0] + "next free: " + " ".join(f"FS{number}" for number in next_codes(source)))
