// Objects in the form in which the API server stores them: quantities, empty values, and how large
// kubectl's copy is.
#include <string>

#include "../catch.hpp"
#include "../property/compiled.hpp"
#include "backend/kubernetes/apply.hpp"
#include "yaml/emit.hpp"

namespace flexslice::kubernetes {
namespace {

using law::at;
using law::Case;
using law::text_at;
using yaml::Value;

// The Job of one host with a sidecar, and `more` in its workload.
Case compile(const std::string& more) {
  return law::compile(
      "apiVersion: flexslice/v1\nname: train\ncluster: {name: c1, location: us-east5}\ntpu: {type: "
      "v6e, topology: 1x1}\n"
      "provisioning: {zones: [us-east5-b]}\nworkload:\n  image: busybox\n" +
      more);
}

Value job(const Case& made) {
  INFO(made.findings());
  REQUIRE(made.compiled.ok);
  const auto objects = law::documents(made.text(Emit::manifests));
  REQUIRE(law::object(objects, "Job") != nullptr);
  return *law::object(objects, "Job");
}

constexpr const char* pod = "spec.template.spec.";

TEST_CASE("quantities are written as the API server stores them") {
  const Case made = compile(R"(
  resources: {cpu: 0.5, memory: 1.5Gi, ephemeral-storage: 1000M}
  volumes: [{name: shm, mountPath: /dev/shm, memory: {sizeLimit: 1024Mi}}]
  sidecars:
    - name: logs
      image: busybox
      resources: {requests: {cpu: 2, memory: 0.5Gi, hugepages-2Mi: 2048Ki}, limits: {cpu: 2000m}}
      env:
        - {name: CPUS, valueFrom: {resourceFieldRef: {resource: limits.cpu, divisor: 1000m}}}
        - {name: EMPTY, value: ""}
)");
  const Value object = job(made);
  const auto has = [&](const std::string& path, const std::string& text) {
    CHECK(text_at(&object, pod + path) == text);
  };
  has("containers.0.resources.requests.cpu", "500m");
  has("containers.0.resources.requests.memory", "1536Mi");
  has("containers.0.resources.limits.memory", "1536Mi");
  has("containers.0.resources.requests.ephemeral-storage", "1G");
  has("volumes.0.emptyDir.sizeLimit", "1Gi");
  has("initContainers.0.resources.requests.cpu", "2");
  has("initContainers.0.resources.requests.memory", "512Mi");
  has("initContainers.0.resources.requests.hugepages-2Mi", "2Mi");
  has("initContainers.0.resources.limits.cpu", "2");
  has("initContainers.0.env.0.valueFrom.resourceFieldRef.divisor", "1");
  has("initContainers.0.env.1.value", "(none)");
  CHECK(at(&object, std::string(pod) + "initContainers.0.resources.requests.cpu")->is_string());
}

TEST_CASE("what was written is the comment") {
  const Case made = compile("  resources: {cpu: \"8\", memory: 1.5Gi}\n");
  REQUIRE(made.compiled.ok);
  CHECK(made.text(Emit::manifests).find("memory: 1536Mi  # 1.5Gi\n") != std::string::npos);
  CHECK(made.text(Emit::manifests).find("cpu: \"8\"\n") != std::string::npos);
}

TEST_CASE("a patch's quantities are canonical, too, and texts of other places stay as they are") {
  const Case made = law::compile(R"(apiVersion: flexslice/v1
name: train
annotations: {sizeLimit: 1024Mi, example.com/cpu: 1000m}
cluster: {name: c1, location: us-east5}
tpu: {type: v6e, topology: 1x1}
provisioning: {zones: [us-east5-b]}
workload: {image: busybox, env: {MEMORY: 1024Mi}}
patches: [{target: {kind: Job}, merge: {spec: {template: {spec: {overhead: {cpu: 1000m}}}}}}]
)");
  const Value object = job(made);
  CHECK(text_at(&object, std::string(pod) + "overhead.cpu") == "1");
  CHECK(text_at(&object, "metadata.annotations.sizeLimit") == "1024Mi");
  CHECK(text_at(&object, std::string(pod) + "containers.0.env.0.value") == "1024Mi");
}

TEST_CASE("an empty variable and the empty value of a taint are left out") {
  const Value object =
      job(compile("  env: {A: \"\", B: x}\n  tolerations: [{key: dedicated, value: \"\"}]\n"));
  CHECK(text_at(&object, std::string(pod) + "containers.0.env.0.name") == "A");
  CHECK(at(&object, std::string(pod) + "containers.0.env.0.value") == nullptr);
  CHECK(text_at(&object, std::string(pod) + "containers.0.env.1.value") == "x");
  const Value* tolerations = at(&object, std::string(pod) + "tolerations");
  REQUIRE(tolerations != nullptr);
  CHECK(tolerations->items.back().find("key")->text == "dedicated");
  CHECK(tolerations->items.back().find("value") == nullptr);
}

std::string jobset_in(const std::string& provisioning) {
  return R"(apiVersion: flexslice/v1
name: train
cluster: {name: c1, location: us-east5}
tpu: {type: v6e, topology: 4x4, slices: 2}
workload:
  image: busybox
  sidecars:
    - name: logs
      image: busybox
      ports: [{containerPort: 9000}, {containerPort: 53, protocol: UDP}]
    - {name: more, image: busybox, resources: {requests: {cpu: 1}}}
provisioning: {model: on-demand, zones: [us-east5-b])" +
         provisioning + "}\n";
}

TEST_CASE("a JobSet has the defaults that the API server writes into its lists") {
  const Case made = law::compile(jobset_in(""));
  INFO(made.findings());
  REQUIRE(made.compiled.ok);
  const auto objects = law::documents(made.text(Emit::manifests));
  const Value* jobs = at(law::object(objects, "JobSet"), "spec.replicatedJobs.0");
  REQUIRE(jobs != nullptr);
  const auto has = [&](const std::string& path, const std::string& text) {
    CHECK(text_at(jobs, path) == text);
  };
  has("groupName", "default");
  has("template.spec.template.spec.containers.0.ports.0.protocol", "TCP");
  has("template.spec.template.spec.initContainers.0.ports.0.protocol", "TCP");
  has("template.spec.template.spec.initContainers.0.ports.1.protocol", "UDP");
  for (const char* empty : {"template.metadata", "template.spec.template.metadata",
                            "template.spec.template.spec.initContainers.0.resources"}) {
    CAPTURE(empty);
    const Value* value = at(jobs, empty);
    REQUIRE(value != nullptr);
    CHECK(*value == Value::mapping());
  }
  CHECK(at(jobs, "template")->members.front().key == "metadata");
  // A Job's lists are merged by name, so its defaults stay with the API server.
  CHECK(at(law::object(law::documents(compile("  ports: [9000]\n").text(Emit::manifests)), "Job"),
           "spec.template.metadata") == nullptr);
}

TEST_CASE("a JobSet in a queue says how it is applied") {
  const std::string line = "# Use `kubectl apply --server-side --force-conflicts`";
  const auto says = [&](const Case& made) {
    INFO(made.findings());
    REQUIRE(made.compiled.ok);
    return made.text(Emit::manifests).find(line) != std::string_view::npos;
  };
  CHECK(says(law::compile(jobset_in(", queue: team-a"))));
  CHECK_FALSE(says(law::compile(jobset_in(""))));
  CHECK_FALSE(says(compile("")));
}

TEST_CASE("what is admitted with the topology of its slices is not applied on the server side") {
  const auto header = [](std::string_view workload) {
    const Case made = law::compile(fmt::format(
        "apiVersion: flexslice/v1\nname: a\ncluster: {{name: c, location: us-central1}}\n"
        "tpu: {{type: tpu7x, topology: 2x2x2}}\n"
        "provisioning: {{model: reservation, create: false, queue: q, poolTopology: "
        "4x4x4}}\nworkload: {{image: i, {}}}\n",
        workload));
    INFO(made.findings());
    REQUIRE(made.compiled.ok);
    const std::string_view text = made.text(Emit::manifests);
    return std::string(text.substr(0, text.find("---")));
  };
  CHECK(header("kind: job").find("Use `kubectl apply`. Once") != std::string::npos);
  CHECK(header("kind: jobset").find("delete the workload first") != std::string::npos);
}

TEST_CASE("a workload of Ray in a queue is not applied again, other kinds are") {
  const auto header = [](std::string_view workload) {
    const Case made = law::compile(
        fmt::format("apiVersion: flexslice/v1\nname: a\ncluster: {{name: c, location: us-east5}}\n"
                    "tpu: {{type: v6e, topology: 4x4}}\n"
                    "provisioning: {{model: spot, zones: [us-east5-b], queue: q}}\n"
                    "workload: {{image: i, {}}}\n",
                    workload));
    INFO(made.findings());
    REQUIRE(made.compiled.ok);
    const std::string_view text = made.text(Emit::manifests);
    return std::string(text.substr(0, text.find("---")));
  };
  for (std::string_view workload : {"kind: raycluster, ray: {version: '2.51.0'}",
                                    "kind: rayjob, script: a, ray: {version: '2.51.0'}",
                                    "kind: rayservice, ray: {version: '2.51.0', serveConfig: "
                                    "{applications: [{name: a, import_path: a}]}}"}) {
    CAPTURE(workload);
    CHECK(header(workload).find("delete the workload first") != std::string::npos);
  }
  for (std::string_view workload : {"kind: job", "kind: leaderworkerset"}) {
    CAPTURE(workload);
    const std::string text = header(workload);
    CHECK(std::ranges::count(text, '\n') == 1);
  }
}

// Sizes are those of the annotation that kubectl 1.32 wrote.
TEST_CASE("the size of kubectl's copy counts Go's escapes and what kubectl adds") {
  Value object = Value::mapping();
  object["kind"] = Value::string("X");
  object["metadata"]["name"] = Value::string("a");
  const std::string stored =
      R"({"kind":"X","metadata":{"annotations":{},"name":"a","namespace":"default"}})";
  CHECK(applied_size(object) == stored.size() + 1);
  object["metadata"]["namespace"] = Value::string("default");
  object["metadata"]["annotations"] = Value::mapping();
  CHECK(applied_size(object) == stored.size() + 1);
  const std::size_t before = applied_size(object);
  object["data"] = Value::string("<&>\n\"\x01é\u2028");
  CHECK(applied_size(object) ==
        before + std::string(R"(,"data":"\u003c\u0026\u003e\n\"\u0001é\u2028")").size());
  object["list"] = Value::sequence();
  object["more"] = Value::sequence();
  object["more"].push(Value::number(12));
  object["more"].push(Value::boolean(true));
  CHECK(applied_size(object) ==
        before + std::string(
                     R"(,"data":"\u003c\u0026\u003e\n\"\u0001é\u2028","list":[],"more":[12,true])")
                     .size());
}

}  // namespace
}  // namespace flexslice::kubernetes
