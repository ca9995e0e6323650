"""Writes tools/link/order.ld: the functions and constants that compiling one spec touches, so that the static program has them on adjacent pages.

    python3 tools/link/write_order.py

A kernel maps sixteen pages around each page that a program touches. Functions that lie as the linker finds them make nearly all of the
program resident. Run it when tests/bench says that one spec needs too much memory: a name that no longer exists costs nothing, and a
function that is missing costs a page. It needs valgrind and a build in build/release.
"""
import bisect
import collections
import pathlib
import re
import shlex
import subprocess
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = SOURCE / "build" / "release"
ORDER = SOURCE / "tools" / "link" / "order.ld"
EXAMPLES = ("single-host", "multi-host", "multislice", "shared-queue", "autopilot-multi-host", "reservation", "fallback")
RUNS = [["compile", SOURCE / "tests/bench/spec.yaml"], *(["compile", SOURCE / "examples" / name / "spec.yaml"] for name in EXAMPLES)]
# A section of the program: its name, address, size and file, in one line or two.
SECTION = re.compile(r"^ (\.[\w.$]+)\s+0x([0-9a-f]+)\s+0x([0-9a-f]+) (\S+)$", re.MULTILINE)
KINDS = (".text", ".data.rel.ro")
LONGEST = 90  # characters of a name before it is cut; what else begins alike comes along


def sections(directory):
    """(address, end, pattern, kind) of each section that is linked, sorted; and the program."""
    program, table = f"{directory}/program", f"{directory}/map"
    command = subprocess.run(["ninja", "-C", BUILD, "-t", "commands", "flexslice"], capture_output=True, text=True, check=True)
    words = shlex.split(command.stdout.splitlines()[-1].removeprefix(": && ").removesuffix(" && :"))
    words[words.index("-o") + 1] = program
    subprocess.run([*words, f"-Wl,-Map,{table}"], cwd=BUILD, check=True)
    found = []
    text = pathlib.Path(table).read_text()
    for name, address, size, file in SECTION.findall(text[text.index("Linker script and memory map"):]):
        begin, length = int(address, 16), int(size, 16)
        kind = next((kind for kind in KINDS if name == kind or name.startswith(kind + ".")), None)
        if not begin or not length or not kind:
            continue
        # Names of sections tell our own functions apart; a library's are known by its files.
        archive, _, member = file.rpartition("/")[2].partition("(")
        short = name if len(name) <= LONGEST else name[:LONGEST] + "*"
        where = f"{archive}:{member.rstrip(')')}" if member else archive
        found.append((begin, begin + length, f"*({short})" if "._Z" in name else f"*{where}({name})", kind))
    return sorted(found), program


def touched(program, arguments):
    """The addresses that a run reads or executes, without their last four bits."""
    shell = f"{shlex.join(map(str, ['valgrind', '--tool=lackey', '--trace-mem=yes', program, *arguments]))} 2>&1 >/dev/null"
    cut = r"sed -nE 's/^(I | [LSM]) +([0-9a-f]+)[0-9a-f],[0-9]+$/\2/p' | sort -u"
    return [int(line, 16) << 4 for line in subprocess.run(["sh", "-c", f"{shell} | {cut}"], capture_output=True, text=True, check=True).stdout.split()]


def main():
    with tempfile.TemporaryDirectory() as directory:
        known, program = sections(directory)
        begins = [begin for begin, *_ in known]
        counts = collections.Counter()
        for arguments in RUNS:
            used = set()
            for address in touched(program, arguments):
                place = bisect.bisect_right(begins, address + 15) - 1
                while place >= 0 and known[place][1] > address:
                    used.add(place)
                    place -= 1
            counts.update(used)
    # Pages that every run touches come first.
    order = sorted(counts, key=lambda place: (-counts[place], place))
    lines = ["/* Written by tools/link/write_order.py, which says why. */", "SECTIONS", "{"]
    for kind in KINDS:
        patterns = dict.fromkeys(known[place][2] for place in order if known[place][3] == kind)
        lines += [f"  {kind}.start : {{", *(f"    {pattern}" for pattern in patterns), "  }", "}", f"INSERT BEFORE {kind};", "SECTIONS", "{"]
    ORDER.write_text("\n".join(lines[:-2]) + "\n")


if __name__ == "__main__":
    main()
