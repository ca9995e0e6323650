// How the pods of a workload find the nodes of their slice: with and without a queue, on node pools
// and on Autopilot.
#include <fmt/core.h>

#include "../catch.hpp"
#include "../property/compiled.hpp"
#include "base/text.hpp"
#include "resolve/workload_names.hpp"

namespace flexslice {
namespace {

using yaml::Value;

struct Setting {
  std::string_view model = "spot";
  bool autopilot = false;
  bool queue = true;
  std::int64_t slices = 1;
  std::string_view topology = "4x4";
  std::string_view more = {};  // further lines of the spec
  std::string_view provisioning = {}, workload = "image: i";
};

struct Made {
  std::vector<Value> objects, queues;

  explicit Made(const Setting& setting) {
    const std::string spec = fmt::format(
        "apiVersion: flexslice/v1\nname: a\ncluster: {{name: c, location: us-east5, mode: {}}}\n"
        "tpu: {{type: v6e, topology: {}, slices: {}}}\nprovisioning: {{model: "
        "{}{}{}{}{}}}\nworkload: {{{}}}\n{}",
        setting.autopilot ? "autopilot" : "standard", setting.topology, setting.slices,
        setting.model, setting.autopilot ? "" : ", zones: [us-east5-b]",
        setting.queue ? ", queue: team-a" : "",
        setting.model == "reservation" ? ", reservation: r" : "", setting.provisioning,
        setting.workload, setting.more);
    const law::Case made = law::compile(spec);
    INFO(made.findings());
    REQUIRE(made.errors() == 0);
    objects = law::documents(made.text(Emit::manifests));
    queues = law::documents(made.text(Emit::queues));
  }

