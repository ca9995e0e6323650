// Containers, probes, security contexts and pod failure policies, which the spec has as Kubernetes
// has them: what the API server rejects although each field has a valid value.
#include <fmt/core.h>

#include <algorithm>
#include <initializer_list>

#include "base/quantity.hpp"
#include "resolve/workload_names.hpp"
#include "rules/rules.hpp"
#include "schema/pattern.hpp"
#include "spec/derived_keys.hpp"

namespace flexslice::rules {

using yaml::Node;

namespace {

std::span<const Node> items(const Node& node, std::string_view key) {
  const Node* list = node.find(key);
  return list == nullptr ? std::span<const Node>() : list->items;
}

// Whether some pod in the tree has the volume.
bool has_volume(const Node& tree, std::string_view name) {
  const auto is_named = [&](const Node& volume) {
    const Node* own = volume.find("name");
    return own != nullptr && own->text == name;
  };
  const auto holds_it = [&](const Node& each) { return has_volume(each, name); };
  return any_of(items(tree, "volumes"), is_named) || any_of(tree.items, holds_it) ||
         any_of(tree.members, [&](const yaml::Member& each) { return holds_it(each.value); });
}

bool is_word(const Node* value, std::string_view word) {
  return value != nullptr && text::lower(value->text) == word;
}

// Of a pod or a container, where the two values count as they are.
void judge_user(const Node& context, Sink& sink) {
  const Node* user = context.find("runAsUser");
  if (user != nullptr && user->text == "0" && is_word(context.find("runAsNonRoot"), "true"))
    sink.report<Code::RootAsNonRoot>(*user).help(
        "write the ID of another user, or remove one of them");
}

// Of a pod or a container.
void judge_security(const Node& context, Sink& sink) {
  for (std::string_view key : {"seccompProfile", "appArmorProfile"}) {
    const Node* profile = context.find(key);
    if (profile == nullptr) continue;
    const Node* type = profile->find("type");
    const bool named = profile->find("localhostProfile") != nullptr;
    if (type != nullptr && named != (type->text == "Localhost"))
      sink.report<Code::LocalhostProfile>(*profile, type->text)
          .help(named ? "remove `localhostProfile`, or write `type: Localhost`"
                      : "add `localhostProfile`: a file below the kubelet's profile folder");
  }
  const Node* escalation = context.find("allowPrivilegeEscalation");
  if (is_word(escalation, "false") && is_word(context.find("privileged"), "true"))
    sink.report<Code::ExclusiveFields>(*escalation, "privileged: true",
                                       "allowPrivilegeEscalation: false");
}

// `has_port`: whether the container has a port of that name.
template <class HasPort>
void judge_probe(const Node& probe, Sink& sink, const HasPort& has_port) {
  for (std::string_view handler : {"httpGet", "tcpSocket"}) {
    const Node* port = probe.at({handler, "port"});
    if (port != nullptr && schema::matches(schema::Pattern::port_name, port->text) &&
        !has_port(port->text))
      sink.report<Code::ProbePort>(*port, port->text);
  }
}

// The rules of one container, which the decoder has judged by the fields of Kubernetes. What it has
// reported may have any type here.
class RawContainer {
 public:
  RawContainer(const Facts& facts, Sink& sink, const Node& node, bool sidecar)
      : facts_(facts),
        sink_(sink),
        node_(node),
        sidecar_(sidecar || is_word(node.find("restartPolicy"), "always")) {}

  void judge() const {
    judge_arguments();
    judge_variables();
    judge_ports();
    judge_mounts();
    judge_probes();
    judge_privilege();
    judge_requests();
    if (const Node* policy = node_.find("imagePullPolicy"))
      judge_pull_policy(facts_, policy->span, policy->text, sink_);
  }

 private:
  std::string name() const {
    const Node* name = node_.find("name");
    return name == nullptr ? "?" : name->text;
  }

  void judge_unique(std::string_view list, std::string_view key, std::string_view what) const {
    std::vector<std::string_view> earlier;
    for (const Node& item : items(node_, list)) {
      if (const Node* value = item.find(key))
        judge_repeated(sink_, earlier, value->span, value->text, what);
    }
  }

