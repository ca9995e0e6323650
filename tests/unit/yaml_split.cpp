#include "../catch.hpp"
#include "yaml/parse.hpp"

namespace flexslice::yaml {
namespace {

struct Expected {
  std::string_view text;
  int first_line;
};

void check(std::string_view stream, std::vector<Expected> expected) {
  CAPTURE(stream);
  const std::vector<Document> documents = split_documents(stream);
  REQUIRE(documents.size() == expected.size());
  for (std::size_t i = 0; i < documents.size(); ++i) {
    CHECK(documents[i].text == expected[i].text);
    CHECK(documents[i].first_line == expected[i].first_line);
  }
}

TEST_CASE("a stream is cut before its markers") {
  check("a: 1\n", {{"a: 1\n", 1}});
  check("a: 1\n---\nb: 2\n", {{"a: 1\n", 1}, {"---\nb: 2\n", 2}});
  check("---\na: 1\n--- # two\nb: 2\n---\tc\n",
        {{"---\na: 1\n", 1}, {"--- # two\nb: 2\n", 3}, {"---\tc\n", 5}});
  check("--- {a: 1}\n--- {b: 2}", {{"--- {a: 1}\n", 1}, {"--- {b: 2}", 2}});
  check("a\r\n---\r\nb\r\n", {{"a\r\n", 1}, {"---\r\nb\r\n", 2}});
}

TEST_CASE("JSON objects follow each other without a marker") {
  check("{\"a\": \"}{\"}\n{\"b\": [{}]}\n", {{"{\"a\": \"}{\"}", 1}, {"{\"b\": [{}]}", 2}});
  check("\n{}{\"a\":\n1}", {{"{}", 2}, {"{\"a\":\n1}", 2}});
  check("{\"a\": 1}\n", {{"{\"a\": 1}\n", 1}});
  // The rest is not an object, or not JSON.
  check("{\"a\": 1}, {\"b\": 2}", {{"{\"a\": 1}, {\"b\": 2}", 1}});
  check("{\"a\": 1} {", {{"{\"a\": 1} {", 1}});
  check("{a: 1}{b: 2}", {{"{a: 1}{b: 2}", 1}});
  check("{{ a }}{{ b }}", {{"{{ a }}{{ b }}", 1}});
}

TEST_CASE("what only looks like a marker is left alone") {
  check("a: |\n  ---\nb: --- x\n---x: 1\n----\n", {{"a: |\n  ---\nb: --- x\n---x: 1\n----\n", 1}});
}

TEST_CASE("documents without content are left out, unless there is nothing else") {
  check("", {{"", 1}});
  check("# only a comment\n", {{"# only a comment\n", 1}});
  check("---\n---\n", {{"---\n", 2}});
  check("# head\n---\na: 1\n---\n\n# tail\n", {{"---\na: 1\n", 2}});
  check("a: 1\n---\n---\nb: 2\n", {{"a: 1\n", 1}, {"---\nb: 2\n", 3}});
  check("%YAML 1.2\n---\na: 1\n...\n", {{"---\na: 1\n...\n", 2}});
  check("\xEF\xBB\xBF---\na: 1\n", {{"\xEF\xBB\xBF---\na: 1\n", 1}});
  check("a: 1\n---\n...\n", {{"a: 1\n", 1}});
  check("a: 1\n--- null\n", {{"a: 1\n", 1}, {"--- null\n", 2}});
}

}  // namespace
}  // namespace flexslice::yaml
