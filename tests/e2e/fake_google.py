#!/usr/bin/env python3
"""A stateful fake of the Google APIs on loopback, enough for gcloud to run the generated scripts.

It answers the parts of five APIs that the scripts use:
  container     clusters and node pools: create, list, get, delete; updates of node pools, as sent; operations, which are always DONE
  serviceusage  services: get, list, enable, batchEnable
  compute       resource policies: insert, aggregated and regional list, get, delete; operations, always DONE;
                regions: get, with their quotas; reservations: aggregated list; proxy-only subnets: regional list
  cloudquotas   quota infos: get
  storage       buckets: get
Anything else is answered 404 and noted in `unknown`.  A request that was meant for another host (it comes in through
the proxy variables that sandbox.py sets) is answered 502 and noted in `escapes`.

    with FakeGoogle() as fake:
        fake.add_cluster("c", "us-east5")
        ...run gcloud against http://127.0.0.1:{fake.port}/ ...
        fake.sent("POST", "/nodePools$")     # the JSON bodies that arrived

State is plain dicts, keyed by resource name as Google writes it; tests may read and change them at any time:
  clusters    projects/P/locations/L/clusters/C
  node_pools  projects/P/locations/L/clusters/C/nodePools/N
  policies    projects/P/regions/R/resourcePolicies/N
  services    projects/P/services/S.googleapis.com  ->  "ENABLED"; a service that is absent is DISABLED
  quotas      projects/P/regions/R  ->  [{metric, limit, usage}]
  quota_infos projects/P/locations/global/services/S/quotaInfos/ID  ->  its dimensionsInfos
  reservations projects/P/zones/Z/reservations/N
  proxy_networks  R  ->  networks with a proxy-only subnet there
  buckets     names of buckets
  hierarchical  names of those with a hierarchical namespace

What was sent is stored and echoed as it is, with the few output fields gcloud needs (status, selfLink, ...) beside it.
Errors have the code, message and status of the real APIs.  The fake validates almost nothing; only order is strict: a
node pool needs its cluster and its placement policy, and a policy that a node pool uses cannot be deleted.  (These two
policy rules are strictness of ours; whether and how Google objects was not observed.)

As a program it prints its port on the first line, then each request as a line of JSON.
"""

import contextlib
import copy
import itertools
import json
import re
import sys
import threading
from dataclasses import asdict, dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote, urlsplit

PROJECT = "test-project"
GKE_VERSION = "1.34.1-gke.2000000"
STATUS_NAMES = {400: "INVALID_ARGUMENT", 403: "PERMISSION_DENIED", 404: "NOT_FOUND", 409: "ALREADY_EXISTS",
                429: "RESOURCE_EXHAUSTED", 500: "INTERNAL", 503: "UNAVAILABLE"}


class ApiError(Exception):
    """An answer with an error body; `reason` is the word that Compute Engine adds."""

    def __init__(self, code, message, reason="badRequest"):
        super().__init__(message)
        self.code, self.message, self.reason = code, message, reason

    def body(self):
        return {"error": {"code": self.code, "message": self.message,
                          "errors": [{"message": self.message, "domain": "global", "reason": self.reason}],
                          "status": STATUS_NAMES.get(self.code, "UNKNOWN")}}


@dataclass(frozen=True)
class Request:
    """One request as it arrived: path without query, body parsed (None if empty), status of the answer."""
    method: str
    path: str
    query: str
    body: object
    status: int


@dataclass
class Failure:
    """An error that the next `times` matching requests get; see FakeGoogle.fail_next."""
    method: str
    path: re.Pattern
    error: ApiError
    times: int


def region_of(location):
    """us-east5 and us-east5-b both lie in us-east5."""
    return "-".join(location.split("-")[:2])