  void judge_arguments() const {
    for (std::string_view key : {"command", "args"}) {
      for (const Node& word : items(node_, key)) {
        if (word.text.size() > longest_argument)
          report_argument(sink_, word.span,
                          fmt::format("a word of `{}` of container `{}`", key, name()),
                          word.text.size());
      }
    }
  }

  void judge_variables() const {
    judge_unique("env", "name", "variable");
    for (const Node& variable : items(node_, "env")) {
      const Node* name = variable.find("name");
      const Node* value = variable.find("value");
      if (name == nullptr || value == nullptr) continue;
      if (variable.find("valueFrom") != nullptr && !value->text.empty())
        sink_.report<Code::ExclusiveFields>(variable, "value", "valueFrom");
      const std::size_t bytes = name->text.size() + 1 + value->text.size();
      if (bytes > longest_argument)
        report_argument(sink_, value->span, fmt::format("`{}=…`", name->text), bytes);
    }
  }

  void judge_ports() const { judge_unique("ports", "name", "port name"); }

  void judge_mounts() const {
    const spec::Claims& claims = facts_.claims;
    const auto& volumes = claims.workload.volumes;
    std::vector<std::string_view> earlier;
    for (const Node& mount : items(node_, "volumeMounts")) {
      const Node* path = mount.find("mountPath");
      const Node* name = mount.find("name");
      if (path == nullptr) continue;
      judge_repeated(sink_, earlier, path->span, without_slashes(path->text), "mountPath");
      const auto* volume = find_where(volumes.items, [&](const auto& candidate) {
        return name != nullptr && candidate.name.value == name->text;
      });
      judge_mount_path(sink_, path->span, path->text,
                       volume == nullptr ? std::string_view() : volume->host_path.value);
    }
    if (volumes.where.bad || claims.patches.where.bad) return;
    for (const Node& mount : items(node_, "volumeMounts")) {
      const Node* name = mount.find("name");
      const auto is_mounted = [&](const auto& volume) {
        return volume.name.where.bad || volume.name.value == name->text;
      };
      const auto adds_it = [&](const spec::Patch& patch) {
        return patch.merge.where.bad || has_volume(patch.merge.value, name->text);
      };
      if (name != nullptr && !any_of(volumes.items, is_mounted) &&
          !any_of(claims.patches.items, adds_it))
        sink_.report<Code::UnknownVolume>(*name, name->text);
    }
  }

  void judge_probes() const {
    const auto has_port = [&](std::string_view port) {
      return any_of(items(node_, "ports"), [&](const Node& item) {
        const Node* name = item.find("name");
        return name != nullptr && name->text == port;
      });
    };
    for (std::string_view key : {"lifecycle", "livenessProbe", "readinessProbe", "startupProbe"}) {
      const Node* value = node_.find(key);
      if (value == nullptr) continue;
      if (sidecar_) {
        judge_probe(*value, sink_, has_port);
      } else {
        sink_.report<Code::NotInInitContainer>(*value, key)
            .help("remove it, or move the container to `workload.sidecars`");
      }
    }
  }

  void judge_privilege() const {
    const Node* context = node_.find("securityContext");
    if (context == nullptr) return;
    judge_security(*context, sink_);
    judge_user(*context, sink_);
    const Node* privileged = context->find("privileged");
    if (facts_.autopilot() && is_word(privileged, "true"))
      sink_.report<Code::AutopilotRefuses>(*privileged, "privileged containers")
          .judged(Confidence::high);
  }

  void judge_requests() const {
    for (std::string_view kind : {"requests", "limits"}) {
      const Node* amounts = node_.at({"resources", kind});
      if (amounts == nullptr) continue;
      for (const auto& [key, amount] : amounts->members) {
        if (key.text == spec::tpu_resource) {
          sink_.report<Code::SecondTpuContainer>(key, name());
          return;
        }
        if (key.text.starts_with("nvidia.com/") || key.text == "amd.com/gpu") {
          if (const auto number = parse_quantity(amount.text); number && number->nano > 0)
            sink_.report<Code::ResourceNotOnNodes>(key, key.text).help("remove it");
        }
        if (key.text == "memory" || key.text == "ephemeral-storage")
          judge_bytes(sink_, amount.span, amount.text);
        const Node* limit = node_.at({"resources", "limits", key.text});
        const auto most = limit == nullptr ? std::nullopt : parse_quantity(limit->text);
        const auto quantity = parse_quantity(amount.text);
        if (kind == "requests" && most && quantity && *quantity > *most)
          sink_.report<Code::RequestAboveLimit>(amount, key.text, amount.text, limit->text);
      }
    }
  }

