// Kueue puts the node labels of a flavor into the pods that it admits. A pod template that lacks
// one is changed by the admission, and the manifest cannot be applied again.
#include <fmt/core.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>

#include "../catch.hpp"
#include "compiled.hpp"

namespace flexslice::law {
namespace {

using yaml::Value;

void for_templates(const Value& value, const std::function<void(const Value&)>& judge) {
  if (value.at({"spec", "containers"}) != nullptr) return judge(value);
  for (const Value& item : value.items) for_templates(item, judge);
  for (const Value::Member& member : value.members) for_templates(member.value, judge);
}

bool tolerates_all(const Value& pod, const Value& flavor) {
  const Value* taints = at(&flavor, "spec.nodeTaints");
  const Value* tolerations = at(&pod, "spec.tolerations");
  if (taints == nullptr || tolerations == nullptr) return false;
  return std::ranges::all_of(taints->items, [&](const Value& taint) {
    return std::ranges::any_of(tolerations->items, [&](const Value& toleration) {
      return text_at(&toleration, "key") == text_at(&taint, "key") &&
             text_at(&toleration, "value") == text_at(&taint, "value");
    });
  });
}

// Returns how many templates have a flavor.
int judge_flavors(const std::string& spec) {
  const Case made = compile(spec);
  if (made.errors() > 0) return 0;
  INFO(spec);
  const std::vector<Value> queues = documents(made.text(Emit::queues));
  int judged = 0;
  for (const Value& object : documents(made.text(Emit::manifests))) {
    for_templates(object, [&](const Value& pod) {
      for (const Value& flavor : queues) {
        if (text_at(&flavor, "kind") != "ResourceFlavor" || !tolerates_all(pod, flavor)) continue;
        ++judged;
        for (const Value::Member& label : at(&flavor, "spec.nodeLabels")->members) {
          INFO(label.key);
          const Value* selector = at(&pod, "spec.nodeSelector");
          REQUIRE(selector != nullptr);
          const Value* selected = selector->find(label.key);
          REQUIRE(selected != nullptr);
          CHECK(selected->text == label.value.text);
        }
      }
    });
  }
  return judged;
}

TEST_CASE("the pods of every example select all labels of the nodes of their flavor",
          "[property]") {
  int judged = 0;
  for (const auto& folder : std::filesystem::directory_iterator(FLEXSLICE_SOURCE_DIR "/examples")) {
    std::ifstream file(folder.path() / "spec.yaml");
    std::stringstream text;
    text << file.rdbuf();
    std::string spec = text.str();
    constexpr std::string_view provisioning = "\nprovisioning:\n";
    const std::size_t place = spec.find(provisioning);
    if (spec.find("queue: ") == std::string::npos && place != std::string::npos)
      spec.insert(place + provisioning.size(), "  queue: law\n");
    judged += judge_flavors(spec);
  }
  CHECK(judged >= 10);
}

TEST_CASE("the pods of every kind and model select all labels of the nodes of their flavor",
          "[property]") {
  constexpr std::string_view kinds[] = {
      "kind: job",
      "kind: jobset",
      "kind: deployment, ports: [8000]",
      "kind: leaderworkerset, ports: [8000]",
      "kind: leaderworkerset, leader: {tpu: false, ports: [8000], resources: {cpu: 3}}",
      "kind: raycluster, ray: {version: 2.51.0}",
      "kind: rayjob, script: run, ray: {version: 2.51.0}"};
  constexpr std::string_view models[] = {
      "model: spot", "model: on-demand", "model: flex-start, maxRunDuration: 2h",
      "model: flex-start-queued", "model: reservation, reservation: r"};
  int judged = 0;
  for (std::string_view kind : kinds) {
    for (std::string_view model : models) {
      for (std::string_view shape : {"2x2", "4x4", "4x4, slices: 2"}) {
        for (bool autopilot : {false, true}) {
          judged += judge_flavors(fmt::format(
              "apiVersion: flexslice/v1\nname: law\ncluster: {{name: c, location: us-east5{}}}\n"
              "tpu: {{type: v6e, topology: {}{}}}\nprovisioning: {{queue: team-a, {}{}}}\n"
              "workload: {{image: busybox, {}}}\n",
              autopilot ? ", mode: autopilot" : "", shape,
              shape == "2x2" ? ", machineType: ct6e-standard-4t" : "", model,
              autopilot ? "" : ", zones: [us-east5-b]", kind));
        }
      }
    }
  }
  CHECK(judged >= 60);
}

}  // namespace
}  // namespace flexslice::law
