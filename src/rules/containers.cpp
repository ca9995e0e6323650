// Init containers, sidecars and security contexts, which the spec has as Kubernetes has them: what
// the API server rejects although each field has a valid value.
#include <fmt/core.h>

#include <initializer_list>

#include "base/quantity.hpp"
#include "rules/rules.hpp"

namespace flexslice::rules {

using yaml::Node;

namespace {

// The value at the end of the path, or null: some value on the way is missing or of another type.
const Node* find(const Node& node, std::initializer_list<std::string_view> path) {
  const Node* value = &node;
  for (std::string_view key : path) {
    value = value->find(key);
    if (value == nullptr) return nullptr;
  }
  return value;
}

std::span<const Node> items(const Node& node, std::string_view key) {
  const Node* list = node.find(key);
  return list == nullptr ? std::span<const Node>() : list->items;
}

bool is_word(const Node* value, std::string_view word) {
  return value != nullptr && text::lower(value->text) == word;
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

// The rules of one container, which the decoder has judged by the fields of Kubernetes. What it has
// reported may have any type here.
class Container {
 public:
  Container(const Facts& facts, Sink& sink, const Node& node, bool sidecar)
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
      for (const Node& word : items(node_, key))
        judge_argument(sink_, word.span,
                       fmt::format("a word of `{}` of container `{}`", key, name()),
                       word.text.size());
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
      judge_argument(sink_, value->span, fmt::format("`{}=…`", name->text),
                     name->text.size() + 1 + value->text.size());
    }
  }

  void judge_ports() const { judge_unique("ports", "name", "port name"); }

  void judge_mounts() const {
    judge_unique("volumeMounts", "mountPath", "mountPath");
    const claims::Claims& claims = facts_.claims;
    const auto& volumes = claims.workload.volumes;
    // A patch may add volumes.
    if (volumes.where.bad || claims.patches.where.given) return;
    for (const Node& mount : items(node_, "volumeMounts")) {
      const Node* name = mount.find("name");
      const auto is_mounted = [&](const auto& volume) {
        return volume.name.where.bad || volume.name.value == name->text;
      };
      if (name != nullptr && !any_of(volumes.items, is_mounted))
        sink_.report<Code::UnknownVolume>(*name, name->text);
    }
  }

  void judge_probes() const {
    for (std::string_view key : {"lifecycle", "livenessProbe", "readinessProbe", "startupProbe"}) {
      const Node* value = node_.find(key);
      if (value != nullptr && !sidecar_)
        sink_.report<Code::NotInInitContainer>(*value, key)
            .help("remove it, or move the container to `workload.sidecars`");
    }
  }

  void judge_privilege() const {
    const Node* context = node_.find("securityContext");
    if (context == nullptr) return;
    judge_security(*context, sink_);
    const Node* privileged = context->find("privileged");
    if (facts_.autopilot && is_word(privileged, "true"))
      sink_.report<Code::AutopilotRefuses>(*privileged, "privileged containers")
          .judged(Confidence::high);
  }

  void judge_requests() const {
    for (std::string_view kind : {"requests", "limits"}) {
      const Node* amounts = find(node_, {"resources", kind});
      if (amounts == nullptr) continue;
      for (const auto& [key, amount] : amounts->members) {
        if (key.text == "google.com/tpu") {
          sink_.report<Code::SecondTpuContainer>(key, name());
          return;
        }
        if (key.text == "memory" || key.text == "ephemeral-storage")
          judge_bytes(sink_, amount.span, amount.text);
        const Node* limit = find(node_, {"resources", "limits", key.text});
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

void judge_containers(const Facts& facts, Sink& sink) {
  const claims::Workload& workload = facts.claims.workload;
  std::vector<std::string_view> names{facts.claims.name.value};
  for (const auto* list : {&workload.init_containers, &workload.sidecars}) {
    for (const auto& [where, container] : list->items) {
      Container(facts, sink, container, list == &workload.sidecars).judge();
      if (const Node* name = container.find("name"))
        judge_repeated(sink, names, name->span, name->text, "container");
    }
  }
}

void judge_pod_security(const Facts& facts, Sink& sink) {
  judge_security(facts.claims.workload.security_context.value, sink);
}

}  // namespace

Rules container_rules() {
  static constexpr Rule rules[] = {judge_containers, judge_pod_security};
  return rules;
}

}  // namespace flexslice::rules
