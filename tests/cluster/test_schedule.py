"""A schedule on a real control plane: two starts, and one between them that is skipped because the first run goes on.
With a queue, Kueue admits the Job of each start.

The clock is real, with a start each minute.  The run ends in the middle of a minute: without a starting deadline the latest
start that was skipped is made up for at once, and with one the next start is that of the next minute.
"""

import calendar
import time
import unittest

import control_plane
import report
from control_plane import ControlPlane, eventually
from stage import stage
from workloads import compile_spec, merged

TABLE = report.Table("schedules")
MINUTE = 60
SECONDS = control_plane.SECONDS + 2 * MINUTE
SPEC = {
    "apiVersion": "flexslice/v1", "name": "t", "cluster": {"name": "c", "location": "us-east5"},
    "tpu": {"type": "v6e", "topology": "4x4"}, "provisioning": {"model": "flex-start", "zones": ["us-east5-b"]},
    "workload": {"image": "run:1", "command": ["run"], "schedule": {"cron": "* * * * *"}},
}


def tearDownModule():
    TABLE.finish()


class Schedule(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.plane = cls.enterClassContext(ControlPlane(("jobset", "kueue")))

    def jobs(self, made):
        """The names of the Jobs of all starts, the first ones first."""
        return sorted(each["metadata"]["name"] for each in
                      self.plane.list("jobs", made.namespace, labels=f"flexslice-schedule={made.name}"))

    def pods(self, made, job):
        return self.plane.list("pods", made.namespace, labels=f"job-name={job}")

    def wait_started(self, made, job):
        """All pods of a start run, on a node each, and its Service publishes their host names."""
        wanted = made.pods_wanted()

        def running():
            found = self.pods(made, job)
            return found if [pod["status"]["phase"] for pod in found] == ["Running"] * wanted else None

        pods = eventually(running, lambda: made.why(self.plane), SECONDS)
        self.assertEqual(len({pod["spec"]["nodeName"] for pod in pods}), wanted)
        hosts = {f"{job}-{index}" for index in range(wanted)}
        eventually(lambda: hosts <= made.published(self.plane, made.name), f"the Service does not publish {hosts}")

    def wait_skipped(self, made, job):
        """The time of a start has passed, and there is no other Job."""
        eventually(lambda: "JobAlreadyActive" in self.plane.kubectl("get", "events", "-n", made.namespace).stdout,
                   "no start was skipped", SECONDS)
        self.assertEqual(self.jobs(made), [job])

    def lateness(self, made, job):
        """The seconds from the time of a start, which its name has, to its Job."""
        created = self.plane.get("jobs", made.namespace, job)["metadata"]["creationTimestamp"]
        return calendar.timegm(time.strptime(created, "%Y-%m-%dT%H:%M:%SZ")) - int(job.rsplit("-", 1)[1]) * MINUTE

    def check(self, change):
        made = compile_spec(merged(SPEC, change))
        with stage(self.plane, made) as (gke, arguments):
            gke.provision(made.commands())
            self.plane.kubectl("apply", *arguments)
            [first] = eventually(lambda: self.jobs(made), "there is no start", SECONDS)
            self.wait_started(made, first)
            self.wait_skipped(made, first)
            eventually(lambda: 20 <= time.time() % MINUTE < 35, "the middle of a minute", 2 * MINUTE)
            gke.finish(made.namespace, first)
            second = eventually(lambda: [each for each in self.jobs(made) if each != first], "there is no second start", SECONDS)
            self.assertEqual(len(second), 1)
            self.wait_started(made, second[0])
            return self.lateness(made, second[0])

    def test_a_skipped_start_is_made_up_for(self):
        late = self.check({})
        self.assertGreater(late, 15)
        TABLE.row("two starts, one skipped between them", f"the latest skipped one is made up for, {late} s late")

    def admitted(self, made):
        """The Jobs that Kueue has admitted."""
        return {owner["name"] for each in self.plane.list("workloads", made.namespace) for owner in each["metadata"]["ownerReferences"]
                if any(condition["type"] == "Admitted" and condition["status"] == "True" for condition in each.get("status", {}).get("conditions", []))}

    def test_kueue_admits_each_start(self):
        made = compile_spec(merged(SPEC, {"provisioning": {"queue": "team"}}))
        with stage(self.plane, made) as (gke, arguments):
            gke.provision(made.commands())
            self.plane.kubectl("apply", *arguments)
            [first] = eventually(lambda: self.jobs(made), "there is no start", SECONDS)
            self.wait_started(made, first)
            self.assertEqual(self.admitted(made), {first})
        TABLE.row("a start with a queue", "Kueue admits its Job, whose pods run")

    def test_a_starting_deadline_limits_how_late(self):
        late = self.check({"workload": {"schedule": {"cron": "* * * * *", "startingDeadline": "10s"}}})
        self.assertLess(late, 11)
        TABLE.row("two starts, one skipped between them, startingDeadline 10s", f"the next one comes {late} s after its time")


if __name__ == "__main__":
    unittest.main(verbosity=2)
