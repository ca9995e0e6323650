// What is in an object although nobody wrote it: fields of controllers, and the API server's
// defaults. input.cpp, draft.cpp and synthesis.cpp call it.
#pragma once

#include "yaml/value.hpp"

namespace flexslice::imports {

// Whether a controller made the object for another one.
bool is_owned(const yaml::Value& object);

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
