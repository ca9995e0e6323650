#!/usr/bin/env python3
"""gcloud and kubectl for a person who replays a life: each call reads the world from $LIFE and writes it back.

    stub.py start SPECS      makes $LIFE/bin and an empty world with the clusters that exist
    stub.py finish SPEC      the Jobs of a spec end; also expire, pod
"""

import json
import os
import pickle
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from lives import Lives  # noqa: E402
from world import World  # noqa: E402

LIFE = Path(os.environ["LIFE"])


def start(specs):
    (LIFE / "bin").mkdir()
    for name in ("gcloud", "kubectl"):
        (LIFE / "bin" / name).symlink_to(Path(__file__).resolve())
    lives = Lives.__new__(Lives)
    return lives.ground(specs), {}


def main():
    name, words = Path(sys.argv[0]).name, sys.argv[1:]
    state = LIFE / "world"
    if name == "stub.py" and words[0] == "start":
        world, contexts = start(json.loads(words[1]))
    else:
        world, contexts = pickle.loads(state.read_bytes())
    status = 0
    if name == "stub.py" and words[0] != "start":
        lives = Lives.__new__(Lives)
        lives.stage = type("Stage", (), {"world": world})
        getattr(lives, "do_" + words[0])({}, json.loads(words[1]))
    elif name != "stub.py":
        world.actor = [tuple(os.environ.get("STUB_ACTOR", "someone default").split())]
        world.denied = [os.environ["STUB_DENY"]] if "STUB_DENY" in os.environ else []
        counter = LIFE / f"calls-{os.getppid()}"
        calls = counter.stat().st_size + 1 if counter.exists() else 1
        counter.write_bytes(b"." * calls)
        kubeconfig = os.environ.get("KUBECONFIG", "")
        context = contexts.get(kubeconfig, kubeconfig.replace("gke/", "acme/"))
        fails = str(calls) == os.environ.get("STUB_FAIL_AT")
        out = err = ""
        if not fails or os.environ.get("STUB_FAIL_MODE") == "after":
            stdin = sys.stdin.read() if "--filename=-" in words else ""
            status, out, err = world.call([name, *words], stdin, context)
            if "get-credentials" in words and status == 0:
                contexts[kubeconfig] = world.credentials
        if fails:
            status, out, err = 1, "", "ERROR: code=500, message=internal error\n"
        with (LIFE / "log").open("a", encoding="utf-8") as log:
            log.write(f"{status} {name} {' '.join(words)}\n")
        sys.stdout.write(out)
        sys.stderr.write(err)
        for law in world.broken:
            sys.stderr.write(f"LAW BROKEN: {law}\n")
        world.broken = []
    state.write_bytes(pickle.dumps((world, contexts)))
    sys.exit(status)


if __name__ == "__main__":
    main()
