"""flexslice mcp, by messages written by hand: both eras of the protocol, every tool, long answers, bad input, many calls."""
import json
import os
import pathlib
import subprocess
import tempfile
import time
import unittest

try:
    import jsonschema
except ImportError:
    jsonschema = None
from assistant import CAPABILITIES, FLEXSLICE, META, ROOT, VERSION, call, example, named, request, talk, text

SPEC = example("multi-host/spec.yaml")
JOB = example("multi-host/expected/manifests.yaml")
TOOLS = ["check", "compile", "lint", "import", "explain", "catalog", "diff"]
HELLO = request(0, "initialize", None, protocolVersion="2025-11-25", capabilities={}, clientInfo={"name": "test", "version": "1"})


def setUpModule():
    if jsonschema is None:
        reason = "Python's jsonschema is not installed"
        raise AssertionError(reason) if os.environ.get("CI") else unittest.SkipTest(reason)


def program(*words, **files):
    """stdout of the program, about files of that name."""
    with tempfile.TemporaryDirectory() as folder:
        for name, value in files.items():
            (pathlib.Path(folder) / name).write_text(value)
        return subprocess.run([FLEXSLICE, *words], cwd=folder, capture_output=True, text=True, check=False).stdout


def codes(messages):
    return [(message.get("id"), message["error"]["code"]) for message in messages if "error" in message]


