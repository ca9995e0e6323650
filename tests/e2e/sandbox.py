"""A place to run the generated scripts: the real gcloud without a network, and recording stand-ins on PATH.

    with FakeGoogle() as fake, Sandbox(fake) as sandbox:
        done = sandbox.run_script("provision.sh")       # done.returncode, done.stdout, done.stderr
        sandbox.calls("kubectl")                        # [Call(name, argv, stdin), ...]

With a FakeGoogle, `gcloud` is the real one (started by warm_gcloud.py, unless warm=False) and sees nothing but the fake.  Without
one, `gcloud` is a stand-in too.
`kubectl` is a stand-in, which runs the real one where a FakeKubernetes is given.  A stand-in records its arguments and its standard input (if asked to read it by a `-`),
then gives the newest matching answer, or prints nothing and succeeds:

    sandbox.answer("kubectl", "get pods *", stdout="Running\n")
    sandbox.answer("gcloud", "container node-pools create *", stderr="denied\n", rc=1, times=1)

Prompts stay on and standard input is empty, so a missing --quiet shows as a failure.  A stand-in is bash and starts in
about 2 ms; arguments come back byte for byte, those that are not UTF-8 as os.fsdecode gives them.
"""

import json
import os
import shlex
import shutil
import signal
import subprocess
import tempfile
import unittest
from dataclasses import dataclass
from pathlib import Path

import yaml

import warm_gcloud
from fake_google import PROJECT
from fake_kubernetes import TOKEN

BASH = shutil.which("bash") or "/bin/bash"
NOWHERE = "http://127.0.0.1:9"  # the discard port: where stand-in-only runs would go, if anything tried

# Filled in by Sandbox._write_stand_in.  One file a call, so that calls may run in parallel; the names sort by time.
STAND_IN = """\
#!{bash}
LC_ALL=C
name=${{0##*/}} line="$*" call={records}/$EPOCHREALTIME.$$
printf '%s\\0' "$name" "$@" >"$call"
for arg; do
  case $arg in -|-f-|--filename=-) cat >"$call.stdin"; break;; esac
done
if [[ $name == kubectl && -r ${{KUBECONFIG-}} ]]; then
  while read -r key value; do [[ $key != current-context: ]] || printf %s "$value" >"$call.context"; done <"$KUBECONFIG"
fi
answer() {{ # pattern stdout stderr rc times counter
  [[ $line == $1 ]] || return 0
  if [[ $5 ]]; then
    local used=; [[ -e $6 ]] && used=$(<"$6")
    (( ${{#used}} < $5 )) || return 0
    printf . >>"$6"
  fi
  printf %s "$2"; printf %s "$3" >&2; exit "$4"
}}
{answers}
{last}
"""


@dataclass(frozen=True)
class Call:
    """One start of a stand-in; `argv` without the program, `stdin` is None unless an argument asked to read it.

    `context` is the current context of the kubeconfig that kubectl would have used, None where there is no such file.
    """
    name: str
    argv: list[str]
    stdin: bytes | None
    context: str | None = None


# The tests named `-whole` run everything; those without take a sample, so that they can be run often.
WHOLE = bool(os.environ.get("FLEXSLICE_WHOLE"))


def of_whole(test):
    """A test, or a class of tests, that no sample has."""
    return test if WHOLE else None


def sample(items, wanted):
    """All items, or those that a sample has: by name, or each `wanted`-th."""
    items = list(items)
    if WHOLE:
        return items
    return items[::wanted] if isinstance(wanted, int) else [item for item in items if item in wanted]


def require(*tools):
    """Skips the calling test or class, with the reason, where a tool is missing; under CI that is a failure."""
    missing = [tool for tool in tools if shutil.which(tool) is None]
    if missing:
        reason = f"not installed: {', '.join(missing)}"
        raise AssertionError(reason) if os.environ.get("CI") else unittest.SkipTest(reason)


