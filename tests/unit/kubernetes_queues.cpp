// The Kueue objects of a run of several specs.
#include <fmt/core.h>

#include "../catch.hpp"
#include "../property/compiled.hpp"
#include "base/text.hpp"

namespace flexslice {
namespace {

using yaml::Value;

// A spec of 4x4 on four hosts; `more` are further lines of the spec.
std::string spec(std::string_view name, std::string_view provisioning, std::string_view more = {}) {
  const bool has_workload = more.find("workload:") != std::string_view::npos;
  return fmt::format(
             "apiVersion: flexslice/v1\nname: {}\nprovisioning: {{zones: [us-east5-b], queue: "
             "team-a, {}}}\n{}",
             name, provisioning, more) +
         (more.find("tpu:") == std::string_view::npos ? "tpu: {type: v6e, topology: 4x4}\n" : "") +
         (more.find("cluster:") == std::string_view::npos
              ? "cluster: {name: c, location: us-east5}\n"
              : "") +
         (has_workload ? "" : "workload: {image: i}\n");
}

struct Run {
  std::vector<Compiled> compiled;

  Run(std::initializer_list<std::string> specs) : Run(std::vector<std::string>(specs)) {}
  explicit Run(const std::vector<std::string>& specs) {
    for (const std::string& each : specs) {
      law::Case made = law::compile(each, {.emit = {}});
      INFO(made.findings());
      REQUIRE(made.errors() == 0);
      made.compiled = compile({made.sources, 0, {}, {}}, law::facts(), law::built_in_templates(),
                              {.emit = {Emit::queues}});
      compiled.push_back(std::move(made.compiled));
    }
    add_queues(compiled, law::built_in_templates(), true);
  }