class Protocol(unittest.TestCase):
    def test_a_client_that_initializes(self):
        for asked, agreed in {"2025-11-25": "2025-11-25", "2025-06-18": "2025-06-18", "2024-11-05": "2024-11-05",
                              "2025-03-26": "2024-11-05", "2099-01-01": "2025-11-25", "1999-01-01": "2025-11-25"}.items():
            hello = request("a", "initialize", None, protocolVersion=asked, capabilities={}, clientInfo={"name": "t", "version": "1"})
            first, tools = talk(hello, {"jsonrpc": "2.0", "method": "notifications/initialized"}, request(2, "tools/list", None))
            self.assertEqual("a", first["id"])
            self.assertEqual(agreed, first["result"]["protocolVersion"])
            self.assertEqual({"tools": {}, "resources": {}}, first["result"]["capabilities"])
            self.assertEqual("flexslice", first["result"]["serverInfo"]["name"])
            self.assertEqual(TOOLS, [tool["name"] for tool in tools["result"]["tools"]])
            self.assertEqual({"tools"}, set(tools["result"]))

    def test_a_client_that_does_not(self):
        discovered, tools, read = talk(request(1, "server/discover"), request(2, "tools/list"), request(3, "resources/read", uri="flexslice://language"))
        self.assertEqual(["2026-07-28"], discovered["result"]["supportedVersions"])
        for answer in (discovered, tools, read):
            self.assertEqual("complete", answer["result"]["resultType"])
            self.assertEqual("public", answer["result"]["cacheScope"])
            self.assertGreater(answer["result"]["ttlMs"], 0)
            self.assertEqual("flexslice", answer["result"]["_meta"]["io.modelcontextprotocol/serverInfo"]["name"])
        result = call("explain", topic="v6e")
        self.assertEqual("complete", result["resultType"])
        self.assertNotIn("ttlMs", result)

    def test_both_in_one_process(self):
        answers = talk(HELLO, request(1, "tools/list"), request(2, "tools/list", None), request(3, "ping", None))
        self.assertEqual([], codes(answers))
        self.assertEqual({}, answers[3]["result"])

    def test_versions_and_what_a_request_must_have(self):
        unknown, number, bare, lacking, early, ping = talk(
            request(1, "tools/list", {**META, VERSION: "2030-01-01"}), request(2, "tools/list", {**META, VERSION: 7}),
            request(3, "server/discover", None), request(4, "tools/list", {VERSION: "2026-07-28"}), request(5, "tools/list", None),
            request(6, "ping"))
        self.assertEqual({"supported": ["2026-07-28"], "requested": "2030-01-01"}, unknown["error"]["data"])
        self.assertEqual([-32022, -32602, -32602, -32602, -32602, -32601],
                         [each["error"]["code"] for each in (unknown, number, bare, lacking, early, ping)])
        self.assertIn(CAPABILITIES, lacking["error"]["message"])
        self.assertIn("initialize", early["error"]["message"])

    def test_malformed_messages(self):
        deep = b'{"jsonrpc":"2.0","id":9,"method":"tools/list","params":' + b"[" * 100000 + b"]" * 100000 + b"}\n"
        answers = talk(b"{nope\n", b"\xff\xfe\n", b"[]\n", b"7\n", b'{"id":null,"method":"ping"}\n', b'{"id":5}\n', b"\n \r\n", deep,
                       request(6, "nope"), request(7, "tools/call"), request(8, "tools/call", name="nope"),
                       request(9, "resources/read", uri="flexslice://nope"), request(10, "tools/list", cursor="x"),
                       request(11, "tools/call", name="check", arguments=7), b'{"jsonrpc":"2.0","method":"tools/list"}\n', b'{"result":1}\n')
        self.assertEqual([(None, -32700), (None, -32700), (None, -32600), (None, -32600), (None, -32600), (5, -32600), (None, -32700),
                          (6, -32601), (7, -32602), (8, -32602), (9, -32602), (10, -32602)], codes(answers))
        self.assertTrue(all("id" not in each or each["id"] is not None for each in answers))
        self.assertEqual("arguments must be an object", text(answers[-1]["result"]))
        self.assertEqual([(1, -32002)], codes(talk(HELLO, request(1, "resources/read", None, uri="flexslice://nope"))))

    def test_a_message_that_is_too_long(self):
        long = b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"' + b"x" * (33 << 20) + b'"}}\n'
        refused, tools = talk(long, request(2, "tools/list"))
        self.assertIn("32 MiB", refused["error"]["message"])
        self.assertEqual(2, tools["id"])

    def test_a_client_that_goes_away(self):
        for data in (b'{"jsonrpc":"2.0","id":1,"meth', b""):
            self.assertEqual([], talk(data))
        process = subprocess.Popen([FLEXSLICE, "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        process.stdout.close()
        process.stdin.write(json.dumps(request(1, "tools/list")).encode() + b"\n")
        process.stdin.close()
        self.assertEqual(b"", process.stderr.read())
        process.stderr.close()
        self.assertEqual(0, process.wait(60))


class Tools(unittest.TestCase):
    def test_definitions(self):
        answer, = talk(request(1, "tools/list"))
        for tool in answer["result"]["tools"]:
            self.assertEqual({"readOnlyHint": True, "destructiveHint": False, "idempotentHint": True, "openWorldHint": False}, tool["annotations"])
            self.assertFalse(tool["inputSchema"]["additionalProperties"])
            for schema in (tool["inputSchema"], tool.get("outputSchema", {})):
                jsonschema.Draft202012Validator.check_schema(schema)
        self.assertLess(len(json.dumps(answer)), 17000, "tools are in every context of an assistant")

    def test_answers_have_their_schema_and_that_of_findings(self):
        schemas = {tool["name"]: tool.get("outputSchema") for tool in talk(request(1, "tools/list"))[0]["result"]["tools"]}
        of_findings = json.loads(program("schema", "--findings"))
        jsonschema.Draft202012Validator.check_schema(of_findings)
        bad = SPEC.replace("4x4", "4x6")
        for tool, arguments in {
            "check": {"specs": named(a=bad)}, "compile": {"specs": named(a=bad, b=SPEC.replace("job-1", "job-2"))},
            "lint": {"files": named(job=JOB.replace("completions: 4", "completions: 2"))}, "import": {"files": named(job=JOB)},
            "explain": {"specs": named(a=SPEC)}, "catalog": {"list": "zones"}, "diff": {"old": named(a=SPEC), "new": named(a=SPEC.replace("4x4", "4x8"))},
        }.items():
            structured = call(tool, **arguments)["structuredContent"]
            jsonschema.validate(structured, {**schemas[tool], "additionalProperties": False} if tool != "catalog" else schemas[tool])
            jsonschema.validate(structured.get("findings", []), of_findings)

    def test_check_is_the_command(self):
        bad = SPEC.replace("4x4", "4x6")
        result = call("check", specs=[{"name": "spec.yaml", "text": bad}])
        structured = result["structuredContent"]
        self.assertEqual(json.loads(program("check", "--format", "json", "spec.yaml", **{"spec.yaml": bad})), structured["findings"])
        self.assertEqual((False, 1, 0, False), (structured["ok"], structured["count"], structured["leftOut"], result["isError"]))
        self.assertIn("the nearest are 4x4", text(result))
        self.assertEqual("1 spec: no findings\n", text(call("check", specs=[{"text": SPEC}])))

    def test_several_texts_defaults_and_values(self):
        cluster = "cluster: {name: other, location: us-east5}\n"
        bare = SPEC.replace("cluster:\n  name: my-cluster\n  location: us-east5\n", "")
        self.assertFalse(call("check", specs=[{"text": bare}])["structuredContent"]["ok"])
        arguments = {"specs": named(a=bare, b=bare.replace("job-1", "job-2")), "defaults": named(cluster=cluster)}
        result = call("compile", **arguments, emit=["provision"], set=["tpu.topology=4x8"])
        names = [workload["name"] for workload in result["structuredContent"]["workloads"]]
        self.assertEqual(["job-1", "job-2"], names)
        self.assertIn("--cluster=other", text(result))
        self.assertIn("--tpu-topology=4x8", text(result))
        conflict = call("check", specs=named(a=SPEC, b=SPEC))["structuredContent"]
        self.assertEqual(["b"], [finding["file"] for finding in conflict["findings"]])
        # A mistake in what all specs share is one.
        self.assertEqual(1, call("check", **{**arguments, "defaults": named(cluster=cluster + "nonsense: 1\n")})["structuredContent"]["count"])
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "cluster.yaml"
            file.write_text(cluster)
            answer, = talk(request(1, "tools/call", name="check", arguments={"specs": named(a=bare)}), arguments=["--defaults", str(file)])
            self.assertTrue(answer["result"]["structuredContent"]["ok"])

    def test_compile(self):
        result = call("compile", specs=[{"name": "spec.yaml", "text": SPEC}])
        file, = result["structuredContent"]["workloads"][0]["files"]
        self.assertEqual({"emit": "manifests", "name": "manifests.yaml", "bytes": len(JOB.encode()), "text": JOB}, file)
        self.assertIn(JOB, text(result))
        self.assertEqual([], call("compile", specs=[{"text": SPEC.replace("4x4", "4x6")}])["structuredContent"]["workloads"])
        soft = SPEC.replace("us-east5", "us-central2")
        codes_of = [finding["code"] for finding in call("check", specs=[{"text": soft}])["structuredContent"]["findings"]]
        self.assertTrue(codes_of)
        self.assertEqual([], call("check", specs=[{"text": soft}], allow=codes_of)["structuredContent"]["findings"])

    def test_lint_knows_a_text_by_its_contents(self):
        command = "gcloud container node-pools create a --cluster=c --machine-type=ct6e-standard-4t --tpu-topology=4x6\n"
        texts = {"manifest": JOB.replace("completions: 4", "completions: 2"), "script": "#!/bin/bash\n" + command,
                 "page": "# Pool\n\n```sh\n" + command + "```\n", "spec": SPEC.replace("4x4", "4x6"),
                 "terraform": 'resource "google_container_node_pool" "a" {\n  node_config { machine_type = "ct6e-standard-4t" }\n  placement_policy {\n    type = "COMPACT"\n    tpu_topology = "4x6"\n  }\n}\n'}
        for kind, value in texts.items():
            structured = call("lint", files=[{"text": value}])["structuredContent"]
            self.assertEqual([{"file": "text", "kind": kind}], structured["kinds"])
            self.assertIn("FS4001" if kind == "manifest" else "FS3002", [finding["code"] for finding in structured["findings"]])
        edit, = call("lint", files=[{"text": texts["manifest"]}])["structuredContent"]["findings"][0]["fixes"]
        self.assertEqual(("4", 19), (edit["text"], edit["line"]))
        self.assertIn("0 with TPUs", text(call("lint", files=[{"text": "kind: Pod\n"}])))

    def test_lint_compares_the_texts_of_a_call(self):
        pool = "gcloud container node-pools create pool --cluster=c --location=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x8 --num-nodes=8\n"
        job = JOB.replace("job-1-pool", "pool")
        self.assertEqual(["FS5030"], [finding["code"] for finding in call("lint", files=named(**{"job.yaml": job, "pool.sh": pool}))["structuredContent"]["findings"]])
        main = 'variable "shape" {}\nresource "google_container_node_pool" "a" {\n  node_config { machine_type = "ct6e-standard-4t" }\n  placement_policy {\n    type = "COMPACT"\n    tpu_topology = var.shape\n  }\n}\n'
        files = named(**{"main.tf": main, "terraform.tfvars": 'shape = "4x6"\n'})
        self.assertIn("FS3002", [finding["code"] for finding in call("lint", files=files)["structuredContent"]["findings"]])

    def test_import_explain_catalog_and_diff(self):
        provision = example("multi-host/expected/provision.sh")
        imported = call("import", files=named(**{"job.yaml": JOB, "provision.sh": provision}))
        self.assertTrue(imported["structuredContent"]["equal"])
        self.assertTrue(call("check", specs=[{"text": imported["structuredContent"]["spec"]}])["structuredContent"]["ok"])
        for topic in ("FS3002", "v6e", "4x4", "tpu.topology", "us-east5-b"):
            self.assertEqual(program("explain", topic), text(call("explain", topic=topic)))
        self.assertEqual(program("explain", "spec.yaml", **{"spec.yaml": SPEC}), text(call("explain", specs=[{"name": "spec.yaml", "text": SPEC}])))
        listed = call("catalog", type="v6e", model="spot", **{"min-chips": 16, "multi-host": True})
        words = ["catalog", "--type", "v6e", "--model", "spot", "--min-chips", "16", "--multi-host"]
        self.assertEqual(json.loads(program(*words, "--format", "json"))["shapes"], listed["structuredContent"]["shapes"])
        self.assertIn(program(*words), text(listed))
        changed = call("diff", old=[{"text": SPEC}], new=[{"text": SPEC.replace("4x4", "4x8")}])
        self.assertIn("! node pool job-1-pool", text(changed))
        self.assertEqual("job-1", changed["structuredContent"]["changes"][0]["name"])

    def test_a_token_is_in_no_answer(self):
        secret = "Ab1" * 11 + "Z"
        held = SPEC.rstrip() + f"\n  env: {{HF_TOKEN: hf_{secret}}}\n"
        job = JOB.replace("          command:", f"          env: [{{name: HF_TOKEN, value: hf_{secret}}}]\n          command:", 1)
        checked, linted = call("check", specs=[{"text": held}]), call("lint", files=[{"text": job}])
        for result in (checked, linted, call("explain", specs=[{"text": held}]), call("check", specs=[{"text": held + f"  args: hf_{secret}\n"}]),
                       call("diff", old=[{"text": held}], new=[{"text": held.replace("Ab1Z", "Ab2Z")}])):
            self.assertNotIn("Ab1Ab1", json.dumps(result))
        self.assertIn("FS4343", text(checked))
        self.assertIn("FS4343", text(linted))

    def test_wrong_arguments_are_answered_for_the_assistant(self):
        for tool, arguments, words in [
            ("check", {}, "missing argument `specs`"),
            ("check", {"spec": []}, "unknown argument `spec`; did you mean `specs`?"),
            ("check", {"specs": "a"}, "`specs` must be a list"),
            ("check", {"specs": []}, "`specs` must have an item"),
            ("check", {"specs": ["a"]}, "`specs`[0] must be an object"),
            ("check", {"specs": [{}]}, "missing argument `text` in `specs`[0]"),
            ("check", {"specs": [{"text": 7}]}, "`text` must be a string"),
            ("check", {"specs": [{"text": ""}] * 65}, "`specs` has 65 items; at most 64"),
            ("check", {"specs": named(a="") + named(a="")}, "two texts have the name `a`"),
            ("check", {"specs": [{"text": SPEC}], "skip": -1}, "`skip` must be at least 0"),
            ("check", {"specs": [{"text": SPEC}], "allow": ["FS9999"]}, "unknown diagnostic code `FS9999`"),
            ("compile", {"specs": [{"text": SPEC}], "emit": ["script"]}, "`emit`[0] must be one of manifests"),
            ("explain", {}, "pass either `topic` or `specs`"),
            ("explain", {"topic": "v6f"}, "no information about `v6f`; did you mean `v6e`?"),
            ("catalog", {"type": "v9"}, "unknown TPU generation `v9`"),
            ("catalog", {"list": "zones", "chips": 4}, "--chips does not apply to zones"),
            ("diff", {"old": [{"text": SPEC.replace("4x4", "4x6")}], "new": [{"text": SPEC}]}, "`old` has errors; nothing compared"),
        ]:
            with self.subTest(tool=tool, words=words):
                result = call(tool, **arguments)
                self.assertTrue(result["isError"], result)
                self.assertIn(words, text(result))
                self.assertNotIn("structuredContent", result)

    def test_large_texts(self):
        limit = 1 << 20
        for tool, key in (("lint", "files"), ("check", "specs"), ("compile", "specs"), ("import", "files")):
            padded = (JOB if key == "files" else SPEC) + "# " + "x" * limit
            for value in (padded[:limit], ("- a: [b, google.com/tpu]\n" * limit)[:limit], ("---\n" + SPEC) * (limit // (len(SPEC) + 4))):
                began = time.monotonic()
                call(tool, **{key: [{"text": value}]})
                self.assertLess(time.monotonic() - began, 20, "a second, on a machine that is not busy, by the release program")
            refused = call(tool, **{key: [{"name": "big.yaml", "text": "x" * (limit + 1)}]})
            self.assertIn("`big.yaml` has 1048577 bytes", text(refused))
            self.assertTrue(refused["isError"])
        self.assertIn("`text` and the texts before it request google.com/tpu more than 400 times", text(call("import", files=[{"text": JOB * 300}])))
        self.assertIn("more than 4 MiB", text(call("lint", files=named(**{f"f{i}": "x" * limit for i in range(5)}))))

    def test_long_answers_say_how_to_ask_for_the_rest(self):
        files = [{"text": JOB.replace("completions: 4", "completions: 2") * 200}]
        first = call("lint", files=files)
        seen = len(first["structuredContent"]["findings"])
        self.assertLess(len(text(first)), 45000)
        self.assertEqual((200, 200 - seen), (first["structuredContent"]["count"], first["structuredContent"]["leftOut"]))
        self.assertIn(f"[{200 - seen} more findings left out; call again with skip: {seen}]", text(first)[-200:])
        rest = call("lint", files=files, skip=seen)["structuredContent"]["findings"]
        self.assertGreater(rest[0]["line"], first["structuredContent"]["findings"][-1]["line"])
        many = [{"text": "\n---\n".join(SPEC.replace("job-1", f"job-{i}") for i in range(120))}]
        compiled = call("compile", specs=many)
        self.assertLess(len(json.dumps(compiled)), 120000)
        self.assertIn("100 specs of 120; pass the others in further calls", text(compiled))
        self.assertIn("[left out; call again with only: [job-99] and emit: [manifests]]", text(compiled))
        one = call("compile", specs=many, only=["job-99"])["structuredContent"]["workloads"]
        self.assertEqual(["job-99"], [workload["name"] for workload in one])
        script = "".join(f"echo {i}\n" for i in range(9000))
        long = SPEC[:SPEC.index("  script")] + "  script: |\n" + "".join(f"    {line}\n" for line in script.splitlines())
        whole, offset = "", 0
        while True:
            file = call("compile", specs=[{"text": long}], offset=offset)["structuredContent"]["workloads"][0]["files"][0]
            whole += file["text"]
            offset += len(file["text"].encode())
            if offset >= file["bytes"]:
                break
        self.assertEqual(program("compile", "spec.yaml", **{"spec.yaml": long}), whole)

    def test_resources(self):
        listed = talk(request(1, "resources/list"))[0]["result"]["resources"]
        texts = {}
        for resource_ in listed:
            answer, = talk(request(1, "resources/read", uri=resource_["uri"]))
            contents, = answer["result"]["contents"]
            self.assertEqual((resource_["uri"], resource_["mimeType"]), (contents["uri"], contents["mimeType"]))
            texts[resource_["uri"]] = contents["text"]
        self.assertLess(len(texts["flexslice://language"].split()), 2400)
        self.assertTrue(call("check", specs=[{"text": texts["flexslice://language"].split("```")[1].removeprefix("yaml\n")}])["structuredContent"]["ok"])
        self.assertIn("Within 1.x", texts["flexslice://stability"])
        for path in ROOT.glob("examples/*/spec.yaml"):
            self.assertEqual(path.read_text(), texts[f"flexslice://examples/{path.parent.name}"])
        self.assertEqual([], talk(request(1, "resources/templates/list"))[0]["result"]["resourceTemplates"])


class Life(unittest.TestCase):
    def test_many_calls_do_not_grow(self):
        """Memory after the first calls and after all of them."""
        process = subprocess.Popen([FLEXSLICE, "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.addCleanup(process.wait)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stdin.close)
        calls = [request(1, "tools/call", name="check", arguments={"specs": [{"text": SPEC}]}),
                 request(2, "tools/call", name="check", arguments={"specs": [{"text": SPEC.replace("4x4", "4x6")}]}),
                 request(3, "tools/call", name="lint", arguments={"files": [{"text": JOB}]}),
                 request(4, "tools/call", name="explain", arguments={"topic": "4x4"}), request(5, "tools/list"), request(6, "nope")]
        lines = [json.dumps(each).encode() + b"\n" for each in calls]

        def run(times):
            for i in range(times):
                process.stdin.write(lines[i % len(lines)])
                process.stdin.flush()
                self.assertIn(b'"id":%d' % (i % len(lines) + 1), process.stdout.readline())
            status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
            return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1])

        before = run(1000)
        self.assertLess(run(9000), before + 2048)
        self.assertLess(before, 64 << 10, "KiB")


if __name__ == "__main__":
    unittest.main()
