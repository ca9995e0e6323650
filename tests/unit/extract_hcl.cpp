#include <variant>

#include "../catch.hpp"
#include "base/ascii.hpp"
#include "extract/hcl.hpp"
#include "yaml/emit.hpp"
#include "yaml/value.hpp"

namespace flexslice::extract {
namespace {

// As JSON, without blanks.
std::string json(std::string_view text) {
  const auto read = read_hcl(text, 0);
  REQUIRE(std::holds_alternative<yaml::Node>(read));
  std::string all = yaml::emit_json(yaml::to_value(std::get<yaml::Node>(read)));
  std::erase_if(all, ascii::is_space);
  return all;
}

// The value of `a`.
yaml::Node value_of(std::string_view expression) {
  const auto read = read_hcl("locals {\n  a = " + std::string(expression) + "\n}", 0);
  REQUIRE(std::holds_alternative<yaml::Node>(read));
  return *std::get<yaml::Node>(read).find("locals")->items[0].find("a");
}

void check_places(const yaml::Node& node, std::string_view text) {
  CHECK(node.span.begin <= node.span.end);
  CHECK(node.span.end <= text.size());
  if (node.kind == yaml::Kind::scalar && !node.quoted && !node.text.empty() &&
      node.span.begin < node.span.end)
    CHECK(text.substr(node.span.begin, node.span.end - node.span.begin) == node.text);
  for (const yaml::Node& item : node.items) check_places(item, text);
  for (const auto& [key, value] : node.members) {
    check_places(key, text);
    check_places(value, text);
  }
}

TEST_CASE("blocks of Terraform are the objects of its JSON") {
  constexpr std::string_view text = R"(# comment
terraform { required_version = ">= 1" }
variable "zone" { default = "us-east5-b" }
locals {
  /* of all */ nodes = 4 // each
}
resource "google_container_node_pool" "np" {
  labels = {
    a : "x", "b.c/d" = true
    (var.key) = null
  }
  taint { key = "k" }
  taint { key = "l" }
  dynamic "placement_policy" { content {} }
}
)";
  CHECK(
      json(text) ==
      R"({"terraform":[{"required_version":">=1"}],"variable":[{"zone":{"default":"us-east5-b"}}],"locals":[{"nodes":4}],)"
      R"("resource":[{"google_container_node_pool":{"np":{"labels":{"a":"x","b.c/d":true,)"
      R"("${(var.key)}":null},"taint":{"key":"k"},"taint":{"key":"l"},)"
      R"("dynamic":{"placement_policy":{"content":{}}}}}}]})");
  check_places(std::get<yaml::Node>(read_hcl(text, 0)), text);
}

TEST_CASE("arguments outside of blocks are values of variables") {
  CHECK(json("# of all\na = \"x\"\nb = [\n1]\nlocals {}\nc = {\n d = 2\n}\n") ==
        R"({"a":"x","b":[1],"locals":[{}],"c":{"d":2}})");
}

TEST_CASE("values of Terraform's syntax") {
  CHECK(value_of("\"a\\\"\\n$${b}\"").text == "a\"\n$${b}");
  CHECK(value_of("-1.5e3").text == "-1.5e3");
  CHECK_FALSE(value_of("true").quoted);
  CHECK(value_of("null").kind == yaml::Kind::null);
  CHECK(value_of("[\n 1, # one\n 2,\n]").items.size() == 2);
  CHECK(value_of("var.a").text == "${var.a}");
  CHECK(value_of("\"${var.a}\"").text == "${var.a}");
  for (std::string_view open :
       {"1 + 2", "f(\"}\", {a = 1})", "c ? 1 : 2", "[for a in b : a]", "{for a, b in c : a => b}",
        "\"a\" == \"b\"", "a[\n0\n]", "\"${f(\"}\")}\" == 1", "f(<<EOT\n}\nEOT\n)", "\"\\u0041\"",
        "(\n1 # )\n)"}) {
    CAPTURE(open);
    CHECK(value_of(open).text == "${" + std::string(open) + "}");
  }
}

TEST_CASE("here-documents of Terraform are strings") {
  CHECK(value_of("<<EOT\n  } \"\n\\n\n EOT").text == "  } \"\n\\n\n");
  CHECK(value_of("<<-EOT\n\t  a\n\n   b\n \n   EOT").text == "a\n\nb\n \n");
  CHECK(value_of("<<-EOT\r\n  a\r\n EOT\r").text == "a\r\n");
  CHECK(value_of("<<EOT\nEOT").text.empty());
  CHECK(value_of("[<<A\n,]\nA\n, 2]").items.size() == 2);
  CHECK(json("a {\n b = <<E\n}\nE\n c = f(<<-E\n  )\n  E\n)\n}\nlocals {\n d = {e = <<E\nx\nE\n  f "
             "= 1}\n}") == R"({"locals":[{"d":{"e":"x\n","f":1}}]})");
}

TEST_CASE("a text that Terraform cannot read has a problem with its place") {
  constexpr std::pair<std::string_view, std::size_t> texts[] = {
      {"resource a b {\n", 13},
      {"resource a b {\n c = \"d\n}", 20},
      {"a = (\n", 4},
      {"a = )", 4},
      {"}", 0},
      {"locals {\n a = <<E\n}", 14},
      {"resource a b {\n c {\n  \"d\" = 1\n }\n}", 22},
      {"{{ a }}", 0},
      {"\x01", 0}};
  for (const auto& [text, at] : texts) {
    CAPTURE(text);
    const auto read = read_hcl(text, 0);
    REQUIRE(std::holds_alternative<HclProblem>(read));
    CHECK(std::get<HclProblem>(read).at == at);
  }
}

}  // namespace
}  // namespace flexslice::extract