class FakeGoogle:
    """The server and its state.  A context manager: it listens on 127.0.0.1:`port` inside the with block."""

    def __init__(self, on_request=None):
        self.clusters, self.node_pools, self.policies, self.services = {}, {}, {}, {}
        self.quotas, self.quota_infos, self.reservations = {}, {}, {}
        self.proxy_networks = {}  # those with a proxy-only subnet, by region
        self.buckets, self.hierarchical = set(), set()
        self.requests, self.unknown, self.escapes = [], [], []
        self.control_plane = {"endpoint": "192.0.2.1", "masterAuth": {"clusterCaCertificate": "Y2VydGlmaWNhdGU="}}
        self._on_request = on_request or (lambda request: None)
        self._failures, self._operation_errors, self._operations = [], [], {}
        self._operation_numbers, self._lock = itertools.count(1), threading.Lock()
        self._server = Server(("127.0.0.1", 0), type("BoundHandler", (Handler,), {"fake": self}))
        self.port = self._server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}"

    def __enter__(self):
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *exception):
        self._server.shutdown()
        self._server.server_close()

    # What tests call.

    def add_cluster(self, name, location, project=PROJECT, **fields):
        """Puts a running cluster into the state and returns its dict."""
        key = f"projects/{project}/locations/{location}/clusters/{name}"
        self.clusters[key] = {
            "name": name, "location": location, "zone": location, "selfLink": f"{self.url}/v1/{key}",
            "currentMasterVersion": GKE_VERSION, "currentNodeVersion": GKE_VERSION, "status": "RUNNING",
            **self.control_plane} | fields
        return self.clusters[key]

    def add_node_pool(self, name, cluster, location, project=PROJECT, **fields):
        """Puts a running node pool into the state, whether or not its cluster is there, and returns its dict."""
        key = f"projects/{project}/locations/{location}/clusters/{cluster}/nodePools/{name}"
        self.node_pools[key] = {"name": name, "selfLink": f"{self.url}/v1/{key}", "version": GKE_VERSION,
                                "status": "RUNNING",
                                "instanceGroupUrls": [f"{self.url}/compute/v1/projects/{project}/zones/{zone}/instanceGroupManagers/gke-{cluster}-{name}"
                                                      for zone in fields.get("locations", [])]} | fields
        return self.node_pools[key]

    def add_policy(self, name, region, project=PROJECT, **fields):
        """Puts a resource policy into the state and returns its dict."""
        key = f"projects/{project}/regions/{region}/resourcePolicies/{name}"
        self.policies[key] = {"kind": "compute#resourcePolicy", "name": name, "status": "READY",
                              "region": f"{self.url}/compute/v1/projects/{project}/regions/{region}",
                              "selfLink": f"{self.url}/compute/v1/{key}"} | fields
        return self.policies[key]

    def add_quota(self, metric, region, limit, usage=0, project=PROJECT):
        """Puts a quota into those that the region lists."""
        self.quotas.setdefault(f"projects/{project}/regions/{region}", []).append(
            {"metric": metric, "limit": float(limit), "usage": float(usage)})

    def add_quota_info(self, quota, rows, project=PROJECT):
        """Puts a quota into those of Compute Engine; the rows are (dimensions, value, locations)."""
        key = f"projects/{project}/locations/global/services/compute.googleapis.com/quotaInfos/{quota}"
        self.quota_infos[key] = [{"dimensions": dimensions, "details": {"value": str(value)} if value is not None else {},
                                  "applicableLocations": locations} for dimensions, value, locations in rows]

    def add_reservation(self, name, zone, project=PROJECT, **fields):
        """Puts a reservation into the state and returns its dict."""
        key = f"projects/{project}/zones/{zone}/reservations/{name}"
        self.reservations[key] = {"name": name, "zone": f"{self.url}/compute/v1/projects/{project}/zones/{zone}",
                                  "status": "READY", "selfLink": f"{self.url}/compute/v1/{key}"} | fields
        return self.reservations[key]

    def fail_next(self, method, path_regex, status, message, times=1):
        """The next `times` requests that match get this error and change nothing.

        gcloud itself repeats a POST that gets 429 or 500, five times in about 36 s; 400, 403 and 503 fail at once.
        """
        self._failures.append(Failure(method, re.compile(path_regex), ApiError(status, message), times))

    def fail_operation(self, message):
        """The next container operation ends with this error.  The fake leaves what it has done."""
        self._operation_errors.append({"statusMessage": message, "error": {"code": 8, "message": message}})

    def sent(self, method, path_regex):
        """The bodies of the requests with this method whose path matches, in order."""
        return [r.body for r in self.requests if r.method == method and re.search(path_regex, r.path)]

    def reset(self):
        """Forgets state, records and pending failures; the server stays up."""
        for container in (self.clusters, self.node_pools, self.policies, self.services, self.quotas, self.quota_infos,
                          self.reservations, self.proxy_networks, self.buckets, self.hierarchical, self.requests, self.unknown, self.escapes, self._failures, self._operation_errors, self._operations):
            container.clear()

    # What the HTTP handler calls.

    def answer(self, method, path, query, body):
        """The status and JSON body for one request, which is recorded."""
        with self._lock:
            sent = copy.deepcopy(body)  # the record stays as it was when tests change the state
            try:
                status, result = 200, self._route(method, path, body or {})
            except ApiError as error:
                status, result = error.code, error.body()
            self.requests.append(Request(method, path, query, sent, status))
            self._on_request(self.requests[-1])
            return status, result

    def _route(self, method, path, body):
        for failure in self._failures:
            if failure.times > 0 and failure.method == method and failure.path.search(path):
                failure.times -= 1
                raise failure.error
        for route_method, pattern, function in ROUTES:
            match = pattern.fullmatch(path) if method == route_method else None
            if match:
                return function(self, match, body)
        self.unknown.append(f"{method} {path}")
        raise ApiError(404, "Method not found.", "notFound")

    # container

    def _create_cluster(self, match, body):
        cluster = dict(body["cluster"])
        key = f"{match['parent']}/clusters/{cluster['name']}"
        self._must_be_absent(self.clusters, key)
        where = {"project": match["project"], "location": match["location"]}
        for pool in cluster.pop("nodePools", []):
            self.add_node_pool(cluster=cluster["name"], **where, **pool)
        network = {"network": f"projects/{match['project']}/global/networks/default"}  # what GKE fills in
        self.add_cluster(**where, **cluster | {"networkConfig": network | cluster.get("networkConfig", {})})
        return self._container_operation(match, "CREATE_CLUSTER", key)

    def _list_clusters(self, match, _):
        pattern = re.escape(match["parent"]).replace("/locations/\\-", "/locations/[^/]+")
        return {"clusters": [self._whole_cluster(key) for key in self.clusters
                             if re.fullmatch(f"{pattern}/clusters/[^/]+", key)]}

    def _get_cluster(self, match, _):
        self._must_exist(self.clusters, match["key"])
        return self._whole_cluster(match["key"])

    def _delete_cluster(self, match, _):
        self._must_exist(self.clusters, match["key"])
        del self.clusters[match["key"]]
        for key in self._pools_of(match["key"]):
            del self.node_pools[key]
        return self._container_operation(match, "DELETE_CLUSTER", match["key"])

    def _create_node_pool(self, match, body):
        pool = body["nodePool"]
        key = f"{match['parent']}/nodePools/{pool['name']}"
        self._must_exist(self.clusters, match["parent"])
        self._must_be_absent(self.node_pools, key)
        policy = pool.get("placementPolicy", {}).get("policyName")
        if policy and self._policy_key(key, policy) not in self.policies:
            raise ApiError(400, f"Placement policy not found: {self._policy_key(key, policy)}.")
        self.add_node_pool(cluster=match["cluster"], location=match["location"], project=match["project"], **pool)
        return self._container_operation(match, "CREATE_NODE_POOL", key)

    def _list_node_pools(self, match, _):
        self._must_exist(self.clusters, match["parent"])
        return {"nodePools": [self.node_pools[key] for key in self._pools_of(match["parent"])]}

    def _get_node_pool(self, match, _):
        self._must_exist(self.clusters, match["parent"])
        return self._must_exist(self.node_pools, match["key"])

    def _list_instance_groups(self, match, _):
        """How many nodes the pools have, for a client that counts them: those that they were created with."""
        return {"items": [{"name": url.split("/")[-1], "selfLink": url, "targetSize": pool.get("initialNodeCount", 0)}
                          for pool in self.node_pools.values() for url in pool["instanceGroupUrls"] if f"/{match['zone']}/" in url]}

    def _get_project(self, match, _):
        return {"projectId": match["project"], "projectNumber": "1", "lifecycleState": "ACTIVE"}

    def _delete_node_pool(self, match, _):
        self._get_node_pool(match, _)
        del self.node_pools[match["key"]]
        return self._container_operation(match, "DELETE_NODE_POOL", match["key"])

    def _update_cluster(self, match, body):
        """The one change of a cluster that `node-pools update` makes."""
        change = body["update"]
        pool = self._must_exist(self.node_pools, f"{match['key']}/nodePools/{change['desiredNodePoolId']}")
        pool["autoscaling"] = change["desiredNodePoolAutoscaling"]
        return self._container_operation(match, "UPDATE_CLUSTER", match["key"])

    def _update_node_pool(self, match, body):
        pool = self._must_exist(self.node_pools, match["key"])
        pool.update({key: value for key, value in body.items() if key != "name"})
        pool["initialNodeCount"] = body.get("nodeCount", pool.get("initialNodeCount"))  # which GKE changes with the size
        return self._container_operation(match, "UPDATE_CLUSTER", match["key"])

    def _get_container_operation(self, match, _):
        return self._must_exist(self._operations, match["operation"])

    def _container_operation(self, match, kind, target):
        operation = {"name": f"operation-{next(self._operation_numbers)}", "zone": match["location"],
                     "operationType": kind, "status": "DONE", "targetLink": f"{self.url}/v1/{target}"}
        self._operations[operation["name"]] = operation | (self._operation_errors.pop(0) if self._operation_errors else {})
        return operation

    def _whole_cluster(self, key):
        return self.clusters[key] | {"nodePools": [self.node_pools[pool] for pool in self._pools_of(key)]}

    def _pools_of(self, cluster_key):
        return [key for key in self.node_pools if key.startswith(f"{cluster_key}/nodePools/")]

    @staticmethod
    def _policy_key(pool_key, policy):
        _, project, _, location = pool_key.split("/")[:4]
        return f"projects/{project}/regions/{region_of(location)}/resourcePolicies/{policy.split('/')[-1]}"

    @staticmethod
    def _must_exist(resources, key):
        if key not in resources:
            raise ApiError(404, f"Not found: {key}.", "notFound")
        return resources[key]

    @staticmethod
    def _must_be_absent(resources, key):
        if key in resources:
            raise ApiError(409, f"Already exists: {key}.", "alreadyExists")

    # serviceusage

    def _get_service(self, match, _):
        return {"name": match["key"], "parent": match["parent"], "state": self.services.get(match["key"], "DISABLED")}

    def _enable_service(self, match, _):
        self.services[match["key"]] = "ENABLED"
        return {"name": "operations/noop.DONE_OPERATION", "done": True, "response": {}}

    def _enable_services(self, match, body):
        for service in body.get("serviceIds", []):
            self.services[f"{match['parent']}/services/{service}"] = "ENABLED"
        return {"name": "operations/noop.DONE_OPERATION", "done": True, "response": {}}

    def _list_services(self, match, _):
        return {"services": [{"name": key, "config": {"name": key.split("/")[-1]}, "state": state}
                             for key, state in self.services.items() if key.startswith(f"{match['parent']}/")]}

    # cloudquotas and storage

    def _get_quota_info(self, match, _):
        return {"name": match["key"], "quotaId": match["quota"], "dimensionsInfos": self._must_exist(self.quota_infos, match["key"])}

    def _get_bucket(self, match, _):
        if match["bucket"] not in self.buckets:
            raise ApiError(404, "The specified bucket does not exist.", "notFound")
        return {"kind": "storage#bucket", "id": match["bucket"], "name": match["bucket"],
                "hierarchicalNamespace": {"enabled": match["bucket"] in self.hierarchical}}

    # compute

    def _get_region(self, match, _):
        return {"kind": "compute#region", "name": match["region"], "quotas": self.quotas.get(match["parent"], [])}

    def _list_subnets(self, match, _):
        networks = self.proxy_networks.get(match["region"], [])
        return {"items": [{"name": f"proxies-of-{network}", "purpose": "REGIONAL_MANAGED_PROXY", "region": f"{self.url}/compute/v1/{match['parent']}",
                           "network": f"{self.url}/compute/v1/projects/{match['project']}/global/networks/{network}"} for network in networks]}

    def _aggregated_reservations(self, match, _):
        zones = {}
        for key, reservation in self.reservations.items():
            _, project, _, zone = key.split("/")[:4]
            if project == match["project"]:
                zones.setdefault(f"zones/{zone}", {"reservations": []})["reservations"].append(reservation)
        return {"items": zones}

    def _insert_policy(self, match, body):
        key = f"{match['parent']}/resourcePolicies/{body['name']}"
        if key in self.policies:
            raise ApiError(409, f"The resource '{key}' already exists", "alreadyExists")
        self.add_policy(**body | {"region": match["region"], "project": match["project"]})
        return self._compute_operation(match, "insert", key)

    def _list_policies(self, match, _):
        return {"items": [policy for key, policy in self.policies.items() if key.startswith(f"{match['parent']}/")]}

    def _aggregated_policies(self, match, _):
        regions = {}
        for key, policy in self.policies.items():
            _, project, _, region = key.split("/")[:4]
            if project == match["project"]:
                regions.setdefault(f"regions/{region}", {"resourcePolicies": []})["resourcePolicies"].append(policy)
        return {"items": regions}

    def _get_policy(self, match, _):
        if match["key"] not in self.policies:
            raise ApiError(404, f"The resource '{match['key']}' was not found", "notFound")
        return self.policies[match["key"]]

    def _delete_policy(self, match, _):
        self._get_policy(match, _)
        for key, pool in self.node_pools.items():
            policy = pool.get("placementPolicy", {}).get("policyName")
            if policy and self._policy_key(key, policy) == match["key"]:
                raise ApiError(400, f"The resource_policy resource '{match['key']}' is already being used by '{key}'",
                               "resourceInUseByAnotherResource")
        del self.policies[match["key"]]
        return self._compute_operation(match, "delete", match["key"])

    def _get_compute_operation(self, match, _):
        return {"kind": "compute#operation", "name": match["operation"], "status": "DONE"}

    def _compute_operation(self, match, kind, target):
        name = f"operation-{next(self._operation_numbers)}"
        base = f"{self.url}/compute/v1"
        return {"kind": "compute#operation", "name": name, "operationType": kind, "status": "DONE",
                "region": f"{base}/{match['parent']}", "selfLink": f"{base}/{match['parent']}/operations/{name}",
                "targetLink": f"{base}/{target}"}


