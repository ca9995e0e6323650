"""Which files lint reads below a directory, and what it says of the others."""
import os
import shutil
import subprocess
import unittest

from linting import BAD, ERROR, FINDINGS, FINE, FLEXSLICE, GOOD, IO, LintCase, job, spec

READ = ["a.yaml", "b.yml", "c.json", "d.md", "e.markdown", "f.sh", "g.bash", "Makefile", "h.mk", "i.tftpl", "j.template", "k.tpl", "l.j2", "p.tf"]


class Walk(LintCase):
    def test_endings(self):
        for name in [*READ, "m.txt", "n.py", "o.yaml.orig", "makefile2"]:
            self.write(name, "tpu")
        self.assertIn(f"{len(READ)} files, ", self.fine("lint").err)

    def test_in_the_order_of_paths(self):
        for name in ("b/x.yaml", "b.yaml", "a.yaml", "b-c/x.yaml", "c/d/e.yml", "c.yaml"):
            self.write(name, BAD)
        places, summary = self.lint()
        self.assertEqual(["a.yaml", "b-c/x.yaml", "b.yaml", "b/x.yaml", "c.yaml", "c/d/e.yml"], places)
        self.assertTrue(summary.startswith("6 files, 6 with TPUs: 6 errors"), summary)

    def test_paths_are_shown_as_they_were_given(self):
        self.write("sub/x.yaml", BAD)
        for word, shown in ((".", "sub/x.yaml"), ("./", "sub/x.yaml"), ("sub", "sub/x.yaml"), ("./sub/", "./sub/x.yaml"), ("sub//", "sub/x.yaml"),
                            (str(self.folder), f"{self.folder}/sub/x.yaml"), (f"../{self.folder.name}", f"../{self.folder.name}/sub/x.yaml")):
            with self.subTest(word=word):
                self.assertEqual([shown], self.lint(word)[0])

    def test_hidden_directories(self):
        for name in (".github/workflows/x.yaml", ".cache/x.yaml", ".venv/lib/x.yaml", "a/.b/x.yaml", ".x.yaml"):
            self.write(name, BAD)
        places, summary = self.lint()
        self.assertEqual([".github/workflows/x.yaml", ".x.yaml"], places)
        self.assertIn("left out: 3 hidden\n", summary)
        self.assertEqual([".cache/x.yaml"], self.lint(".cache")[0])

    def test_folders_of_build_services(self):
        for name in (".circleci/config.yml", ".gitlab/ci.yml", ".tekton/x.yaml", ".other/x.yaml"):
            self.write(name, BAD)
        places, summary = self.lint()
        self.assertEqual([".circleci/config.yml", ".gitlab/ci.yml", ".tekton/x.yaml"], places)
        self.assertIn("left out: 1 hidden\n", summary)

    def test_files_that_hold_commands_and_are_not_read_are_counted(self):
        self.write("Jenkinsfile", "pipeline { agent any\n  stages { stage('pool') { steps {\n"
                                  "    sh 'gcloud container node-pools create p --machine-type=ct6e-standard-4t'\n} } } }\n")
        self.assertIn("left out: 1 of other types\n", self.lint()[1])

    def test_what_git_ignores(self):
        if shutil.which("git") is None:
            self.skipTest("git is missing")
        for name in ("out/x.yaml", "src/gen-x.yaml", "src/x.yaml", "tracked.gen.yaml", "other.gen.yaml", "vendored/a/x.yaml", "vendored/b/x.yaml"):
            self.write(name, BAD)
        self.write(".gitignore", "out/\ngen-*\n*.gen.yaml\nb/\n")
        self.git("init", "-q")
        self.git("add", "-f", "tracked.gen.yaml")
        places, summary = self.lint()
        self.assertEqual(["src/x.yaml", "tracked.gen.yaml", "vendored/a/x.yaml"], places)
        self.assertIn("left out: 4 ignored by git\n", summary)
        # From inside, from outside, and of what is named.
        self.assertEqual(["src/x.yaml"], self.lint("src")[0])
        self.assertEqual(["out/x.yaml"], self.lint("out")[0])
        self.assertEqual(["src/gen-x.yaml"], self.lint("src/gen-x.yaml")[0])
        self.assertEqual(7, len(self.lint(environment={"PATH": "/nonexistent"})[0]))

    def test_worktrees_inside_of_others(self):
        if shutil.which("git") is None:
            self.skipTest("git is missing")
        for name in ("a/out/x.yaml", "a/x.yaml", "b/out/x.yaml", "c/out/x.yaml"):
            self.write(name, BAD)
        self.write("a/.gitignore", "out\n")
        self.write("b/.gitignore", "*\n")
        for folder in ("a", "b"):
            self.git("init", "-q", folder=folder)
        self.assertEqual(["a/x.yaml", "c/out/x.yaml"], self.lint()[0])
        # With one around them, whose own list goes on after theirs.
        self.git("init", "-q")
        self.write(".gitignore", "c\n")
        self.write("d/x.yaml", BAD)
        self.assertEqual(["a/x.yaml", "d/x.yaml"], self.lint()[0])

    def test_exclude(self):
        for name in ("a.yaml", "vendor/x.yaml", "b/vendor/x.yaml", "b/docs/old.yaml", "b/docs/c/old.yaml", "b/docs/new.yaml"):
            self.write(name, BAD)
        for globs, left in ((["vendor"], 4), (["vendor/"], 4), (["vendor/*"], 5), (["**/vendor"], 4), (["b/**"], 2), (["b/**/old.*"], 4), (["*.yaml"], 0),
                            (["?.yaml"], 3), (["./vendor,old.yaml"], 3), (["vendor", "a.yaml"], 3), (["[ab]"], 2), (["b/**/docs/**/c/**"], 5), (["nothing"], 6)):
            with self.subTest(globs=globs):
                options = [word for glob in globs for word in ("--exclude", glob)]
                self.assertEqual(left, len(self.lint(*options)[0]))
                self.assertEqual(left, len(self.lint(*options, str(self.folder))[0]))
        self.assertIn("left out: 2 excluded\n", self.lint("--exclude=vendor")[1])
        self.assertEqual(["a.yaml"], self.lint("--exclude=a.yaml", "a.yaml")[0])

    def test_specs_large_and_binary_files(self):
        self.write("spec.yaml", spec() + "# google.com/tpu: 16\n")
        self.write("large.yaml", BAD + "# padding\n" * 110_000)
        self.write("binary.yaml", BAD.encode() + b"\0\n")
        self.write("late.yaml", BAD + "# padding\n" * 1000 + "# \0\n")
        self.write("x.yaml", BAD)
        places, summary = self.lint()
        self.assertIn("x.yaml", places)
        self.assertNotIn("large.yaml", places)
        self.assertNotIn("binary.yaml", places)
        self.assertIn("left out: 1 spec, 1 over 1 MiB, 1 binary\n", summary)
        # What is named is read.
        self.assertIn("1 file, 1 with TPUs", self.lint("large.yaml")[1])
        self.assertIn("left out: 1 spec\n", self.lint("spec.yaml")[1])
        self.assertIn("1 file, 1 with TPUs", self.lint("binary.yaml")[1])
        self.write("utf-16.yaml", BAD.encode("utf-16"))
        self.assertIn("0 files, 0 with TPUs: no findings; left out: 1 binary\n", self.lint("utf-16.yaml")[1])

    def test_each_file_once(self):
        self.write("a.yaml", BAD)
        self.write("s/b.yaml", BAD)
        self.assertEqual(["a.yaml"], self.lint("a.yaml", "a.yaml", "./a.yaml")[0])
        self.assertEqual(["s/b.yaml", "a.yaml"], self.lint(".", "a.yaml", "./")[0])

    def test_links(self):
        self.write("tree/real/a.yaml", BAD)
        self.write("outside/b.yaml", BAD)
        self.write("tree/.hidden/c.yaml", BAD)
        self.write("tree/d.txt", BAD)
        tree = self.folder / "tree"
        for name, target in (("folder", "real"), ("up", ".."), ("self", "."), ("x1.yaml", "real/a.yaml"), ("x2.yaml", "x1.yaml"), ("y1.yaml", "../outside/b.yaml"),
                             ("y2.yaml", "../outside/b.yaml"), ("z1.yaml", ".hidden/c.yaml"), ("z2.yaml", "d.txt"), ("gone.yaml", "nowhere"),
                             ("loop1.yaml", "loop2.yaml"), ("loop2.yaml", "loop1.yaml"), ("dir.yaml", "real"), ("device.yaml", "/dev/zero")):
            os.symlink(target, tree / name)
        places, summary = self.lint("tree")
        self.assertEqual(["tree/real/a.yaml", "tree/y1.yaml", "tree/z1.yaml", "tree/z2.yaml"], places)
        self.assertTrue(summary.startswith("4 files, 4 with TPUs: 4 errors"), summary)
        os.symlink("tree", self.folder / "entrance")
        self.assertEqual(4, len(self.lint("entrance")[0]))

    def test_a_link_to_another_place_is_not_fixed(self):
        self.write("outside/b.yaml", BAD)
        (self.folder / "tree").mkdir()
        os.symlink("../outside/b.yaml", self.folder / "tree/b.yaml")
        result = self.expect(IO, "lint", "--fix", "--format", "short", "tree")
        self.assertIn("tree/b.yaml: a link to another place; not fixed\n", result.err)
        self.assertIn(f"tree/b.yaml:20:31: error[{ERROR}]", result.out)
        self.assertEqual(BAD, self.read("outside/b.yaml"))
        self.fine("lint", "--fix", "tree/b.yaml")
        self.assertEqual(GOOD, self.read("outside/b.yaml"))

    def test_pipes_are_not_opened(self):
        os.mkfifo(self.folder / "pipe.yaml")
        self.write("x.yaml", GOOD)
        self.assertIn("1 file, 1 with TPUs: no findings\n", self.fine("lint").err)

    def test_a_named_pipe_is_read(self):
        result = subprocess.run(["bash", "-c", f'{FLEXSLICE} lint --format short <(printf %s "$0")', BAD], capture_output=True, text=True, check=False)
        self.assertEqual(FINDINGS, result.returncode, result.stderr)
        self.assertIn(ERROR, result.stdout)

    def test_names(self):
        names = ["-x.yaml", "--fix.yaml", "with\nbreak.yaml", "with blank.yaml", "\x1b[31m.yaml", "ümlaut.yaml", "'quote\".yaml"]
        for name in names:
            self.write(name, BAD)
        (self.folder / os.fsdecode(b"\xff.yaml")).write_text(BAD)
        for form in ("short", "json", "sarif", "github", "text"):
            result = self.expect(FINDINGS, "lint", "--format", form)
            self.assertIn("8 files, 8 with TPUs: 8 errors", result.err)
            self.assertNotIn("\x1b", result.out)
        self.assertEqual(8, len(self.expect(FINDINGS, "lint", "--format", "short").out.splitlines()))
        self.expect(FINDINGS, "lint", "--", "-x.yaml")

    def test_unreadable(self):
        for name in ("a.yaml", "b.yaml", "c/x.yaml", "d/x.yaml"):
            self.write(name, BAD)
        user = self.without_rights()
        os.chmod(self.folder / "a.yaml", 0)
        os.chmod(self.folder / "c", 0)
        self.addCleanup(os.chmod, self.folder / "c", 0o755)
        result = self.expect(IO, "lint", "--format", "short", **user)
        self.assertEqual(["b.yaml", "d/x.yaml"], [line.split(":")[0] for line in result.out.splitlines()])
        self.assertIn("flexslice: a.yaml: permission denied\n", result.err)
        self.assertIn("flexslice: c: permission denied\n", result.err)
        self.assertIn("2 files, 2 with TPUs: 2 errors; 2 files not read", result.err)

    def test_missing(self):
        self.write("a.yaml", BAD)
        result = self.expect(IO, "lint", "--format", "short", "missing.yaml", "a.yaml")
        self.assertIn("flexslice: missing.yaml: no such file or directory\n", result.err)
        self.assertIn("a.yaml", result.out)

    def test_nothing_there(self):
        self.assertEqual("0 files, 0 with TPUs: no findings\n", self.fine("lint").err)

    def test_a_directory_that_is_larger_than_what_is_kept_of_it(self):
        for index in range(40_000):
            (self.folder / f"{index:05}.yaml").touch()
        for index in (0, 16_383, 16_384, 16_385, 32_768, 39_999):
            self.write(f"{index:05}.yaml", BAD)
        (self.folder / "16384").mkdir()
        self.write("16384/x.yaml", BAD)
        places, summary = self.lint()
        self.assertEqual(["00000.yaml", "16383.yaml", "16384.yaml", "16384/x.yaml", "16385.yaml", "32768.yaml", "39999.yaml"], places)
        self.assertTrue(summary.startswith("40001 files, 7 with TPUs"), summary)


if __name__ == "__main__":
    unittest.main()
