// Fields that exclude each other, in values that a patch may have.
#include "../catch.hpp"
#include "schema/combinations.hpp"
#include "schema/kubernetes_types.hpp"

namespace flexslice::schema {
namespace {

using yaml::Value;

// A variable with a value and a source.
std::size_t excluded(std::string value) {
  Value variable = Value::mapping();
  variable["name"] = Value::string("A");
  variable["value"] = Value::string(std::move(value));
  variable["valueFrom"]["fieldRef"]["fieldPath"] = Value::string("metadata.name");
  const yaml::Node node = yaml::to_node(variable);
  const auto parts = parts_with_combinations(node, kubernetes::table("EnvVar"));
  REQUIRE(!parts.empty());
  return wrong_fields(parts.front()).value_or(std::vector<std::string_view>{}).size();
}

TEST_CASE("an empty value excludes no source") {
  CHECK(excluded("x") == 2);
  CHECK(excluded("") == 0);
}

}  // namespace
}  // namespace flexslice::schema
