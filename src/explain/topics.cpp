#include "explain/topics.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "explain/explain.hpp"

namespace flexslice::explain {

namespace {

struct Topic {
  std::string_view category;
  bool (*answer)(const Ask& ask, Sheet& sheet);
};

constexpr std::array topics{
    Topic{"type", answer_generation},   Topic{"machineType", answer_machine},
    Topic{"topology", answer_topology}, Topic{"model", answer_model},
    Topic{"zone", answer_zone},         Topic{"feature", answer_feature},
    Topic{"field", answer_field},       Topic{"port", answer_port},
    Topic{"resource", answer_resource}, Topic{"reserved", answer_reserved},
    Topic{"source", answer_source},     Topic{"name", answer_mistake},
};

constexpr auto categories = [] {
  std::array<std::string_view, topics.size()> names;
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = topics[i].category;
  return names;
}();

}  // namespace

bool same(std::string_view a, std::string_view b) { return text::lower(a) == text::lower(b); }

std::string source_line(const catalog::Evidence& evidence) {
  const std::string cited = fmt::format("[{}]", catalog::citation(evidence));
  return evidence.note.empty() ? cited : fmt::format("{}\n{}", evidence.note, cited);
}

Entry support_entry(std::string_view label, const catalog::Model& model,
                    std::string_view generation) {
  Entry entry{std::string(label), {}, "not known", {}};
  const catalog::Support* support = catalog::find_support(model, generation);
  if (support == nullptr) return entry;
  entry.text = !support->supported                                        ? "no"
               : support->evidence.confidence == catalog::Confidence::low ? "doubtful"
                                                                          : "yes";
  if (!support->since.empty()) entry.text += fmt::format(", since GKE {}", support->since);
  if (support->access == "allowlist") entry.text += ", for projects on an allowlist";
  entry.source = source_line(support->evidence);
  return entry;
}

Entry zone_entry(std::string_view label, const catalog::Zone& zone) {
  std::string known = !zone.flex_start ? "not known" : *zone.flex_start ? "yes" : "no";
  if (zone.calendar_mode == "any") known += "; reservations in calendar mode";
  if (!zone.calendar_mode.empty() && zone.calendar_mode != "any")
    known += fmt::format("; reservations in calendar mode for {} workloads", zone.calendar_mode);
  return {std::string(label), {}, known, source_line(zone.evidence)};
}

Entry minimum_entry(const catalog::Minimum& minimum) {
  const std::string where = minimum.mode == "auto-created" ? "for nodes that GKE creates itself"
                                                           : fmt::format("on {}", minimum.mode);
  return {std::string(minimum.version), {}, where, source_line(minimum.evidence)};
}

std::string code_text(const diag::Row& row) {
  const std::string_view level = row.level == diag::Level::warning ? "warning"
                                 : row.level == diag::Level::soft ? "error, which --allow can lower"
                                                                  : "error";
  std::string out = fmt::format("{}: {} ({})\n\n", diag::code_text(row.code), row.name, level);
  for (const std::string& line : wrapped(diag::summary(row), page_width - 2))
    out += "  " + line + "\n";
  out += "\n";
  for (const std::string& line : wrapped(row.explanation, page_width)) out += line + "\n";
  return out;
}

std::span<const std::string_view> topic_categories() { return categories; }

std::optional<std::string> topic_text(const catalog::Catalog& catalog, std::string_view word,
                                      std::string_view category) {
  Sheet sheet;
  bool any = false;
  for (const Topic& topic : topics) {
    if (!category.empty() && topic.category != category) continue;
    if (topic.category == "name" && any)
      continue;  // `v5litepod`, a product name, is explained already
    any = topic.answer({catalog, word}, sheet) || any;
  }
  if (!any) return std::nullopt;
  return sheet.take();
}

std::vector<std::string> topic_words(const catalog::Catalog& catalog, std::string_view category) {
  std::vector<std::string> words;
  const auto asked = [&](std::string_view name) { return category.empty() || category == name; };
  const auto add = [&](std::string_view name, std::string_view set) {
    if (!asked(name)) return;
    for (std::string& each : catalog::names(catalog, set)) words.push_back(std::move(each));
  };
  add("type", "generations");
  add("machineType", "machine types");
  add("topology", "topologies");
  add("model", "models");
  add("zone", "zones");
  add("source", "sources");
  for (const catalog::Generation& generation : catalog.generations) {
    if (!asked("type")) break;
    for (std::string_view name : generation.names) words.emplace_back(name);
    for (const catalog::MachineType& machine : generation.machine_types)
      words.emplace_back(machine.accelerator);
  }
  for (const catalog::Feature& feature : catalog.features) {
    if (asked("feature")) words.emplace_back(feature.name);
  }
  if (category == "field") {
    for (schema::FieldDoc& doc : field_docs(catalog)) words.push_back(std::move(doc.path));
  }
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return words;
}

}  // namespace flexslice::explain
