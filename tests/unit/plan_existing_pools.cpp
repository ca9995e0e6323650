// `provisioning.create: false`: the node pools are somebody else's.
#include <fmt/core.h>

#include "../catch.hpp"
#include "../property/compiled.hpp"
#include "base/text.hpp"

namespace flexslice {
namespace {

using yaml::Value;

constexpr std::string_view cluster = "cluster: {name: c, location: us-east5}\n";

law::Case compile(std::string_view tpu, std::string_view provisioning,
                  std::string_view top = cluster, law::Setting setting = {}) {
  return law::compile(fmt::format("apiVersion: flexslice/v1\nname: a\n{}tpu: {{{}}}\n"
                                  "provisioning: {{create: false{}}}\nworkload: {{image: i}}\n",
                                  top, tpu, provisioning),
                      setting);
}

// What of the pod template decides where the pods run.
const Value* pod_spec(const std::vector<Value>& objects) {
  if (const Value* set = law::object(objects, "JobSet"))
    return law::at(set, "spec.replicatedJobs.0.template.spec.template.spec");
  return law::at(law::object(objects, "Job"), "spec.template.spec");
}

std::string selected(const law::Case& made, std::string_view label) {
  const auto objects = law::documents(made.text(Emit::manifests));
  const Value* spec = pod_spec(objects);
  const Value* selector = spec == nullptr ? nullptr : spec->find("nodeSelector");
  const Value* value = selector == nullptr ? nullptr : selector->find(label);
  return value == nullptr ? "" : value->text;
}

bool has(const law::Case& made, std::string_view path) {
  const auto objects = law::documents(made.text(Emit::manifests));
  return law::at(pod_spec(objects), path) != nullptr;
}

TEST_CASE("no script creates or deletes a node pool or a policy that exists") {
  for (std::string_view pools : {"", ", nodePool: p"}) {
    for (std::string_view tpu : {"type: v6e, topology: 4x4", "type: tpu7x, topology: 2x2x2"}) {
      const law::Case made = compile(tpu, pools);
      INFO(made.findings());
      REQUIRE(made.compiled.ok);
      for (Emit script : {Emit::provision, Emit::verify, Emit::cleanup}) {
        for (const law::Words& command : law::commands(made.text(script))) {
          CAPTURE(text::join(command, " "));
          const std::string name = law::name_of(command);
          CHECK(name.find("create") == std::string::npos);
          CHECK(name.find("node-pools delete") == std::string::npos);
          CHECK(name.find("resource-policies") == std::string::npos);
        }
      }
    }
  }
}

TEST_CASE("pods are pinned to pools that are named, one for each slice") {
  const std::string pool = "cloud.google.com/gke-nodepool";
  CHECK(selected(compile("type: v6e, topology: 4x4", ", nodePool: blue"), pool) == "blue");
  CHECK(selected(compile("type: v6e, topology: 4x4", ", nodePool: [blue]"), pool) == "blue");
  const law::Case slices =
      compile("type: v6e, topology: 4x4, slices: 2", ", nodePool: [blue, green]");
  const auto objects = law::documents(slices.text(Emit::manifests));
  const Value* terms =
      law::at(pod_spec(objects),
              "affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution"
              ".nodeSelectorTerms.0.matchExpressions.0.values");
  REQUIRE(terms != nullptr);
  REQUIRE(terms->items.size() == 2);
  CHECK(terms->items[0].text == "blue");
  CHECK(terms->items[1].text == "green");
}

TEST_CASE("pods stay together on pools that are not named") {
  CHECK(has(compile("type: v6e, topology: 4x4", ""), "affinity.podAffinity"));
  CHECK_FALSE(has(compile("type: v6e, topology: 2x2", ""), "affinity"));
  // Kueue places them itself, where nodes exist.
  CHECK_FALSE(has(compile("type: v6e, topology: 4x4", ", model: spot, queue: q"), "affinity"));
  const law::Case slices = compile("type: v6e, topology: 4x4, slices: 2", "");
  CHECK(slices.text(Emit::manifests).find("exclusive-topology: cloud.google.com/gke-nodepool") !=
        std::string_view::npos);
  // Pools of both machine types have the same labels.
  const std::string machine = "node.kubernetes.io/instance-type";
  const std::string_view two = "type: v6e, topology: 2x4, machineType: ct6e-standard-8t";
  CHECK(selected(compile(two, ""), machine) == "ct6e-standard-8t");
  CHECK(selected(compile(two, ", nodePool: blue"), machine).empty());
  CHECK(selected(compile("type: v6e, topology: 4x4", ""), machine).empty());
}

TEST_CASE("only artifacts that call gcloud need the cluster") {
  for (Emit emit : {Emit::manifests, Emit::queues, Emit::plan}) {
    const law::Case made =
        compile("type: v6e, topology: 4x4", ", model: spot, queue: q", "", {.emit = {emit}});
    INFO(made.findings());
    CHECK(made.compiled.ok);
  }
  for (Emit emit : {Emit::preflight, Emit::provision, Emit::verify, Emit::cleanup}) {
    const law::Case made =
        compile("type: v6e, topology: 4x4", ", model: spot", "", {.emit = {emit}});
    CHECK(made.findings() == "1:1 FS4008 missing `cluster.name` and `cluster.location`\n");
  }
}

TEST_CASE("what is given is compared with the pool, and nothing else") {
  const auto fields = [](std::string_view tpu, std::string_view given) {
    const law::Case made = compile(tpu, ", nodePool: p" + std::string(given));
    INFO(made.findings());
    REQUIRE(made.compiled.ok);
    for (const law::Words& command : law::commands(made.text(Emit::verify))) {
      const std::string format = law::flag(command, "--format");
      if (const std::size_t at = format.find("]("); at != std::string::npos)
        return format.substr(at + 2, format.size() - at - 3);
    }
    return std::string();
  };
  const std::string_view one = "type: v6e, topology: 2x2";
  const std::string flex = "status,config.flexStart,config.spot,queuedProvisioning.enabled,";
  const std::string affinity = "config.reservationAffinity.consumeReservationType,";
  CHECK(fields(one, "") == flex + affinity + "config.machineType");
  CHECK(fields(one, ", maxNodes: 2") ==
        flex + affinity + "autoscaling.maxNodeCount,config.machineType");
  CHECK(fields(one, ", zones: [us-east5-b], maxRunDuration: 2h") ==
        flex + affinity + "config.maxRunDuration,config.machineType,locations");
  // Whether its nodes are of a reservation is not known without a name.
  CHECK(fields(one, ", model: reservation") == flex + "config.machineType");
  CHECK(fields(one, ", model: reservation, reservation: r") ==
        flex + affinity + "config.reservationAffinity.values,config.machineType");
  // A slice has as many nodes as it has hosts, whoever made the pool.
  CHECK(fields("type: v6e, topology: 4x4", ", model: spot") ==
        flex + affinity +
            "autoscaling.maxNodeCount,config.machineType,placementPolicy.tpuTopology");
}

}  // namespace
}  // namespace flexslice
