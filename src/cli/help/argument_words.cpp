#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>

#include "base/ascii.hpp"
#include "base/text.hpp"
#include "cli/help/command.hpp"
#include "cli/help/manual.hpp"
#include "diag/diag.hpp"
#include "diag/render.hpp"
#include "driver/driver.hpp"
#include "explain/topics.hpp"
#include "schema/json_schema.hpp"
#include "spec/kinds.hpp"
#include "spec/spec_fields.hpp"

namespace flexslice::cli {

namespace {

using Words = std::vector<std::string>;
using catalog::Catalog, catalog::NameSet;

template <Worded Choice>
Words choice_words() {
  return {words_of<Choice>.begin(), words_of<Choice>.end()};
}

Words codes() {
  Words words;
  for (const diag::Row& row : diag::rows) words.push_back(diag::code_text(row.code));
  return words;
}

Words artifacts() {
  Words words;
  for (const EmitRow& row : emit_rows()) words.emplace_back(row.word);
  return words;
}

Words kinds() {
  Words words;
  for (const spec::WorkloadKind& kind : spec::kinds) words.emplace_back(kind.word);
  return words;
}

// Without those that would have to be quoted.
Words topics(const Catalog& catalog) {
  Words words = explain::topic_words(catalog);
  std::erase_if(words, [](const std::string& word) { return word.find(' ') != std::string::npos; });
  return words;
}

// Fields that one value can be put into.
Words settings(const Catalog& catalog) {
  Words words;
  const schema::Choices choices = [&](NameSet set) { return catalog::names(catalog, set); };
  for (const schema::FieldDoc& doc :
       schema::field_docs(schema::TableOf<spec::Claims>::table, choices)) {
    const bool inside_list =
        doc.path.find('[') != std::string::npos || doc.path.find(".NAME") != std::string::npos;
    if (!inside_list && doc.field->type->category != schema::Category::record)
      words.push_back(doc.path + "=");
  }
  return words;
}

Words regions(const Catalog& catalog) {
  Words words;
  for (const std::string& zone : catalog::names(catalog, NameSet::zones)) {
    std::string region = zone.substr(0, zone.rfind('-'));
    if (std::find(words.begin(), words.end(), region) == words.end())
      words.push_back(std::move(region));
  }
  return words;
}

constexpr std::pair<std::string_view, NameSet> catalog_sets[] = {
    {"MACHINE", NameSet::machine_types},
    {"MODEL", NameSet::models},
    {"TOPOLOGY", NameSet::topologies},
    {"TYPE", NameSet::generations},
    {"ZONE", NameSet::zones},
};
// Placeholders for anything.
constexpr std::string_view free_names[] = {"DURATION",     "GLOB",    "IMAGE", "N",    "NAME",
                                           "NAME=RELEASE", "PROJECT", "REV",   "SIZE", "VERSION"};

Words words_for(std::string_view placeholder, const Catalog& catalog) {
  for (const auto& [name, set] : catalog_sets) {
    if (name == placeholder) return catalog::names(catalog, set);
  }
  if (placeholder == "CODE") return codes();
  if (placeholder == "FORMAT") return choice_words<diag::Format>();
  if (placeholder == "KIND") return kinds();
  if (placeholder == "PATH=VALUE") return settings(catalog);
  if (placeholder == "REGION") return regions(catalog);
  if (placeholder == "TOPIC") return topics(catalog);
  if (placeholder == "WHAT") return artifacts();
  if (placeholder == "WHEN") return choice_words<Color>();
  if (std::find(std::begin(free_names), std::end(free_names), placeholder) == std::end(free_names))
    throw std::logic_error(fmt::format("the placeholder {} is not explained", placeholder));
  return {};
}

void add_alternative(std::string_view alternative, const Catalog& catalog,
                     ArgumentWords& argument) {
  if (alternative == "FILE" || alternative == "PATH") {
    argument.files = true;
  } else if (alternative == "SPEC" || alternative == "OLD NEW") {
    argument.specs = true;
  } else if (alternative == "DIR") {
    argument.directories = true;
  } else if (!alternative.empty() && ascii::is_lower(alternative.front())) {
    argument.words.emplace_back(alternative);
  } else if (!alternative.empty()) {
    for (std::string& word : words_for(alternative, catalog))
      argument.words.push_back(std::move(word));
  }
}

}  // namespace

std::string ArgumentWords::joined() const {
  return text::join(std::span<const std::string>(words), " ");
}

ArgumentWords argument_words(std::string_view argument, const Catalog& catalog) {
  if (argument.starts_with('[') && argument.ends_with(']'))
    argument = argument.substr(1, argument.size() - 2);
  if (argument.ends_with("...")) argument.remove_suffix(3);
  ArgumentWords words;
  for (std::string_view alternative : text::split(argument, '|'))
    add_alternative(alternative, catalog, words);
  return words;
}

}  // namespace flexslice::cli