  const Facts& facts_;
  Sink& sink_;
  const Node& node_;
  bool sidecar_;
};

// The names of the containers that have the workload's chips.
std::vector<std::string> own_names(const Facts& facts) {
  std::vector<std::string> names;
  for (std::int64_t i = 0; i < facts.containers; ++i)
    names.push_back(resolve::container_name(facts.claims.name.value, i));
  return names;
}

void judge_containers(const Facts& facts, Sink& sink) {
  const spec::Workload& workload = facts.claims.workload;
  if (workload.init_containers.items.empty() && workload.sidecars.items.empty()) return;
  const std::vector<std::string> own = own_names(facts);
  std::vector<std::string_view> names(own.begin(), own.end());
  for (const auto* list : {&workload.init_containers, &workload.sidecars}) {
    for (const auto& [where, container] : list->items) {
      RawContainer(facts, sink, container, list == &workload.sidecars).judge();
      if (const Node* name = container.find("name"))
        judge_repeated(sink, names, name->span, name->text, "container");
    }
  }
}

std::int64_t seconds_of(const Node& probe, std::string_view key, std::int64_t otherwise) {
  const Node* value = probe.find(key);
  const auto number = value == nullptr ? std::nullopt : text::whole_number(value->text);
  return number && *number > 0 ? *number : otherwise;
}

// `said` is the workload or its leader, with the ports that its container has.
template <class Said>
void judge_probes(const Said& said, const schema::List<spec::Port>& ports, Sink& sink) {
  const schema::Tree &startup = said.startup_probe, &liveness = said.liveness_probe;
  const auto has_port = [&](std::string_view name) {
    return ports.where.bad ||
           any_of(ports.items, [&](const spec::Port& port) { return port.name.value == name; });
  };
  for (const schema::Tree* probe : {&startup, &said.readiness_probe, &liveness}) {
    if (probe->usable()) judge_probe(probe->value, sink, has_port);
  }
  if (!liveness.usable() || startup.where.given || startup.where.bad) return;
  constexpr std::int64_t period = 10, failures = 3;  // Kubernetes' defaults
  const std::int64_t delay = seconds_of(liveness.value, "initialDelaySeconds", 0),
                     every = seconds_of(liveness.value, "periodSeconds", period),
                     times = seconds_of(liveness.value, "failureThreshold", failures);
  sink.report<Code::LivenessAlone>(liveness)
      .note("a container that does not answer is restarted after {}s: {}s + {} * {}s",
            delay + every * times, delay, times, every)
      .help("add a `startupProbe` that allows for the time until the container answers");
}

bool is_stated(const schema::Where& where) { return where.given || where.bad; }

const schema::List<spec::Port>& leader_ports(const spec::Workload& workload) {
  return is_stated(workload.leader.ports.where) ? workload.leader.ports : workload.ports;
}

void judge_own_probes(const Facts& facts, Sink& sink) {
  const spec::Workload& workload = facts.claims.workload;
  judge_probes(workload, workload.ports, sink);
  judge_probes(workload.leader, leader_ports(workload), sink);
}

// Whether the probe asks one of the ports, by number or by name.
bool asks(const Node& probe, const schema::List<spec::Port>& ports) {
  for (std::string_view handler : {"httpGet", "tcpSocket", "grpc"}) {
    const Node* asked = probe.at({handler, "port"});
    if (asked != nullptr && any_of(ports.items, [&](const spec::Port& port) {
          return std::to_string(port.port.value) == asked->text || port.name.value == asked->text;
        }))
      return true;
  }
  return false;
}

// Probes of the workload that were surely meant for its leader, which runs something else.
void judge_leader_probes(const Facts& facts, Sink& sink) {
  const spec::Workload& workload = facts.claims.workload;
  const spec::Leader& leader = workload.leader;
  if (facts.kind == nullptr || !facts.kind->leads || !leader.where.usable()) return;
  const auto any_stated = [](std::initializer_list<const schema::Where*> list) {
    return std::ranges::any_of(list, [](const auto* where) { return is_stated(*where); });
  };
  if (any_stated({&leader.startup_probe.where, &leader.readiness_probe.where,
                  &leader.liveness_probe.where}) ||
      !any_stated(
          {&leader.command.where, &leader.args.where, &leader.script.where, &leader.image.where}))
    return;
  // Workers may well serve on ports of their own, and those of a router on the same one.
  const bool own_ports = is_stated(leader.ports.where);
  if (!own_ports && facts.leader_apart()) return;
  const std::pair<std::string_view, const schema::Tree&> probes[] = {
      {"startupProbe", workload.startup_probe},
      {"readinessProbe", workload.readiness_probe},
      {"livenessProbe", workload.liveness_probe}};
  for (const auto& [name, probe] : probes) {
    if (!probe.usable() || !asks(probe.value, leader_ports(workload)) ||
        (own_ports && asks(probe.value, workload.ports)))
      continue;
    sink.report<Code::LeaderWithoutProbes>(probe, name)
        .note("only the leader takes the requests of the Service")
        .help("move the probes to `workload.leader`");
    return;
  }
}

void judge_pod_security(const Facts& facts, Sink& sink) {
  const Node& context = facts.claims.workload.security_context.value;
  judge_security(context, sink);
  // A patch may give the container another user.
  if (!facts.claims.patches.where.given) judge_user(context, sink);
}

void judge_exit_codes(const Facts& facts, const Node& codes, Sink& sink) {
  const spec::Workload& workload = facts.claims.workload;
  // How many containers can share the chips of a host follows from its machine.
  const bool count_known = !workload.containers_per_pod.where.given ||
                           facts.containers == workload.containers_per_pod.value;
  const bool names_known = count_known && !facts.claims.name.where.bad &&
                           !workload.sidecars.where.bad && !workload.init_containers.where.bad;
  if (const Node* name = names_known ? codes.find("containerName") : nullptr) {
    const auto is_named = [&](const schema::Tree& container) {
      const Node* own = container.value.find("name");
      return own == nullptr || own->text == name->text;
    };
    if (!contains(own_names(facts), name->text) &&
        !any_of(workload.init_containers.items, is_named) &&
        !any_of(workload.sidecars.items, is_named))
      sink.report<Code::UnknownContainer>(*name, name->text)
          .help("the container of the workload is `{}`", facts.claims.name.value);
  }
  const Node* values = codes.find("values");
  if (values == nullptr) return;
  std::vector<std::int64_t> numbers;
  for (const Node& value : values->items) {
    numbers.push_back(text::whole_number(value.text).value_or(0));
    if (numbers.back() == 0 && is_word(codes.find("operator"), "in"))
      return void(sink.report<Code::ZeroExitCode>(value).help("remove it"));
  }
  const std::vector<std::int64_t> written = numbers;
  std::ranges::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  if (numbers != written)
    sink.report<Code::ExitCodeOrder>(*values).help(
        "write `[{}]`",
        text::join(texts(numbers, [](std::int64_t number) { return std::to_string(number); }),
                   ", "));
}

void judge_failure_policy(const Facts& facts, Sink& sink) {
  const spec::Workload& workload = facts.claims.workload;
  const schema::Tree& policy = workload.pod_failure_policy;
  if (!policy.usable()) return;
  if (workload.restart_policy.usable() && workload.restart_policy.value != "Never")
    sink.report<Code::PolicyNeedsNever>(workload.restart_policy)
        .help("write `restartPolicy: Never`, or remove it");
  for (const Node& rule : items(policy.value, "rules")) {
    const Node* action = rule.find("action");
    if (is_word(action, "failindex") && !facts.claims.patches.where.given)
      sink.report<Code::FailIndexNeedsLimit>(*action).help(
          "set `backoffLimitPerIndex` with `patches`, or write `action: FailJob`");
    if (const Node* codes = rule.find("onExitCodes")) judge_exit_codes(facts, *codes, sink);
  }
}

}  // namespace

Rules container_rules() {
  static constexpr Rule rules[] = {judge_containers, judge_own_probes, judge_leader_probes,
                                   judge_pod_security, judge_failure_policy};
  return rules;
}

}  // namespace flexslice::rules
