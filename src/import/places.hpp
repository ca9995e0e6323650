// Where in the input a finding of import points. report.cpp calls it.
#pragma once

#include <string_view>

#include "import/input.hpp"
#include "import/synthesis.hpp"
#include "yaml/node.hpp"

namespace flexslice::imports {

Span name_span(const FoundObject& object);

// The container of that name in the object, or null.
const yaml::Node* container_called(const yaml::Node& object, std::string_view name);

// A scalar, or the begin of what is longer.
Span line_of(const yaml::Node& node);

// Where the object says what the compiler refuses; empty where it does not.
Span span_of(const yaml::Node& object, const Refusal& refusal);

}  // namespace flexslice::imports
