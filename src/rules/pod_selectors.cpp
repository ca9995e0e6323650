// Objects that select pods by labels: Services, disruption budgets, network policies, monitoring.
#include <fmt/core.h>

#include <optional>

#include "base/slip.hpp"
#include "base/text.hpp"
#include "rules/file_judge.hpp"
#include "rules/references.hpp"
#include "yaml/node.hpp"

namespace flexslice::rules {

namespace {

// A selector takes the pods but for one label, which is nearly one of theirs.
struct NearLabel {
  const Text* written = nullptr;  // null: there is none
  std::string_view meant;
};

bool is_near_value(std::string_view one, std::string_view other) {
  return other.size() > 3 && text::same_digits(one, other) && text::distance(one, other) < 3;
}

// Nothing: the selector takes the pods, or may.
std::optional<NearLabel> near_label(const spec::Map<Text>& selector, const spec::Map<Text>& labels,
                                    const auto& has) {
  NearLabel near;
  std::size_t others = 0;
  for (const auto& wanted : selector.entries) {
    const auto& [key, value] = wanted;
    const auto* own = find_where(
        labels.entries, [&key = key](const auto& each) { return each.key.value == key.value; });
    if (has(wanted) || (own != nullptr && own->value.value == value.value)) continue;
    ++others;
    if (!value.usable() || (own != nullptr && !own->value.usable())) continue;
    if (own == nullptr)
      own = find_where(labels.entries, [&key = key, &value = value](const auto& each) {
        return each.value.value == value.value && text::is_slip_of_name(key.value, each.key.value);
      });
    if (own == nullptr) continue;
    if (own->key.value != key.value)
      near = {&key, own->key.value};
    else if (is_near_value(value.value, own->value.value))
      near = {&value, own->value.value};
  }
  if (others == 0) return std::nullopt;
  return others == 1 ? near : NearLabel{};
}

// A label that the pods lack or have with another value; null: a controller may add it to them.
const Text* other_label(const spec::Map<Text>& selector, const spec::Map<Text>& labels) {
  const Text* other = nullptr;
  for (const auto& [key, value] : selector.entries) {
    const auto* own = find_where(
        labels.entries, [&key = key](const auto& each) { return each.key.value == key.value; });
    if (!key.usable() || !value.usable() || (own != nullptr && !own->value.usable()))
      return nullptr;
    if (own == nullptr && may_be_added(key.value)) return nullptr;
    if (own == nullptr || own->value.value != value.value) other = own == nullptr ? &key : &value;
  }
  return other;
}

// The label by which a controller numbers the pods, where it does.
std::string_view number_label(const view::PodClaims& pod) {
  if (pod.role == view::PodRole::lws_worker || pod.role == view::PodRole::lws_leader)
    return "leaderworkerset.sigs.k8s.io/worker-index";
  const bool is_indexed = pod.kind.value == "Job" && pod.completion_mode.value == "Indexed";
  return is_indexed ? "batch.kubernetes.io/job-completion-index" : "";
}

}  // namespace

FileJudge::PodPorts FileJudge::pod_ports(const view::PodClaims& pod) {
  PodPorts ports{pod.labels,
                 pod.ports,
                 pod.spec->find("containers") == nullptr,
                 pod.claims.name.value,
                 pod.port_numbers,
                 pod.lists_ports && pod.requests_chips()};
  for (const std::string_view key : labels_of_owner(pod.kind.value))
    ports.added.entries.push_back({{{}, std::string(key)}, pod.claims.name});
  // The operator of Ray adds ports.
  if (pod.role == view::PodRole::ray_worker || pod.kind.value == "RayCluster")
    ports.may_be_any = true;
  ports.numbered = number_label(pod);
  // The leader is the first of its group.
  const bool leads = pod.role == view::PodRole::lws_leader;
  const schema::Integer& count = pod.role == view::PodRole::lws_worker ? pod.size : pod.completions;
  ports.is_part = leads;
  ports.first = !leads && pod.leader_apart ? 1 : 0;
  if (leads)
    ports.end = 1;
  else if (count.usable() && count.value > 0)
    ports.end = count.value;
  return ports;
}

bool FileJudge::PodPorts::has(const schema::Entry<Text>& wanted) const {
  const auto is_it = [&](const auto& own) {
    return own.key.value == wanted.key.value && own.value.value == wanted.value.value &&
           own.value.usable();
  };
  if (any_of(labels.entries, is_it) || any_of(added.entries, is_it)) return true;
  if (numbered.empty() || wanted.key.value != numbered) return false;
  const auto number = text::whole_number(wanted.value.value);
  return number && *number >= first && end && *number < *end;
}

bool FileJudge::PodPorts::lacks_number(const schema::Entry<Text>& wanted) const {
  if (numbered.empty() || wanted.key.value != numbered || !wanted.value.usable()) return false;
  const auto number = text::whole_number(wanted.value.value);
  return number && end && !is_part && *number >= *end;
}

void FileJudge::keep_selector(const yaml::Node& object, std::string_view kind) {
  const yaml::Node* name = object.at({"metadata", "name"});
  PodSelection selection = selection_of(object, kind);
  if (name != nullptr && !selection.labels.entries.empty())
    selectors_.push_back({std::string(kind), claimed_name(name), std::move(selection.labels), false,
                          std::move(selection.ports)});
}

void FileJudge::judge_selector(const PodSelector& selector) {
  // The hosts of a slice, which are judged by themselves, say more of their Service.
  if (selector.kind == "Service" && any_of(summary_.hosts, [&](const NamedHosts& hosts) {
        return hosts.service.value == selector.name.value;
      }))
    return;
  NearLabel near;
  const bool selects = !selector.labels.entries.empty();
  for (const PodPorts& pods : ports_) {
    if (!selects) break;
    const auto own = near_label(selector.labels, pods.labels,
                                [&](const auto& wanted) { return pods.has(wanted); });
    if (!own) return;
    if (own->written != nullptr) near = *own;
  }
  const auto report = [&](const Text& label) -> Diagnostic& {
    Diagnostic& finding = sink_.report<Code::ServiceSelectsNoPod>(
        first_of({label.where.span, selector.name.where.span, patches()}),
        selector_title(selector.kind, selector.name), "this file");
    finding.level = diag::Level::warning;
    const auto is_known = [](const auto& own) { return own.key.usable() && own.value.usable(); };
    if (!selects || !std::ranges::all_of(selector.labels.entries, is_known)) return finding;
    diag::Elsewhere other{.kind = std::string(diag::Elsewhere::pods)};
    for (const auto& [key, value] : selector.labels.entries)
      other.labels.emplace_back(key.value, value.value);
    finding.unless = {std::move(other)};
    return finding;
  };
  if (near.written != nullptr) {
    report(*near.written).help("did you mean `{}`?", near.meant);
    return;
  }
  for (const PodPorts& pods : ports_) {
    const schema::Entry<Text>* missing = nullptr;
    const bool is_other = any_of(selector.labels.entries, [&](const auto& wanted) {
      if (pods.lacks_number(wanted)) missing = &wanted;
      return missing != &wanted && !pods.has(wanted);
    });
    if (is_other || missing == nullptr) continue;
    report(missing->value)
        .note("the pods of `{}` have numbers below {}", pods.object, pods.end.value_or(0));
    return;
  }
  // It is called as a workload of the file.
  const auto is_refused = [&](const auto& label) {
    return sink_.find(Code::WrongForm, label.key.where.span) != nullptr;
  };
  if (made_of_ != nullptr || selector.is_headless || !selector.name.usable() ||
      any_of(selector.labels.entries, is_refused))
    return;
  for (const PodPorts& pods : ports_) {
    const bool has_own = any_of(pods.labels.entries,
                                [](const auto& label) { return !may_be_added(label.key.value); });
    if (pods.object != selector.name.value || !has_own) continue;
    const Text* other = selects ? other_label(selector.labels, pods.labels) : &selector.name;
    if (other == nullptr) return;
    Diagnostic& finding = report(*other);
    if (!selects) finding.note("it has no `selector`");
    finding.note("the pods of `{}` have {}", pods.object, labels_text(pods.labels));
    return;
  }
}

}  // namespace flexslice::rules
