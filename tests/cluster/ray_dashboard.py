"""Ray's dashboard of every RayCluster, where no Ray runs: KubeRay's requests come here through its proxy variable.

Every application of Serve runs as soon as KubeRay asks, so that a RayService becomes ready and goes on to its second cluster.
"""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

SERVE = {"applications": {"app": {"name": "app", "status": "RUNNING", "deployments": {}}}}
ANSWERS = {("GET", "/api/serve/applications/"): json.dumps(SERVE), ("PUT", "/api/serve/applications/"): "{}", ("GET", "/-/healthz"): "success"}


class Handler(BaseHTTPRequestHandler):
    def _answer(self):
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        text = ANSWERS.get((self.command, urlsplit(self.path).path))
        self.send_response(200 if text else 502)
        self.end_headers()
        self.wfile.write((text or "").encode())

    do_GET = do_PUT = do_POST = _answer

    def log_message(self, *_):
        pass


def start(stack):
    """Starts it until the stack of contexts closes; returns its URL."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.1,), daemon=True).start()
    stack.callback(server.server_close)
    stack.callback(server.shutdown)
    return f"http://127.0.0.1:{server.server_address[1]}"
