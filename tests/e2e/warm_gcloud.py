"""The real gcloud without its start: one process imports it, and a fork of that process runs each command.

    text = warm_gcloud.client()     # a program that behaves as gcloud does; None where gcloud is not laid out as Google's packages are

gcloud needs a second to import its modules, and the scripts of these tests call it two thousand times. A client hands its arguments,
environment, folder and standard streams over a socket; the fork takes them before any of gcloud's code runs for the command.
test_fake.py compares the two.
"""
import array
import atexit
import functools
import importlib
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile

CLIENT = """\
#!{python} -IS
import array, json, os, signal, socket, sys
server = socket.socket(socket.AF_UNIX)
server.connect({path!r})
server.sendmsg([b"."], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [0, 1, 2]))])
wish = [list(map(os.fsencode, sys.argv[1:])), [part for item in os.environb.items() for part in item], os.fsencode(os.getcwd())]
server.sendall(json.dumps([[part.decode("latin-1") for part in parts] if isinstance(parts, list) else parts.decode("latin-1") for parts in wish]).encode() + b"\\n")
answers = server.makefile("r")
worker = int(answers.readline())
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    signal.signal(number, lambda number, frame: os.kill(worker, number))
status = int(answers.readline())
if status < 0:
    signal.signal(-status, signal.SIG_DFL)
    os.kill(os.getpid(), -status)
sys.exit(status)
"""

# What the scripts' commands import, so that a fork need not.
MODULES = """
googlecloudsdk.gcloud_main
googlecloudsdk.api_lib.container.api_adapter
googlecloudsdk.command_lib.container.container_command_util
googlecloudsdk.api_lib.compute.base_classes
googlecloudsdk.api_lib.services.serviceusage
googlecloudsdk.generated_clients.apis.container.v1.container_v1_client
googlecloudsdk.generated_clients.apis.container.v1.resources
googlecloudsdk.generated_clients.apis.compute.v1.compute_v1_client
googlecloudsdk.generated_clients.apis.compute.v1.resources
""".split()


@functools.cache
def client():
    """Starts the one process, which ends with this one."""
    root = pathlib.Path(shutil.which("gcloud")).resolve().parents[1]
    bundled = root / "platform/bundledpythonunix/bin/python3"
    python = os.environ.get("CLOUDSDK_PYTHON") or (bundled if bundled.exists() else "python3")
    if not (root / "lib/googlecloudsdk").is_dir():
        return None
    folder = tempfile.TemporaryDirectory(prefix="flexslice-gcloud-")
    path = f"{folder.name}/socket"
    server = subprocess.Popen([python, __file__, path], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              env={"PATH": os.environ["PATH"], "HOME": folder.name, "CLOUDSDK_CONFIG": folder.name,
                                   "CLOUDSDK_ROOT_DIR": str(root), "PYTHONIOENCODING": "UTF-8"})

    @atexit.register
    def stop():
        server.kill()
        server.wait()
        server.stdout.close()
        folder.cleanup()
    if server.stdout.readline() != b"ready\n":
        return None
    return CLIENT.format(python=sys.executable, path=path)


def serve(path):
    """Runs in gcloud's own Python."""
    root = pathlib.Path(os.environ["CLOUDSDK_ROOT_DIR"])
    sys.path[:0] = [str(root / "lib/third_party"), str(root / "lib")]
    for name in MODULES:
        importlib.import_module(name)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen(64)
    print("ready", flush=True)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while True:
        connection, _ = listener.accept()
        if os.fork() == 0:
            listener.close()
            handle(connection)
        connection.close()


def handle(connection):
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    streams = array.array("i")
    _, [(_, _, data)], *_ = connection.recvmsg(1, socket.CMSG_SPACE(3 * streams.itemsize))
    streams.frombytes(data)
    with connection.makefile("rwb") as channel:
        argv, environment, folder = json.loads(channel.readline())
        worker = os.fork()
        if worker == 0:
            work(streams, argv, environment, folder)
        channel.write(b"%d\n" % worker)
        channel.flush()
        status = os.waitstatus_to_exitcode(os.waitpid(worker, 0)[1])
        try:
            channel.write(b"%d\n" % status)
            channel.flush()
        except BrokenPipeError:
            pass  # the client was killed
    os._exit(0)


def work(streams, argv, environment, folder):
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
    os.closerange(3, 64)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environb.clear()
    words = [word.encode("latin-1") for word in environment]
    os.environb.update(zip(words[::2], words[1::2]))
    os.chdir(folder.encode("latin-1"))
    sys.argv = ["gcloud", *(os.fsdecode(word.encode("latin-1")) for word in argv)]
    import googlecloudsdk.gcloud_main
    status = 1
    try:
        status = googlecloudsdk.gcloud_main.main() or 0
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


if __name__ == "__main__":
    serve(sys.argv[1])
