// What each workload kind makes of its slices: pods, node pools, and how the two find each other.
#include <fmt/core.h>

#include "../catch.hpp"
#include "../property/compiled.hpp"
#include "spec/kinds.hpp"

namespace flexslice {
namespace {

using yaml::Value;

struct Setting {
  std::string_view kind;
  std::string_view topology = "4x4";
  std::int64_t slices = 2;
  std::string_view provisioning = "model: on-demand, zones: [us-east5-b]";
  std::string_view mode = "standard";
  std::string_view workload = {};
  std::string_view more = {};  // lines of the spec
};

struct Made {
  std::vector<Value> objects, queues;
  std::vector<law::Words> pools;
  std::string preflight;

  explicit Made(const Setting& setting) {
    const bool ray = setting.kind.starts_with("ray");
    const law::Case made = law::compile(
        fmt::format(
            "apiVersion: flexslice/v1\nname: a\ncluster: {{name: c, location: us-east5, mode: "
            "{}}}\n"
            "tpu: {{type: v6e, topology: {}, slices: {}}}\nprovisioning: {{{}}}\n"
            "workload: {{kind: {}, image: i, resources: {{ephemeral-storage: 1Gi}}{}{}{}}}\n{}",
            setting.mode, setting.topology, setting.slices, setting.provisioning, setting.kind,
            ray ? R"(, ray: {version: "2"})" : "", setting.kind == "rayjob" ? ", script: x" : "",
            setting.workload, setting.more),
        {.emit = {Emit::manifests, Emit::provision, Emit::queues, Emit::preflight}});
    INFO(made.findings());
    REQUIRE(made.errors() == 0);
    objects = law::documents(made.text(Emit::manifests));
    queues = law::documents(made.text(Emit::queues));
    preflight = made.text(Emit::preflight);
    for (const auto& command : law::commands(made.text(Emit::provision))) {
      if (law::name_of(command) == "container node-pools create") pools.push_back(command);
    }
  }
  const Value& workload() const { return objects.back(); }
  std::string at(std::string_view path) const { return law::text_at(&workload(), path); }
};

const Value* object(const Made& made, std::string_view kind) {
  return law::object(made.objects, kind);
}

TEST_CASE("a Deployment has a pool of as many nodes as replicas") {
  const Made made(
      {.kind = "deployment", .topology = "2x2", .slices = 3, .workload = ", ports: [80]"});
  CHECK(made.at("spec.replicas") == "3");
  REQUIRE(made.pools.size() == 1);
  CHECK(law::flag(made.pools[0], "--num-nodes") == "3");
  CHECK(made.at("spec.strategy.rollingUpdate.maxSurge") == "0");
  CHECK(made.at("spec.strategy.rollingUpdate.maxUnavailable") == "1");
  CHECK(made.at("spec.template.spec.restartPolicy") == "(none)");
  CHECK(law::text_at(object(made, "Service"), "spec.selector.app") == "a");
  CHECK(object(made, "PodDisruptionBudget") != nullptr);
}

TEST_CASE("one replica has no disruption budget, and without ports there is no Service") {
  const Made made({.kind = "deployment", .topology = "2x2", .slices = 1});
  CHECK(made.objects.size() == 1);
}

TEST_CASE("spare nodes are for the next version") {
  const Made made(
      {.kind = "deployment",
       .topology = "2x2",
       .slices = 3,
       .provisioning = "model: flex-start, zones: [us-east5-a, us-east5-b], maxNodes: 2"});
  CHECK(made.at("spec.strategy.rollingUpdate.maxSurge") == "1");
  CHECK(made.at("spec.strategy.rollingUpdate.maxUnavailable") == "0");
}

TEST_CASE("a LeaderWorkerSet has a node pool for each group") {
  const Made made({.kind = "leaderworkerset", .workload = ", ports: [80]"});
  CHECK(made.at("spec.replicas") == "2");
  CHECK(made.at("spec.leaderWorkerTemplate.size") == "4");
  CHECK(made.at("spec.leaderWorkerTemplate.leaderTemplate") == "(none)");
  CHECK(made.pools.size() == 2);
  const Value* annotations = law::at(&made.workload(), "metadata.annotations");
  REQUIRE(annotations != nullptr);
  CHECK(annotations->find("leaderworkerset.sigs.k8s.io/exclusive-topology") != nullptr);
  CHECK(law::text_at(object(made, "Service"), "metadata.name") == "a-leader");
}

TEST_CASE("a leader without chips is elsewhere, and its workers stay together") {
  const Made made({.kind = "leaderworkerset", .workload = ", leader: {tpu: false, ports: [80]}"});
  CHECK(made.at("spec.leaderWorkerTemplate.size") == "5");
  CHECK(made.at("spec.leaderWorkerTemplate.subGroupPolicy.subGroupPolicyType") == "LeaderExcluded");
  CHECK(made.at("spec.leaderWorkerTemplate.subGroupPolicy.subGroupSize") == "4");
  const Value* annotations = law::at(&made.workload(), "metadata.annotations");
  REQUIRE(annotations != nullptr);
  CHECK(annotations->find("leaderworkerset.sigs.k8s.io/exclusive-topology") == nullptr);
  CHECK(annotations->find("leaderworkerset.sigs.k8s.io/subgroup-exclusive-topology") != nullptr);
  const Value* leader = law::at(&made.workload(), "spec.leaderWorkerTemplate.leaderTemplate.spec");
  REQUIRE(leader != nullptr);
  CHECK(leader->find("nodeSelector") == nullptr);
  CHECK(leader->find("affinity") == nullptr);
  CHECK(law::text_at(leader, "containers.0.resources.requests.cpu") == "1");
  CHECK(law::text_at(leader, "containers.0.ports.0.containerPort") == "80");
}

TEST_CASE("several pools of a Ray cluster are found by a label") {
  const Made made({.kind = "raycluster"});
  REQUIRE(made.pools.size() == 2);
  const Value* group = law::at(&made.workload(), "spec.workerGroupSpecs.0");
  CHECK(law::text_at(group, "replicas") == "2");
  CHECK(law::text_at(group, "numOfHosts") == "4");
  CHECK(law::text_at(group, "template.spec.affinity") == "(none)");
  const Value* selector = law::at(group, "template.spec.nodeSelector");
  REQUIRE(selector != nullptr);
  REQUIRE(selector->find("flexslice/workload") != nullptr);
  for (const law::Words& pool : made.pools)
    CHECK(law::flag(pool, "--node-labels") == "flexslice/workload=a");
  CHECK(law::at(&made.workload(), "spec.headGroupSpec.template.spec.nodeSelector") == nullptr);
}

TEST_CASE("hosts of a Ray cluster that are slices of their own share a pool") {
  const Made made({.kind = "raycluster", .topology = "2x2", .slices = 3});
  REQUIRE(made.pools.size() == 1);
  CHECK(law::flag(made.pools[0], "--num-nodes") == "3");
  const Value* group = law::at(&made.workload(), "spec.workerGroupSpecs.0");
  CHECK(law::text_at(group, "numOfHosts") == "1");
}

TEST_CASE("the script of a RayJob reaches the head as a file") {
  const Made made({.kind = "rayjob", .slices = 1});
  CHECK(made.at("spec.entrypoint") == "bash /etc/flexslice/script.sh");
  CHECK(made.at("spec.shutdownAfterJobFinishes") == "true");
  CHECK(law::text_at(object(made, "ConfigMap"), "metadata.name") == "a-script");
  const Value* head = law::at(&made.workload(), "spec.rayClusterSpec.headGroupSpec.template.spec");
  CHECK(law::text_at(head, "containers.0.volumeMounts.0.mountPath") == "/etc/flexslice");
  CHECK(law::text_at(head, "volumes.0.configMap.name") == "a-script");
  CHECK(made.at("spec.rayClusterSpec.workerGroupSpecs.0.template.spec.volumes") == "(none)");
}

// `google.com/tpu` of flavor 0, for example.
std::string quota(const Made& made, int flavor, std::string_view resource) {
  const Value* list = law::at(law::object(made.queues, "ClusterQueue"),
                              fmt::format("spec.resourceGroups.0.flavors.{}.resources", flavor));
  for (const Value& each : list->items) {
    if (each.text_at({"name"}) == resource) return std::string(each.text_at({"nominalQuota"}));
  }
  return {};
}

Made queued_ray(std::string_view kind, std::string_view more = {}) {
  return Made({.kind = kind,
               .slices = 1,
               .provisioning = "model: spot, zones: [us-east5-b], queue: q",
               .workload = "",
               .more = more});
}

TEST_CASE("pods without chips have a flavor of their own in a queue") {
  const Made made = queued_ray("raycluster");
  const Value* queue = law::object(made.queues, "ClusterQueue");
  CHECK(law::text_at(queue, "spec.resourceGroups.0.flavors.1.name") == "ordinary-nodes");
  CHECK(quota(made, 0, "google.com/tpu") == "16");
  CHECK(quota(made, 1, "google.com/tpu") == "0");
  CHECK(quota(made, 1, "cpu") == "2");
  CHECK(quota(made, 1, "memory") == "8Gi");
}

// https://github.com/kubernetes-sigs/kueue/pull/14707
TEST_CASE("a leader without chips has a flavor, whatever it requests") {
  for (std::string_view resources : {"", ", resources: {memory: 4Gi}"}) {
    const Made made({.kind = "leaderworkerset",
                     .provisioning = "model: spot, zones: [us-east5-b], queue: q",
                     .workload = fmt::format(", leader: {{tpu: false, script: a{}}}", resources)});
    const Value* queue = law::object(made.queues, "ClusterQueue");
    CHECK(law::text_at(queue, "spec.resourceGroups.0.flavors.1.name") == "ordinary-nodes");
    CHECK(quota(made, 1, "cpu") == "2");
  }
}

// https://github.com/kubernetes-sigs/kueue/pull/3729
TEST_CASE("a queue and the nodes have room for what submits a job of KubeRay") {
  const Made made = queued_ray("rayjob");
  CHECK(quota(made, 1, "cpu") == "2500m");
  CHECK(quota(made, 1, "memory") == "8392Mi");
  const auto patched = [](std::string_view spec) {
    return queued_ray(
        "rayjob",
        fmt::format("patches: [{{target: {{kind: RayJob}}, merge: {{spec: {}}}}}]\n", spec));
  };
  CHECK(quota(patched("{submissionMode: HTTPMode}"), 1, "cpu") == "2");
  CHECK(quota(patched("{submissionMode: K8sJobMode}"), 1, "cpu") == "2500m");
  constexpr std::string_view submitter =
      "{submitterPodTemplate: {spec: {restartPolicy: Never, containers: [{name: s, image: i, "
      "resources: {requests: {cpu: 3}}}]}}}";
  CHECK(quota(patched(submitter), 1, "cpu") == "5");
  const auto needs = [](const Made& job, std::string_view nodes) {
    INFO(job.preflight);
    return job.preflight.find(nodes) != std::string::npos;
  };
  CHECK(
      needs(made, "with 2 CPUs and 8Gi of memory, on nodes of another pool; and one that submits"));
  CHECK(needs(patched("{submissionMode: HTTPMode}"),
              "with 2 CPUs and 8Gi of memory, on nodes of another pool'"));
  const Made sidecar = patched("{submissionMode: SidecarMode}");  // of the head
  CHECK(quota(sidecar, 1, "cpu") == "2500m");
  CHECK(needs(sidecar, "with 2500m CPUs and 8392Mi of memory, on nodes of another pool'"));
}

TEST_CASE("quotas of a group with a leader of its own count it once") {
  const Made made({.kind = "leaderworkerset",
                   .provisioning = "model: on-demand, zones: [us-east5-b], queue: q",
                   .workload = ", leader: {command: [x], resources: {cpu: 3}}"});
  const Value* resources = law::at(law::object(made.queues, "ClusterQueue"),
                                   "spec.resourceGroups.0.flavors.0.resources");
  REQUIRE(resources != nullptr);
  for (const Value& each : resources->items) {
    if (each.text_at({"name"}) == "cpu") CHECK(each.text_at({"nominalQuota"}) == "6");
    if (each.text_at({"name"}) == "google.com/tpu") CHECK(each.text_at({"nominalQuota"}) == "32");
  }
}

TEST_CASE("a schedule starts the Job that the spec has without it") {
  const auto with = [](std::string_view schedule) {
    return Made({.kind = "job",
                 .slices = 1,
                 .provisioning = "model: on-demand, zones: [us-east5-b], queue: q",
                 .workload = schedule});
  };
  const Made once = with(""), often = with(", schedule: '@daily'");
  CHECK(often.workload().text_at({"kind"}) == "CronJob");
  CHECK(often.workload().at({"metadata", "labels"}) == nullptr);
  const Value* made = often.workload().at({"spec", "jobTemplate"});
  REQUIRE(made != nullptr);
  CHECK(made->text_at({"metadata", "labels", "kueue.x-k8s.io/queue-name"}) == "q");
  Value job = *once.workload().find("spec"), of_start = *made->find("spec");
  CHECK(of_start.text_at({"template", "metadata", "labels", "flexslice-schedule"}) == "a");
  for (Value* each : {&job, &of_start})
    if (Value* labels = each->find("template")->find("metadata")) labels->erase("labels");
  CHECK(job == of_start);
  CHECK(once.pools == often.pools);
  CHECK(law::text_at(object(often, "Service"), "spec.selector.flexslice-schedule") == "a");
  CHECK(law::text_at(object(once, "Service"), "spec.selector.job-name") == "a");
}

TEST_CASE(
    "pods of a schedule on a pool of unknown name keep off other Jobs, and not off their own") {
  const Made made({.kind = "job",
                   .slices = 1,
                   .provisioning = "model: spot, create: false",
                   .workload = ", schedule: '@daily'"});
  const std::string affinity = "spec.jobTemplate.spec.template.spec.affinity.";
  const std::string required = ".requiredDuringSchedulingIgnoredDuringExecution.0.labelSelector.";
  CHECK(made.at(affinity + "podAffinity" + required + "matchLabels.flexslice-schedule") == "a");
  CHECK(made.at(affinity + "podAffinity" + required + "matchLabels.job-name") == "(none)");
  CHECK(made.at(affinity + "podAntiAffinity" + required + "matchExpressions.0.key") == "job-name");
  CHECK(made.at(affinity + "podAntiAffinity" + required + "matchExpressions.1.key") ==
        "flexslice-schedule");
}

TEST_CASE("on Autopilot no kind names a pool") {
  for (std::string_view kind : {"leaderworkerset", "raycluster", "rayjob"}) {
    const Made made({.kind = kind, .provisioning = "model: spot", .mode = "autopilot"});
    INFO(kind);
    CHECK(made.pools.empty());
  }
}

}  // namespace
}  // namespace flexslice