  const Value* pod() const {
    if (const Value* set = law::object(objects, "JobSet"))
      return law::at(set, "spec.replicatedJobs.0.template.spec.template");
    if (const Value* cluster = law::object(objects, "RayCluster"))
      return law::at(cluster, "spec.workerGroupSpecs.0.template");
    return law::at(law::object(objects, "Job"), "spec.template");
  }
  // The keys that the pods tolerate.
  std::vector<std::string> tolerated() const {
    std::vector<std::string> keys;
    if (const Value* list = law::at(pod(), "spec.tolerations")) {
      for (const Value& each : list->items) keys.push_back(each.find("key")->text);
    }
    return keys;
  }
  std::string annotation(std::string_view key) const {
    const Value* annotations = law::at(pod(), "metadata.annotations");
    const Value* value = annotations == nullptr ? nullptr : annotations->find(key);
    return value == nullptr ? "" : value->text;
  }
  bool has_topology() const {
    const bool in_flavor =
        law::at(law::object(queues, "ResourceFlavor"), "spec.topologyName") != nullptr;
    CHECK(in_flavor == (law::object(queues, "Topology") != nullptr));
    return in_flavor;
  }
};

constexpr std::string_view required = "kueue.x-k8s.io/podset-required-topology";
constexpr std::string_view slice_required = "kueue.x-k8s.io/podset-slice-required-topology";

TEST_CASE(
    "Kueue places pods where nodes exist or are requested, and the pods tolerate the taint of TPU "
    "nodes") {
  const std::vector<std::string> both{"google.com/tpu", "flexslice/flavor"};
  for (std::string_view model : {"spot", "on-demand", "reservation"}) {
    const Made made({.model = model});
    INFO(model);
    CHECK(made.has_topology());
    CHECK(made.annotation(required) == "cloud.google.com/gke-nodepool");
    CHECK(made.tolerated() == both);
    // The field is immutable in a flavor with a topology.
    CHECK(law::at(law::object(made.queues, "ResourceFlavor"), "spec.tolerations") == nullptr);
  }
  const Made queued({.model = "flex-start-queued"});
  CHECK(queued.has_topology());
  CHECK(queued.tolerated() == std::vector<std::string>{"google.com/tpu", "flexslice/flavor",
                                                       "cloud.google.com/gke-queued"});
  const Made slices({.slices = 2});
  CHECK(slices.has_topology());
  CHECK(slices.annotation(slice_required) == "cloud.google.com/gke-nodepool");
  CHECK(slices.tolerated() == both);
}

TEST_CASE("without nodes beforehand, and on one host, Kueue places nothing") {
  for (const Setting& setting : {Setting{.model = "flex-start"}, Setting{.topology = "2x2"},
                                 Setting{.model = "flex-start", .slices = 2}}) {
    const Made made(setting);
    CHECK_FALSE(made.has_topology());
    CHECK(made.annotation(required).empty());
    CHECK(made.annotation(slice_required).empty());
    CHECK(made.tolerated() == std::vector<std::string>{"flexslice/flavor", "flexslice/pool"});
  }
  CHECK(Made({.queue = false}).tolerated().empty());
}

TEST_CASE(
    "the webhook of Ray keeps several slices together, where Kueue would spread their pods, and "
    "their flavor is not that of placed workloads") {
  constexpr std::string_view ray = "kind: raycluster, image: i, ray: {version: 2.51.0}";
  const Made several({.slices = 2, .workload = ray});
  CHECK_FALSE(several.has_topology());
  CHECK(several.annotation(slice_required).empty());
  CHECK(several.tolerated() == std::vector<std::string>{"flexslice/flavor", "flexslice/pool"});
  CHECK(law::at(law::object(several.queues, "ResourceFlavor"), "metadata.name")->text ==
        "v6e-4x4-spot-ray");
  const Value* selector = law::at(several.pod(), "spec.nodeSelector");
  CHECK(selector->find("flexslice/workload")->text == "a");
  const Made shared({.slices = 2, .provisioning = ", nodePool: shared", .workload = ray});
  CHECK(law::at(shared.pod(), "spec.nodeSelector")->find("flexslice/workload")->text == "shared");
  const Made one({.workload = ray});
  CHECK(one.has_topology());
  CHECK(one.annotation(required) == "cloud.google.com/gke-nodepool");
}

TEST_CASE("in a queue on Autopilot the slices are kept together as without one") {
  for (std::string_view model : {"flex-start", "spot", "on-demand", "reservation"}) {
    for (std::int64_t slices : {1, 2}) {
      const Made in({.model = model, .autopilot = true, .slices = slices});
      const Made out({.model = model, .autopilot = true, .queue = false, .slices = slices});
      INFO(model << " " << slices);
      CHECK_FALSE(in.has_topology());
      CHECK(in.annotation(required).empty());
      const Value* affinity = law::at(in.pod(), "spec.affinity");
      CHECK((affinity != nullptr) == (slices == 1));
      if (affinity != nullptr) CHECK(*affinity == *law::at(out.pod(), "spec.affinity"));
      if (slices == 1) continue;
      const Value* annotations = law::at(law::object(in.objects, "JobSet"), "metadata.annotations");
      REQUIRE(annotations != nullptr);
      CHECK(annotations->find("alpha.jobset.sigs.k8s.io/exclusive-topology")->text ==
            "cloud.google.com/gke-nodepool");
    }
  }
}

TEST_CASE("on Autopilot no other Job gets onto the pool of a slice") {
  const std::string_view terms =
      "spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution";
  const Made made({.model = "flex-start", .autopilot = true, .queue = false});
  const Value* list = law::at(made.pod(), terms);
  REQUIRE(list != nullptr);
  REQUIRE(list->items.size() == 1);
  const Value& term = list->items.front();
  CHECK(law::text_at(&term, "topologyKey") == "cloud.google.com/gke-nodepool");
  CHECK(law::at(&term, "namespaceSelector")->is_mapping());
  CHECK(law::at(&term, "namespaceSelector")->members.empty());
  CHECK(law::text_at(&term, "labelSelector.matchExpressions.0.operator") == "Exists");
  CHECK(law::text_at(&term, "labelSelector.matchExpressions.1.operator") == "NotIn");
  CHECK(law::text_at(&term, "labelSelector.matchExpressions.1.values.0") == "a");
  // A Job of the same name in another namespace has another label, where the namespace is known:
  // a selector that excludes a namespace selects all of them on Kubernetes 1.34.
  const std::string longest(60, 'n');
  for (const std::string& space : {std::string("one"), longest}) {
    const Made spaced({.model = "flex-start",
                       .autopilot = true,
                       .queue = false,
                       .more = fmt::format("namespace: {}\n", space)});
    const Value* only = law::at(spaced.pod(), terms);
    REQUIRE(only->items.size() == 1);
    CHECK(law::at(&only->items.front(), "namespaceSelector")->members.empty());
    const Value& other =
        law::at(&only->items.front(), "labelSelector.matchExpressions")->items.back();
    CHECK(other.text_at({"key"}) == "flexslice-workload");
    CHECK(other.text_at({"operator"}) == "NotIn");
    const std::string own = other.find("values")->items.front().text;
    CHECK(own == (space == longest ? resolve::fit_label(longest + ".a") : "one.a"));
    CHECK(own.size() <= 63);
    CHECK(spaced.pod()->text_at({"metadata", "labels", "flexslice-workload"}) == own);
  }
  CHECK(made.pod()->text_at({"metadata", "labels", "flexslice-workload"}).empty());
  // One host needs nobody's company, and on Standard the pool is named.
  CHECK(
      law::at(
          Made({.model = "flex-start", .autopilot = true, .queue = false, .topology = "2x2"}).pod(),
          "spec.affinity") == nullptr);
  CHECK(law::at(Made({.model = "flex-start", .queue = false}).pod(), "spec.affinity") == nullptr);
}

TEST_CASE("no other Job of a queue gets onto a named pool whose nodes Kueue does not see") {
  const auto is_apart = [](const Made& made) {
    CHECK(law::at(made.pod(), "spec.affinity.podAffinity") == nullptr);
    return law::at(made.pod(), "spec.affinity.podAntiAffinity") != nullptr;
  };
  constexpr std::string_view named = ", nodePool: shared";
  CHECK(is_apart(Made({.model = "flex-start", .provisioning = named})));
  // Its own pool, pods that Kueue places, one host, and no queue.
  CHECK_FALSE(is_apart(Made({.model = "flex-start"})));
  CHECK_FALSE(is_apart(Made({.provisioning = named})));
  CHECK_FALSE(is_apart(Made({.model = "flex-start", .topology = "2x2", .provisioning = named})));
  CHECK_FALSE(is_apart(Made({.model = "flex-start", .queue = false, .provisioning = named})));
  const Made set(
      {.model = "flex-start", .provisioning = named, .workload = "kind: jobset, image: i"});
  CHECK(law::at(law::object(set.objects, "JobSet"), "metadata.annotations")
            ->find("alpha.jobset.sigs.k8s.io/exclusive-topology") != nullptr);
}

TEST_CASE("in a queue of somebody else pods request no topology, and slices stay together") {
  constexpr std::string_view theirs = ", queue: {name: team-a, topology: none}";
  constexpr std::string_view any_pool = ", create: false, queue: {name: team-a, topology: none}";
  const std::vector<std::string> taint_of_nodes{"google.com/tpu"};
  const auto exclusive = [](const Made& made) {
    const Value* annotations = law::at(law::object(made.objects, "JobSet"), "metadata.annotations");
    return annotations != nullptr &&
           annotations->find("alpha.jobset.sigs.k8s.io/exclusive-topology") != nullptr;
  };
  for (std::string_view provisioning : {theirs, any_pool}) {
    for (std::string_view model : {"spot", "on-demand", "flex-start"}) {
      const Made job({.model = model, .queue = false, .provisioning = provisioning});
      CHECK(law::object(job.queues, "ClusterQueue") == nullptr);
      CHECK(law::at(law::object(job.objects, "Job"), "metadata.labels")
                ->find("kueue.x-k8s.io/queue-name") != nullptr);
      CHECK(job.annotation(required).empty());
      CHECK(law::at(job.pod(), "spec.affinity.podAntiAffinity") != nullptr);
      CHECK((law::at(job.pod(), "spec.affinity.podAffinity") != nullptr) ==
            (provisioning == any_pool));
      const Made set({.model = model, .queue = false, .slices = 2, .provisioning = provisioning});
      CHECK(set.annotation(slice_required).empty());
      CHECK(exclusive(set));
      if (model != "flex-start") CHECK(set.tolerated() == taint_of_nodes);
    }
  }
  // One host needs nobody's company, and a toleration of the spec is enough.
  const Made host({.queue = false, .topology = "2x2", .provisioning = theirs});
  CHECK(law::at(host.pod(), "spec.affinity") == nullptr);
  const Made said({.queue = false,
                   .provisioning = theirs,
                   .workload = "image: i, tolerations: [{key: google.com/tpu, operator: Exists}]"});
  CHECK(said.tolerated() == taint_of_nodes);
}

}  // namespace
}  // namespace flexslice
