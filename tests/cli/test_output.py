"""What is written where: stdout, -o, --out-dir; whole files or nothing, and nothing without need."""
import json
import os
import re
import resource
import stat
import subprocess
import unittest

from program import FLEXSLICE, Case, spec

ALL = ["cleanup.sh", "manifests.yaml", "plan.json", "preflight.sh", "provision.sh", "status.sh", "verify.sh"]


class Stdout(Case):
    def setUp(self):
        super().setUp()
        self.write("a.yaml", spec("a"))
        self.write("b.yaml", spec("b"))
        self.write("bad.yaml", spec("bad", topology="4x6"))

    def test_manifests_are_the_default(self):
        result = self.fine("compile", "a.yaml")
        self.assertEqual(self.fine("compile", "--emit", "manifests", "a.yaml").out, result.out)
        self.assertEqual("", result.err)
        self.assertEqual(result.out, self.fine("compile", "a.yaml", "-o", "-").out)

    def test_several_specs_are_one_stream_of_objects(self):
        out = self.fine("compile", "a.yaml", "b.yaml").out
        self.assertEqual(self.fine("compile", "a.yaml").out + self.fine("compile", "b.yaml").out, out)
        self.assertEqual(2, out.count("kind: Job\n"))

    def test_several_plans_are_one_json_document(self):
        one = self.fine("compile", "--emit", "plan", "a.yaml").out
        self.assertEqual("a", json.loads(one)["name"])

    def test_scripts_are_one_at_a_time(self):
        for emit in ("preflight", "provision", "verify", "cleanup"):
            self.assertTrue(self.fine("compile", "--emit", emit, "a.yaml").out.startswith("#!/usr/bin/env bash\n"))
            result = self.expect(2, "compile", "--emit", emit, "a.yaml", "b.yaml")
            self.assertIn("--out-dir", result.err)

    def test_an_artifact_that_a_spec_has_not(self):
        result = self.run_flexslice("compile", "--emit", "queues", "a.yaml")
        self.assertEqual("", result.out)
        self.assertIn("queues", result.err)

    def test_every_emit_word(self):
        for emit in ("manifests", "preflight", "provision", "verify", "cleanup", "plan"):
            self.assertTrue(self.fine("compile", "--emit", emit, "a.yaml").out)
            self.assertEqual(self.fine("compile", "--emit", emit, "a.yaml").out, self.fine("compile", f"--emit={emit},{emit}", "a.yaml").out)

    def test_no_comments(self):
        for emit in ("manifests", "preflight", "provision", "verify", "cleanup"):
            with_comments = self.fine("compile", "--emit", emit, "a.yaml").out
            without = self.fine("compile", "--no-comments", "--emit", emit, "a.yaml").out
            self.assertLess(len(without), len(with_comments))
            if emit == "manifests":
                self.assertNotIn("#", without)
                import yaml
                self.assertEqual(list(yaml.safe_load_all(with_comments)), list(yaml.safe_load_all(without)))

    def test_reader_goes_away(self):
        names = [self.write(f"s{number}.yaml", spec(f"s{number}")) for number in range(400)]
        command = f"{FLEXSLICE} compile {' '.join(names)} | head -n 1; echo ${{PIPESTATUS[0]}}"
        done = subprocess.run(["bash", "-c", command], cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual(["# s0, compiled by flexslice from s0.yaml.", "0"], done.stdout.splitlines())
        self.assertNotIn("roken pipe", done.stderr)

    def test_stdout_is_closed(self):
        done = subprocess.run(["bash", "-c", f"{FLEXSLICE} compile a.yaml >&-"], cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual(3, done.returncode)
        self.assertIn("stdout", done.stderr)

    def test_full_disk(self):
        for arguments in (["compile", "a.yaml"], ["check", "bad.yaml"], ["schema"], ["--help"], ["explain", "FS3002"]):
            with self.subTest(arguments=arguments), open("/dev/full", "wb") as full:
                done = subprocess.run([FLEXSLICE, *arguments], cwd=self.folder, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
                self.assertEqual(3, done.returncode)
                self.assertEqual("flexslice: stdout: no space left on device\n", done.stderr)


class OutputFile(Case):
    def setUp(self):
        super().setUp()
        self.write("a.yaml", spec("a"))
        self.write("bad.yaml", spec("bad", topology="4x6"))

    def test_the_same_as_stdout(self):
        result = self.fine("compile", "a.yaml", "-o", "out.yaml")
        self.assertEqual(("", ""), (result.out, result.err))
        self.assertEqual(self.fine("compile", "a.yaml").out, self.read("out.yaml"))

    def test_untouched_when_there_are_errors(self):
        self.write("out.yaml", "what was there\n")
        self.expect(1, "compile", "bad.yaml", "-o", "out.yaml")
        self.expect(1, "compile", "a.yaml", "bad.yaml", "-o", "out.yaml")
        self.expect(3, "compile", "a.yaml", "nowhere.yaml", "-o", "out.yaml")
        self.assertEqual("what was there\n", self.read("out.yaml"))
        self.assertEqual(["a.yaml", "bad.yaml", "out.yaml"], self.files())

    def test_not_made_when_there_are_errors(self):
        self.expect(1, "compile", "bad.yaml", "-o", "out.yaml")
        self.assertEqual(["a.yaml", "bad.yaml"], self.files())

    def test_unchanged_file_keeps_its_time(self):
        self.fine("compile", "a.yaml", "-o", "out.yaml")
        os.utime(self.folder / "out.yaml", (1000, 1000))
        self.fine("compile", "a.yaml", "-o", "out.yaml")
        self.assertEqual(1000, (self.folder / "out.yaml").stat().st_mtime)
        self.fine("compile", "a.yaml", "--set", "tpu.topology=4x4", "-o", "out.yaml")
        self.assertNotEqual(1000, (self.folder / "out.yaml").stat().st_mtime)

    def test_the_file_is_replaced_whole(self):
        """Whoever has the old file open goes on reading the old one."""
        self.fine("compile", "a.yaml", "-o", "out.yaml")
        before = self.read("out.yaml")
        with open(self.folder / "out.yaml") as old:
            self.fine("compile", "a.yaml", "--set", "tpu.topology=4x4", "-o", "out.yaml")
            self.assertEqual(before, old.read())
        self.assertNotEqual(before, self.read("out.yaml"))

    def test_folder_that_is_not_there(self):
        result = self.expect(3, "compile", "a.yaml", "-o", "nowhere/out.yaml")
        self.assertIn("nowhere/out.yaml: no such file or directory", result.err)

    def test_a_folder_is_no_file(self):
        (self.folder / "out.yaml").mkdir()
        self.assertIn("is a directory", self.expect(3, "compile", "a.yaml", "-o", "out.yaml").err)

    def test_full_disk(self):
        self.assertIn("no space left on device", self.expect(3, "compile", "a.yaml", "-o", "/dev/full").err)

    def test_disk_full_in_the_middle(self):
        """The limit of a file's size stands in for the end of the disk."""
        self.write("out/a/manifests.yaml", "what was there\n")
        for arguments in (["-o", "out/a/manifests.yaml"], ["--out-dir", "out"]):
            done = subprocess.run([FLEXSLICE, "compile", "a.yaml", *arguments], cwd=self.folder, capture_output=True, text=True, check=False,
                                  restore_signals=False, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (200, 200)))
            self.assertEqual(3, done.returncode)
            self.assertIn("out/a/", done.stderr)
            self.assertEqual("what was there\n", self.read("out/a/manifests.yaml"))
        self.assertEqual(["a.yaml", "bad.yaml", "out/a/manifests.yaml"], self.files())

    def test_devices_are_written_to(self):
        self.fine("compile", "a.yaml", "-o", "/dev/null")
        self.assertTrue(stat.S_ISCHR(os.stat("/dev/null").st_mode))
        self.assertEqual(self.fine("compile", "a.yaml").out, self.fine("compile", "a.yaml", "-o", "/dev/stdout").out)

    def test_a_link_stays_a_link(self):
        self.write("real/out.yaml", "old\n")
        (self.folder / "out.yaml").symlink_to("real/out.yaml")
        self.fine("compile", "a.yaml", "-o", "out.yaml")
        self.assertEqual(self.fine("compile", "a.yaml").out, self.read("out.yaml"))

    def test_modes(self):
        for umask, file_mode, script_mode in ((0o022, 0o644, 0o755), (0o077, 0o600, 0o700), (0o002, 0o664, 0o775)):
            with self.subTest(umask=oct(umask)):
                self.fine("compile", "a.yaml", "-o", f"{umask}.yaml", umask=umask)
                self.assertEqual(file_mode, stat.S_IMODE((self.folder / f"{umask}.yaml").stat().st_mode))
                self.fine("compile", "a.yaml", "--emit", "verify", "-o", f"{umask}.sh", umask=umask)
                self.assertEqual(script_mode, stat.S_IMODE((self.folder / f"{umask}.sh").stat().st_mode))


class SharedQueue(Case):
    """Specs that name one queue: its objects are for all of them."""

    def setUp(self):
        super().setUp()
        for name, model in {"a": "spot", "b": "on-demand", "other": "spot"}.items():
            queue = "team-b" if name == "other" else "team-a"
            self.write(f"{name}.yaml", spec(name).replace("[us-east5-b]}", f"[us-east5-b], model: {model}, queue: {queue}}}"))
        self.write("bad.yaml", spec("bad", topology="4x6"))

    def objects(self, text):
        import yaml
        return [(each["kind"], each["metadata"]["name"]) for each in yaml.safe_load_all(text)]

    def test_a_stream_has_each_object_once(self):
        objects = self.objects(self.fine("compile", "--emit", "queues", "a.yaml", "b.yaml", "other.yaml").out)
        self.assertEqual([("ResourceFlavor", "v6e-2x2-spot"), ("ResourceFlavor", "v6e-2x2-on-demand"), ("ClusterQueue", "team-a"),
                          ("ClusterQueue", "team-b"), ("LocalQueue", "team-a"), ("LocalQueue", "team-b")], objects)

    def test_a_file_is_like_the_stream(self):
        words = ["compile", "--emit", "queues", "a.yaml", "b.yaml"]
        self.fine(*words, "-o", "queues.yaml")
        self.assertEqual(self.fine(*words).out, self.read("queues.yaml"))
        self.fine(*words, "-o", "queues.yaml", "--check")
        self.write("queues.yaml", "old: true\n")
        self.assertIn("+kind: ClusterQueue", self.expect(1, *words, "-o", "queues.yaml", "--check").out)

    def test_each_folder_has_the_whole_queue(self):
        self.fine("compile", "a.yaml", "b.yaml", "other.yaml", "--out-dir", "out")
        self.assertEqual(self.fine("compile", "--emit", "queues", "a.yaml", "b.yaml").out, self.read("out/a/queues.yaml"))
        self.assertEqual(self.read("out/a/queues.yaml"), self.read("out/b/queues.yaml"))
        self.assertEqual(self.fine("compile", "--emit", "queues", "other.yaml").out, self.read("out/other/queues.yaml"))
        self.fine("compile", "a.yaml", "b.yaml", "other.yaml", "--out-dir", "out", "--check")
        diff = self.expect(1, "compile", "a.yaml", "--out-dir", "out", "--check").out
        self.assertIn("-  name: v6e-2x2-on-demand\n", diff)

    def test_a_queue_is_not_written_without_the_specs_that_have_errors(self):
        self.fine("compile", "a.yaml", "b.yaml", "--out-dir", "out")
        before = self.read("out/a/queues.yaml")
        self.expect(1, "compile", "a.yaml", "bad.yaml", "--out-dir", "out")
        self.assertEqual(before, self.read("out/a/queues.yaml"))
        self.assertEqual("", self.expect(1, "compile", "--emit", "queues", "a.yaml", "bad.yaml").out)

    def test_the_order_of_jobs_does_not_matter(self):
        words = ["compile", "--emit", "queues", "a.yaml", "b.yaml", "other.yaml"]
        self.assertEqual(self.fine(*words, "--jobs", "1").out, self.fine(*words, "--jobs", "4").out)


class OutputFolder(Case):
    def setUp(self):
        super().setUp()
        self.write("a.yaml", spec("a"))
        self.write("b.yaml", spec("b"))
        self.write("bad.yaml", spec("bad", topology="4x6"))

    def made(self, folder="out"):
        return sorted(str(path.relative_to(self.folder / folder)) for path in (self.folder / folder).rglob("*") if path.is_file())

    def test_everything(self):
        result = self.fine("compile", "a.yaml", "b.yaml", "--out-dir", "out")
        self.assertEqual("", result.out)
        self.assertEqual([f"{name}/{file}" for name in "ab" for file in ALL], self.made())
        self.assertEqual(self.fine("compile", "a.yaml").out, self.read("out/a/manifests.yaml"))
        self.assertEqual(self.fine("compile", "--emit", "cleanup", "b.yaml").out, self.read("out/b/cleanup.sh"))

    def test_some(self):
        self.fine("compile", "a.yaml", "--out-dir", "out", "--emit", "plan,manifests")
        self.assertEqual(["a/manifests.yaml", "a/plan.json"], self.made())

    def test_terraform_only_by_name(self):
        words = ["compile", "--emit", "terraform"]
        self.fine(*words, "a.yaml", "b.yaml", "--out-dir", "out")
        self.assertEqual(["a/a.tf.json", "b/b.tf.json"], self.made())
        self.assertEqual(self.fine(*words, "a.yaml").out, self.read("out/a/a.tf.json"))
        self.assertIn("--out-dir", self.expect(2, *words, "a.yaml", "b.yaml").err)
        self.write("pools-of-others.yaml", spec("others").replace("[us-east5-b]}", "[us-east5-b], create: false}"))
        result = self.fine(*words, "pools-of-others.yaml")
        self.assertEqual("", result.out)
        self.assertIn("flexslice: others has no others.tf.json: `provisioning.create: false` says that the node pools are somebody else's\n", result.err)

    def test_terraform_of_a_spec_that_is_gone(self):
        self.write("specs/a.yaml", spec("a").replace("[us-east5-b]}", "[us-east5-b], create: true}"))
        self.write("specs/b.yaml", spec("b"))
        self.fine("compile", "--emit", "terraform", "specs", "--out-dir", "out")
        (self.folder / "specs/b.yaml").unlink()
        self.write("out/b/other.tf.json", "{}\n")
        self.fine("compile", "--emit", "terraform", "--prune", "--forget", "specs", "--out-dir", "out")
        self.assertEqual(["a/a.tf.json", "b/other.tf.json"], self.made())

    def test_a_class_of_the_users_own_is_needed(self):
        mounts = "  volumes: [{name: data, mountPath: /data, pvc: {name: data, class: %s, size: 1Ti}}]\n"
        for storage_class, is_needed in (("our-nfs", True), ("standard-rwx", True), ("standard-rwo", False)):
            self.write("v.yaml", spec("v") + mounts % storage_class)
            self.assertEqual(is_needed, f"kubectl get storageclass/{storage_class} " in self.fine("compile", "--emit", "preflight", "v.yaml").out)
            self.assertEqual(is_needed, re.search(f"StorageClass +{storage_class}\n", self.fine("explain", "v.yaml").out) is not None)

    def test_a_class_for_several_nodes(self):
        """Its driver may refuse it, which only the cluster can tell."""
        mounts = "  volumes: [{name: data, mountPath: /data, pvc: {name: data, class: our-nfs, size: 1Ti}}, {name: old, mountPath: /old, pvc: old}]\n"
        self.write("v.yaml", spec("v", "4x4") + mounts)
        said = re.sub(r"\s+", " ", self.fine("explain", "v.yaml").out)
        self.assertIn("StorageClass our-nfs (mounted by several nodes: ReadWriteMany)", said)
        self.assertIn("old (mounted by several nodes: ReadWriteMany or ReadOnlyMany)", said)

    def test_queues_for_a_workload_that_has_one(self):
        self.write("q.yaml", spec("q").replace("[us-east5-b]}", "[us-east5-b], model: spot, queue: team-a}"))
        self.fine("compile", "q.yaml", "--out-dir", "out")
        self.assertEqual(sorted(["q/queues.yaml", *(f"q/{file}" for file in ALL)]), self.made())

    def test_folders_are_made(self):
        self.fine("compile", "a.yaml", "--out-dir", "deep/er/out/")
        self.assertEqual([f"a/{file}" for file in ALL], self.made("deep/er/out"))

    def test_the_good_ones_are_written(self):
        self.expect(1, "compile", "a.yaml", "bad.yaml", "b.yaml", "--out-dir", "out")
        self.assertEqual([f"{name}/{file}" for name in "ab" for file in ALL], self.made())

    def test_the_old_files_of_a_bad_one_stay(self):
        self.fine("compile", "a.yaml", "--out-dir", "out")
        before = self.read("out/a/manifests.yaml")
        self.expect(1, "compile", "a.yaml", "--set", "tpu.topology=4x6", "--out-dir", "out")
        self.assertEqual(before, self.read("out/a/manifests.yaml"))

    def test_two_of_one_name(self):
        self.write("other.yaml", spec("a", topology="4x4").replace("research", "elsewhere"))
        result = self.expect(2, "compile", "a.yaml", "other.yaml", "--out-dir", "out")
        self.assertIn("`a`", result.err)
        self.assertEqual(self.fine("compile", "a.yaml").out, self.read("out/a/manifests.yaml"), "the first one stands")

    def test_unchanged_files_keep_their_time(self):
        self.fine("compile", "a.yaml", "b.yaml", "--out-dir", "out")
        for path in (self.folder / "out").rglob("*.*"):
            os.utime(path, (1000, 1000))
        self.fine("compile", "a.yaml", "b.yaml", "--out-dir", "out")
        self.assertEqual({1000}, {path.stat().st_mtime for path in (self.folder / "out").rglob("*.*")})

    def test_modes(self):
        self.fine("compile", "a.yaml", "--out-dir", "out", umask=0o027)
        self.assertEqual(0o750, stat.S_IMODE((self.folder / "out/a").stat().st_mode))
        self.assertEqual(0o750, stat.S_IMODE((self.folder / "out/a/verify.sh").stat().st_mode))
        self.assertEqual(0o640, stat.S_IMODE((self.folder / "out/a/plan.json").stat().st_mode))

    def test_scripts_are_executable(self):
        self.fine("compile", "a.yaml", "--out-dir", "out", "--no-comments")
        for name in ("preflight", "provision", "verify", "cleanup"):
            done = subprocess.run([str(self.folder / f"out/a/{name}.sh"), "--dry-run"], capture_output=True, text=True, check=False)
            self.assertEqual(0, done.returncode, done.stderr)
            self.assertIn("gcloud ", done.stdout)

    def test_links_are_not_followed_out_of_the_folder(self):
        self.write("elsewhere/manifests.yaml", "not yours\n")
        (self.folder / "out").mkdir()
        (self.folder / "out/a").symlink_to("../elsewhere")
        self.expect(3, "compile", "a.yaml", "--out-dir", "out")
        (self.folder / "out/b").mkdir()
        (self.folder / "out/b/manifests.yaml").symlink_to("../../elsewhere/manifests.yaml")
        self.run_flexslice("compile", "b.yaml", "--out-dir", "out")
        self.assertEqual("not yours\n", self.read("elsewhere/manifests.yaml"))

    def test_the_folder_itself_may_be_a_link(self):
        (self.folder / "real").mkdir()
        (self.folder / "out").symlink_to("real")
        self.fine("compile", "a.yaml", "--out-dir", "out")
        self.assertEqual([f"a/{file}" for file in ALL], self.made("real"))

    def test_a_file_is_in_the_way(self):
        self.write("out", "a file\n")
        self.assertIn("out", self.expect(3, "compile", "a.yaml", "--out-dir", "out").err)
        self.assertEqual("a file\n", self.read("out"))

    def test_names_cannot_lead_out(self):
        for name in ("../a", "/tmp/a", "a/b", ".", ".."):
            self.write("evil.yaml", spec().replace("name: finetune", f"name: {json.dumps(name)}"))
            self.expect(1, "compile", "evil.yaml", "--out-dir", "out/in")
            self.assertFalse((self.folder / "out").exists())

    def test_nothing_is_left_behind(self):
        (self.folder / "out/a/manifests.yaml").mkdir(parents=True)
        self.expect(3, "compile", "a.yaml", "--out-dir", "out", "--emit", "manifests")
        self.assertEqual([], self.made())


class Check(Case):
    """`compile --check`: whether the files are current."""

    def setUp(self):
        super().setUp()
        self.write("a.yaml", spec("a"))
        self.fine("compile", "a.yaml", "--out-dir", "out")

    def test_current(self):
        self.fine("compile", "--check", "a.yaml", "--out-dir", "out")
        self.fine("compile", "a.yaml", "-o", "a.out")
        self.fine("compile", "--check", "a.yaml", "-o", "a.out")

    def test_changed(self):
        before = self.files()
        result = self.expect(1, "compile", "--check", "a.yaml", "--set", "tpu.topology=4x4", "--out-dir", "out")
        self.assertIn("out/a/manifests.yaml", result.out + result.err)
        self.assertRegex(result.out + result.err, r"(?m)^-.*2x2")
        self.assertRegex(result.out + result.err, r"(?m)^\+.*4x4")
        self.assertEqual(before, self.files())
        self.fine("compile", "--check", "a.yaml", "--out-dir", "out")

    def test_missing(self):
        (self.folder / "out/a/verify.sh").unlink()
        self.assertIn("verify.sh", str(self.expect(1, "compile", "--check", "a.yaml", "--out-dir", "out")))
        self.assertFalse((self.folder / "out/a/verify.sh").exists())

    def test_nothing_there(self):
        self.expect(1, "compile", "--check", "a.yaml", "--out-dir", "other")
        self.assertFalse((self.folder / "other").exists())


if __name__ == "__main__":
    unittest.main()
