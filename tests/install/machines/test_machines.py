"""A sample of the suites with the programs for other machines, and what only these can get wrong. tests/prove.sh runs the whole suites."""
import fcntl
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import tempfile
import time
import unittest

import suites

ROOT = suites.ROOT
FLEXSLICE = os.environ["FLEXSLICE"]
EXAMPLES = [ROOT / f"examples/{name}/spec.yaml" for name in ("multi-host", "sweep", "single-host")]
MOST_SECONDS = 0.25  # of a processor, for one spec
PIPE = 4096  # bytes, the smallest that Linux gives


class Machine:
    """The tests of each machine, whose program is compared with the native one."""
    maxDiff = 2000
    name = ""

    @classmethod
    def setUpClass(cls):
        directory = tempfile.TemporaryDirectory()
        cls.addClassCleanup(directory.cleanup)
        cls.folder = pathlib.Path(directory.name)
        if not suites.found(cls.name).exists():
            raise unittest.SkipTest(f"the program for {cls.name} is not built")
        if not shutil.which(cls.needs):
            raise unittest.SkipTest(f"{cls.needs} is missing")
        cls.program = suites.program(cls.name, cls.folder)

    def both(self, *words, **options):
        """What both programs do, as (status, stdout, stderr)."""
        done = [subprocess.run([program, *map(str, words)], capture_output=True, check=False, timeout=120, **options) for program in (FLEXSLICE, self.program)]
        return [(each.returncode, each.stdout.decode(), each.stderr.decode()) for each in done]

    def assert_same(self, *words, **options):
        wanted, found = self.both(*words, **options)
        self.assertEqual(wanted, found)
        return found

    def test_examples(self):
        for spec in EXAMPLES:
            with self.subTest(spec.parent.name):
                for emit in ("manifests", "provision", "plan"):
                    status, out, _ = self.assert_same("compile", "--emit", emit, spec.name, cwd=spec.parent)
                    self.assertEqual((0, True), (status, len(out) > 500))
                self.assert_same("explain", spec.name, cwd=spec.parent)

    def test_statuses_and_streams(self):
        self.assertEqual(0, self.assert_same("check", "-", input=EXAMPLES[0].read_bytes())[0])
        self.assertEqual(1, self.assert_same("check", "-", input=EXAMPLES[0].read_bytes().replace(b"4x4", b"4x6"))[0])
        self.assertEqual(2, self.assert_same("compil")[0])
        self.assertEqual(3, self.assert_same("check", "nowhere.yaml")[0])
        self.assert_same("--help")

    def test_out_dir(self):
        folders = [self.folder / name for name in ("native", "other")]
        for program, out in zip((FLEXSLICE, self.program), folders):
            subprocess.run([program, "compile", "--out-dir", out, EXAMPLES[0]], check=True, capture_output=True)
        made = [{str(path.relative_to(place)): (path.stat().st_mode, path.read_bytes()) for path in sorted(place.rglob("*")) if path.is_file()}
                for place in folders]
        self.assertTrue(made[0])
        self.assertEqual(*made)

    def test_lint_of_a_tree(self):
        status, out, _ = self.assert_same("lint", "--jobs", "3", ".", cwd=ROOT / "examples")
        self.assertIn(status, (0, 1))
        self.assert_same("lint", "--format", "json", "tests/ui/lint", cwd=ROOT)

    def test_revisions(self):
        place = self.folder / "repository"
        place.mkdir()
        who = {f"GIT_{role}_{what}": "test@example.com" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.folder), **who}
        (place / "spec.yaml").write_bytes(EXAMPLES[0].read_bytes())
        for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "Start"]):
            subprocess.run(["git", *words], cwd=place, env=environment, check=True)
        (place / "spec.yaml").write_bytes(EXAMPLES[0].read_bytes().replace(b"4x4", b"4x8"))
        self.assertEqual(1, self.assert_same("diff", "HEAD:spec.yaml", "spec.yaml", cwd=place)[0])
        self.assertEqual(3, self.assert_same("diff", "nothing:spec.yaml", "spec.yaml", cwd=place)[0])
        (place / ".gitignore").write_text("out\n")
        (place / "out").mkdir()
        (place / "out/bad.yaml").write_text("kind: [\ngoogle.com/tpu: 4\n")
        self.assert_same("lint", ".", cwd=place)
        # Without git.
        node = self.folder / "bin"
        node.mkdir()
        for name in ("node", self.needs):
            if shutil.which(name) and not (node / name).exists():
                (node / name).symlink_to(shutil.which(name))
        self.assertIn("or git is missing", self.assert_same("diff", "HEAD:spec.yaml", "spec.yaml", cwd=place, env={"PATH": str(node)})[2])

    def test_closed_output(self):
        """As in `flexslice explain | head -1`."""
        done = subprocess.run(["bash", "-c", f"set -o pipefail; '{self.program}' schema | head -c 10"], capture_output=True, check=False)
        self.assertEqual((0, 10, b""), (done.returncode, len(done.stdout), done.stderr))


