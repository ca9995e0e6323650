"""Roots to run programs in.

A clean Debian 12 is made by debootstrap from the mirror that this machine's apt uses, once for a build tree, and kept there as a tar file.
"""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

import installed

TAR = installed.BUILD / "debian-12.tar"


def need(condition, what):
    """Skips the test, or fails it where CI is set."""
    if condition:
        return
    if os.environ.get("CI"):
        raise AssertionError(f"{what} is missing")
    raise unittest.SkipTest(f"{what} is missing")


def chroot(root, command, user=0, folder="/", **options):
    """Runs the command in there, as that user and group, with a bare environment. Options as of installed.run."""
    need(os.geteuid() == 0, "root (for chroot)")

    def enter():
        os.chroot(root)
        os.chdir(folder)
        os.setgroups([])
        os.setgid(user)
        os.setuid(user)

    environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LC_ALL": "C.UTF-8"}
    return installed.run(command, preexec_fn=enter, env=environment, **options)


def mirror():
    """The first one that apt has for Debian 12; nothing: debootstrap knows one."""
    command = ["apt-get", "indextargets", "--format", "$(SITE)", "Codename: bookworm"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.split()[:1] if done.returncode == 0 else []


def make_tar():
    with tempfile.TemporaryDirectory() as directory:
        root = pathlib.Path(directory) / "root"
        installed.run(["debootstrap", "--variant=minbase", "bookworm", root, *mirror()])
        partial = TAR.with_suffix(".partial")
        installed.run(["tar", "--create", "--file", partial, "--directory", root, "."])
        partial.rename(TAR)


class Root:
    """A context: the path of a root of its own, which is removed in the end."""

    def __enter__(self):
        need(os.geteuid() == 0, "root (for chroot)")
        need(shutil.which("debootstrap"), "debootstrap")
        if not TAR.exists():
            make_tar()
        self.directory = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.directory.name) / "root"
        self.path.mkdir()
        installed.run(["tar", "--extract", "--file", TAR, "--directory", self.path, "--preserve-permissions"])
        shutil.copy("/etc/resolv.conf", self.path / "etc/resolv.conf")
        return self.path

    def __exit__(self, *_):
        self.directory.cleanup()
