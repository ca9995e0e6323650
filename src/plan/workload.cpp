// The pods of the plan, and the queue that they enter.
#include <fmt/core.h>

#include <algorithm>

#include "base/text.hpp"
#include "facts/names.hpp"
#include "plan/build.hpp"
#include "schema/pattern.hpp"

namespace flexslice::plan {

using yaml::Value;

namespace {

Derived<std::optional<std::int64_t>> seconds_of(const schema::Text& duration) {
  const auto seconds = schema::duration_seconds(duration.value);
  if (!seconds) return {};
  return {seconds, duration.value == fmt::format("{}s", *seconds) ? "" : duration.value};
}

std::optional<std::int64_t> number_of(const schema::Integer& number) {
  return number.where.usable() ? std::optional(number.value) : std::nullopt;
}

// Mappings in the order that Kubernetes' own examples have, whatever the order in the spec.
Value in_order(Value value) {
  constexpr std::string_view first[] = {"name", "image", "command",   "args",        "workingDir",
                                        "env",  "ports", "resources", "volumeMounts"};
  std::ranges::sort(value.members, {}, [&](const Value::Member& member) {
    return std::pair(std::ranges::find(first, member.key) - first, std::string_view(member.key));
  });
  for (auto& [key, member] : value.members) member = in_order(std::move(member));
  for (Value& item : value.items) item = in_order(std::move(item));
  return value;
}

Value containers_of(const schema::List<schema::Tree>& trees) {
  Value list = Value::sequence();
  for (const schema::Tree& tree : trees.items) list.push(in_order(yaml::to_value(tree.value)));
  return list;
}

std::vector<std::string> strings_of(const schema::List<schema::Text>& list) {
  std::vector<std::string> strings;
  for (const schema::Text& text : list.items) strings.push_back(text.value);
  return strings;
}

std::vector<std::string> build_command(const claims::Workload& said) {
  if (said.script.value.empty()) return strings_of(said.command);
  std::vector<std::string> command{"bash", "-c", escape_references(said.script.value, said.env)};
  // bash takes the first argument after the script as $0.
  if (!said.args.items.empty()) command.emplace_back("bash");
  return command;
}

std::vector<Port> build_ports(const Complete& complete) {
  std::vector<Port> ports;
  const auto with_number = [&](std::int64_t number) -> Port& {
    const auto known =
        std::ranges::find_if(ports, [&](const Port& port) { return port.number == number; });
    return known != ports.end() ? *known : ports.emplace_back(Port{{}, number});
  };
  for (const catalog::Port& port : complete.catalog.ports) {
    if (!complete.facts.multi_host() || (port.when != "always" && complete.facts.slices == 1))
      continue;
    with_number(port.number).number.reason = {std::string(port.use), nullptr, false};
  }
  for (const claims::Port& port : complete.claims.workload.ports.items) {
    Port& with_name = with_number(port.port.value);
    if (!port.name.value.empty()) with_name.name = port.name.value;
  }
  return ports;
}

Volume build_volume(const claims::Volume& said) {
  const bool memory = said.memory.where.given;
  return {.name = said.name.value,
          .mount_path = said.mount_path.value,
          .read_only = said.read_only.value,
          .memory = memory,
          .empty_dir = memory || said.empty_dir.where.given,
          .size_limit = (memory ? said.memory : said.empty_dir).size_limit.value,
          .pvc = said.pvc.value,
          .bucket = said.gcs.bucket.value,
          .mount_options = said.gcs.mount_options.value,
          .config_map = said.config_map.value,
          .secret = said.secret.value,
          .host_path = said.host_path.value};
}

// What happens to pods that fail.
void build_policy(const Complete& complete, Workload& workload) {
  const claims::Workload& said = complete.claims.workload;
  const bool whole = complete.facts.multi_host();  // as every slice of several is
  workload.restart_policy = said.restart_policy.value;
  workload.backoff_limit = number_of(said.backoff_limit);
  if (workload.restart_policy.value.empty())
    workload.restart_policy =
        whole ? Derived<std::string>("Never", "one lost host stops the whole slice")
              : Derived<std::string>("OnFailure");
  if (!workload.backoff_limit.value && whole)
    workload.backoff_limit = {0, "one failed pod fails the Job"};
  workload.max_restarts = number_of(said.max_restarts);
  workload.active_deadline = seconds_of(said.active_deadline);
  workload.ttl_after_finished = seconds_of(said.ttl_after_finished);
  workload.termination_grace = seconds_of(said.termination_grace);
}

}  // namespace

Workload build_workload(const Complete& complete) {
  const claims::Workload& said = complete.claims.workload;
  Workload workload;
  workload.of_kind = &complete.kind;
  workload.kind = complete.kind.word;
  const std::int64_t slices = complete.facts.slices;
  if (!said.kind.where.given)
    workload.kind.reason = {slices > 1
                                ? fmt::format("{} slices work together as one JobSet", slices)
                                : "one slice is one Job"};
  workload.image = said.image.value;
  workload.command = build_command(said);
  workload.args = strings_of(said.args);
  workload.env = build_environment(said.env);
  workload.ports = build_ports(complete);
  workload.resources = {said.resources.cpu.value, said.resources.memory.value,
                        said.resources.ephemeral_storage.value};
  for (const claims::Volume& volume : said.volumes.items)
    workload.volumes.push_back(build_volume(volume));
  workload.gcs_fuse = std::ranges::any_of(
      workload.volumes, [](const Volume& volume) { return !volume.bucket.empty(); });
  workload.node_selector = sorted_pairs(said.node_selector);
  for (const claims::Toleration& toleration : said.tolerations.items)
    workload.tolerations.push_back({toleration.key.value, toleration.op.value,
                                    toleration.value.value, toleration.effect.value,
                                    number_of(toleration.toleration_seconds)});
  build_policy(complete, workload);
  workload.service_account = said.service_account.value;
  workload.priority_class = said.priority_class.value;
  workload.privileged = said.privileged.value;
  workload.host_network = said.host_network.value;
  if (said.security_context.where.usable())
    workload.security_context = in_order(yaml::to_value(said.security_context.value));
  for (const claims::LocalName& secret : said.image_pull_secrets.items)
    workload.image_pull_secrets.push_back({secret.name.value});
  workload.init_containers = containers_of(said.init_containers);
  workload.sidecars = containers_of(said.sidecars);
  if (complete.facts.multi_host()) {
    workload.completions = {complete.facts.hosts,
                            facts::hosts_sum(complete.topology, complete.machine),
                            &complete.machine.evidence};
    workload.completion_mode = "Indexed";
    if (!complete.kind.own_service) workload.service = complete.claims.name.value;
  }
  if (complete.kind.own_service || complete.facts.multi_host()) {
    workload.host_names = {
        facts::host_name(complete.claims, complete.facts, 0, 0),
        facts::host_name(complete.claims, complete.facts, slices - 1, complete.facts.hosts - 1)};
  }
  return workload;
}

}  // namespace flexslice::plan