@unittest.skipUnless(shutil.which("git"), "git is missing")
class Wasm(Machine, unittest.TestCase):
    name, needs = "wasm", "node"

    def test_slow_pipes(self):
        """Servers whose pipes do not block, which node reports as EAGAIN: input comes in pieces, and answers do not fit into the pipe."""
        for command, message in (("mcp", self.to_mcp()), ("lsp", self.to_lsp())):
            with self.subTest(command):
                wanted = subprocess.run([FLEXSLICE, command], input=message, capture_output=True, check=True).stdout
                self.assertGreater(len(wanted), 2 * PIPE)
                status, found = self.talk(command, message)
                self.assertEqual((0, self.answers(wanted)), (status, self.answers(found)))

    @staticmethod
    def answers(stream):
        """What answers a request. Findings of an open text come when the editor is silent for a while, which a slow one is."""
        messages = re.sub(rb"Content-Length: \d+\r\n\r\n", b"\n", stream).split(b"\n")
        return [each for each in messages if each and "id" in json.loads(each)]

    def to_mcp(self):
        start = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
        calls = [{"id": 1, "method": "initialize", "params": start}, {"id": 2, "method": "tools/list"}]
        return b"".join(json.dumps({"jsonrpc": "2.0", **each}).encode() + b"\n" for each in calls)

    def to_lsp(self):
        """An editor opens a text and asks how its last line continues."""
        text = EXAMPLES[0].read_text() + "workload:\n  "
        name, end = {"uri": "file:///spec.yaml"}, {"line": text.count("\n"), "character": 2}
        calls = [{"id": 1, "method": "initialize", "params": {"processId": None, "rootUri": None, "capabilities": {}}},
                 {"method": "textDocument/didOpen", "params": {"textDocument": {**name, "languageId": "yaml", "version": 1, "text": text}}},
                 {"id": 2, "method": "textDocument/completion", "params": {"textDocument": name, "position": end}},
                 {"id": 3, "method": "shutdown"}, {"method": "exit"}]
        texts = [json.dumps({"jsonrpc": "2.0", **each}).encode() for each in calls]
        return b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(each), each) for each in texts)

    def talk(self, command, message):
        """The exit status and stdout."""
        (input_end, our_input), (our_output, output_end) = os.pipe(), os.pipe()
        for end in (input_end, output_end):
            fcntl.fcntl(end, fcntl.F_SETFL, os.O_NONBLOCK)
        fcntl.fcntl(output_end, fcntl.F_SETPIPE_SZ, PIPE)
        with subprocess.Popen([self.program, command], stdin=input_end, stdout=output_end) as server:
            os.close(input_end)
            os.close(output_end)
            answer = b""
            for begin in range(0, len(message), len(message) // 3):
                time.sleep(0.3)
                os.write(our_input, message[begin:begin + len(message) // 3])
            os.close(our_input)
            while piece := os.read(our_output, 1000):
                answer += piece
                time.sleep(0.05)
            os.close(our_output)
            return server.wait(60), answer

    def test_time(self):
        times = []
        for _ in range(3):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run([self.program, "compile", EXAMPLES[0]], check=True, capture_output=True)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        self.assertLess(min(times), MOST_SECONDS)


@unittest.skipUnless(shutil.which("git"), "git is missing")
class Arm64(Machine, unittest.TestCase):
    name, needs = "arm64", "qemu-aarch64"

    def test_static(self):
        header = suites.found(self.name).read_bytes()[:20]
        self.assertEqual((b"\x7fELF", 183), (header[:4], int.from_bytes(header[18:20], "little")))


if __name__ == "__main__":
    unittest.main()
