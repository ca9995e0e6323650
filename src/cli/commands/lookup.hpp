// Names on the command line, looked up in the catalog. An unknown one is wrong usage: a Failure
// with the name that was likely meant.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "catalog/catalog.hpp"

namespace flexslice::cli {

// `; did you mean …?`, or nothing.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> known);
std::string did_you_mean(std::string_view word, std::span<const std::string> known);

const catalog::Generation& look_up_type(const catalog::Catalog& catalog, std::string_view name);
const catalog::MachineType& look_up_machine(const catalog::Catalog& catalog, std::string_view name);
const catalog::Model& look_up_model(const catalog::Catalog& catalog, std::string_view name);
std::string_view look_up_zone(const catalog::Catalog& catalog, std::string_view name);

}  // namespace flexslice::cli
