"""Claims that volumes.yaml makes outlive the workload: cleanup.sh deletes them only when it is told to."""

import tempfile
import unittest
from pathlib import Path

from artifacts import compile_spec
from expectations import Meant
from life import Life, ScriptCase

SPEC = """\
apiVersion: flexslice/v1
name: t
namespace: team-a
cluster: {name: c, location: us-east5, project: my-project}
tpu: {type: v6e, topology: 2x2}
provisioning: {model: spot, zones: [us-east5-b]}
workload:
  image: busybox
  serviceAccount: reader
  volumes:
    - {name: weights, mountPath: /weights, pvc: {name: weights, size: 500Gi}}
    - {name: data, mountPath: /data, gcs: {bucket: my-data, profile: training}}
"""
CLAIMS = [("PersistentVolumeClaim", "weights", "team-a"), ("PersistentVolumeClaim", "t-data", "team-a"), ("PersistentVolume", "team-a-t-data", None)]


class Volumes(ScriptCase):
    def life(self):
        folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        meant = Meant("us-east5", ["job/t"], "job-name=t", cluster="c", project="my-project", namespace="team-a")
        life = self.enterContext(Life(meant, compile_spec(SPEC, folder)))
        life.apply()
        for kind, name, space in CLAIMS:
            life.kubernetes.add(kind, name, space)
        return life

    def left(self, life):
        return [claim for claim in CLAIMS if (claim[2], claim[0], claim[1]) in life.kubernetes.objects]

    def test_they_stay(self):
        life = self.life()
        done = self.ok(life, "cleanup")
        self.assertEqual(self.left(life), CLAIMS)
        self.assertEqual(done.stdout.count("it stays; --delete-volumes deletes it with what is in it"), 3)

    def test_they_are_deleted(self):
        life = self.life()
        self.ok(life, "cleanup", "--delete-volumes")
        self.assertEqual(self.left(life), [])

    def test_dry_run(self):
        life = self.life()
        ends = self.ok(life, "cleanup", "--dry-run").stderr.splitlines()[-1]
        self.assertIn("cleanup.sh: a run that finds everything, and deletes it, would say: of ", ends)
        self.assertIn("is still billed: PersistentVolumeClaim ", ends)
        self.assertIn("PersistentVolumeClaim weights (--delete-volumes deletes it)", ends)
        self.assertIn("is left", self.ok(life, "cleanup", "--dry-run", "--delete-volumes").stderr.splitlines()[-1])
        self.assertNotIn("persistentvolumeclaim", self.ok(life, "cleanup", "--dry-run").stdout)
        self.assertIn("kubectl delete persistentvolumeclaim/weights", self.ok(life, "cleanup", "--dry-run", "--delete-volumes").stdout)
        self.assertEqual(self.left(life), CLAIMS)


if __name__ == "__main__":
    unittest.main()
