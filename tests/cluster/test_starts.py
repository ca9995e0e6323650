"""A CronJob of workload.schedule: it starts, a start is skipped while its Job runs, and it starts again.

The time is that of the clock: the workloads start every minute, and all of them run at once.
"""

import tempfile
import time
import unittest
from datetime import datetime, timedelta, timezone
from pathlib import Path

import report
import workloads
from control_plane import ControlPlane, eventually
from gcloud import Google
from gke import Gke
from workloads import changed_lines, compile_spec, merged, with_chips

TABLE = report.Table("starts of schedules")
MINUTE = 60
LATE = 15  # seconds after which a Job would have been there, and a start is too late
SPEC = {
    "apiVersion": "flexslice/v1", "name": "nightly", "cluster": {"name": "c", "location": "us-east5"},
    "tpu": {"type": "v6e", "topology": "2x2"}, "provisioning": {"model": "on-demand", "zones": ["us-east5-b"]},
    "workload": {"image": "busybox", "command": ["run"], "schedule": {"cron": "* * * * *", "startingDeadline": "10s"}},
}
HOSTS = {"tpu": {"topology": "4x4"}}
NO_DEADLINE = {"workload": {"schedule": "* * * * *"}}
ROWS = {
    "one host": {},
    "one host, no deadline": NO_DEADLINE,
    "several hosts, no deadline": merged(HOSTS, NO_DEADLINE),
    "several hosts": HOSTS,
    "one host, pool from zero nodes": {"provisioning": {"model": "flex-start"}},
    "several hosts, pool from zero nodes": merged(HOSTS, {"provisioning": {"model": "flex-start"}}),
    "one host in a queue": {"provisioning": {"queue": "q"}},
    "several hosts in a queue": merged(HOSTS, {"provisioning": {"queue": "q"}}),
    "several hosts in a queue, pool from zero nodes": merged(HOSTS, {"provisioning": {"model": "flex-start", "queue": "q"}}),
}


def tearDownModule():
    TABLE.finish()


class Row:
    """A schedule in a namespace of its own."""

    def __init__(self, case, number, title, change):
        self.plane, self.title, unique = case.plane, title, f"s{number}"
        own = {"namespace": unique, "provisioning": {"nodePool": unique}}
        if "queue" in change.get("provisioning", {}):
            own["provisioning"]["queue"] = unique
        self.made = compile_spec(merged(SPEC, change, own))
        self.files = [word for path in self.made.files() for word in ("-f", path)]
        [cron] = [each for each in self.made.objects() if each["kind"] == "CronJob"]
        self.deadline = cron["spec"].get("startingDeadlineSeconds")

    def jobs(self):
        """Those that the CronJob has made, the oldest first."""
        found = [job for job in self.plane.list("jobs", self.made.namespace)
                 if any(owner["kind"] == "CronJob" for owner in job["metadata"].get("ownerReferences", []))]
        return sorted(found, key=scheduled)

    def pods(self, job):
        return self.plane.list("pods", self.made.namespace, labels=f"job-name={job['metadata']['name']}")

    def running(self, job):
        """Whether every pod runs, on a node of its own, and the others find it by name."""
        spec = job["spec"]
        pods = self.pods(job)
        if len(pods) != spec.get("completions", 1) or any(pod["status"]["phase"] != "Running" for pod in pods):
            return False
        services = [each["metadata"]["name"] for each in self.made.objects() if each["kind"] == "Service"]
        names = {f"{job['metadata']['name']}-{number}" for number in range(len(pods))}
        published = [self.made.published(self.plane, name) for name in services]
        return (all(map(with_chips, pods)) and len({pod["spec"]["nodeName"] for pod in pods}) == len(pods)
                and all(each == names for each in published) and len(services) == (len(pods) > 1))

    def why(self):
        lines = [f"{self.title}: {len(self.jobs())} Jobs"]
        for job in self.jobs():
            lines += [f"{pod['metadata']['name']}: {pod['status']['phase']}: {pod['status'].get('conditions')}" for pod in self.pods(job)]
        for each in self.plane.list("workloads", self.made.namespace):
            lines += [f"{condition['type']}={condition['status']}: {condition['message']}" for condition in each.get("status", {}).get("conditions", [])]
        return "\n  ".join(lines)


def scheduled(job):
    """The time for which the CronJob has made it."""
    return datetime.fromisoformat(job["metadata"]["annotations"]["batch.kubernetes.io/cronjob-scheduled-timestamp"].replace("Z", "+00:00"))


class Starts(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.plane = cls.enterClassContext(ControlPlane())
        cls.gke = cls.enterClassContext(Gke(cls.plane))

    def check_again(self, row):
        """Applied again, nothing changes."""
        done = self.plane.kubectl("apply", *row.files).stdout
        self.assertEqual(changed_lines(done.splitlines(), row.made.path("manifests.yaml").read_text(encoding="utf-8")), [])

    def check_cleanup(self, row):
        """One cleanup.sh, while it runs, and nothing starts or runs any more."""
        google = Google(self.plane, Path(self.enterContext(tempfile.TemporaryDirectory())), row.made.commands())
        done = google.run(row.made.path("cleanup.sh"))
        self.assertEqual((done.returncode, google.left()), (0, []), done.stderr)
        eventually(lambda: not row.jobs() and not self.plane.list("pods", row.made.namespace), row.why)
        found = self.plane.kubectl("get", "-f", row.made.path("manifests.yaml"), "--ignore-not-found", "-o", "name")
        self.assertEqual(found.stdout, "")

    def check(self, row, job):
        """The only Job that is there runs."""
        eventually(lambda: row.running(job), row.why)
        self.check_again(row)

    def test_two_starts_and_one_skipped(self):
        rows = [Row(self, number, *each) for number, each in enumerate(ROWS.items())]
        for row in rows:
            workloads.prepare(self.plane, row.made)
            self.gke.provision(row.made.commands())
            self.plane.kubectl("apply", *row.files)
        first = {row: eventually(row.jobs, row.why, MINUTE + LATE)[0] for row in rows}
        for row in rows:
            self.check(row, first[row])
        skipped = max(map(scheduled, first.values())) + timedelta(seconds=MINUTE)
        now = datetime.now(timezone.utc)
        skipped += max(timedelta(), (now - skipped) // timedelta(seconds=MINUTE) * timedelta(seconds=MINUTE))
        time.sleep(max(0, (skipped - now).total_seconds() + LATE))
        for row in rows:
            with self.subTest(row.title):
                self.assertEqual([job["metadata"]["name"] for job in row.jobs()], [first[row]["metadata"]["name"]])
                self.gke.finish(row.made.namespace, first[row]["metadata"]["name"])
        for row in rows:
            with self.subTest(row.title):
                second = eventually(lambda row=row: row.jobs()[1:], row.why, MINUTE + LATE)[0]
                # Without a deadline no start is too late, so the one that was skipped is made up for.
                self.assertEqual(scheduled(second), skipped + timedelta(seconds=MINUTE if row.deadline else 0))
                self.check(row, second)
                TABLE.row(row.title, f"starts; a time is skipped while it runs{'' if row.deadline else ', and made up for'}; starts again")
                self.check_cleanup(row)
        self.assertEqual(self.gke.trouble, [])


if __name__ == "__main__":
    unittest.main()
