// Names that options give, looked up in the catalog; what does not exist is said on stderr, with
// the likely name. Private to cli/: catalog and init call it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "catalog/catalog.hpp"

namespace flexslice::cli {

// `; did you mean …?`, or nothing.
std::string did_you_mean(std::string_view seen, std::span<const std::string_view> known);

// Null, or nothing, when there is none.
const catalog::Generation* look_up_type(const catalog::Catalog& catalog, std::string_view text);
const catalog::MachineType* look_up_machine(const catalog::Catalog& catalog, std::string_view text);
const catalog::Model* look_up_model(const catalog::Catalog& catalog, std::string_view text);
std::optional<std::string_view> look_up_zone(const catalog::Catalog& catalog,
                                             std::string_view text);

}  // namespace flexslice::cli
