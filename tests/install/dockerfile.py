"""Builds an image as our Dockerfile says, without a container engine: FROM debian:12 is a clean Debian root, RUN is a chroot.

Knows the instructions that our Dockerfile uses and refuses all others.
"""
import contextlib
import json
import pathlib
import shlex
import shutil
import tempfile

import debian_root


def instructions(text):
    """(INSTRUCTION, rest) of each."""
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    joined = "\n".join(lines).replace("\\\n", " ")
    return [tuple(line.split(None, 1)) for line in joined.splitlines() if line.strip()]


class Stage:
    def __init__(self, root):
        self.root = root
        self.folder, self.user = "/", 0
        self.entrypoint, self.command = [], []

    def path(self, inside):
        return self.root / str(pathlib.PurePosixPath(self.folder) / inside).lstrip("/")

    def run(self, arguments=None, **options):
        """The image's command, with other arguments if they are given."""
        words = self.entrypoint + (self.command if arguments is None else arguments)
        return debian_root.chroot(self.root, words, user=self.user, folder=self.folder, **options)


class Builder:
    def __init__(self, context, resources):
        self.context = context
        self.resources = resources  # an ExitStack that removes the stages' roots
        self.stages = {}
        self.stage = None

    def build(self):
        """The last stage."""
        for name, rest in instructions((self.context / "Dockerfile").read_text()):
            getattr(self, "do_" + name.lower())(rest)
        return self.stage

    def do_from(self, rest):
        image, *name = rest.split()
        if image == "debian:12":
            root = self.resources.enter_context(debian_root.Root())
        elif image == "scratch":
            root = pathlib.Path(self.resources.enter_context(tempfile.TemporaryDirectory())) / "root"
            root.mkdir()
        else:
            raise ValueError(f"FROM {image}")
        self.stage = Stage(root)
        if name:
            self.stages[name[1]] = self.stage

    def do_run(self, rest):
        stage = self.stage
        debian_root.chroot(stage.root, ["/bin/sh", "-c", rest], user=stage.user, folder=stage.folder)

    def do_workdir(self, rest):
        self.stage.path(rest).mkdir(parents=True, exist_ok=True)
        self.stage.folder = str(pathlib.PurePosixPath(self.stage.folder) / rest)

    def do_user(self, rest):
        user, group = rest.split(":")
        assert user == group
        self.stage.user = int(user)

    def do_entrypoint(self, rest):
        self.stage.entrypoint = json.loads(rest)

    def do_cmd(self, rest):
        self.stage.command = json.loads(rest)

    def do_copy(self, rest):
        *sources, target = shlex.split(rest)
        stage = None
        if sources[0].startswith("--from="):
            stage = self.stages[sources.pop(0).removeprefix("--from=")]
        if len(sources) > 1:
            assert target.endswith("/")
        for source in sources:
            self.copy(stage.path(source) if stage else self.context / source, self.stage.path(target), target.endswith("/"))

    def copy(self, source, target, into):
        if source.is_dir():
            ignored = (self.context / ".dockerignore").read_text().split()
            at_top = lambda folder, names: [name for name in names if name in ignored and pathlib.Path(folder) == self.context]
            shutil.copytree(source, target, dirs_exist_ok=True, symlinks=True, ignore=at_top)
            return
        (target if into else target.parent).mkdir(parents=True, exist_ok=True)
        shutil.copy2(source, target)


@contextlib.contextmanager
def built(context):
    with contextlib.ExitStack() as resources:
        yield Builder(context, resources).build()
