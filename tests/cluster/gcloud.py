"""A gcloud for cleanup.sh: it knows one cluster, which is the control plane of the test, and some node pools and policies.

    google = Google(plane, folder, made.commands())
    done = google.run(made.path("cleanup.sh"))      # done.returncode, done.stdout, done.stderr
    google.left()                                   # names of the pools and policies that were not deleted

As the real one, get-credentials writes a context without a namespace into $KUBECONFIG.
"""

import shlex
import subprocess
from pathlib import Path

GCLOUD = """\
#!/usr/bin/env bash
name=
for word; do [[ $word != --filter=name~^* ]] || { name=${word#--filter=name~^}; name=${name%%'$'*}; }; done
case "$*" in
  'container clusters list '*) echo "$name" ;;
  'container clusters get-credentials '*) cat "$GOOGLE/credentials" >"$KUBECONFIG" ;;
  'container clusters delete '*) ;;
  *--filter=config.resourceLabels.flexslice=*)
    label=${*##*flexslice=}
    for each in "$GOOGLE"/left/*; do [[ ! -e $each || $(<"$each") != "${label%% *}" ]] || echo "${each##*/}"; done ;;
  'container node-pools list '*) [[ ! -e $GOOGLE/left/$name ]] || printf '%s\\tRUNNING\\t%s\\n' "$name" "$(<"$GOOGLE/left/$name")" ;;
  'compute resource-policies list '*) [[ ! -e $GOOGLE/left/$name ]] || printf '%s\\tREADY\\t%s\\n' "$name" "$(<"$GOOGLE/left/$name")" ;;
  'compute reservations list '*) ;; # none is billed
  'container node-pools delete '* | 'compute resource-policies delete '*) rm "$GOOGLE/left/$4" ;;
  *) echo "gcloud $*: not known here" >&2; exit 2 ;;
esac
"""


def owner_of(words):
    """Whose the command says that it is: the label flexslice of a pool, and the description of a policy; empty: nobody's."""
    for word in words:
        if word.startswith("--description="):
            return word.partition("=")[2]
    labels = "".join(word.partition("=")[2] for word in words if word.startswith("--labels="))
    return dict(label.split("=") for label in labels.split(",") if label).get("flexslice", "")


class Google:
    """The pools and policies that provision.sh's commands create, and a place to run scripts."""

    def __init__(self, plane, folder, commands):
        self.plane, self.folder = plane, Path(folder, "google")
        (self.folder / "left").mkdir(parents=True)
        (self.folder / "credentials").write_bytes(plane.kubeconfig.read_bytes())
        program = self.folder / "gcloud"
        program.write_text(GCLOUD, encoding="utf-8")
        program.chmod(0o755)
        for words in map(shlex.split, commands.splitlines()):
            for verbs in (["gcloud", "container", "node-pools", "create"], ["gcloud", "compute", "resource-policies", "create"]):
                if words[:4] == verbs:
                    (self.folder / "left" / words[len(verbs) + ("policies" in verbs[2])]).write_text(owner_of(words), encoding="utf-8")

    def impersonate(self, user):
        """From now on the credentials are those of somebody else."""
        text = (self.folder / "credentials").read_text(encoding="utf-8")
        (self.folder / "credentials").write_text(text.replace("  user:\n", f"  user:\n    as: {user}\n"), encoding="utf-8")

    def left(self):
        """What is still there."""
        return sorted(path.name for path in (self.folder / "left").iterdir())

    def run(self, script, *arguments, context=None):
        """Runs a script as a user would whose current context has a namespace, if one is given."""
        env = self.plane.env | {"PATH": f"{self.folder}:{self.plane.env['PATH']}", "GOOGLE": str(self.folder)}
        config = self.folder / "kubeconfig"
        config.write_bytes(self.plane.kubeconfig.read_bytes())
        if context:
            self.plane.kubectl("config", "set-context", "--current", f"--namespace={context}", env={"KUBECONFIG": str(config)})
        return subprocess.run(["bash", script, *arguments], env=env | {"KUBECONFIG": str(config)}, check=False,
                              stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8")
