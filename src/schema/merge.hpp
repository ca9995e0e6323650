// How a patch changes an object: as RFC 7386 has it, or as Kubernetes does with a strategic merge
// patch, by the columns `listKeys` and `replaced` of schema/kubernetes.yaml.
#pragma once

#include <optional>
#include <string_view>

#include "schema/table.hpp"
#include "yaml/value.hpp"

namespace flexslice::schema {

// A strategic merge patch knows this of a value; it is empty for a merge patch.
struct MergeRule {
  const Type* type = nullptr;
  std::string_view list_key = {};  // of a list whose items are merged
  bool is_replaced = false;        // a mapping that no patch merges into
  bool is_independent = false;     // a list without a key whose items hold without the others

  MergeRule member(std::string_view key) const;
  MergeRule item() const;
};

// By which a list with that key has the item: the text of its member, or of a scalar itself.
std::optional<std::string_view> key_of(const yaml::Value& item, std::string_view list_key);
// The item that has it, or null.
const yaml::Value* find_item(const yaml::Value& list, std::string_view list_key,
                             std::string_view key);

// Mappings merge member by member, null deletes, anything else replaces. New members are added in
// alphabetical order, so that the order in the patch does not matter.
// With a rule, items of its lists merge as well, in the order that kubectl gives them, and
// `$patch` deletes or replaces. Directives are valid, which judge_patch sees to.
yaml::Value merge(yaml::Value target, const yaml::Value& patch, const MergeRule& rule = {});

}  // namespace flexslice::schema
