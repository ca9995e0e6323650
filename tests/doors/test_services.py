"""What is wrong between the pods of a slice and the Service that gives them names has one code, whatever door it comes in by."""
import pathlib
import subprocess
import tempfile
import unittest

import doors
import yaml

SLICE = {"tpu": {"topology": "4x4"}}
# code: (what it changes in the Service, in the pods), as merge patches; None removes it.
MISTAKES = {
    "an address": ("FS4230", {"spec": {"clusterIP": "10.0.0.7"}}, None),
    "another selector": ("FS4231", {"spec": {"selector": {"job-name": "other"}}}, None),
    "a selector of more": ("FS4231", {"spec": {"selector": {"tier": "x"}}}, None),
    "no selector": ("FS4231", {"spec": {"selector": None}}, None),
    "another name": ("FS4232", None, {"spec": {"subdomain": "trian"}}),
    "no subdomain": ("FS4233", None, {"spec": {"subdomain": None}}),
}


class Services(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(holder.cleanup)
        cls.folder = pathlib.Path(holder.name)
        cls.spec = doors.spec("Job", SLICE)
        (cls.folder / "base.yaml").write_text(doors.dump(cls.spec))
        done = subprocess.run([doors.FLEXSLICE, "compile", "--emit", "manifests", "base.yaml"], cwd=cls.folder, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        made = {tree["kind"]: tree for tree in yaml.safe_load_all(done.stdout)}
        cls.service, cls.job = made["Service"], made["Job"]

    def enter(self, service, pods):
        job = doors.merged(self.job, {"spec": {"template": pods or {}}})
        if job["spec"]["template"]["spec"].get("subdomain", "") is None:
            del job["spec"]["template"]["spec"]["subdomain"]
        return doors.merged(self.service, service or {}), job

    def found(self, command, *names):
        return {code for codes in doors.codes(command, self.folder, list(names)).values() for code in codes}

    def write(self, **files):
        for name, text in files.items():
            (self.folder / name.replace("_", ".")).write_text(text)

    def test_in_one_file(self):
        for name, (code, *changes) in MISTAKES.items():
            service, job = self.enter(*changes)
            text = doors.dump(service) + "---\n" + doors.dump(job)
            self.write(one_yaml=text, one_md=doors.page(text), one_sh=doors.script(text))
            for file in ("one.yaml", "one.md", "one.sh"):
                with self.subTest(name, file=file):
                    self.assertEqual({code}, self.found("lint", file))

    def test_in_two_files(self):
        for name, (code, *changes) in MISTAKES.items():
            service, job = self.enter(*changes)
            self.write(service_yaml=doors.dump(service), job_yaml=doors.dump(job))
            with self.subTest(name):
                self.assertEqual({code}, self.found("lint", "service.yaml", "job.yaml"))
                self.assertIn(code, self.found("import", "service.yaml", "job.yaml"))

    def test_by_a_patch(self):
        for name, (code, service, pods) in MISTAKES.items():
            patches = [{"target": {"kind": "Service"}, "merge": service}] if service else []
            patches += [{"target": {"kind": "Job", "pod": "worker"}, "merge": pods}] if pods else []
            self.write(spec_yaml=doors.dump({**self.spec, "patches": patches}))
            with self.subTest(name):
                self.assertIn(code, self.found("check", "spec.yaml"))

    def test_what_compile_makes_is_right(self):
        for first, second in ((self.service, self.job), (self.job, self.service)):
            self.write(one_yaml=doors.dump(first) + "---\n" + doors.dump(second), service_yaml=doors.dump(first), job_yaml=doors.dump(second))
            self.assertEqual(set(), self.found("lint", "one.yaml"))
            self.assertEqual(set(), self.found("lint", "service.yaml", "job.yaml"))


if __name__ == "__main__":
    unittest.main()
