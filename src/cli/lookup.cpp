#include "cli/lookup.hpp"

#include <fmt/core.h>

#include "base/text.hpp"
#include "cli/io.hpp"

namespace flexslice::cli {

namespace {

void refuse(const catalog::Catalog& catalog, std::string_view what, std::string_view text,
            std::string_view set) {
  const catalog::Mistake* mistake = catalog::find_mistake(catalog, text);
  if (mistake != nullptr) {
    wrong_usage(
        fmt::format("there is no {} `{}`{}: {}", what, text,
                    mistake->instead.empty() ? "" : fmt::format("; write `{}`", mistake->instead),
                    mistake->why));
    return;
  }
  const std::vector<std::string> known = catalog::names(catalog, set);
  const std::vector<std::string_view> views(known.begin(), known.end());
  // Zones exist that nobody has named yet.
  const std::string_view none = set == "zones" ? "the catalog has no" : "there is no";
  wrong_usage(fmt::format("{} {} `{}`{}", none, what, text, did_you_mean(text, views)));
}

}  // namespace

std::string did_you_mean(std::string_view seen, std::span<const std::string_view> known) {
  const auto near = text::nearest(seen, known);
  return near ? fmt::format("; did you mean `{}`?", *near) : "";
}

const catalog::Generation* look_up_type(const catalog::Catalog& catalog, std::string_view text) {
  const catalog::Generation* found = catalog::find_generation(catalog, text);
  if (found == nullptr) refuse(catalog, "TPU generation", text, "generations");
  return found;
}

const catalog::MachineType* look_up_machine(const catalog::Catalog& catalog,
                                            std::string_view text) {
  const catalog::Generation* generation = catalog::generation_of_machine_type(catalog, text);
  if (generation != nullptr) return catalog::find_machine_type(*generation, text);
  refuse(catalog, "machine type", text, "machine types");
  return nullptr;
}

const catalog::Model* look_up_model(const catalog::Catalog& catalog, std::string_view text) {
  const catalog::Model* found = catalog::find_model(catalog, text);
  if (found == nullptr) refuse(catalog, "provisioning model", text, "models");
  return found;
}

std::optional<std::string_view> look_up_zone(const catalog::Catalog& catalog,
                                             std::string_view text) {
  for (const catalog::Generation& generation : catalog.generations) {
    if (const catalog::Zone* zone = catalog::find_zone(generation, text)) return zone->name;
  }
  refuse(catalog, "zone", text, "zones");
  return std::nullopt;
}

}  // namespace flexslice::cli
