#include "plan/containers.hpp"

#include <algorithm>
#include <vector>

namespace flexslice::plan {

using diag::Code;
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

// As messages name a container: by its name where it has one.
std::string_view label(const Node& container) {
  const Node* name = container.find("name");
  return name == nullptr ? std::string_view("?") : std::string_view(name->text);
}

void check_text(const Context& context, const Node& container, std::string_view key, record::Form form) {
  const Node* value = container.find(key);
  if (value == nullptr) {
    context.sink.report<Code::ContainerField>(container.span, text::format("a container needs `{}`", key));
  } else if (value->kind != yaml::Kind::scalar || !record::matches(form, value->text)) {
    context.sink.report<Code::ContainerField>(value->span, text::format("`{}` is not a valid container {}", value->text, key))
        .note(text::format("it must be {}", record::row(form).words));
  }
}

void check_fields(const Context& context, const Node& container) {
  for (const yaml::Member& member : container.members) {
    if (std::find(std::begin(container_fields), std::end(container_fields), member.key.text) != std::end(container_fields)) continue;
    diag::Diagnostic& found =
        context.sink.report<Code::UnknownField>(member.key.span, member.key.text, text::format("container `{}`", label(container)));
    diag::did_you_mean(found, member.key.text, container_fields);
  }
}

void check_chips(const Context& context, const Node& container) {
  const Node* resources = container.find("resources");
  if (resources == nullptr) return;
  for (std::string_view kind : {"requests", "limits"}) {
    const Node* list = resources->find(kind);
    if (list == nullptr) continue;
    for (const yaml::Member& member : list->members) {
      if (member.key.text == "google.com/tpu") {
        context.sink.report<Code::SecondTpuContainer>(member.key.span, label(container));
        return;
      }
    }
  }
}

}  // namespace

void check_containers(const Context& context) {
  const spec::Workload& workload = context.spec.workload;
  std::vector<std::string_view> names{context.spec.name.value};
  for (const auto* list : {&workload.init_containers, &workload.sidecars}) {
    for (const record::Tree& tree : list->items) {
      const Node& container = tree.value;
      if (container.kind != yaml::Kind::mapping) {
        context.sink.report<Code::ContainerField>(container.span,
                                                  text::format("a container is a mapping, not {}", yaml::describe(container)));
        continue;
      }
      check_text(context, container, "name", record::Form::dns_label);
      check_text(context, container, "image", record::Form::image);
      check_fields(context, container);
      check_chips(context, container);
      const Node* name = container.find("name");
      if (name == nullptr) continue;
      if (std::find(names.begin(), names.end(), name->text) != names.end())
        context.sink.report<Code::RepeatedName>(name->span, "container", name->text);
      names.push_back(name->text);
    }
  }
}

}  // namespace flexslice::plan
