"""The npm packages, installed into an empty prefix: the launcher takes the native program, else WebAssembly, and says what is wrong in one line."""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

import packages

SPEC = packages.ROOT / "examples/multi-host/spec.yaml"
FLEXSLICE = os.environ["FLEXSLICE"]
needs_wasm = unittest.skipUnless(packages.HAS_WASM, "the preset web is not built")


NO_EXECVE = "delete process.execve;"


def until(holds):
    end = time.monotonic() + 10
    while not holds():
        if time.monotonic() > end:
            raise AssertionError("nothing happened")
        time.sleep(0.02)


class Packages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        packages.need("npm")
        directory = tempfile.TemporaryDirectory()
        cls.addClassCleanup(directory.cleanup)
        cls.folder = pathlib.Path(directory.name)
        cls.main, cls.native = packages.packed()
        cls.installed = cls.folder / "installed"
        done = packages.install(cls.installed, cls.main, cls.native)
        if done.returncode != 0:
            raise AssertionError(done.stdout + done.stderr)

    def setUp(self):
        self.prefix = self.folder / self.id().rpartition(".")[2]
        shutil.copytree(self.installed, self.prefix, symlinks=True)
        self.modules = self.prefix / "lib/node_modules"
        self.program = next(self.modules.glob("flexslice-linux-*/bin/flexslice"))

    def run_installed(self, *words, preload="", **options):
        """`preload` is JavaScript that node runs first."""
        script = self.prefix / "preload.js"
        script.write_text(preload)
        environment = packages.clean_environment(self.folder, **({"NODE_OPTIONS": f"--require={script}"} if preload else {}))
        return subprocess.run([str(self.prefix / "bin/flexslice"), *map(str, words)], capture_output=True, text=True, env=environment, check=False, timeout=60, **options)

    def run_directly(self, *words, **options):
        return subprocess.run([FLEXSLICE, *map(str, words)], capture_output=True, text=True, check=False, **options)

    def assert_same(self, *words, preload="", **options):
        wanted, found = self.run_directly(*words, **options), self.run_installed(*words, preload=preload, **options)
        self.assertEqual((wanted.returncode, wanted.stdout, wanted.stderr), (found.returncode, found.stdout, found.stderr))

    def assert_says(self, words, *arguments, **options):
        done = self.run_installed("--version", *arguments, **options)
        self.assertRegex(done.stderr, r"\Aflexslice: [^\n]+\n\Z")
        self.assertIn(words, done.stderr)
        self.assertEqual((3, ""), (done.returncode, done.stdout))

    def test_native(self):
        for words in (["--version"], ["compile", SPEC], ["check", "nowhere.yaml"], ["no-such-command"]):
            self.assert_same(*words)
        self.assert_same("check", "-", input=SPEC.read_text().replace("4x4", "4x6"))

    def test_manifests(self):
        said = json.loads((self.modules / "flexslice/package.json").read_text())
        self.assertEqual({"flexslice-linux-arm64", "flexslice-linux-x64"}, set(said["optionalDependencies"]))
        self.assertEqual({said["version"]}, set(said["optionalDependencies"].values()))
        native = json.loads(next(self.modules.glob("flexslice-linux-*/package.json")).read_text())
        self.assertEqual((["linux"], said["version"], self.program.stat().st_size), (native["os"], native["version"], native["bytes"]))
        for each in (said, native):
            self.assertEqual({"type": "git", "url": packages.REPOSITORY}, each["repository"])
            self.assertNotIn("scripts", each)
            self.assertNotIn("dependencies", each)

    def test_files(self):
        names = {str(path.relative_to(self.modules / "flexslice")) for path in (self.modules / "flexslice").rglob("*")}
        self.assertLessEqual({"program/flexslice.js", "INSTALL.md", "LICENSE", "README.md", "copyright", "flexslice.schema.json", "man/flexslice.1"}, names)

    def replace_program(self, text):
        self.program.write_text(text)
        manifest = next(self.modules.glob("flexslice-linux-*/package.json"))
        manifest.write_text(json.dumps({**json.loads(manifest.read_text()), "bytes": self.program.stat().st_size}))

    def test_a_signal_is_passed_on(self):
        self.replace_program("#!/bin/sh\nkill -TERM $$\n")
        for preload in ("", NO_EXECVE):
            self.assertEqual(-15, self.run_installed("--version", preload=preload).returncode)

    def test_in_place_of_node(self):
        """Where node can, the program takes its place, with its arguments and environment."""
        execve = "process.execve = (...call) => { console.log(JSON.stringify(call)); process.exit(0); };"
        file, arguments, environment = json.loads(self.run_installed("check", "a b", preload=execve).stdout)
        self.assertEqual((str(self.program), [str(self.program), "check", "a b"]), (file, arguments))
        self.assertEqual(str(self.folder), environment["HOME"])
        refused = "process.execve = () => { throw new Error('not permitted'); };"
        self.assert_same("--version", preload=refused)

    def test_the_program_ends_with_the_launcher(self):
        """A server of an editor or assistant that is ended, or killed, leaves no process."""
        script = self.prefix / "preload.js"
        for preload in ("", NO_EXECVE):
            for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGKILL):
                with self.subTest(preload=preload, number=number):
                    script.write_text(preload)
                    environment = packages.clean_environment(self.folder, NODE_OPTIONS=f"--require={script}")
                    with subprocess.Popen([str(self.prefix / "bin/flexslice"), "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment) as server:
                        until(lambda: self.running() == 1)
                        server.send_signal(number)
                        self.assertEqual(-number, server.wait(timeout=10))
                        until(lambda: self.running() == 0)

    def running(self):
        """How many processes run the program of this prefix."""
        count = 0
        for link in pathlib.Path("/proc").glob("[0-9]*/exe"):
            try:
                count += os.readlink(link) == str(self.program)
            except OSError:
                pass  # it has ended, or is another user's
        return count

    def test_time(self):
        """At most twice the start of node."""
        least = lambda *words: min(self.seconds(*words) for _ in range(5))  # noqa: E731
        self.assertLess(least(str(self.prefix / "bin/flexslice"), "--version"), 2 * least("node", "-e", "0") + 0.02)

    def seconds(self, *words):
        begin = time.monotonic()
        subprocess.run(words, capture_output=True, env=packages.clean_environment(self.folder), check=True)
        return time.monotonic() - begin

    def test_without_a_network(self):
        """INSTALL's command asks for nothing."""
        row = next(line for line in (packages.ROOT / "INSTALL.md").read_text().splitlines() if line.startswith("| no network |"))
        command = re.search(r"`(npm [^`]*)`", row)[1].split()
        version = json.loads((self.modules / "flexslice/package.json").read_text())["version"]
        files = {"./flexslice-VERSION.tgz": self.main, "./flexslice-linux-x64-VERSION.tgz": self.native}
        self.assertEqual(set(files), {word for word in command if word.startswith("./")})
        self.assertEqual({f"flexslice-{version}.tgz", self.native.name}, {file.name for file in files.values()})
        prefix = self.folder / "no-network"
        environment = packages.clean_environment(self.folder, npm_config_prefix=str(prefix), npm_config_registry="http://127.0.0.1:9/")
        del environment["npm_config_offline"]
        begin = time.monotonic()
        subprocess.run([str(files.get(word, word)) for word in command], capture_output=True, env=environment, check=True, timeout=120)
        self.assertLess(time.monotonic() - begin, 60)
        self.assertTrue((prefix / "bin/flexslice").exists())

    def test_program_that_is_cut_off(self):
        size = self.program.stat().st_size
        with self.program.open("r+b") as file:
            file.truncate(1000)
        self.assert_says(f"has 1000 of {size} bytes; install it again with `npm install --global --force flexslice`")

    def test_program_that_may_not_run(self):
        self.program.chmod(0o644)
        self.assert_says("does not start (EACCES); install it again")

    def test_package_that_is_cut_off(self):
        cut = self.folder / "cut.tgz"
        cut.write_bytes(self.main.read_bytes()[:20000])
        prefix = self.folder / "empty"
        self.assertNotEqual(0, packages.install(prefix, cut).returncode)
        self.assertFalse((prefix / "bin/flexslice").exists())

    def test_old_node(self):
        """The native program needs no particular node; WebAssembly does."""
        old = "Object.defineProperty(process, 'versions', {value: {node: '16.20.2'}});"
        self.assertEqual(0, self.run_installed("--version", preload=old).returncode)
        shutil.rmtree(self.program.parents[1])
        self.assert_says("node 16.20.2 is too old: install node 18 or later", preload=old)

    @unittest.skipIf(packages.HAS_WASM, "this package has it")
    def test_package_without_webassembly(self):
        shutil.rmtree(self.program.parents[1])
        self.assert_says("install it again")

    @needs_wasm
    def test_other_platforms(self):
        for platform, cpu in (("darwin", "arm64"), ("linux", "riscv64"), ("sunos", "sparc")):
            with self.subTest(platform):
                preload = f"for (const [name, value] of [['platform', '{platform}'], ['arch', '{cpu}']]) Object.defineProperty(process, name, {{value}});"
                self.program.chmod(0o644)  # it would not start
                for words in (["--version"], ["compile", SPEC], ["check", "nowhere.yaml"], ["no-such-command"]):
                    self.assert_same(*words, preload=preload)

    @needs_wasm
    def test_without_optional_packages(self):
        """npm goes on without them, as it does on a platform that has none."""
        prefix = self.folder / "alone"
        done = packages.install(prefix, self.main)
        self.assertEqual(0, done.returncode, done.stderr)
        self.prefix = prefix
        self.assert_same("compile", SPEC)

    @needs_wasm
    def test_webassembly_that_is_cut_off(self):
        shutil.rmtree(self.program.parents[1])
        file = self.modules / "flexslice/program/program.wasm"
        file.write_bytes(file.read_bytes()[:100000])
        self.assert_says("has 100000 of")

    def test_uninstall(self):
        names = ["flexslice", self.program.parents[1].name]
        command = ["npm", "uninstall", "--global", "--prefix", str(self.prefix), *names]
        subprocess.run(command, capture_output=True, env=packages.clean_environment(self.folder), check=True)
        self.assertEqual([], [path for path in self.prefix.rglob("*flexslice*") if path.name != "preload.js"])


if __name__ == "__main__":
    unittest.main()