  const std::string& text(std::size_t index = 0) const {
    return compiled.at(index).artifacts.at(0).text;
  }
  std::vector<Value> objects(std::size_t index = 0) const { return law::documents(text(index)); }
};

// `ResourceFlavor a, ClusterQueue b`.
std::string listed(const std::vector<Value>& objects) {
  std::string all;
  for (const Value& object : objects) {
    all += fmt::format("{}{} {}", all.empty() ? "" : ", ", law::text_at(&object, "kind"),
                       law::text_at(&object, "metadata.name"));
    if (const std::string space = law::text_at(&object, "metadata.namespace"); space != "(none)")
      all += "@" + space;
  }
  return all;
}

// `v6e-4x4-spot: cpu 4 google.com/tpu 16`, one flavor a line.
std::string quotas(const std::vector<Value>& objects) {
  std::string all;
  const Value* flavors =
      law::at(law::object(objects, "ClusterQueue"), "spec.resourceGroups.0.flavors");
  REQUIRE(flavors != nullptr);
  for (const Value& flavor : flavors->items) {
    all += flavor.find("name")->text + ":";
    for (const Value& resource : flavor.find("resources")->items)
      all += " " + resource.find("name")->text + " " + resource.find("nominalQuota")->text;
    all += "\n";
  }
  return all;
}

TEST_CASE("specs that name one queue share its objects, and each gets all of them") {
  const Run run{spec("a", "model: spot", "namespace: one\n"),
                spec("b", "model: on-demand", "namespace: two\n")};
  CHECK(listed(run.objects()) ==
        "Topology tpu-slices, ResourceFlavor v6e-4x4-spot, ResourceFlavor v6e-4x4-on-demand, "
        "ClusterQueue team-a, "
        "LocalQueue team-a@one, LocalQueue team-a@two");
  CHECK(run.text(0) == run.text(1));
  CHECK(quotas(run.objects()) ==
        "v6e-4x4-spot: google.com/tpu 16\nv6e-4x4-on-demand: google.com/tpu 16\n");
}

TEST_CASE("pools add up, and workloads that share a pool need the most of one of them") {
  const std::string_view small = "workload: {image: i, resources: {cpu: 500m}}\n",
                         large = "workload: {image: i, resources: {cpu: \"2\"}}\n";
  const Run shared{spec("a", "model: spot, nodePool: p", small),
                   spec("b", "model: spot, nodePool: p", large)};
  CHECK(quotas(shared.objects()) == "v6e-4x4-spot: cpu 8 google.com/tpu 16\n");
  const Run apart{spec("a", "model: spot, nodePool: p", small),
                  spec("b", "model: spot, nodePool: q", large)};
  CHECK(quotas(apart.objects()) == "v6e-4x4-spot: cpu 10 google.com/tpu 32\n");
  // Two slices are two pools, of which the other workload uses one.
  const std::string_view two = "tpu: {type: v6e, topology: 4x4, slices: 2}\n";
  const Run slices{spec("a", "model: spot, nodePool: p", two),
                   spec("b", "model: spot, nodePool: p-1")};
  CHECK(quotas(slices.objects()) == "v6e-4x4-spot: google.com/tpu 32\n");
}

TEST_CASE("where Kueue sees no nodes, each node pool of a queue has a flavor with its own quota") {
  const Run one{spec("a", "model: flex-start"),
                spec("b", "model: flex-start, nodePool: a-pool, create: false")};
  CHECK(quotas(one.objects()) == "v6e-4x4-flex-start: google.com/tpu 16\n");
  const Run two{spec("a", "model: flex-start"), spec("b", "model: flex-start, nodePool: b"),
                spec("c", "model: flex-start, nodePool: a-pool, create: false"),
                spec("several", "model: flex-start, nodePool: p",
                     "tpu: {type: v6e, topology: 4x4, slices: 2}\n"),
                spec("spot", "model: spot")};
  CHECK(quotas(two.objects()) ==
        "v6e-4x4-flex-start.a-pool: google.com/tpu 16\n"
        "v6e-4x4-flex-start.b: google.com/tpu 16\n"
        "v6e-4x4-flex-start.p-0.p-1: google.com/tpu 32\n"
        "v6e-4x4-spot: google.com/tpu 16\n");
  // Pods tolerate the taints of their flavor, of one pool and of several.
  const std::vector<Value> objects = two.objects();
  std::string taints;
  for (const Value& object : objects) {
    const Value* list = law::at(&object, "spec.nodeTaints");
    if (list == nullptr) continue;
    for (const Value& taint : list->items)
      taints += taint.find("key")->text + "=" + taint.find("value")->text + " ";
  }
  CHECK(
      taints ==
      "flexslice/flavor=v6e-4x4-flex-start flexslice/pool=a-pool "
      "flexslice/flavor=v6e-4x4-flex-start flexslice/pool=b "
      "flexslice/flavor=v6e-4x4-flex-start flexslice/pool=p-0.p-1 flexslice/flavor=v6e-4x4-spot ");
}

TEST_CASE("one flavor stays for pools that a quota cannot tell apart") {
  const auto flavors = [](const std::vector<std::string>& specs) {
    return quotas(Run(specs).objects());
  };
  // A stated quota is for all of them.
  CHECK(flavors({spec("a", "model: flex-start, quota: 16"), spec("b", "model: flex-start")}) ==
        "v6e-4x4-flex-start: google.com/tpu 16\n");
  // A pool is used alone, and together with another.
  CHECK(flavors({spec("a", "model: flex-start, nodePool: p",
                      "tpu: {type: v6e, topology: 4x4, slices: 2}\n"),
                 spec("b", "model: flex-start, nodePool: p-0, create: false")}) ==
        "v6e-4x4-flex-start: google.com/tpu 32\n");
  // GKE chooses the pool, and tries the flavors of the others first.
  CHECK(flavors({spec("any", "model: flex-start, create: false"), spec("a", "model: flex-start"),
                 spec("b", "model: flex-start")}) ==
        "v6e-4x4-flex-start.a-pool: google.com/tpu 16\n"
        "v6e-4x4-flex-start.b-pool: google.com/tpu 16\n"
        "v6e-4x4-flex-start: google.com/tpu 16\n");
  // Kueue's API takes 64 flavors.
  std::vector<std::string> many;
  for (int i = 0; i < 64; ++i) many.push_back(spec(fmt::format("w{}", i), "model: flex-start"));
  const std::string listed = flavors(many);
  CHECK(text::split(listed, '\n').size() == 64 + 1);
  many.push_back(spec("last", "model: flex-start"));
  CHECK(flavors(many) == "v6e-4x4-flex-start: google.com/tpu 1040\n");
}

TEST_CASE("a stated quota takes the place of the sum, and other resources follow") {
  const std::string_view cpu = "workload: {image: i, resources: {cpu: 500m}}\n";
  const Run less{spec("a", "model: spot, nodePool: p, quota: 24", cpu),
                 spec("b", "model: spot, nodePool: q", cpu)};
  CHECK(quotas(less.objects()) == "v6e-4x4-spot: cpu 3 google.com/tpu 24\n");
  // In whole units, so that what is admitted by chips is admitted.
  const Run more{spec("a", "model: spot, create: false, quota: 40", cpu)};
  CHECK(quotas(more.objects()) == "v6e-4x4-spot: cpu 5 google.com/tpu 40\n");
  const Run models{spec("a", "model: spot, quota: 16"), spec("b", "model: on-demand")};
  CHECK(quotas(models.objects()) ==
        "v6e-4x4-spot: google.com/tpu 16\nv6e-4x4-on-demand: google.com/tpu 16\n");
}

TEST_CASE("a stated quota has room for the pods without chips, too") {
  const std::string_view ray =
      "workload: {kind: raycluster, image: i, ray: {version: \"2.51.0\"}}\n";
  const Run run{spec("a", "model: spot, create: false, quota: 48", ray)};
  CHECK(quotas(run.objects()) ==
        "v6e-4x4-spot: cpu 0 memory 0 google.com/tpu 48\n"
        "ordinary-nodes: cpu 6 memory 24Gi google.com/tpu 0\n");
}

TEST_CASE("on Autopilot each workload has nodes of its own") {
  const std::string_view autopilot = "cluster: {location: us-east5, mode: autopilot}\n";
  const auto plain = [&](std::string_view name) {
    std::string text = spec(name, "model: spot", autopilot);
    const std::string_view zones = "zones: [us-east5-b], ";
    return text.erase(text.find(zones), zones.size());
  };
  const Run run{plain("a"), plain("b")};
  CHECK(quotas(run.objects()) == "v6e-4x4-spot: google.com/tpu 32\n");
}

TEST_CASE("every flavor of a queue lists the same resources") {
  const Run run{spec("a", "model: spot", "workload: {image: i, resources: {memory: 1.5Gi}}\n"),
                spec("b", "model: on-demand", "workload: {image: i, resources: {cpu: \"1\"}}\n")};
  CHECK(quotas(run.objects()) ==
        "v6e-4x4-spot: cpu 0 memory 6Gi google.com/tpu 16\nv6e-4x4-on-demand: cpu 4 memory 0 "
        "google.com/tpu 16\n");
  CHECK(
      law::at(law::object(run.objects(), "ClusterQueue"), "spec.resourceGroups.0.coveredResources")
          ->items.size() == 3);
}

TEST_CASE("only flavors whose nodes are requested have the admission check") {
  const Run run{spec("a", "model: spot"), spec("b", "model: flex-start-queued")};
  const std::vector<Value> objects = run.objects();
  const Value* check = law::at(law::object(objects, "ClusterQueue"),
                               "spec.admissionChecksStrategy.admissionChecks.0");
  CHECK(law::text_at(check, "name") == "team-a-nodes");
  CHECK(law::at(check, "onFlavors")->items ==
        std::vector<Value>{Value::string("v6e-4x4-flex-start-queued")});
  CHECK(law::object(run.objects(), "AdmissionCheck") != nullptr);
  const Run without{spec("a", "model: spot")};
  CHECK(law::object(without.objects(), "AdmissionCheck") == nullptr);
  CHECK(law::at(law::object(without.objects(), "ClusterQueue"), "spec.admissionChecksStrategy") ==
        nullptr);
}

TEST_CASE("a queue of the same name in another cluster is another queue") {
  const Run run{spec("a", "model: spot"),
                spec("b", "model: on-demand", "cluster: {name: d, location: us-east5}\n")};
  CHECK(quotas(run.objects(0)) == "v6e-4x4-spot: google.com/tpu 16\n");
  CHECK(quotas(run.objects(1)) == "v6e-4x4-on-demand: google.com/tpu 16\n");
}

TEST_CASE("labels of all specs, and their patches, are on the objects they share") {
  const auto patched = [](std::string_view name, std::string_view model, std::string_view patch) {
    return spec(name, model,
                fmt::format("labels: {{by-{}: \"yes\"}}\npatches:\n  - {}\n", name, patch));
  };
  const Run run{
      patched("a", "model: spot",
              "{target: {kind: ClusterQueue}, merge: {spec: {cohortName: research}}}"),
      patched("b", "model: on-demand",
              "{target: {kind: ResourceFlavor}, merge: {metadata: {annotations: {why: b}}}}")};
  const std::vector<Value> objects = run.objects();
  const Value* queue = law::object(objects, "ClusterQueue");
  CHECK(law::text_at(queue, "spec.cohortName") == "research");
  CHECK(law::text_at(queue, "metadata.labels.by-a") == "yes");
  CHECK(law::text_at(queue, "metadata.labels.by-b") == "yes");
  // The patch of b is not for the flavor that a alone uses.
  CHECK(law::text_at(&objects.at(1), "metadata.annotations.why") == "(none)");
  CHECK(law::text_at(&objects.at(2), "metadata.annotations.why") == "b");
}

TEST_CASE("quotas count every container, and what a patch adds") {
  const Run run{spec(
      "a", "model: spot",
      "workload:\n  image: i\n  resources: {cpu: 500m}\n"
      "  initContainers: [{name: fetch, image: i, resources: {requests: {cpu: 3, memory: 1Gi}}}]\n"
      "  sidecars: [{name: log, image: i, resources: {limits: {cpu: 250m, example.com/licence: "
      "1}}}]\n")};
  CHECK(quotas(run.objects()) ==
        "v6e-4x4-spot: cpu 12 memory 4Gi google.com/tpu 16 example.com/licence 4\n");
  const Run patched{spec(
      "a", "model: spot",
      "patches:\n  - target: {kind: Job}\n    merge: {spec: {template: {spec: {initContainers: "
      "[{name: x, image: i, resources: {requests: {memory: 64Mi}}}]}}}}\n")};
  CHECK(quotas(patched.objects()) == "v6e-4x4-spot: memory 256Mi google.com/tpu 16\n");
}

std::string flavor(const std::string& text) {
  const Run run{text};
  return law::text_at(law::object(run.objects(), "ResourceFlavor"), "metadata.name");
}

TEST_CASE("flavors whose nodes differ have different names, and common names are short") {
  CHECK(flavor(spec("a", "model: flex-start")) == "v6e-4x4-flex-start");
  CHECK(flavor(spec("a", "model: flex-start, maxRunDuration: 1h")) ==
        "v6e-4x4-flex-start");  // of the pool
  const auto on = [&](std::string_view machine) {
    return spec("a", "model: spot",
                fmt::format("tpu: {{type: v6e, topology: 2x4, machineType: {}}}\n", machine));
  };
  CHECK(flavor(on("ct6e-standard-8t")) == "v6e-2x4-8t-spot");
  CHECK(flavor(on("ct6e-standard-4t")) == "v6e-2x4-4t-spot");
  CHECK(flavor(spec("a", "model: reservation, reservation: r-1")) == "v6e-4x4-reservation-r-1");
  const std::string block = flavor(spec(
      "a", "model: reservation, reservation: projects/p-1/reservations/r-1/reservationBlocks/b-1"));
  const std::string shared =
      flavor(spec("a", "model: reservation, reservation: projects/p-1/reservations/r-1"));
  CHECK(shared.starts_with("v6e-4x4-reservation-r-1-"));
  CHECK(block.starts_with("v6e-4x4-reservation-r-1-"));
  CHECK(block != shared);
  const std::string name(60, 'r');
  const std::string longest = flavor(spec("a", "model: reservation, reservation: " + name));
  CHECK(longest.size() == 63);
  CHECK(longest != flavor(spec("a", "model: reservation, reservation: " + name + "s")));
}

TEST_CASE("on Autopilot the lifetime is in the flavor's name, since its nodes are selected by it") {
  const auto lasting = [](std::string_view duration) {
    return fmt::format(
        "apiVersion: flexslice/v1\nname: a\ncluster: {{location: us-east5, mode: autopilot}}\ntpu: "
        "{{type: v6e, topology: 4x4}}\n"
        "provisioning: {{queue: team-a, maxRunDuration: {}}}\nworkload: {{image: i}}\n",
        duration);
  };
  CHECK(flavor(lasting("1h")) == "v6e-4x4-flex-start-3600s");
  CHECK(flavor(lasting("2h")) == "v6e-4x4-flex-start-7200s");
}

TEST_CASE("the header says what the queue is for, and which Kueue it needs") {
  const Run one{spec("a", "model: spot")};
  CHECK(one.text().starts_with(
      "# queue team-a for a, compiled by flexslice from spec.yaml.\n"
      "# Compile all specs of a queue in one run: these objects replace those of an earlier one.\n"
      "# Needs Kueue 0.15.0 or later for the API kueue.x-k8s.io/v1beta2.\n---\n"));
  const Run two{spec("a", "model: spot"),
                spec("b", "model: spot", "tpu: {type: v6e, topology: 4x4, slices: 2}\n")};
  CHECK(two.text().find("# queue team-a for a, b, ") == 0);
  CHECK(two.text().find("# Needs Kueue 0.16.6, 0.17.1, 0.18.0 or later for several slices on node "
                        "pools that exist.\n") != std::string::npos);
}

}  // namespace
}  // namespace flexslice
