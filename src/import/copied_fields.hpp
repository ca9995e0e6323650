// Fields of objects that compile copies from a spec as they are. The templates say which: a member
// that is only `${?workload.FIELD}`, read backwards.
#pragma once

#include <string_view>
#include <vector>

#include "yaml/path.hpp"

namespace flexslice::imports {

// The part of an object that has the field.
enum class FieldPart : unsigned char {
  pod,
  container,
  job,
  object
};  // `spec` of each; a container

struct CopiedField {
  FieldPart part;
  yaml::Path path;           // below the part: `failurePolicy`, `maxRestarts`
  std::string_view field;    // of `workload`
  bool is_duration = false;  // in seconds
};

// Each workload kind has its own.
std::vector<CopiedField> copied_fields(std::string_view kind);

}  // namespace flexslice::imports
