"""What the program makes of every example, for the golden test and for `bless`; other tests read what it compiled."""
import functools
import os
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
FLEXSLICE = str(pathlib.Path(os.environ.get("FLEXSLICE", ROOT / "build/dev/flexslice")).resolve())
SCHEMAS = {"flexslice.schema.json": ["schema"], "plan.schema.json": ["schema", "--plan"], "findings.schema.json": ["schema", "--findings"], "catalog.schema.json": ["schema", "--overlay"], "fields.md": ["schema", "--reference"]}


GOLDEN = pathlib.Path(__file__).resolve().parent / "examples"
# A user reads whole outputs in two examples; of the others the same bytes are kept with the test.
SHOWN = {"multi-host", "multislice"}
# Scripts are alike: whole in these, elsewhere the commands that they would run.
WHOLE_SCRIPTS = SHOWN | {"single-host", "autopilot-multi-host", "queued"}
# So are plans: these have most of the paths that a plan can have, and of the others all that is made of the plan is compared.
WHOLE_PLANS = SHOWN | {"everything", "gateway", "pathways-headless"}
SCRIPTS = ("preflight.sh", "provision.sh", "verify.sh", "cleanup.sh")
# Examples with a blueprint: one with a workload policy, one with its cluster, one with a queue.
WITH_BLUEPRINT = {"ironwood", "new-cluster", "queued"}
EMIT = "manifests,preflight,provision,verify,cleanup,queues,plan,terraform,volumes"


def folder(example):
    return example / "expected" if example.name in SHOWN else GOLDEN / example.name


def examples():
    return sorted(path.parent for path in (ROOT / "examples").glob("*/spec.yaml"))


def options(example):
    """The rest of the command line, one word a line, for examples that need more than their spec."""
    file = example / "options"
    return file.read_text().split() if file.exists() else []


def compile_example(example, spec=None):
    """File name -> bytes, of all artifacts."""
    with tempfile.TemporaryDirectory() as directory:
        command = [FLEXSLICE, "compile", "--color", "never", "--emit", EMIT + ",blueprint" * (example.name in WITH_BLUEPRINT), "--allow", "FS4320", "--out-dir", directory, *options(example), str(spec or "spec.yaml")]
        done = subprocess.run(command, cwd=example, capture_output=True, check=False)
        # Findings, without the last line: how many files were written where.
        findings = b"".join(line for line in done.stderr.splitlines(True) if not line.startswith(f"{directory}: ".encode()))
        files = {"stderr": findings} if findings else {}
        for path in sorted(pathlib.Path(directory).rglob("*")):
            if path.is_file():
                files[str(path.relative_to(directory))] = path.read_bytes()
        if done.returncode != 0:
            raise AssertionError(f"{' '.join(command)} exits {done.returncode}:\n{done.stderr.decode()}")
    # All of one spec's files stand in a folder of its name, and those of a sweep's points beside it; several documents give several folders.
    folders = {name.split("/")[0] for name in files if "/" in name}
    own = min(folders, key=len, default="")
    if all(name.startswith(own) for name in folders):
        files = {name.removeprefix(own + "/"): text for name, text in files.items()}
    return files


compiled = functools.cache(compile_example)


def dry_run(script):
    """The commands of a script, as `--dry-run` prints them."""
    with tempfile.TemporaryDirectory() as home:
        environment = {"PATH": "/usr/bin:/bin", "HOME": home, "LC_ALL": "C.UTF-8"}
        done = subprocess.run(["bash", "-s", "--", "--dry-run"], input=script, env=environment, cwd=home, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=False, timeout=60)
    if done.returncode != 0:
        raise AssertionError(f"--dry-run exits {done.returncode}:\n{done.stdout.decode()}")
    return done.stdout


def without_scripts(example, files):
    """The files that are kept as they are: of most examples no plan and no scripts."""
    return {name: text for name, text in files.items()
            if (example.name in WHOLE_PLANS or pathlib.PurePath(name).name != "plan.json") and (example.name in WHOLE_SCRIPTS or not name.endswith(".sh"))}


def stored_form(example, files):
    """The files as they are kept: of most examples the commands in place of their scripts."""
    kept = without_scripts(example, files)
    if example.name in WHOLE_SCRIPTS:
        return kept
    kept["commands.txt"] = b"".join(f"# {name}\n".encode() + dry_run(files[name]) for name in SCRIPTS)
    return kept


def schema(arguments):
    return subprocess.run([FLEXSLICE, *arguments], capture_output=True, check=True).stdout
