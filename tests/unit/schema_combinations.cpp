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
  return wrong_combinations(variable, kubernetes::table("EnvVar")).size();
}

TEST_CASE("an empty value excludes no source") {
  CHECK(excluded("x") == 1);
  CHECK(excluded("") == 0);
}

}  // namespace
}  // namespace flexslice::schema
