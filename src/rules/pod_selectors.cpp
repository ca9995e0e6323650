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
std::optional<NearLabel> near_label(const spec::Map<Text>& selector,
                                    const spec::Map<Text>& labels) {
  NearLabel near;
  std::size_t others = 0;
  for (const auto& [key, value] : selector.entries) {
    const auto* own = find_where(
        labels.entries, [&key = key](const auto& each) { return each.key.value == key.value; });
    if (own != nullptr && own->value.value == value.value) continue;
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

}  // namespace

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
    const auto own = near_label(selector.labels, pods.labels);
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
