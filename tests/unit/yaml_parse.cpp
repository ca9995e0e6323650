#include "../catch.hpp"
#include "yaml/emit.hpp"
#include "yaml/parse.hpp"

namespace flexslice::yaml {
namespace {

using namespace std::string_view_literals;

// A document, and the ways to look at what became of it.
struct Reading {
  Sources sources;
  diag::Sink sink;
  std::optional<Node> root;

  explicit Reading(std::string_view text) {
    sources.add({"spec.yaml", std::string(text)});
    root = parse(sources, 0, sink);
  }
  Reading(const Reading&) = delete;

  // `a/b/0`: members by key, items by number. A last `@` is the key itself.
  const Node& at(std::string_view path) const {
    REQUIRE(root);
    const Node* node = &*root;
    for (const std::string_view step : text::split(path, '/')) {
      if (step.empty()) continue;
      if (node->kind == Kind::sequence) {
        node = &node->items.at(static_cast<std::size_t>(*text::whole_number(step)));
        continue;
      }
      const bool key = step.ends_with('@');
      const std::string_view name = key ? step.substr(0, step.size() - 1) : step;
      const Member* found = nullptr;
      for (const Member& member : node->members) {
        if (member.key.text == name) found = &member;
      }
      REQUIRE(found);
      node = key ? &found->key : &found->value;
    }
    return *node;
  }
  std::string_view source(std::string_view path) const { return sources.text(at(path).span); }
};

// What stands at a path: its value and the slice of the source that its span covers.
struct Spot {
  std::string_view path;
  std::string_view text;
  std::string_view source;
};

void check(std::string_view document, const std::vector<Spot>& spots) {
  CAPTURE(document);
  const Reading reading(document);
  CHECK(reading.sink.found().empty());
  for (const Spot& spot : spots) {
    CAPTURE(spot.path);
    CHECK(reading.at(spot.path).text == spot.text);
    CHECK(reading.source(spot.path) == spot.source);
  }
}

TEST_CASE("spans of plain scalars") {
  check("a: b\n", {{"a@", "a", "a"}, {"a", "b", "b"}, {"", "", "a: b"}});
  check("a:   b c  # d\nx : y", {{"a", "b c", "b c"}, {"x@", "x", "x"}, {"x", "y", "y"}});
  check("a: one\n  two\n\n  three # no\n", {{"a", "one two\nthree", "one\n  two\n\n  three"}});
  check("a: b#c:d\n", {{"a", "b#c:d", "b#c:d"}});
  check("a: \tb\t\n", {{"a", "b", "b"}});
  check("plain", {{"", "plain", "plain"}});
  check("--- plain\n...\n", {{"", "plain", "plain"}});
}

TEST_CASE("spans of quoted scalars have their quotes") {
  check(R"(a: "b \" c" # d)", {{"a", "b \" c", R"("b \" c")"}});
  check(R"(a: "\\"
b: "\x41\u00e9\n")",
        {{"a", "\\", R"("\\")"}, {"b", "Aé\n", R"("\x41\u00e9\n")"}});
  check(R"(a: "\N\_\L\P\e\/\0")",
        {{"a", "\xC2\x85\xC2\xA0\xE2\x80\xA8\xE2\x80\xA9\x1B/\0"sv, R"("\N\_\L\P\e\/\0")"}});
  check("a: 'it''s'\nb: ''\n", {{"a", "it's", "'it''s'"}, {"b", "", "''"}});
  check("\"a b\": \"x\n  y\"\n", {{"a b@", "a b", "\"a b\""}, {"a b", "x y", "\"x\n  y\""}});
  check("a: \"x\\\n  y\"\n", {{"a", "xy", "\"x\\\n  y\""}});
}

TEST_CASE("spans of block scalars begin at their indicator") {
  check("a: |\n  x\n   y\n\n  z\n\nb: 1\n",
        {{"a", "x\n y\n\nz\n", "|\n  x\n   y\n\n  z"}, {"b", "1", "1"}});
  check("a: |-  # why\n  # x\n", {{"a", "# x", "|-  # why\n  # x"}});
  check("a: |+\n  x\n\n", {{"a", "x\n\n", "|+\n  x"}});
  check("a: |2\n   x\n", {{"a", " x\n", "|2\n   x"}});
  check("a: >\n  x\n  y\n\n  z\n", {{"a", "x y\nz\n", ">\n  x\n  y\n\n  z"}});
  check("- |\n x\n- >-\n y\n", {{"0", "x\n", "|\n x"}, {"1", "y", ">-\n y"}});
  check("a: |\n\nb: 1\n", {{"a", "", "|"}});
  check("a: |\n  x  \n", {{"a", "x  \n", "|\n  x  "}});
}

TEST_CASE("spans of collections") {
  check("a:\n  b: 1\n  c:\n    - x\n    - y\nd: 2\n",
        {{"a", "", "b: 1\n  c:\n    - x\n    - y"}, {"a/c", "", "- x\n    - y"}});
  check("a:\n- x\n- - y\n  - z\nb: 1\n",
        {{"a", "", "- x\n- - y\n  - z"}, {"a/1", "", "- y\n  - z"}, {"a/1/1", "z", "z"}});
  check("a: [x, 'y' , {z: 1}] # b\n",
        {{"a", "", "[x, 'y' , {z: 1}]"}, {"a/2", "", "{z: 1}"}, {"a/2/z", "1", "1"}});
  check("a: [ ]\nb: {\n}\n", {{"a", "", "[ ]"}, {"b", "", "{\n}"}});
  check("[a, # ]\n b,\n]", {{"", "", "[a, # ]\n b,\n]"}});
  check("{\"a\":1,\"b\":[2]}", {{"a", "1", "1"}, {"b", "", "[2]"}});
  check("[a: b, c]", {{"0", "", "a: b"}, {"0/a", "b", "b"}, {"1", "c", "c"}});
}

TEST_CASE("values that are not there have a place behind their colon or dash") {
  check("a:\nb: 1\n", {{"a", "", ""}});
  const auto place = [](std::string_view document, std::string_view path) {
    const Reading reading(document);
    const Node& node = reading.at(path);
    CHECK(node.kind == Kind::null);
    CHECK(node.span.begin == node.span.end);
    return node.span.begin;
  };
  CHECK(place("a:\nb: 1\n", "a") == 2);
  CHECK(place("a:   # x\n", "a") == 2);
  CHECK(place("\"a\" :\n", "a") == 5);
  CHECK(place("x:\n  a:\nb: 1\n", "x/a") == 7);
  CHECK(place("- a\n-\n- # x\n- b\n", "1") == 5);
  CHECK(place("- a\n-\n- # x\n- b\n", "2") == 7);
  CHECK(place("- -\n  -\n-\n", "0/0") == 3);
  CHECK(place("- -\n  -\n-\n", "0/1") == 7);
  CHECK(place("- -\n  -\n-\n", "1") == 9);
  CHECK(place("{a, b: }", "a") == 2);
  CHECK(place("{a, b: }", "b") == 6);
  CHECK(place("? a\n: 1\n? b\n", "b") == 11);
  CHECK(place("a: &x\n", "a") == 2);
  CHECK(place("", "") == 0);
  CHECK(place("# nothing\n", "") == 0);
}

TEST_CASE("null that is written has its span") {
  check("a: null\nb: ~ # x\nc: [Null, ~]\n",
        {{"a", "", "null"}, {"b", "", "~"}, {"c/0", "", "Null"}, {"c/1", "", "~"}});
  CHECK(Reading("a: nullable\n").at("a").kind == Kind::scalar);
  CHECK(Reading("a: 'null'\n").at("a").kind == Kind::scalar);
  CHECK(Reading("a:\nnullable: 1\n").at("a").span.begin == 2);
}

TEST_CASE("offsets are bytes, whatever the text holds") {
  check("é: ü😀 # →\n→: [→, \"é\"]\n",
        {{"é@", "é", "é"}, {"é", "ü😀", "ü😀"}, {"→/0", "→", "→"}, {"→/1", "é", "\"é\""}});
  check(
      "\xEF\xBB\xBF"
      "a: b\nc: \"d\"\n",
      {{"a@", "a", "a"}, {"a", "b", "b"}, {"c", "d", "\"d\""}});
  check("a: b\r\nc: x\r\n  y\r\nd: |\r\n  l\r\n  m\r\ne:\r\n  - 'f'\r\n",
        {{"a", "b", "b"},
         {"c", "x y", "x\r\n  y"},
         {"d", "l\nm\n", "|\r\n  l\r\n  m"},
         {"e", "", "- 'f'"},
         {"e/0", "f", "'f'"}});
  check(
      "\xEF\xBB\xBF"
      "é: é\r\nb:\r\nc: 1",
      {{"é", "é", "é"}, {"c", "1", "1"}});
}

TEST_CASE("aliases are what their anchors are, with the anchor's places") {
  check("a: &x 1\nb: *x\nc: [*x, &y {d: *x}]\ne: *y\n",
        {{"a", "1", "1"}, {"b", "1", "1"}, {"c/1/d", "1", "1"}, {"e", "", "{d: *x}"}});
  check("&k a: 1\nb: {*k : 2}\n", {{"a@", "a", "a"}, {"b/a", "2", "2"}});
  check("a: &x 1\nb: &x 2\nc: *x\n", {{"c", "2", "2"}});
  check("- [&a [1], &b {k: &c 2}]\n- x\n- y\n- [*a, *b, *c]\n- &d [*b]\n- *d\n",
        {{"3/0/0", "1", "1"}, {"3/1/k", "2", "2"}, {"3/2", "2", "2"}, {"5/0/k", "2", "2"}});
}

TEST_CASE("core tags say what a scalar is") {
  check(
      "a: !!str 12\nb: !!str &x 1\nc: ! 3\nd: !!map {e: 1}\nf: !!seq [g]\n",
      {{"a", "12", "12"}, {"b", "1", "1"}, {"c", "3", "3"}, {"d", "", "{e: 1}"}, {"f", "", "[g]"}});
  CHECK(type_of(Reading("a: !!str 12\n").at("a")) == ScalarType::string);
  CHECK(type_of(Reading("a: ! 12\n").at("a")) == ScalarType::string);
  CHECK(type_of(Reading("a: !!int \"12\"\n").at("a")) == ScalarType::integer);
  CHECK(type_of(Reading("a: !!float 12\n").at("a")) == ScalarType::integer);
  CHECK(type_of(Reading("a: !!str\nb: 1\n").at("a")) == ScalarType::string);
  CHECK(Reading("a: !!null ''\n").at("a").kind == Kind::null);
  CHECK(Reading("a: !<tag:yaml.org,2002:str> 1\n").at("a").quoted);
}

TEST_CASE("explicit keys, directives, and what stands behind the end") {
  check("? a\n: b\n? |\n  c\n: d\n", {{"a", "b", "b"}, {"c\n", "d", "d"}});
  check("%YAML 1.2\n---\na: b\n...\n# end\n", {{"a", "b", "b"}});
}

TEST_CASE("a key that is given twice leaves the first value") {
  const Reading reading("a: 1\nb: 2\n\"a\": 3\nb: 4\na: 5\n");
  REQUIRE(reading.root);
  CHECK(reading.root->members.size() == 2);
  CHECK(reading.at("a").text == "1");
  REQUIRE(reading.sink.found().size() == 3);
  CHECK(reading.sink.errors() == 3);
  const diag::Diagnostic& first = reading.sink.found()[0];
  CHECK(first.code == diag::Code::DuplicateKey);
  REQUIRE(first.related.size() == 1);
  CHECK(first.related[0].where == Span{0, 0, 1});
}

TEST_CASE("keys of large mappings are compared as well") {
  std::string text;
  for (int i = 0; i < 40; ++i) text += "k" + std::to_string(i) + ": 1\n";
  CHECK(Reading(text).sink.found().empty());
  const Reading reading(text + "k7: 2\n");
  REQUIRE(reading.sink.found().size() == 1);
  REQUIRE(reading.sink.found()[0].related.size() == 1);
  CHECK(reading.sink.found()[0].related[0].where.begin == text.find("k7:"));
  CHECK(reading.root->members.size() == 40);
  CHECK(reading.at("k7").text == "1");
  CHECK(reading.at("k39").text == "1");
}

TEST_CASE("limits") {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + "x" + std::string(depth, ']');
  };
  CHECK(Reading(nested(max_depth)).root);
  const Reading deep(nested(max_depth + 1));
  CHECK_FALSE(deep.root);
  CHECK(deep.sink.found()[0].code == diag::Code::TooLarge);
  CHECK_FALSE(Reading(std::string(100'000, '[')).root);
  CHECK_FALSE(Reading(std::string(100'000, '{')).root);
  std::string dashes;
  for (int i = 0; i < 1000; ++i) dashes += "- ";
  CHECK_FALSE(Reading(dashes).root);

  const Reading big(std::string(max_document_bytes + 1, '#'));
  CHECK_FALSE(big.root);
  CHECK(big.sink.found()[0].message.starts_with("the document has "));

  std::string many = "[";
  for (std::size_t i = 0; i <= max_nodes; ++i) many += "1,";
  CHECK(Reading(many + "]").sink.found()[0].code == diag::Code::TooLarge);
}

TEST_CASE("an alias bomb is refused before it grows") {
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 30; ++i) {
    const std::string before = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + before;
    for (int j = 0; j < 9; ++j) bomb += ", " + before;
    bomb += "]\n";
  }
  const Reading reading(bomb);
  CHECK_FALSE(reading.root);
  CHECK(reading.sink.found()[0].code == diag::Code::TooLarge);

  std::string ladder = "a0: &a0 x\n";
  for (int i = 1; i < 80; ++i)
    ladder += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [*a" +
              std::to_string(i - 1) + "]\n";
  CHECK(Reading(ladder).sink.found()[0].code == diag::Code::TooLarge);
}

TEST_CASE("JSON's escapes of characters above U+FFFF are pairs of surrogates") {
  check("{\"a\\ud83d\\ude80\": \"x\\uD83D\\uDE80\\u00e9\\n\", \"b\": \"\\\\ud83d\"}",
        {{"a\U0001F680", "x\U0001F680\u00e9\n", "\"x\\uD83D\\uDE80\\u00e9\\n\""},
         {"b", "\\ud83d", "\"\\\\ud83d\""}});
  // In other scalars a backslash is a backslash.
  check(
      "a: '\\ud83d'\nb: \\ud83d\\ude80\nc: | # \\ud83d\n  \\ue83d \\ud83d\\ude80\nd: "
      "\"\\ud83d\\ude80\"\n",
      {{"a", "\\ud83d", "'\\ud83d'"},
       {"b", "\\ud83d\\ude80", "\\ud83d\\ude80"},
       {"c", "\\ue83d \\ud83d\\ude80\n", "| # \\ud83d\n  \\ue83d \\ud83d\\ude80"},
       {"d", "\U0001F680", "\"\\ud83d\\ude80\""}});
}

TEST_CASE("a placeholder of a template is a scalar") {
  check("a: {{ .Values.x }}\nb: [{{ y }}, 1]\n",
        {{"a", "{{ .Values.x }}", "{{ .Values.x }}"}, {"b/0", "{{ y }}", "{{ y }}"}});
}

// What kubectl makes of a mapping, `key=value` in order, each with the place of the value.
std::string as_kubectl(std::string_view text, std::size_t findings = 0) {
  CAPTURE(text);
  Sources sources;
  sources.add({"a.yaml", std::string(text)});
  diag::Sink sink;
  const auto root = parse(sources, 0, sink, {.merge_keys = true, .last_wins = true});
  CHECK(sink.found().size() == findings);
  if (!root) return "nothing";
  std::string all;
  for (const Member& member : root->members) {
    all += member.key.text + '=' + member.value.text + ' ';
    if (member.value.kind == Kind::scalar)
      CHECK(sources.text(member.value.span) == member.value.text);
  }
  return all;
}

TEST_CASE("merge keys are resolved as kubectl does") {
  CHECK(as_kubectl("<<: {a: 1, b: 2}\na: 3\n") == "a=3 b=2 ");
  CHECK(as_kubectl("a: 3\n<<: {a: 1, b: 2}\n") == "a=1 b=2 ");
  CHECK(as_kubectl("<<: [{a: 1, b: 2}, {b: 3, c: 4}]\n") == "b=2 c=4 a=1 ");
  CHECK(as_kubectl("<<: {<<: {a: 1, b: 2}, b: 3}\nc: 4\n") == "a=1 b=3 c=4 ");
  CHECK(as_kubectl("x: &x {a: 1}\n<<: *x\n<<: {b: 2}\n") == "x= a=1 b=2 ");
  CHECK(as_kubectl("<<: {}\n").empty());
  CHECK(as_kubectl("'<<': {}\n<<: {a: 1}\n") == "<<= a=1 ");
  for (const std::string_view no_mapping : {"<<: a", "<<:", "<<: [a]", "<<: {<<: b}"})
    CHECK(as_kubectl(no_mapping, 1) == "nothing");
  // A spec has none.
  CHECK(Reading("<<: {a: 1}\n").sink.found()[0].code == diag::Code::MergeKey);
}

TEST_CASE("of a key that is given twice kubectl takes the last value") {
  CHECK(as_kubectl("a: 1\nb: 2\na: 1\n") == "a=1 b=2 ");
  CHECK(as_kubectl("a: 1\nb: 2\na: 3\n", 1) == "a=3 b=2 ");
  CHECK(as_kubectl("a: 1\na: 2\na: 2\nb: 3\n", 1) == "a=2 b=3 ");
  CHECK(as_kubectl("a: {c: 1}\na: {c: 1}\n") == "a= ");
  CHECK(as_kubectl("a: {c: 1}\na: {c: 2}\n", 1) == "a= ");
}

}  // namespace
}  // namespace flexslice::yaml
