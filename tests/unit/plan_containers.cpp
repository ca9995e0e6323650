// `containersPerPod`: containers that share the chips of a host.
#include <fmt/core.h>

#include "../catch.hpp"
#include "../property/compiled.hpp"
#include "base/text.hpp"

namespace flexslice {
namespace {

using yaml::Value;

law::Case compile(std::string_view topology, std::string_view workload,
                  std::string_view provisioning = "") {
  return law::compile(
      fmt::format("apiVersion: flexslice/v1\nname: a\n"
                  "cluster: {{name: c, location: us-central1}}\n"
                  "tpu: {{type: tpu7x, topology: {}}}\n"
                  "provisioning: {{model: spot, zones: [us-central1-c]{}}}\n"
                  "workload: {{image: i{}}}\n",
                  topology, provisioning, workload));
}

// `a 4: 8471 8431`: each container with its chips and ports.
std::string containers(const law::Case& made) {
  INFO(made.findings());
  REQUIRE(made.compiled.ok);
  const auto objects = law::documents(made.text(Emit::manifests));
  const Value* list = law::at(law::object(objects, "Job"), "spec.template.spec.containers");
  std::vector<std::string> all;
  for (const Value& container : list->items) {
    const Value* chips = law::at(&container, "resources.limits")->find("google.com/tpu");
    all.push_back(fmt::format("{} {}:", law::text_at(&container, "name"), chips->text));
    if (const Value* ports = container.find("ports")) {
      for (const Value& port : ports->items)
        all.back() += " " + law::text_at(&port, "containerPort");
    }
  }
  return text::join(all, ", ");
}

TEST_CASE("the chips of a host are divided, and its processes have ports that follow each other") {
  CHECK(containers(compile("2x2x2", "")) == "a 4: 8471 8431");
  CHECK(containers(compile("2x2x2", ", containersPerPod: 1")) == "a 4: 8471 8431");
  CHECK(containers(compile("2x2x2", ", containersPerPod: 2")) == "a 2: 8471 8431, a-1 2: 8472");
  CHECK(containers(compile("2x2x1", "")) == "a 4:");
  CHECK(containers(compile("2x2x1", ", containersPerPod: 2")) == "a 2: 8471, a-1 2: 8472");
}

TEST_CASE("ports of the spec are the first container's") {
  CHECK(containers(compile("2x2x2", ", containersPerPod: 2, ports: [9000]")) ==
        "a 2: 8471 8431 9000, a-1 2: 8472");
}

TEST_CASE("a queue has room for all containers of a pod") {
  const law::Case made =
      compile("2x2x2", ", containersPerPod: 2, resources: {memory: 100Gi}", ", queue: q");
  INFO(made.findings());
  REQUIRE(made.compiled.ok);
  const auto objects = law::documents(made.text(Emit::queues));
  const Value* quotas =
      law::at(law::object(objects, "ClusterQueue"), "spec.resourceGroups.0.flavors.0.resources");
  CHECK(law::text_at(quotas, "0.nominalQuota") == "400Gi");
  CHECK(law::text_at(quotas, "1.nominalQuota") == "8");
}

}  // namespace
}  // namespace flexslice
