#include "explain/topics/topics.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "explain/topics/answers.hpp"
#include "listing/listing.hpp"

namespace flexslice::explain {

namespace {

struct Topic {
  std::string_view category;
  void (*answer)(const Ask& ask, Sheet& sheet);
  std::string_view names = {};  // the catalog's name for the set of words
};

constexpr Topic topics[] = {
    {"type", answer_generation, "generations"},
    {"machineType", answer_machine, "machine types"},
    {"topology", answer_topology, "topologies"},
    {"model", answer_model, "models"},
    {"zone", answer_zone, "zones"},
    {"feature", answer_feature},
    {"field", answer_field},
    {"port", answer_port},
    {"resource", answer_resource},
    {"reserved", answer_reserved},
    {"source", answer_source, "sources"},
    {"name", answer_mistake},
};

}  // namespace

std::string source_line(const catalog::Evidence& evidence) {
  return fmt::format("{}{}[{}]", evidence.note, evidence.note.empty() ? "" : "\n",
                     catalog::citation(evidence));
}

void add_support(std::string_view label, const catalog::Model& model, std::string_view generation,
                 Sheet& sheet) {
  const catalog::Support* support = catalog::find_support(model, generation);
  if (support == nullptr) return sheet.entry(label, "not known");
  std::string text(listing::support_word(*support));
  if (!support->since.empty()) text += fmt::format(", since GKE {}", support->since);
  if (support->access == "allowlist") text += ", for projects on an allowlist";
  sheet.entry(label, text, source_line(support->evidence));
}

void add_zone(std::string_view label, std::string_view value, const catalog::Zone& zone,
              Sheet& sheet) {
  std::string text = !zone.flex_start ? "not known" : *zone.flex_start ? "yes" : "no";
  if (!zone.calendar_mode.empty()) text += "; reservations in calendar mode";
  if (!zone.calendar_mode.empty() && zone.calendar_mode != "any")
    text += fmt::format(" for {} workloads", zone.calendar_mode);
  sheet.entry(label, text, source_line(zone.evidence), value);
}

void add_minimums(const std::vector<catalog::Minimum>& minimums, Sheet& sheet) {
  sheet.section("GKE version, at least");
  for (const catalog::Minimum& minimum : minimums)
    sheet.entry(minimum.version,
                minimum.mode == "auto-created" ? "for nodes that GKE creates itself"
                                               : fmt::format("on {}", minimum.mode),
                source_line(minimum.evidence));
}

std::vector<std::string_view> topic_categories() { return texts(topics, &Topic::category); }

std::optional<std::string> topic_text(const catalog::Catalog& catalog, std::string_view word,
                                      std::string_view category) {
  Sheet sheet;
  for (const Topic& topic : topics) {
    // `v5litepod`, a product name, is explained already.
    const bool explained = topic.category == "name" && !sheet.empty();
    if (!explained && (category.empty() || topic.category == category))
      topic.answer({catalog, word}, sheet);
  }
  return sheet.empty() ? std::nullopt : std::optional(sheet.take());
}

std::vector<std::string> topic_words(const catalog::Catalog& catalog, std::string_view category) {
  std::vector<std::string> words;
  const auto add = [&](const auto& more) { words.insert(words.end(), more.begin(), more.end()); };
  for (const Topic& topic : topics) {
    if (category.empty() || topic.category == category) add(catalog::names(catalog, topic.names));
  }
  if (category.empty() || category == "type") {
    for (const catalog::Generation& generation : catalog.generations) {
      for (std::string_view name : generation.names) words.emplace_back(name);
      add(texts(generation.machine_types, &catalog::MachineType::accelerator));
    }
  }
  if (category.empty() || category == "feature")
    add(texts(catalog.features, &catalog::Feature::name));
  if (category == "field") add(texts(field_docs(catalog), &schema::FieldDoc::path));
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return words;
}

}  // namespace flexslice::explain
