// The passes together: what is emitted when, and shapes of the output that no example happens to
// show.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "../catch.hpp"
#include "../property/compiled.hpp"
#include "base/text.hpp"

namespace flexslice {
namespace {

using law::Case;
using law::documents;
using law::object;
using law::text_at;
using yaml::Value;

std::string spec_with(const std::string& workload, const std::string& more = "",
                      const std::string& provisioning = "zones: [us-east5-b]") {
  return "apiVersion: flexslice/v1\nname: train\ncluster: {name: c1, location: us-east5}\ntpu: "
         "{type: v6e, topology: 4x4}\nprovisioning: "
         "{" +
         provisioning + "}\nworkload: {image: busybox" + workload + "}\n" + more;
}

std::vector<Emit> emitted(const Case& made) {
  std::vector<Emit> all;
  for (const Artifact& artifact : made.compiled.artifacts) all.push_back(artifact.emit);
  return all;
}

// The pod template of the Job.
Value pod_of(const std::string& spec) {
  const Case made = law::compile(spec, {.emit = {Emit::manifests}});
  INFO(made.findings());
  REQUIRE(made.compiled.ok);
  const auto objects = documents(made.text(Emit::manifests));
  const Value* pod = law::at(object(objects, "Job"), "spec.template");
  REQUIRE(pod != nullptr);
  return *pod;
}

TEST_CASE("only what is asked for is emitted, and queues only where there are any") {
  using enum Emit;
  const std::string spec = spec_with("");
  CHECK(emitted(law::compile(spec, {.emit = {}})).empty());
  CHECK(law::compile(spec, {.emit = {}}).compiled.ok);
  CHECK(emitted(law::compile(spec, {.emit = {plan, manifests}})) ==
        std::vector<Emit>{manifests, plan});
  CHECK(emitted(law::compile(spec, {.emit = {queues}})).empty());
  const std::string queued = spec_with("", "", "zones: [us-east5-b], queue: team-a");
  CHECK(emitted(law::compile(queued, {.emit = {queues, cleanup}})) ==
        std::vector<Emit>{cleanup, queues});
}

TEST_CASE("the same input gives the same bytes") {
  const std::string spec =
      spec_with(", env: {B: \"$(A)\", A: x}", "labels: {b: \"2\", a: \"1\"}\n");
  const Case first = law::compile(spec);
  const Case second = law::compile(spec);
  REQUIRE(first.compiled.artifacts.size() == second.compiled.artifacts.size());
  for (std::size_t i = 0; i < first.compiled.artifacts.size(); ++i)
    CHECK(first.compiled.artifacts[i].text == second.compiled.artifacts[i].text);
}

TEST_CASE("a spec that no text holds compiles to the objects of its manifests and its queue") {
  int with_queue = 0;
  for (const auto& entry : std::filesystem::directory_iterator(FLEXSLICE_SOURCE_DIR "/examples")) {
    std::ifstream file(entry.path() / "spec.yaml");
    if (!file) continue;
    const std::string text(std::istreambuf_iterator<char>(file), {});
    if (entry.path().filename() == "sweep") continue;  // its points are several specs
    INFO(entry.path());
    const Case made = law::compile(text, {.emit = {Emit::manifests, Emit::queues}});
    std::vector<Value> objects = documents(made.text(Emit::manifests));
    if (!made.text(Emit::queues).empty()) {
      ++with_queue;
      for (Value& object : documents(made.text(Emit::queues))) objects.push_back(object);
    }
    const Compiled from_tree =
        compile(yaml::to_node(documents(text).front(), 0), "spec.yaml", law::facts(),
                law::built_in_templates(), {.emit = {}, .objects = true});
    CHECK(from_tree.objects == objects);
    CHECK(from_tree.diagnostics.size() == made.compiled.diagnostics.size());
  }
  CHECK(with_queue > 0);
}

// What the patch of a pod's `schedulerName` changes: the place of each template that has it.
std::vector<std::string> patched_pods(const std::string& kind, const std::string& role,
                                      const std::string& fields) {
  const Case made = law::compile(
      spec_with(", kind: " + fields, "patches: [{target: {kind: " + kind + ", pod: " + role +
                                         "}, merge: {spec: {schedulerName: gang}}}]\n"),
      {.emit = {Emit::manifests}});
  INFO(made.findings());
  REQUIRE(made.compiled.ok);
  const auto objects = documents(made.text(Emit::manifests));
  std::vector<std::string> found;
  for (const char* place :
       {"spec.template", "spec.replicatedJobs.0.template.spec.template",
        "spec.leaderWorkerTemplate.workerTemplate", "spec.leaderWorkerTemplate.leaderTemplate",
        "spec.headGroupSpec.template", "spec.workerGroupSpecs.0.template",
        "spec.rayClusterSpec.workerGroupSpecs.0.template"}) {
    if (text_at(object(objects, kind), std::string(place) + ".spec.schedulerName") == "gang")
      found.emplace_back(place);
  }
  return found;
}

TEST_CASE("a patch of a pod changes that template alone, in lists too") {
  using Places = std::vector<std::string>;
  const std::string leader =
                        "leaderworkerset, leader: {tpu: false, image: busybox, command: [route]}",
                    ray = ", ray: {version: \"2.51.0\"}";
  CHECK(patched_pods("Job", "worker", "job") == Places{"spec.template"});
  CHECK(patched_pods("JobSet", "worker", "jobset") ==
        Places{"spec.replicatedJobs.0.template.spec.template"});
  CHECK(patched_pods("LeaderWorkerSet", "worker", leader) ==
        Places{"spec.leaderWorkerTemplate.workerTemplate"});
  CHECK(patched_pods("LeaderWorkerSet", "leader", leader) ==
        Places{"spec.leaderWorkerTemplate.leaderTemplate"});
  CHECK(patched_pods("RayCluster", "head", "raycluster" + ray) ==
        Places{"spec.headGroupSpec.template"});
  CHECK(patched_pods("RayCluster", "worker", "raycluster" + ray) ==
        Places{"spec.workerGroupSpecs.0.template"});
  CHECK(patched_pods("RayJob", "worker", "rayjob, command: [python, train.py]" + ray) ==
        Places{"spec.rayClusterSpec.workerGroupSpecs.0.template"});
}

TEST_CASE("a soft error leaves the artifacts, a hard one does not") {
  const Case soft = law::compile(spec_with("", "", "zones: [us-east5-a, us-east5-b]"));
  CHECK((soft.errors() == 1 && soft.compiled.ok && !soft.compiled.artifacts.empty()));
  const Case hard = law::compile(spec_with("", "", "zones: [us-west1-a]"));
  CHECK((hard.errors() == 1 && !hard.compiled.ok && hard.compiled.artifacts.empty()));
  CHECK(hard.compiled.name == "train");
}

TEST_CASE("a wrong suppression leaves no artifacts either") {
  const Case made = law::compile("# flexslice: allow FS9999 - no such code\n" + spec_with(""));
  CHECK((made.errors() == 1 && !made.compiled.ok && made.compiled.artifacts.empty()));
}

TEST_CASE("volumes without a size have their source all the same") {
  const Value pod = pod_of(spec_with(
      ", volumes: [{name: a, mountPath: /a, emptyDir: {}}, {name: b, mountPath: /b, memory: {}}]"));
  const Value* volumes = law::at(&pod, "spec.volumes");
  REQUIRE((volumes != nullptr && volumes->items.size() == 2));
  CHECK((volumes->items[0].find("emptyDir") != nullptr &&
         volumes->items[0].find("emptyDir")->is_mapping()));
  CHECK(text_at(&volumes->items[1], "emptyDir.medium") == "Memory");
}

// A mapping with the same key twice is no YAML.
TEST_CASE("a user's annotation does not keep the queue's label away") {
  const Case made = law::compile(spec_with("", "annotations: {gke-gcsfuse/volumes: \"false\"}\n",
                                           "zones: [us-east5-b], queue: team-a"));
  INFO(made.findings());
  REQUIRE(made.compiled.ok);
  const auto objects = documents(made.text(Emit::manifests));
  REQUIRE(object(objects, "Job") != nullptr);
  CHECK(
      law::at(object(objects, "Job"), "metadata.labels")->find("kueue.x-k8s.io/queue-name")->text ==
      "team-a");
}

TEST_CASE("a derived port has the name that the user gives it") {
  const Value pod =
      pod_of(spec_with(", ports: [{port: 8431, name: metrics}, {port: 9000, name: web}, 9001]"));
  CHECK(law::at(&pod, "spec.containers.0.ports")->items.size() == 4);
  CHECK(text_at(&pod, "spec.containers.0.ports.0.name") == "(none)");
  CHECK(text_at(&pod, "spec.containers.0.ports.1.containerPort") == "8431");
  CHECK(text_at(&pod, "spec.containers.0.ports.1.name") == "metrics");
  CHECK(text_at(&pod, "spec.containers.0.ports.2.name") == "web");
}

TEST_CASE("a sidecar is an init container that goes on, whatever it says itself") {
  const Value pod =
      pod_of(spec_with(", sidecars: [{name: s, image: x, restartPolicy: Always}], initContainers: "
                       "[{name: i, image: y}]"));
  CHECK(text_at(&pod, "spec.initContainers.0.name") == "i");
  CHECK(law::at(&pod, "spec.initContainers.0.restartPolicy") == nullptr);
  CHECK(text_at(&pod, "spec.initContainers.1.restartPolicy") == "Always");
}

TEST_CASE("comments can be left out, and nothing else changes") {
  const std::string spec = spec_with("", "", "zones: [us-east5-b], maxRunDuration: 1h30m");
  Sources sources;
  sources.add({"spec.yaml", spec, 1});
  const auto text = [&](bool comments, Emit emit) {
    return flexslice::compile({sources, 0, {}, {}}, law::facts(), law::built_in_templates(),
                              {.emit = {emit}, .comments = comments})
        .artifacts.at(0)
        .text;
  };
  const std::string with = text(true, Emit::manifests);
  const std::string without = text(false, Emit::manifests);
  CHECK(with.find("# 4x4 is 16 chips") != std::string::npos);
  CHECK(without.find('#') == std::string::npos);
  CHECK(documents(with) == documents(without));
  CHECK(law::commands(text(true, Emit::provision)) == law::commands(text(false, Emit::provision)));
}

TEST_CASE("documents of a stream count their lines from its beginning") {
  Sources sources;
  sources.add({"many.yaml", "name: x\n", 41});
  const Compiled compiled =
      flexslice::compile({sources, 0, {}, {}}, law::facts(), law::built_in_templates(), {});
  REQUIRE_FALSE(compiled.diagnostics.empty());
  CHECK(sources.position(compiled.diagnostics[0].where).line == 41);
}

}  // namespace
}  // namespace flexslice
