#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>

#include "base/ascii.hpp"
#include "base/text.hpp"
#include "cli/help/manual.hpp"
#include "diag/diag.hpp"
#include "diag/render.hpp"
#include "driver.hpp"
#include "explain/topics/topics.hpp"
#include "schema/json_schema.hpp"
#include "spec/fields.hpp"

namespace flexslice::cli {

namespace {

using Words = std::vector<std::string>;
using catalog::Catalog;

Words codes(const Catalog&) {
  Words words;
  for (const diag::Row& row : diag::rows) words.push_back(diag::code_text(row.code));
  return words;
}

Words formats(const Catalog&) { return {diag::format_names().begin(), diag::format_names().end()}; }

Words artifacts(const Catalog&) {
  Words words;
  for (const EmitRow& row : emit_rows()) words.emplace_back(row.word);
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
  const schema::Choices choices = [&](std::string_view set) {
    return catalog::names(catalog, set);
  };
  for (const schema::FieldDoc& doc :
       schema::field_docs(schema::TableOf<claims::Claims>::table, choices)) {
    const bool inside_list =
        doc.path.find('[') != std::string::npos || doc.path.find(".NAME") != std::string::npos;
    if (!inside_list && doc.field->type->category != schema::Category::record)
      words.push_back(doc.path + "=");
  }
  return words;
}

Words regions(const Catalog& catalog) {
  Words words;
  for (const std::string& zone : catalog::names(catalog, "zones")) {
    std::string region = zone.substr(0, zone.rfind('-'));
    if (std::find(words.begin(), words.end(), region) == words.end())
      words.push_back(std::move(region));
  }
  return words;
}

struct Meaning {
  std::string_view name;
  Words (*words)(const Catalog& catalog);
};

constexpr Meaning meanings[] = {
    {"CODE", codes},
    {"FORMAT", formats},
    {"MACHINE", [](const Catalog& catalog) { return catalog::names(catalog, "machine types"); }},
    {"MODEL", [](const Catalog& catalog) { return catalog::names(catalog, "models"); }},
    {"PATH=VALUE", settings},
    {"REGION", regions},
    {"TOPIC", topics},
    {"TOPOLOGY", [](const Catalog& catalog) { return catalog::names(catalog, "topologies"); }},
    {"TYPE", [](const Catalog& catalog) { return catalog::names(catalog, "generations"); }},
    {"WHAT", artifacts},
    {"WHEN",
     [](const Catalog&) {
       return Words{"auto", "always", "never"};
     }},
    {"ZONE", [](const Catalog& catalog) { return catalog::names(catalog, "zones"); }},
};
// Anything.
constexpr std::string_view free_names[] = {"IMAGE", "N", "NAME", "PROJECT", "VERSION"};

void add(std::string_view name, const Catalog& catalog, ArgumentWords& argument) {
  if (name.empty() ||
      std::find(std::begin(free_names), std::end(free_names), name) != std::end(free_names))
    return;
  if (name == "FILE") {
    argument.files = true;
  } else if (name == "SPEC") {
    argument.specs = true;
  } else if (name == "DIR") {
    argument.directories = true;
  } else if (ascii::is_lower(name.front())) {
    argument.words.emplace_back(name);
  } else {
    const auto meaning = std::find_if(std::begin(meanings), std::end(meanings),
                                      [&](const Meaning& each) { return each.name == name; });
    if (meaning == std::end(meanings))
      throw std::logic_error(fmt::format("nobody has said what {} can be", name));
    for (std::string& word : meaning->words(catalog)) argument.words.push_back(std::move(word));
  }
}

}  // namespace

std::string ArgumentWords::joined() const {
  return text::join(std::span<const std::string>(words), " ");
}

ArgumentWords argument_words(std::string_view argument, const Catalog& catalog) {
  if (argument.ends_with("...")) argument.remove_suffix(3);
  if (argument.starts_with('[') && argument.ends_with(']'))
    argument = argument.substr(1, argument.size() - 2);
  ArgumentWords words;
  for (std::string_view part : text::split(argument, '|')) add(part, catalog, words);
  return words;
}

}  // namespace flexslice::cli