class Sandbox:
    """A temporary home, PATH and environment.  A context manager; everything is removed at the end."""

    def __init__(self, fake=None, project=PROJECT, kubernetes=None, warm=True):
        self._temporary = tempfile.TemporaryDirectory(prefix="flexslice-e2e-")
        self.root = Path(self._temporary.name)
        self.kubeconfig = self.root / "kubeconfig"
        self._answers, self._real = {}, {"kubectl": shutil.which("kubectl")} if kubernetes else {}
        for folder in ("bin", "home", "gcloud", "tmp", "calls", "used"):
            (self.root / folder).mkdir()
        for name in ("kubectl", "gke-gcloud-auth-plugin") + (() if fake else ("gcloud",)):
            self._answers[name] = []
            self._write_stand_in(name)
        if warm and fake and shutil.which("gcloud") and (text := warm_gcloud.client()):
            self._write_program("gcloud", text)
        self.answer("gke-gcloud-auth-plugin", stdout=json.dumps({
            "kind": "ExecCredential", "apiVersion": "client.authentication.k8s.io/v1beta1", "status": {"token": TOKEN}}))
        self.env = self._environment(fake.url if fake else NOWHERE, project)

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self._temporary.cleanup()

    def _environment(self, url, project):
        env = {
            "PATH": f"{self.root / 'bin'}:{os.environ['PATH']}",
            "HOME": str(self.root / "home"), "TMPDIR": str(self.root / "tmp"), "KUBECONFIG": str(self.kubeconfig),
            "LANG": "C.UTF-8", "TERM": "dumb",
            "CLOUDSDK_CONFIG": str(self.root / "gcloud"),
            "CLOUDSDK_CORE_PROJECT": project,
            "CLOUDSDK_AUTH_DISABLE_CREDENTIALS": "true",
            "CLOUDSDK_API_ENDPOINT_OVERRIDES_CONTAINER": f"{url}/",
            "CLOUDSDK_API_ENDPOINT_OVERRIDES_SERVICEUSAGE": f"{url}/",
            "CLOUDSDK_API_ENDPOINT_OVERRIDES_COMPUTE": f"{url}/compute/v1/",
            "CLOUDSDK_API_ENDPOINT_OVERRIDES_CLOUDQUOTAS": f"{url}/",
            "CLOUDSDK_API_ENDPOINT_OVERRIDES_STORAGE": f"{url}/storage/v1/",
            "CLOUDSDK_CORE_DISABLE_USAGE_REPORTING": "true",
            "CLOUDSDK_CORE_CHECK_GCE_METADATA": "false",
            "CLOUDSDK_COMPONENT_MANAGER_DISABLE_UPDATE_CHECK": "true",
            "CLOUDSDK_SURVEY_DISABLE_PROMPTS": "true",
        }
        for variable in ("http_proxy", "https_proxy"):
            env[variable] = env[variable.upper()] = url
        env["no_proxy"] = env["NO_PROXY"] = "127.0.0.1"
        if "CLOUDSDK_PYTHON" in os.environ:
            env["CLOUDSDK_PYTHON"] = os.environ["CLOUDSDK_PYTHON"]
        return env

    def answer(self, name, pattern="*", stdout="", stderr="", rc=0, times=None):
        """What stand-in `name` prints and returns when its arguments, joined by spaces, match the bash glob `pattern`.

        The newest match wins; after `times` uses an answer is spent and older ones apply again.  A name that had no
        stand-in gets one, so answer("gcloud") also replaces a real gcloud.
        """
        answers = self._answers.setdefault(name, [])
        counter = self.root / "used" / f"{name}.{len(answers)}"
        fields = (pattern, stdout, stderr, str(rc), "" if times is None else str(times), str(counter))
        answers.append("answer " + " ".join(map(shlex.quote, fields)))
        self._write_stand_in(name)

    def _write_stand_in(self, name):
        text = STAND_IN.format(bash=BASH, records=shlex.quote(str(self.root / "calls")),
                               answers="\n".join(reversed(self._answers[name])),
                               last=f'[[ ! -e $call.stdin ]] || exec <"$call.stdin"\nexec {shlex.quote(self._real[name])} "$@"'
                               if name in self._real else "exit 0")
        self._write_program(name, text)

    def _write_program(self, name, text):
        path = self.root / "bin" / name
        path.write_bytes(os.fsencode(text))
        path.chmod(0o755)

    def calls(self, name=None):
        """The recorded calls of one stand-in, or of all of them, in the order they began."""
        calls = []
        for path in sorted((self.root / "calls").iterdir()):
            if path.suffix in (".stdin", ".context"):
                continue
            program, *argv = [os.fsdecode(part) for part in path.read_bytes().split(b"\0")[:-1]]
            stdin, context = (path.with_name(path.name + suffix) for suffix in (".stdin", ".context"))
            if name in (None, program):
                calls.append(Call(program, argv, stdin.read_bytes() if stdin.exists() else None,
                                  context.read_text() if context.exists() else None))
        return calls

    def use_context(self, name, namespace=None, cluster=None):
        """Writes the user's kubeconfig: one context, of a cluster that is not there unless one is given."""
        context = {"cluster": name, "user": name} | ({"namespace": namespace} if namespace else {})
        config = {"apiVersion": "v1", "kind": "Config", "contexts": [{"name": name, "context": context}],
                  "clusters": [{"name": name, "cluster": cluster or {"server": NOWHERE}}], "users": [{"name": name, "user": {"token": TOKEN}}]}
        self.kubeconfig.write_text(f"current-context: {name}\n" + yaml.safe_dump(config), encoding="utf-8")

    def forget_calls(self):
        """Drops what the stand-ins recorded; their answers stay."""
        for path in (self.root / "calls").iterdir():
            path.unlink()

    def run(self, *argv, cwd=None, timeout=120):
        """Runs a program here (in `home` unless cwd says else), with no terminal and nothing on standard input.

        Returns a subprocess.CompletedProcess of text; after `timeout` seconds it kills the whole session and raises.
        """
        argv = [os.fspath(arg) for arg in argv]
        with subprocess.Popen(argv, env=self.env, cwd=cwd or self.root / "home", stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
                              errors="surrogateescape", start_new_session=True) as process:
            try:
                stdout, stderr = process.communicate(timeout=timeout)
            except BaseException:
                os.killpg(process.pid, signal.SIGKILL)  # the session is ours alone; a child may hold the pipes open
                raise
        return subprocess.CompletedProcess(argv, process.returncode, stdout, stderr)

    def run_script(self, path, *args, cwd=None, timeout=600):
        """Runs a bash script from a file; see run."""
        return self.run(BASH, Path(path).resolve(), *args, cwd=cwd, timeout=timeout)
