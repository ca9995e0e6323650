// The laws of reading and writing: what is written reads back as the same tree, and every span lies
// inside its file.
#include <algorithm>

#include "../catch.hpp"
#include "../property/readers/hostile.hpp"
#include "yaml/emit.hpp"
#include "yaml/parse.hpp"

namespace flexslice::yaml {
namespace {

using hostile::Random;

std::optional<Value> read(const std::string& text) {
  Sources sources;
  sources.add({"law", text});
  diag::Sink sink;
  const std::optional<Node> node = parse(sources, 0, sink);
  return node && sink.errors() == 0 ? std::optional(to_value(*node)) : std::nullopt;
}

// Without a Catch macro for each of the many: those are slow.
void check_round_trip(const Value& value, const std::string& written) {
  if (read(written) == value) return;
  INFO(written.substr(0, 1000));
  INFO(emit_json(read(written).value_or(Value{})).substr(0, 1000));
  CHECK(read(written) == value);
}

// Readers of YAML, ours among them, give up on `"key":` when the key has more than 1024 bytes.
bool has_long_key(const Value& value) {
  const auto in_member = [](const Value::Member& member) {
    return member.key.size() > 150 || has_long_key(member.value);
  };
  return std::any_of(value.items.begin(), value.items.end(), has_long_key) ||
         std::any_of(value.members.begin(), value.members.end(), in_member);
}

void check_all(const Value& value, int width) {
  check_round_trip(value, emit(value, {.width = width}));
  check_round_trip(value, emit(value, {.comments = false}));
  if (!has_long_key(value)) check_round_trip(value, emit_json(value));
}

TEST_CASE("every chosen string survives, in every place", "[property]") {
  for (const std::string& text : hostile::strings()) {
    check_all(Value::string(text), 80);
    check_all(Value::strings({text, "x", text}), 80);
    Value value;
    value[text] = Value::string(text);
    value["below"][text].push(Value::mapping())[text] = Value::string(text);
    value["comment"] = Value::string("x");
    value["comment"].comment = text;
    check_all(value, 80);
    check_all(value, 10);
  }
}

TEST_CASE("thousands of made strings survive", "[property]") {
  Random random(1);
  for (int round = 0; round < 60; ++round) {
    Value value;
    for (int i = 0; i < 50; ++i) value["list"].push(Value::string(hostile::string(random)));
    for (int i = 0; i < 50; ++i)
      value["map"][hostile::string(random)] = Value::string(hostile::string(random));
    check_all(value, 80);
  }
}

TEST_CASE("random trees survive, with comments at any width", "[property]") {
  Random random(2);
  for (int round = 0; round < 1500; ++round) {
    const Value value = hostile::tree(random, static_cast<int>(random.below(6)));
    check_all(value, static_cast<int>(random.below(100)));
  }
}

void add_places(const Node& node, std::vector<Span>& places) {
  places.push_back(node.span);
  for (const Node& item : node.items) add_places(item, places);
  for (const Member& member : node.members) {
    add_places(member.key, places);
    add_places(member.value, places);
  }
}

TEST_CASE("a tree that no text holds is the same value, and every node has a place", "[property]") {
  Random random(7);
  for (int round = 0; round < 500; ++round) {
    const Value value = hostile::tree(random, static_cast<int>(random.below(6)));
    const Node node = to_node(value, 3);
    CHECK(to_value(node) == value);
    std::vector<Span> places;
    add_places(node, places);
    for (std::size_t i = 1; i < places.size(); ++i) {
      REQUIRE(places[i].source == 3);
      REQUIRE(places[i - 1].begin < places[i].begin);
      REQUIRE(places[i].begin < places[i].end);
      REQUIRE(places[i].end <= node.span.end);
    }
  }
}

TEST_CASE("a stream of emitted documents is cut where it was put together", "[property]") {
  Random random(3);
  for (int round = 0; round < 200; ++round) {
    std::string stream;
    std::vector<Value> values;
    for (int i = 0; i < 3; ++i) {
      values.push_back(hostile::tree(random, 3));
      stream += (i > 0 || random.one_in(2) ? "---\n" : "") + emit(values.back(), {});
    }
    const std::vector<Document> documents = split_documents(stream);
    REQUIRE(documents.size() == values.size());
    for (std::size_t i = 0; i < values.size(); ++i)
      check_round_trip(values[i], std::string(documents[i].text));
  }
}

bool inside(const Sources& sources, Span span) {
  return span.source < sources.size() && span.begin <= span.end &&
         span.end <= sources[span.source].text.size();
}

// Children lie inside of their parents; aliases make exceptions, so texts with a `*` are only
// looked at for the file's borders.
bool sound(const Sources& sources, const Node& node, bool nested) {
  const auto child = [&](const Node& each) {
    const bool within =
        !nested || (node.span.begin <= each.span.begin && each.span.end <= node.span.end);
    return within && sound(sources, each, nested);
  };
  if (!inside(sources, node.span)) return false;
  for (const Node& item : node.items) {
    if (!child(item)) return false;
  }
  for (const Member& member : node.members) {
    if (!child(member.key) || !child(member.value)) return false;
  }
  return true;
}

void check_spans(const std::string& text) {
  Sources sources;
  sources.add({"fuzz", text});
  diag::Sink sink;
  const std::optional<Node> node = parse(sources, 0, sink);
  bool good = node ? sound(sources, *node, text.find('*') == std::string::npos) : sink.errors() > 0;
  for (const diag::Diagnostic& each : sink.found()) {
    good = good && inside(sources, each.where);
    good = good && sources.position(each.where).line >= 1;
  }
  if (good) return;
  INFO(text);
  CHECK(good);
}

std::string mutated(std::string text, Random& random) {
  for (std::size_t count = 1 + random.below(4); count > 0; --count) {
    const std::size_t at = random.below(text.size() + 1);
    switch (random.below(5)) {
      case 0:
        text.erase(at, random.below(6));
        break;
      case 1:
        text.insert(at, text.substr(random.below(text.size() + 1), random.below(20)));
        break;
      case 2:
        text.insert(at, 1, static_cast<char>(random.below(256)));
        break;
      default:
        text.insert(at, hostile::string(random));
    }
  }
  return text;
}

TEST_CASE("whatever the text, nothing breaks and every span lies inside", "[property]") {
  const std::vector<std::string> seeds = {
      "a: 1\nb:\n  - x\n  - y: 2\n    z: |\n     foo\n      bar\n\n     baz\n  - >-\n    folded\n  "
      "  text\nc: \"q\\n\"\nd: 'it''s'\n",
      "{a: [1, 2, {b: c}], \"d\": 'e'}\n",
      "- - a\n  - b\n-\n- ? k\n  : v\n- &x {q: r}\n- *x\n",
      "a: !!str 12\nb: plain multi\n  line text\nc: # c\n- 1\n- 2\nd: ~\ne: null\n",
      "\357\273\277a:\r\n  b: \"x y\"\r\n  c: |\r\n    l1\r\n    l2\r\n",
      "%YAML 1.2\n---\né: \"ü → 😀\"\nb: [ü, é]\n...\n",
      ""};
  Random random(4);
  for (const std::string& seed : seeds) check_spans(seed);
  for (int round = 0; round < 6000; ++round) check_spans(mutated(random.pick(seeds), random));
  for (int round = 0; round < 1000; ++round)
    check_spans(hostile::string(random) + hostile::string(random));
}

TEST_CASE("cutting a text short at any byte breaks nothing", "[property]") {
  const std::string text =
      "a: [1, \"é\\u00e9\", 'x''y', {b: *c}]\nd: &e |2-\n   x\n  y\n? f\n: !!str >+\n  z\n\n# "
      "end\n";
  for (std::size_t size = 0; size <= text.size(); ++size) check_spans(text.substr(0, size));
}

}  // namespace
}  // namespace flexslice::yaml
