// The pods of the plan, and the queue that they enter.
#include <fmt/core.h>

#include <algorithm>

#include "base/text.hpp"
#include "facts/names.hpp"
#include "plan/build.hpp"
#include "plan/build_workload.hpp"
#include "schema/pattern.hpp"

namespace flexslice::plan {

using yaml::Value;

namespace {

Derived<std::optional<std::int64_t>> seconds_of(const schema::Text& duration) {
  if (!duration.where.usable()) return {};
  const std::int64_t seconds = *schema::duration_seconds(duration.value);
  return {seconds, duration.value == fmt::format("{}s", seconds) ? std::string() : duration.value};
}

std::optional<std::int64_t> number_of(const schema::Integer& number) {
  return number.where.usable() ? std::optional(number.value) : std::nullopt;
}

// Mappings in the order that Kubernetes' own examples have, whatever the order in the spec.
Value in_order(Value value) {
  constexpr std::string_view first[] = {"name", "image", "command",   "args",        "workingDir",
                                        "env",  "ports", "resources", "volumeMounts"};
  const auto rank = [&](const Value::Member& member) {
    return std::find(std::begin(first), std::end(first), member.key) - std::begin(first);
  };
  std::sort(value.members.begin(), value.members.end(), [&](const auto& a, const auto& b) {
    return std::pair(rank(a), std::string_view(a.key)) <
           std::pair(rank(b), std::string_view(b.key));
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
  if (!said.script.where.usable()) return strings_of(said.command);
  std::vector<std::string> command{"bash", "-c", escape_references(said.script.value, said.env)};
  // bash takes the first argument after the script as $0.
  if (said.args.where.usable()) command.emplace_back("bash");
  return command;
}

std::vector<Port> build_ports(const Complete& complete) {
  std::vector<Port> ports;
  const auto with_number = [&](std::int64_t number) -> Port& {
    const auto same = [&](const Port& port) { return port.number == number; };
    const auto known = std::find_if(ports.begin(), ports.end(), same);
    return known != ports.end() ? *known : ports.emplace_back(Port{{}, number});
  };
  for (const catalog::Port& port : complete.catalog.ports) {
    if (!complete.facts.multi_host() || (port.when != "always" && complete.facts.slices == 1))
      continue;
    with_number(port.number).number.reason = {std::string(port.use), nullptr, false};
  }
  for (const claims::Port& port : complete.claims.workload.ports.items) {
    Port& made = with_number(port.port.value);
    if (port.name.where.usable()) made.name = port.name.value;
  }
  return ports;
}

Volume build_volume(const claims::Volume& said) {
  Volume made;
  made.name = said.name.value;
  made.mount_path = said.mount_path.value;
  made.read_only = is_set(said.read_only);
  made.memory = said.memory.where.given;
  made.empty_dir = said.memory.where.given || said.empty_dir.where.given;
  made.size_limit =
      said.memory.where.given ? said.memory.size_limit.value : said.empty_dir.size_limit.value;
  made.pvc = said.pvc.value;
  made.bucket = said.gcs.bucket.value;
  made.mount_options = said.gcs.mount_options.value;
  made.config_map = said.config_map.value;
  made.secret = said.secret.value;
  made.host_path = said.host_path.value;
  return made;
}

// What happens to pods that fail.
void build_policy(const Complete& complete, Workload& made) {
  const claims::Workload& said = complete.claims.workload;
  const bool whole = complete.facts.multi_host();  // as every slice of several is
  if (said.restart_policy.where.usable()) {
    made.restart_policy = said.restart_policy.value;
  } else if (whole) {
    made.restart_policy = {"Never", "one lost host stops the whole slice"};
  } else {
    made.restart_policy = std::string("OnFailure");
  }
  if (said.backoff_limit.where.usable()) {
    made.backoff_limit = number_of(said.backoff_limit);
  } else if (whole) {
    made.backoff_limit = {0, "one failed pod fails the Job"};
  }
  made.max_restarts = number_of(said.max_restarts);
  made.active_deadline = seconds_of(said.active_deadline);
  made.ttl_after_finished = seconds_of(said.ttl_after_finished);
  made.termination_grace = seconds_of(said.termination_grace);
}

std::vector<Toleration> build_tolerations(const claims::Workload& said) {
  std::vector<Toleration> made;
  for (const claims::Toleration& each : said.tolerations.items)
    made.push_back({each.key.value, each.op.value, each.value.value, each.effect.value,
                    number_of(each.toleration_seconds)});
  return made;
}

}  // namespace

Workload build_workload(const Complete& complete) {
  const claims::Workload& said = complete.claims.workload;
  Workload made;
  made.of_kind = &complete.kind;
  made.kind = complete.kind.word;
  const std::int64_t slices = complete.facts.slices;
  if (!said.kind.where.given)
    made.kind.reason = {slices > 1 ? fmt::format("{} slices work together as one JobSet", slices)
                                   : "one slice is one Job"};
  made.image = said.image.value;
  made.command = build_command(said);
  made.args = strings_of(said.args);
  made.env = build_environment(said.env);
  made.ports = build_ports(complete);
  made.resources = {said.resources.cpu.value, said.resources.memory.value,
                    said.resources.ephemeral_storage.value};
  for (const claims::Volume& volume : said.volumes.items)
    made.volumes.push_back(build_volume(volume));
  made.gcs_fuse = std::any_of(made.volumes.begin(), made.volumes.end(),
                              [](const Volume& volume) { return !volume.bucket.empty(); });
  made.node_selector = sorted_pairs(said.node_selector);
  made.tolerations = build_tolerations(said);
  build_policy(complete, made);
  made.service_account = said.service_account.value;
  made.priority_class = said.priority_class.value;
  made.privileged = is_set(said.privileged);
  made.host_network = is_set(said.host_network);
  if (said.security_context.where.usable())
    made.security_context = in_order(yaml::to_value(said.security_context.value));
  for (const claims::LocalName& secret : said.image_pull_secrets.items)
    made.image_pull_secrets.push_back({secret.name.value});
  made.init_containers = containers_of(said.init_containers);
  made.sidecars = containers_of(said.sidecars);
  if (complete.facts.multi_host()) {
    made.completions = {complete.facts.hosts, facts::hosts_sum(complete.topology, complete.machine),
                        &complete.machine.evidence};
    made.completion_mode = "Indexed";
    if (!complete.kind.own_service) made.service = complete.claims.name.value;
  }
  if (complete.kind.own_service || complete.facts.multi_host()) {
    made.host_names = {
        facts::host_name(complete.claims, complete.facts, 0, 0),
        facts::host_name(complete.claims, complete.facts, slices - 1, complete.facts.hosts - 1)};
  }
  return made;
}

}  // namespace flexslice::plan
