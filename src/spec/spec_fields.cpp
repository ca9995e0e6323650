// The field table of the spec, of which the build makes fields.inl: the rows are in fields.yaml.
#include "spec/spec_fields.hpp"

#include <array>

#include "spec/kinds.hpp"

namespace flexslice::schema {

namespace {

using namespace spec;

// Choices of fields that C++ knows.
constexpr auto kind_words = [] {
  std::array<std::string_view, std::size(spec::kinds)> words;
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = spec::kinds[i].word;
  return words;
}();
constexpr std::string_view pod_roles[] = {spec::worker_pod, spec::leader_pod, spec::head_pod};

// Workloads of these kinds alone have the field. Others have `instead` in its place.
constexpr Field only_for(std::string_view kinds, Field row, std::string_view instead) {
  row.kinds = kinds;
  row.instead = instead;
  return row;
}

// These kinds may lack the field, which all others need.
constexpr Field optional_for(std::string_view kinds, Field row) {
  row.optional_for = kinds;
  return row;
}

// Import leaves out no value of the field.
constexpr Field kept(Field row) {
  row.is_kept = true;
  return row;
}

}  // namespace

#include "spec/fields.inl"

}  // namespace flexslice::schema
