// Init containers and sidecars, which the spec has as Kubernetes has them.
#include <fmt/core.h>

#include "rules/rules.hpp"
#include "schema/help.hpp"

namespace flexslice::rules {

using yaml::Node;

namespace {

// The fields of a Kubernetes container that make sense in a pod of a Job.
constexpr std::string_view container_fields[] = {"name",
                                                 "image",
                                                 "imagePullPolicy",
                                                 "command",
                                                 "args",
                                                 "workingDir",
                                                 "env",
                                                 "envFrom",
                                                 "ports",
                                                 "resources",
                                                 "volumeMounts",
                                                 "volumeDevices",
                                                 "lifecycle",
                                                 "livenessProbe",
                                                 "startupProbe",
                                                 "readinessProbe",
                                                 "securityContext",
                                                 "restartPolicy",
                                                 "resizePolicy",
                                                 "stdin",
                                                 "stdinOnce",
                                                 "tty",
                                                 "terminationMessagePath",
                                                 "terminationMessagePolicy"};

// The rules of one container share what all messages need.
class Container {
 public:
  Container(const Facts& facts, Sink& sink, const Node& node)
      : facts_(facts), sink_(sink), node_(node) {}

  void judge() const {
    judge_text("name", schema::Pattern::dns_label);
    judge_text("image", schema::Pattern::image);
    judge_fields();
    judge_words("command");
    judge_words("args");
    judge_variables();
    judge_mounts();
    judge_privilege();
    judge_requests();
  }

 private:
  Diagnostic& report(const Node& at, const std::string& problem) const {
    return sink_.report<Code::ContainerField>(at, problem);
  }

  // By its name where it has one.
  std::string label() const {
    const Node* name = node_.find("name");
    return fmt::format("container `{}`", name == nullptr ? "?" : name->text);
  }

  void judge_text(std::string_view key, schema::Pattern pattern) const {
    const Node* value = node_.find(key);
    if (value == nullptr) {
      report(node_, fmt::format("a container needs `{}`", key));
    } else if (value->kind != yaml::Kind::scalar || !schema::matches(pattern, value->text)) {
      report(*value, fmt::format("`{}` is not a valid container {}", value->text, key))
          .note("it must be {}", schema::row(pattern).words);
    }
  }

  void judge_fields() const {
    for (const yaml::Member& member : node_.members) {
      const std::string& key = member.key.text;
      if (!contains(container_fields, key))
        diag::did_you_mean(sink_.report<Code::UnknownField>(member.key, key, label()), key,
                           container_fields);
    }
  }

  void judge_requests() const {
    const Node* resources = node_.find("resources");
    if (resources == nullptr) return;
    for (std::string_view kind : {"requests", "limits"}) {
      const Node* amounts = resources->find(kind);
      if (amounts == nullptr) continue;
      for (const auto& [key, amount] : amounts->members) {
        if (key.text == "google.com/tpu") {
          const Node* name = node_.find("name");
          sink_.report<Code::SecondTpuContainer>(key, name == nullptr ? "?" : name->text);
          return;
        }
        if (key.text == "memory" || key.text == "ephemeral-storage")
          judge_bytes(sink_, amount.span, amount.text);
      }
    }
  }

  // The API takes only a string here, and rejects a number or `true`.
  void require_string(const Node& value, std::string_view what) const {
    const bool scalar = value.kind == yaml::Kind::scalar;
    if (scalar && yaml::type_of(value) == yaml::ScalarType::string) return;
    Diagnostic& finding = report(value, fmt::format("{} of {} must be a string, not {}", what,
                                                    label(), yaml::describe(value)));
    if (scalar) schema::help_with_quotes(finding, value);
  }

  // The elements of the list at that key. None where it is not given, or is not a list and
  // reported.
  std::span<const Node> list(std::string_view key) const {
    const Node* list = node_.find(key);
    if (list == nullptr) return {};
    if (list->kind != yaml::Kind::sequence)
      report(*list,
             fmt::format("`{}` of {} must be a list, not {}", key, label(), yaml::describe(*list)));
    return list->items;
  }

  void judge_words(std::string_view key) const {
    const auto what = fmt::format("a word of `{}`", key);
    for (const Node& word : list(key)) {
      require_string(word, what);
      judge_argument(sink_, word.span, fmt::format("{} of {}", what, label()), word.text.size());
    }
  }

  void judge_variables() const {
    std::vector<std::string_view> names;
    for (const Node& variable : list("env")) {
      const Node* name = variable.find("name");
      const Node* value = variable.find("value");
      if (name == nullptr) {
        report(variable, fmt::format("`env` of {} is a list of `name` and `value`", label()));
        continue;
      }
      judge_repeated(sink_, names, name->span, name->text, "variable");
      if (value == nullptr) continue;
      require_string(*value, fmt::format("the variable `{}`", name->text));
      judge_argument(sink_, value->span, fmt::format("`{}=…`", name->text),
                     name->text.size() + 1 + value->text.size());
    }
  }

  void judge_mounts() const {
    const claims::Claims& claims = facts_.claims;
    const auto& volumes = claims.workload.volumes;
    const std::span<const Node> mounts = list("volumeMounts");
    // A patch may add volumes.
    if (volumes.where.bad || claims.patches.where.given) return;
    for (const Node& mount : mounts) {
      const Node* name = mount.find("name");
      const auto is_mounted = [&](const auto& volume) {
        return volume.name.where.bad || volume.name.value == name->text;
      };
      if (name != nullptr && !any_of(volumes.items, is_mounted))
        report(*name,
               fmt::format("{} mounts the volume `{}`, which `workload.volumes` does not have",
                           label(), name->text));
    }
  }

  void judge_privilege() const {
    const Node* security = node_.find("securityContext");
    const Node* privileged = security == nullptr ? nullptr : security->find("privileged");
    if (facts_.autopilot && privileged != nullptr && text::lower(privileged->text) == "true")
      sink_.report<Code::AutopilotRefuses>(*privileged, "privileged containers")
          .judged(Confidence::high);
  }

  const Facts& facts_;
  Sink& sink_;
  const Node& node_;
};

void judge_containers(const Facts& facts, Sink& sink) {
  const claims::Workload& workload = facts.claims.workload;
  std::vector<std::string_view> names{facts.claims.name.value};
  for (const auto* list : {&workload.init_containers, &workload.sidecars}) {
    for (const auto& tree : list->items) {
      const Node& container = tree.value;
      if (container.kind != yaml::Kind::mapping) {
        sink.report<Code::ContainerField>(
            container, fmt::format("a container is a mapping, not {}", yaml::describe(container)));
        continue;
      }
      Container(facts, sink, container).judge();
      if (const Node* name = container.find("name"))
        judge_repeated(sink, names, name->span, name->text, "container");
    }
  }
}

}  // namespace

Rules container_rules() {
  static constexpr Rule rules[] = {judge_containers};
  return rules;
}

}  // namespace flexslice::rules
