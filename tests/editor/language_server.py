"""Speaks with a language server over its standard streams, as an editor does."""
import json
import os
import pathlib
import shutil
import subprocess
import threading
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]

PATIENCE = 120  # seconds of a server's life; a test that waits longer gets an EOFError


def npm_folder(name, package):
    """Where npm has installed the package, once, in the build tree."""
    home = pathlib.Path(os.environ.get("FLEXSLICE_BUILD", ROOT / "build/dev")) / name
    if not shutil.which("node") or not shutil.which("npm"):
        raise unittest.SkipTest("node and npm are not there")
    # npm may have no network.
    if not (home / "node_modules" / package.rpartition("@")[0]).exists():
        words = ["npm", "install", "--prefix", str(home), "--no-audit", "--no-fund", "--fetch-retries=1", package]
        try:
            subprocess.run(words, check=True, capture_output=True, timeout=120)
        except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
            shutil.rmtree(home, ignore_errors=True)
            raise unittest.SkipTest(f"npm cannot install {package}") from error
    return home


class LanguageServer:
    def __init__(self, command, root, settings):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.end = threading.Timer(PATIENCE, self.process.kill)
        self.end.start()
        self.settings = settings
        self.last_id = 0
        self.diagnostics = {}
        self.request("initialize", {
            "processId": None,
            "rootUri": root.as_uri(),
            "workspaceFolders": [{"uri": root.as_uri(), "name": "specs"}],
            "capabilities": {
                "workspace": {"configuration": True, "workspaceFolders": True},
                "textDocument": {
                    "completion": {"completionItem": {"documentationFormat": ["markdown"], "snippetSupport": True}},
                    "hover": {"contentFormat": ["markdown"]},
                    "publishDiagnostics": {},
                },
            },
        })
        self.notify("initialized", {})
        self.notify("workspace/didChangeConfiguration", {"settings": settings})

    def close(self):
        self.end.cancel()
        self.process.kill()
        self.process.communicate()

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def receive(self):
        length = None
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise EOFError("the language server has ended")
            if not line.strip():
                break
            name, value = line.decode().split(":", 1)
            if name.lower() == "content-length":
                length = int(value)
        return json.loads(self.process.stdout.read(length))

    def handle(self, message):
        """What the server asks or tells by itself."""
        if message.get("method") == "workspace/configuration":
            sections = [item.get("section", "").split(".")[0] for item in message["params"]["items"]]
            self.send({"id": message["id"], "result": [self.settings.get(section, {}) for section in sections]})
        elif message.get("method") == "textDocument/publishDiagnostics":
            self.diagnostics[message["params"]["uri"]] = message["params"]["diagnostics"]
        elif "id" in message and "method" in message:
            self.send({"id": message["id"], "result": None})

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def request(self, method, params):
        self.last_id += 1
        self.send({"id": self.last_id, "method": method, "params": params})
        while True:
            message = self.receive()
            if message.get("id") == self.last_id and "method" not in message:
                if "error" in message:
                    raise RuntimeError(message["error"]["message"])
                return message["result"]
            self.handle(message)

    def open(self, path, text):
        """Opens a document that need not be on disk, and returns its address."""
        uri = path.as_uri()
        self.notify("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "yaml", "version": 1, "text": text}})
        return uri

    def wait_for_findings(self, uri):
        """In a bad document there are none before the server has all settings and the schema."""
        while not self.diagnostics.get(uri):
            self.handle(self.receive())

    def findings(self, uri):
        """(line from 1, message) of all findings in the document, once the server has spoken."""
        while uri not in self.diagnostics:
            self.handle(self.receive())
        return [(each["range"]["start"]["line"] + 1, each["message"]) for each in self.diagnostics[uri]]

    def at(self, method, uri, line, character):
        return self.request(f"textDocument/{method}", {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}})

    def completions(self, uri, line, character):
        """Label -> (text it inserts, documentation)."""
        result = self.at("completion", uri, line, character)
        items = result["items"] if isinstance(result, dict) else result or []
        found = {}
        for item in items:
            words = item.get("documentation") or ""
            found[item["label"]] = (item.get("textEdit", {}).get("newText") or item["insertText"],
                                    words["value"] if isinstance(words, dict) else words)
        return found

    def hover(self, uri, line, character):
        result = self.at("hover", uri, line, character)
        return "" if result is None else result["contents"]["value"]
