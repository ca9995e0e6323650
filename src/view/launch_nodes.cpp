// gcloud's commands for the nodes and the cluster that a launcher creates, with the places of the
// flags that say the same; of a workload, a check that names its cluster.
#include <fmt/core.h>

#include <algorithm>

#include "base/lists.hpp"
#include "base/text.hpp"
#include "extract/arguments.hpp"
#include "resolve/facts.hpp"
#include "schema/pattern.hpp"
#include "view/launch.hpp"

namespace flexslice::view {

using extract::Command;
using extract::Word;

namespace {

// A slice and a pool for each.
constexpr std::int64_t most_pools = 256;

class NodeMaker {
 public:
  explicit NodeMaker(const LaunchClaims& launch) : launch_(launch) {}

  std::vector<Command> make() {
    if (launch_.command.find("creates")) {
      cluster();
      policy();
      pools();
    } else if (launch_.has_object() || launch_.command.find("names")) {
      existing();
    }
    return std::move(commands_);
  }

 private:
  Command& start(std::string_view words) {
    Command& command = commands_.emplace_back();
    command.where = launch_.where.span;
    for (const std::string_view word : text::split(words, ' ')) add(std::string(word), nullptr);
    return command;
  }

  void add(std::string text, const LaunchFlag* flag) {
    Word word{std::move(text), launch_.where.span};
    if (flag != nullptr) {
      word.where = flag->value.where.given ? flag->value.where.span : flag->name.where.span;
      word.unknown = flag->value.where.placeholder;
      word.unfilled = flag->unfilled;
      word.set_at = flag->set_at;
    }
    commands_.back().words.push_back(std::move(word));
  }

  void add_as(std::string_view role, std::string_view gcloud) {
    const LaunchFlag* flag = launch_.find_as(role);
    if (flag != nullptr) add(fmt::format("{}={}", gcloud, flag->value.value), flag);
  }

  // The name of the cluster, which a variable may have, and the end of that of a pool.
  void add_cluster_name(std::string_view end) {
    const LaunchFlag* cluster = launch_.find_as("cluster");
    add(fmt::format("{}{}", cluster == nullptr ? "$CLUSTER" : cluster->value.value, end), cluster);
    if (cluster == nullptr) commands_.back().words.back().unknown = true;
  }

  // The control plane of a cluster of xpk is in the region of its zone.
  void location() {
    add_as("location", "--location");
    const LaunchFlag* zone = launch_.find_as("zone");
    if (zone != nullptr && zone->value.usable())
      add(fmt::format("--location={}", resolve::region_of(zone->value.value)), zone);
    add_as("project", "--project");
  }

  const LaunchFlag* zone() const {
    const LaunchFlag* flag = launch_.find_as("zone");
    const bool is_region = flag != nullptr && flag->value.usable() &&
                           !schema::matches(schema::Pattern::zone, flag->value.value);
    return is_region ? nullptr : flag;
  }

  // Flags of gcloud that are given as one text.
  void arguments(const LaunchFlag* flag) {
    if (flag == nullptr) return;
    const std::string_view text = flag->value.value;
    for (const std::string_view word : text::split(text, ' ')) {
      if (!word.empty()) add(std::string(word), flag);
    }
  }

  void cluster() {
    start(fmt::format("gcloud {}", extract::create_cluster));
    add_cluster_name("");
    location();
    add_as("version", "--cluster-version");
    arguments(launch_.find_as("cluster-arguments"));
  }

  bool by_policy() const {
    const LaunchDevice& device = launch_.device;
    return device.hosts > 1 && device.generation->placement == catalog::Placement::policy;
  }
  std::string policy_name() const {
    return fmt::format("{}-{}-placement-policy", launch_.device.generation->id,
                       launch_.device.topology->text());
  }

  void policy() {
    if (!by_policy()) return;
    start(fmt::format("gcloud {} {} --type=HIGH_THROUGHPUT --accelerator-topology={}",
                      extract::create_policy, policy_name(), launch_.device.topology->text()));
    const LaunchFlag* zone = launch_.find_as("zone");
    if (zone != nullptr && zone->value.usable())
      add(fmt::format("--region={}", resolve::region_of(zone->value.value)), zone);
    add_as("project", "--project");
  }

  // GKE makes those of auto-provisioning.
  void pools() {
    if (launch_.find_as("auto-provisioning") != nullptr) return;
    const std::int64_t slices = std::max<std::int64_t>(
        launch_.claims.tpu.slices.usable() ? launch_.claims.tpu.slices.value : 1, 1);
    for (std::int64_t i = 0; i < std::min(slices, most_pools); ++i) pool(i);
  }

  void pool(std::int64_t index) {
    const LaunchDevice& device = launch_.device;
    start(fmt::format("gcloud {}", extract::create_pool));
    const LaunchFlag* type = launch_.find_as("device");
    add_cluster_name(fmt::format("-np-{}", index));
    add_as("cluster", "--cluster");
    location();
    if (zone() != nullptr) add(fmt::format("--node-locations={}", zone()->value.value), zone());
    if (device.machine != nullptr) {
      add(fmt::format("--machine-type={}", device.machine->name), type);
    } else {
      add("--machine-type=$MACHINE_TYPE", type);
    }
    if (by_policy()) {
      add(fmt::format("--placement-policy={}", policy_name()), type);
    } else if (device.hosts > 1) {
      add(fmt::format("--tpu-topology={}", device.topology->text()), type);
    }
    model();
    if (index != 0) return;
    arguments(launch_.find_as("pool-arguments"));
    variables();
  }

  // Variables that may hold options, such as the capacity, which is else on-demand.
  void variables() {
    for (const spec::Text& operand : launch_.operands) {
      if (!operand.where.placeholder || !operand.value.starts_with('$')) continue;
      Word word{operand.value, operand.where.span};
      word.unknown = true;
      commands_.back().words.push_back(std::move(word));
    }
  }

  void model() {
    const std::int64_t hosts = std::max<std::int64_t>(launch_.device.hosts, 1);
    const LaunchFlag* type = launch_.find_as("device");
    const LaunchFlag* flag = launch_.find_as("model");
    const std::string_view words = flag == nullptr ? "" : flag->row.find("gcloud").text();
    if (!words.empty()) add(std::string(words), flag);
    const bool is_scaled = words == "--flex-start";
    if (is_scaled) {
      add("--enable-autoscaling", flag);
      add("--num-nodes=0", type);
      add(fmt::format("--max-nodes={}", hosts), type);
    } else {
      add(fmt::format("--num-nodes={}", hosts), type);
    }
    if (launch_.find_as("reservation") != nullptr) {
      add("--reservation-affinity=specific", launch_.find_as("reservation"));
      add_as("reservation", "--reservation");
    }
  }

  void existing() {
    start("expect");
    const LaunchDevice& device = launch_.device;
    const bool has_pods = launch_.has_object();
    if (has_pods && device.machine != nullptr)
      add(fmt::format("config.machineType={}", device.machine->name), launch_.find_as("device"));
    if (has_pods && zone() != nullptr)
      add(fmt::format("locations={}", zone()->value.value), zone());
    for (const std::string_view word : {"--", "gcloud", "container", "node-pools", "list"})
      add(std::string(word), nullptr);
    add_as("cluster", "--cluster");
    location();
  }

  const LaunchClaims& launch_;
  std::vector<Command> commands_;
};

}  // namespace

std::vector<Command> launched_nodes(const LaunchClaims& launch) {
  if (launch.device.answer == DeviceAnswer::other) return {};
  return NodeMaker(launch).make();
}

}  // namespace flexslice::view
