// Drops what is in an object although nobody wrote it: fields of controllers, and the API server's
// defaults.
#pragma once

#include <string>
#include <string_view>

#include "yaml/value.hpp"

namespace flexslice::imports {

// The object that another one belongs to, as in `Job `a``; empty: none.
std::string owner_of(const yaml::Value& object);
// Controllers of these kinds make the objects that they own, and make them again.
bool is_controller(std::string_view kind);

// Removes status, managed fields, labels with uids and the like. An object that was read from a
// cluster loses its defaulted fields too.
void drop_what_controllers_add(yaml::Value& object);

// Removes null, and lists and mappings that are empty and mean nothing then.
void drop_empty(yaml::Value& value);

// The object as the API server understands it: without defaulted fields, null and empty values;
// requests are there where only limits are; quantities in their canonical form. Lists keep their
// items in their order.
yaml::Value normalized(yaml::Value object);

}  // namespace flexslice::imports
