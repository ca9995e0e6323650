// The Configuration that Kueue's manager starts with, as an object or within its ConfigMap: kinds
// that it does not manage, and switches of another version.
#include <fmt/core.h>

#include "rules/kueue_config.hpp"
#include "rules/object_rules.hpp"
#include "yaml/embedded.hpp"
#include "yaml/parse.hpp"

namespace flexslice::rules {

namespace {

// Empty: Kueue manages no such kind.
std::string_view framework_of(std::string_view kind) {
  return embedded::root_of(embedded::kubernetes, "rules/references.yaml")
      .find("frameworks")
      .find(kind)
      .text();
}

}  // namespace

void KueueConfigs::add_object(const Node& object) {
  if (object.text_at({"kind"}) != "Configuration" ||
      !object.text_at({"apiVersion"}).starts_with("config.kueue.x-k8s.io/"))
    return;
  add(object, {});
}

void KueueConfigs::add_map(const Node& config_map) {
  const Node* data = config_map.find("data");
  for (const yaml::Member& member :
       data == nullptr ? std::span<const yaml::Member>() : data->members) {
    if (member.value.text.find("config.kueue.x-k8s.io/") == std::string::npos) continue;
    Sources own;
    own.add({"config", member.value.text});
    Sink unread;
    const auto tree = yaml::parse(own, 0, unread);
    if (tree && tree->text_at({"kind"}) == "Configuration") add(*tree, member.key.span);
  }
}

// Values of a text within another one have the place of its key.
void KueueConfigs::add(const Node& tree, Span of_all) {
  const auto place = [&](const Node& node) { return of_all == Span{} ? node.span : of_all; };
  const Node* waits = tree.find("waitForPodsReady");
  if (waits != nullptr && waits->kind == yaml::Kind::mapping) {
    const bool is_first = tree.text_at({"apiVersion"}).ends_with("/v1beta1");
    const Node* enable = waits->find("enable");
    if (is_first && !waits->members.empty() && enable == nullptr)
      problems.push_back({place(*waits),
                          "`waitForPodsReady` has no effect without `enable: true` in v1beta1",
                          "add `enable: true`"});
    if (!is_first && enable != nullptr)
      problems.push_back({place(*enable), "v1beta2 has no `waitForPodsReady.enable`",
                          "remove it: `waitForPodsReady` alone switches it on"});
  }
  const Node* frameworks = tree.at({"integrations", "frameworks"});
  if (frameworks == nullptr || frameworks->kind != yaml::Kind::sequence) return;
  Managed list{place(*frameworks), {}};
  for (const Node* names : {frameworks, tree.at({"integrations", "externalFrameworks"})}) {
    if (names == nullptr) continue;
    for (const Node& each : names->items) {
      if (!is_literal(&each)) return;
      list.frameworks.push_back(each.text);
    }
  }
  managed.push_back(std::move(list));
}

void KueueConfigs::judge(std::span<const QueuedKind> queued, Sink& sink) const {
  for (const Problem& each : problems)
    sink.report<Code::KueueConfiguration>(each.where, each.text).help("{}", each.help);
  // Several are of several clusters.
  if (managed.size() != 1) return;
  const Managed& only = managed.front();
  std::vector<std::string_view> reported;
  for (const QueuedKind& each : queued) {
    const std::string_view framework = framework_of(each.kind);
    if (framework.empty() || contains(only.frameworks, framework) || contains(reported, framework))
      continue;
    reported.push_back(framework);
    sink.report<Code::KueueConfiguration>(
            only.where, fmt::format("`integrations.frameworks` has no `{}`", framework))
        .note("{} has the label of a queue, and starts without it", each.object)
        .help("add `{}`", framework);
  }
}

}  // namespace flexslice::rules