_PROJECT = r"projects/(?P<project>[^/:]+)"
_LOCATION = _PROJECT + r"/locations/(?P<location>[^/:]+)"
_CLUSTER = _LOCATION + r"/clusters/(?P<cluster>[^/:]+)"
_POOLS = rf"(?P<parent>{_CLUSTER})/nodePools"
_REGION = rf"(?P<parent>{_PROJECT}/regions/(?P<region>[^/:]+))"
_POLICIES = _REGION + r"/resourcePolicies"
_GKE, _USAGE, _COMPUTE = r"/v1(?:alpha1|beta1)?", r"/v1", r"/compute/v1"

# Method, path, function.  `key` is the name of the resource in the state, `parent` that of what it lies in.
ROUTES = [(method, re.compile(path), function) for method, path, function in (
    ("POST", rf"{_GKE}/(?P<parent>{_LOCATION})/clusters", FakeGoogle._create_cluster),
    ("GET", rf"{_GKE}/(?P<parent>{_LOCATION})/clusters", FakeGoogle._list_clusters),
    ("GET", rf"{_GKE}/(?P<key>{_CLUSTER})", FakeGoogle._get_cluster),
    ("DELETE", rf"{_GKE}/(?P<key>{_CLUSTER})", FakeGoogle._delete_cluster),
    ("POST", rf"{_GKE}/{_POOLS}", FakeGoogle._create_node_pool),
    ("GET", rf"{_GKE}/{_POOLS}", FakeGoogle._list_node_pools),
    ("GET", rf"{_GKE}/(?P<key>{_POOLS}/[^/:]+)", FakeGoogle._get_node_pool),
    ("DELETE", rf"{_GKE}/(?P<key>{_POOLS}/[^/:]+)", FakeGoogle._delete_node_pool),
    ("PUT", rf"{_GKE}/(?P<key>{_CLUSTER})", FakeGoogle._update_cluster),
    ("PUT", rf"{_GKE}/(?P<key>{_POOLS}/[^/:]+)", FakeGoogle._update_node_pool),
    ("POST", rf"{_GKE}/(?P<key>{_POOLS}/[^/:]+):set(?:Management|Size)", FakeGoogle._update_node_pool),
    ("GET", rf"{_GKE}/{_LOCATION}/operations/(?P<operation>[^/:]+)", FakeGoogle._get_container_operation),
    ("GET", rf"{_USAGE}/(?P<key>(?P<parent>{_PROJECT})/services/[^/:]+)", FakeGoogle._get_service),
    ("GET", rf"{_USAGE}/(?P<parent>{_PROJECT})/services", FakeGoogle._list_services),
    ("GET", rf"/v1(?:beta)?/(?P<key>{_PROJECT}/locations/global/services/[^/]+/quotaInfos/(?P<quota>[^/]+))", FakeGoogle._get_quota_info),
    ("GET", r"/storage/v1/b/(?P<bucket>[^/]+)", FakeGoogle._get_bucket),
    ("GET", rf"{_COMPUTE}/{_REGION}", FakeGoogle._get_region),
    ("GET", rf"{_COMPUTE}/{_PROJECT}/(?P<zone>zones/[^/]+)/instanceGroupManagers", FakeGoogle._list_instance_groups),
    ("GET", rf"/v1/{_PROJECT}", FakeGoogle._get_project),
    ("GET", rf"{_COMPUTE}/{_PROJECT}/aggregated/reservations", FakeGoogle._aggregated_reservations),
    ("GET", rf"{_COMPUTE}/{_REGION}/subnetworks", FakeGoogle._list_subnets),
    ("POST", rf"{_USAGE}/(?P<key>{_PROJECT}/services/[^/:]+):enable", FakeGoogle._enable_service),
    ("POST", rf"{_USAGE}/(?P<parent>{_PROJECT})/services:batchEnable", FakeGoogle._enable_services),
    ("POST", rf"{_COMPUTE}/{_POLICIES}", FakeGoogle._insert_policy),
    ("GET", rf"{_COMPUTE}/{_POLICIES}", FakeGoogle._list_policies),
    ("GET", rf"{_COMPUTE}/{_PROJECT}/aggregated/resourcePolicies", FakeGoogle._aggregated_policies),
    ("GET", rf"{_COMPUTE}/(?P<key>{_POLICIES}/[^/:]+)", FakeGoogle._get_policy),
    ("DELETE", rf"{_COMPUTE}/(?P<key>{_POLICIES}/[^/:]+)", FakeGoogle._delete_policy),
    ("GET", rf"{_COMPUTE}/{_REGION}/operations/(?P<operation>[^/:]+)", FakeGoogle._get_compute_operation),
    ("POST", rf"{_COMPUTE}/{_REGION}/operations/(?P<operation>[^/:]+)/wait", FakeGoogle._get_compute_operation),
)]


class Handler(BaseHTTPRequestHandler):
    """HTTP in, HTTP out; everything else is FakeGoogle.answer."""

    fake = None  # set by FakeGoogle, one subclass a server
    protocol_version = "HTTP/1.1"

    def _handle(self):
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        url = urlsplit(self.path)
        if self.command == "CONNECT" or (url.netloc and url.netloc != f"127.0.0.1:{self.fake.port}"):
            self.fake.escapes.append(f"{self.command} {self.path}")
            status, result = 502, {"error": {"code": 502, "message": f"no way out to {self.path}"}}
        else:
            body = json.loads(raw) if raw else None
            status, result = self.fake.answer(self.command, unquote(url.path), url.query, body)
        data = json.dumps(result).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json; charset=UTF-8")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_CONNECT = _handle

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    """One thread a connection.  A client that hangs up is no news; any other error here is our bug and shows."""

    daemon_threads = True

    def handle_error(self, request, client_address):
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


def main():
    with (FakeGoogle(lambda request: print(json.dumps(asdict(request)), flush=True)) as fake,
          contextlib.suppress(KeyboardInterrupt)):
        print(fake.port, flush=True)
        threading.Event().wait()


if __name__ == "__main__":
    main()
