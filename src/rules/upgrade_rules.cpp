// Objects are compared with what an upgrade of a controller or of GKE does, by the catalog's table.
#include "rules/object_rules.hpp"
#include "rules/release_rules.hpp"

namespace flexslice::rules {

namespace {

using Keys = std::span<const std::string_view>;

// Calls `is_it` with each value at the keys, and the place of its last key; true: one is it.
template <class Predicate>
bool any_at(const Node& node, Span where, Keys keys, const Predicate& is_it) {
  if (keys.empty()) return is_it(node, where);
  for (const Node& item : node.items) {
    if (any_at(item, where, keys, is_it)) return true;
  }
  const bool is_any = keys.front() == "*";
  if (is_any && any_at(node, where, keys.subspan(1), is_it)) return true;
  for (const yaml::Member& member : node.members) {
    if (is_any ? any_at(member.value, member.key.span, keys, is_it)
               : member.key.text == keys.front() &&
                     any_at(member.value, member.key.span, keys.subspan(1), is_it))
      return true;
  }
  return false;
}

Keys as_keys(const Texts& texts) { return {texts.begin(), texts.end()}; }

// The place of what the row is about in the object, or nothing.
std::optional<Span> affected(const view::ObjectClaims& object, const UpgradeEffect& row) {
  if (!row.kinds.empty() && !contains(row.kinds, object.kind.value)) return std::nullopt;
  Span where = object.kind.where.span;
  const auto has = [&](const Node& value, Span at) {
    if (!row.values.empty() && !contains(row.values, value.text)) return false;
    where = at;
    return true;
  };
  if (!row.has.empty() && !any_at(*object.tree, where, as_keys(row.has), has)) return std::nullopt;
  const auto is_there = [&](const Node& value, Span) {
    return row.lacks_value.empty() || value.text == row.lacks_value;
  };
  if (!row.lacks.empty() && any_at(*object.tree, where, as_keys(row.lacks), is_there))
    return std::nullopt;
  const auto is_any = [](const Node&, Span) { return true; };
  if (!row.unless.empty() && any_at(*object.tree, where, as_keys(row.unless), is_any))
    return std::nullopt;
  return where;
}

Diagnostic& report_effect(const UpgradeEffect& row, std::string_view program, std::string_view kind,
                          Span where, Sink& sink) {
  switch (row.effect) {
    case UpgradeStep::refused:
      return sink.report<Code::UpgradeRefuses>(where, program, row.release, kind, row.what);
    case UpgradeStep::changed:
      return sink.report<Code::UpgradeChanges>(where, program, row.release, kind, row.what);
    case UpgradeStep::first:
      break;
  }
  return sink.report<Code::UpgradeNeeds>(where, program, row.release, row.what);
}

}  // namespace

std::string_view program_title(const Catalog& catalog, std::string_view program) {
  const Controller* controller = controller_by_word(catalog, program);
  return controller == nullptr ? "GKE" : controller->name;
}

std::vector<const UpgradeEffect*> effects_of(const Catalog& catalog, const Upgrade& upgrade) {
  std::vector<const UpgradeEffect*> rows;
  for (const UpgradeEffect& row : catalog.upgrade_effects) {
    if (row.program == upgrade.program && !is_before(upgrade.release, row.release) &&
        (upgrade.from.empty() || is_before(upgrade.from, row.release)))
      rows.push_back(&row);
  }
  return rows;
}

void judge_upgrades(std::span<const view::ObjectClaims> objects, const Catalog& catalog,
                    std::span<const Upgrade> upgrades, Sink& sink) {
  for (const Upgrade& upgrade : upgrades) {
    for (const UpgradeEffect* row : effects_of(catalog, upgrade)) {
      if (row->kinds.empty() && row->has.empty()) continue;
      for (const view::ObjectClaims& object : objects) {
        const auto where = affected(object, *row);
        if (!where) continue;
        Diagnostic& finding = report_effect(*row, program_title(catalog, row->program),
                                            object.kind.value, *where, sink);
        if (row->effect == UpgradeStep::refused) finding.judged(row->evidence.confidence);
        if (!row->action.empty()) finding.help("{}", row->action);
        finding.note("source: {}", citation(row->evidence));
        // Once for a file is enough to know that it has to be done.
        if (row->effect == UpgradeStep::first) break;
      }
    }
  }
}

void judge_upgrades(std::span<const yaml::Node> objects, const Catalog& catalog,
                    std::span<const Upgrade> upgrades, Span otherwise, Sink& sink) {
  std::vector<view::ObjectClaims> claims;
  for (const Node& object : objects) {
    view::ObjectClaims& made = claims.emplace_back();
    made.kind.value = object.text_at({"kind"});
    made.tree = &object;
  }
  Sink own;
  judge_upgrades(claims, catalog, upgrades, own);
  for (Diagnostic& finding : own.take()) {
    if (finding.where.source != otherwise.source || finding.where == Span{})
      finding.where = otherwise;
    const auto is_same = [&](const Diagnostic& other) {
      return other.code == finding.code && other.message == finding.message;
    };
    if (!any_of(sink.found(), is_same)) sink.add(std::move(finding));
  }
}

}  // namespace flexslice::rules
