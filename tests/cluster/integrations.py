"""Integrations that Kueue has besides those with which `kube-controllers` starts it, on a control plane that is up.

Kueue reads its configuration when it starts: it is started again as it was, with a longer list.
"""

import os
import re
import signal
import subprocess
import unittest
import urllib.request
from pathlib import Path

from control_plane import eventually


def add(plane, *names):
    """Starts Kueue again with these integrations, too; the plane stops it with the rest.

    The CRDs have to be there.  Where the configuration has no list to add to, the test is skipped.
    """
    state = plane.folder / "state"
    config = state / "kueue.config"
    text = config.read_text(encoding="utf-8") if config.exists() else ""
    listed = re.search(r"frameworks: *\[([^\]]*)\]", text)
    health = re.search(r"healthProbeBindAddress: *['\"]?([0-9.:]+)", text)
    running = re.search(r"^(\d+) \d+ kueue-controller$", (state / "pids").read_text(encoding="utf-8"), re.MULTILINE)
    if not (listed and health and running):
        raise unittest.SkipTest("kube-controllers starts Kueue without a list of integrations in kueue.config")
    config.write_text(text.replace(listed[0], f"frameworks: [{', '.join([listed[1], *names])}]"), encoding="utf-8")

    process = Path("/proc", running[1])
    command = (process / "cmdline").read_text(encoding="utf-8").rstrip("\0").split("\0")
    env = dict(line.split("=", 1) for line in (process / "environ").read_text(encoding="utf-8").rstrip("\0").split("\0"))
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))

    def ready():
        try:
            return opener.open(f"http://{health[1]}/readyz", timeout=5).status == 200
        except OSError:
            return False

    os.kill(int(running[1]), signal.SIGTERM)
    eventually(lambda: not ready(), "Kueue does not stop")
    with open(state / "log/kueue-controller-2.log", "wb") as log:
        again = subprocess.Popen(command, cwd=state, env=env, stdin=subprocess.DEVNULL, stdout=log, stderr=log)  # noqa: SIM115
    plane.callback(again.wait)
    plane.callback(again.terminate)
    eventually(lambda: again.poll() is not None or ready(), "Kueue is not ready")
    assert again.poll() is None, (state / "log/kueue-controller-2.log").read_text(encoding="utf-8")[-2000:]
