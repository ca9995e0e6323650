#include "cli/commands/lookup.hpp"

#include <fmt/core.h>

#include "base/text.hpp"
#include "cli/files/streams.hpp"

namespace flexslice::cli {

namespace {

using catalog::NameSet;

Failure unknown(const catalog::Catalog& catalog, std::string_view what, std::string_view name,
                NameSet set) {
  if (const catalog::Mistake* mistake = catalog::find_mistake(catalog, name))
    return wrong_usage(
        fmt::format("unknown {} `{}`{}: {}", what, name,
                    mistake->instead.empty() ? "" : fmt::format("; write `{}`", mistake->instead),
                    mistake->why));
  return wrong_usage(fmt::format("unknown {} `{}`{}", what, name,
                                 did_you_mean(name, catalog::names(catalog, set))));
}

}  // namespace

std::string did_you_mean(std::string_view word, std::span<const std::string_view> known) {
  const auto near = text::nearest(word, known);
  return near ? fmt::format("; did you mean `{}`?", *near) : "";
}

std::string did_you_mean(std::string_view word, std::span<const std::string> known) {
  return did_you_mean(word, std::vector<std::string_view>(known.begin(), known.end()));
}

const catalog::Generation& look_up_type(const catalog::Catalog& catalog, std::string_view name) {
  if (const auto* generation = catalog::find_generation(catalog, name)) return *generation;
  throw unknown(catalog, "TPU generation", name, NameSet::generations);
}

const catalog::MachineType& look_up_machine(const catalog::Catalog& catalog,
                                            std::string_view name) {
  if (const auto* generation = catalog::generation_of_machine_type(catalog, name))
    return *catalog::find_machine_type(*generation, name);
  throw unknown(catalog, "machine type", name, NameSet::machine_types);
}

const catalog::Model& look_up_model(const catalog::Catalog& catalog, std::string_view name) {
  if (const auto* model = catalog::find_model(catalog, name)) return *model;
  throw unknown(catalog, "provisioning model", name, NameSet::models);
}

std::string_view look_up_zone(const catalog::Catalog& catalog, std::string_view name) {
  for (const catalog::Generation& generation : catalog.generations) {
    if (const catalog::Zone* zone = catalog::find_zone(generation, name)) return zone->name;
  }
  throw unknown(catalog, "zone", name, NameSet::zones);
}

}  // namespace flexslice::cli
