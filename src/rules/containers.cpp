// Init containers and sidecars, which the spec has as Kubernetes has them.
#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "base/text.hpp"
#include "rules/rules.hpp"
#include "schema/reshape.hpp"

namespace flexslice::rules {

using diag::Code;
using diag::Diagnostic;
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

void check_text(const Subject& subject, const Node& container, std::string_view key,
                schema::Pattern pattern) {
  const Node* value = container.find(key);
  if (value == nullptr) {
    subject.sink.report<Code::ContainerField>(container.span,
                                              fmt::format("a container needs `{}`", key));
  } else if (value->kind != yaml::Kind::scalar || !schema::matches(pattern, value->text)) {
    subject.sink
        .report<Code::ContainerField>(
            value->span, fmt::format("`{}` is not a valid container {}", value->text, key))
        .note(fmt::format("it must be {}", schema::row(pattern).words));
  }
}

void check_fields(const Subject& subject, const Node& container) {
  for (const yaml::Member& member : container.members) {
    if (std::find(std::begin(container_fields), std::end(container_fields), member.key.text) !=
        std::end(container_fields))
      continue;
    Diagnostic& found = subject.sink.report<Code::UnknownField>(
        member.key.span, member.key.text, fmt::format("container `{}`", label(container)));
    diag::did_you_mean(found, member.key.text, container_fields);
  }
}

void check_requests(const Subject& subject, const Node& container) {
  const Node* resources = container.find("resources");
  if (resources == nullptr) return;
  for (std::string_view kind : {"requests", "limits"}) {
    const Node* list = resources->find(kind);
    if (list == nullptr) continue;
    for (const yaml::Member& member : list->members) {
      if (member.key.text == "google.com/tpu") {
        subject.sink.report<Code::SecondTpuContainer>(member.key.span, label(container));
        return;
      }
      if (member.key.text == "memory" || member.key.text == "ephemeral-storage")
        judge_bytes(subject, member.value.span, member.value.text);
    }
  }
}

// What the API takes as a string only: a number or `true` would be refused there.
void check_string(const Subject& subject, const Node& container, const Node& value,
                  std::string_view place) {
  if (value.kind == yaml::Kind::scalar && yaml::type_of(value) == yaml::Type::string) return;
  Diagnostic& found = subject.sink.report<Code::ContainerField>(
      value.span, fmt::format("{} of container `{}` must be a string, not {}", place,
                              label(container), yaml::describe(value)));
  if (value.kind == yaml::Kind::scalar) schema::help_with_quotes(found, value);
}

// The list at that key, or null: none is given, or what is given is no list and reported.
const Node* list_at(const Subject& subject, const Node& container, std::string_view key) {
  const Node* list = container.find(key);
  if (list == nullptr || list->kind == yaml::Kind::sequence) return list;
  subject.sink.report<Code::ContainerField>(
      list->span, fmt::format("`{}` of container `{}` must be a list, not {}", key,
                              label(container), yaml::describe(*list)));
  return nullptr;
}

void check_words(const Subject& subject, const Node& container, std::string_view key) {
  const Node* words = list_at(subject, container, key);
  if (words == nullptr) return;
  for (const Node& word : words->items) {
    check_string(subject, container, word, fmt::format("a word of `{}`", key));
    judge_argument(subject, word.span,
                   fmt::format("a word of `{}` of container `{}`", key, label(container)),
                   word.text.size());
  }
}

void check_variables(const Subject& subject, const Node& container) {
  const Node* variables = list_at(subject, container, "env");
  if (variables == nullptr) return;
  std::vector<std::string_view> names;
  for (const Node& variable : variables->items) {
    const Node* name = variable.find("name");
    const Node* value = variable.find("value");
    if (name == nullptr) {
      subject.sink.report<Code::ContainerField>(
          variable.span,
          fmt::format("`env` of container `{}` is a list of `name` and `value`", label(container)));
      continue;
    }
    if (std::find(names.begin(), names.end(), name->text) != names.end())
      subject.sink.report<Code::RepeatedName>(name->span, "variable", name->text);
    names.push_back(name->text);
    if (value == nullptr) continue;
    check_string(subject, container, *value, fmt::format("the variable `{}`", name->text));
    judge_argument(subject, value->span, fmt::format("`{}=…`", name->text),
                   name->text.size() + 1 + value->text.size());
  }
}

void check_mounts(const Subject& subject, const Node& container) {
  const Node* mounts = list_at(subject, container, "volumeMounts");
  // A patch may add volumes.
  if (mounts == nullptr || subject.claims.workload.volumes.where.bad ||
      subject.claims.patches.where.given)
    return;
  const auto& volumes = subject.claims.workload.volumes.items;
  for (const Node& mount : mounts->items) {
    const Node* name = mount.find("name");
    const auto is_it = [&](const claims::Volume& volume) {
      return volume.name.where.bad || volume.name.value == name->text;
    };
    if (name == nullptr || std::any_of(volumes.begin(), volumes.end(), is_it)) continue;
    subject.sink.report<Code::ContainerField>(
        name->span,
        fmt::format("container `{}` mounts the volume `{}`, which `workload.volumes` does not have",
                    label(container), name->text));
  }
}

void check_privilege(const Subject& subject, const Node& container) {
  const Node* security = container.find("securityContext");
  const Node* privileged = security == nullptr ? nullptr : security->find("privileged");
  if (!subject.facts.autopilot || privileged == nullptr || text::lower(privileged->text) != "true")
    return;
  subject.sink.report<Code::AutopilotRefuses>(privileged->span, "privileged containers")
      .judged(catalog::Confidence::high);
}

}  // namespace

void judge_containers(const Subject& subject) {
  const claims::Workload& workload = subject.claims.workload;
  std::vector<std::string_view> names{subject.claims.name.value};
  for (const auto* list : {&workload.init_containers, &workload.sidecars}) {
    for (const schema::Tree& tree : list->items) {
      const Node& container = tree.value;
      if (container.kind != yaml::Kind::mapping) {
        subject.sink.report<Code::ContainerField>(
            container.span,
            fmt::format("a container is a mapping, not {}", yaml::describe(container)));
        continue;
      }
      check_text(subject, container, "name", schema::Pattern::dns_label);
      check_text(subject, container, "image", schema::Pattern::image);
      check_fields(subject, container);
      check_words(subject, container, "command");
      check_words(subject, container, "args");
      check_variables(subject, container);
      check_mounts(subject, container);
      check_privilege(subject, container);
      check_requests(subject, container);
      const Node* name = container.find("name");
      if (name == nullptr) continue;
      if (std::find(names.begin(), names.end(), name->text) != names.end())
        subject.sink.report<Code::RepeatedName>(name->span, "container", name->text);
      names.push_back(name->text);
    }
  }
}

}  // namespace flexslice::rules
