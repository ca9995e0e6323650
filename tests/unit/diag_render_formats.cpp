#include "../catch.hpp"
#include "diag/render.hpp"
#include "diag/render_parts.hpp"

namespace flexslice::diag {
namespace {

Sources two_sources() {
  Sources sources;
  sources.add({"specs/a b.yaml", "one: 1\ntwo: \"日本\" # x\n", 10});
  sources.add({"--set", "a=b", 1});
  return sources;
}

std::vector<Diagnostic> three_findings() {
  Diagnostic certain{Code::DuplicateKey, Level::error, {0, 12, 20}, "key `a,b` is 100% \"new\"", {}, {}, {}};
  certain.note("first\nsecond").help("delete it").fix({0, 12, 20}, "\"x\"\n").fix({0, 5, 6}, "");
  Diagnostic wide{Code::SuppressionUnused, Level::warning, {0, 0, 20}, "over \x1b two lines", {}, {}, {}};
  Diagnostic argument{Code::DuplicateKey, Level::soft, {1, 2, 3}, "bad", {}, {}, {}};
  argument.fix({1, 2, 3}, "c");
  return {wide, certain, argument};
}

std::string rendered(Format format, std::span<const Diagnostic> findings) {
  return render({format, false, "1.2.3"}, two_sources(), findings);
}

// A reader of JSON just large enough to check one text: whether it is well formed, and how deep it is nested at the end.
struct JsonReader {
  std::string_view text;
  std::size_t at = 0;

  void blanks() { at = std::min(text.find_first_not_of(" \n", at), text.size()); }
  bool take(char c) {
    blanks();
    if (at >= text.size() || text[at] != c) return false;
    ++at;
    return true;
  }
  bool string() {
    if (!take('"')) return false;
    while (at < text.size() && text[at] != '"') {
      if (static_cast<unsigned char>(text[at]) < 0x20) return false;
      at += text[at] == '\\' ? 2u : 1u;
    }
    return take('"');
  }
  bool list(char end, bool members) {
    if (take(end)) return true;
    do {
      if (members && !(string() && take(':'))) return false;
      if (!value()) return false;
    } while (take(','));
    return take(end);
  }
  bool value() {
    if (take('{')) return list('}', true);
    if (take('[')) return list(']', false);
    blanks();
    if (at < text.size() && text[at] == '"') return string();
    const std::size_t begin = at;
    at = std::min(text.find_first_of(",]} \n", at), text.size());
    const std::string_view word = text.substr(begin, at - begin);
    return word == "null" || text::whole_number(word).has_value();
  }
  bool whole() {
    const bool good = value();
    blanks();
    return good && at == text.size();
  }
};

bool well_formed(std::string_view text) { return JsonReader{text}.whole(); }

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

}  // namespace

TEST_CASE("formats by name") {
  for (std::string_view name : format_names()) CHECK(format_named(name));
  CHECK(format_named("short") == Format::brief);
  CHECK(format_named("github") == Format::github);
  CHECK_FALSE(format_named("xml"));
}

TEST_CASE("json is one list, a line for each finding") {
  CHECK(rendered(Format::json, {}) == "[]\n");
  const std::string out = rendered(Format::json, three_findings());
  CHECK(well_formed(out));
  CHECK(out ==
        "[\n"
        "  {\"code\": \"FS2091\", \"name\": \"SuppressionUnused\", \"level\": \"warning\", \"file\": \"specs/a b.yaml\", \"line\": 10, "
        "\"column\": 1, \"endLine\": 11, \"endColumn\": 10, \"message\": \"over \\u001b two lines\", \"notes\": [], \"helps\": [], "
        "\"fixes\": []},\n"
        "  {\"code\": \"FS1002\", \"name\": \"DuplicateKey\", \"level\": \"error\", \"file\": \"specs/a b.yaml\", \"line\": 11, "
        "\"column\": 6, \"endLine\": 11, \"endColumn\": 10, \"message\": \"key `a,b` is 100% \\\"new\\\"\", "
        "\"notes\": [\"first\\nsecond\"], \"helps\": [\"delete it\"], "
        "\"fixes\": [{\"file\": \"specs/a b.yaml\", \"line\": 11, \"column\": 6, \"endLine\": 11, \"endColumn\": 10, "
        "\"text\": \"\\\"x\\\"\\n\"}, "
        "{\"file\": \"specs/a b.yaml\", \"line\": 10, \"column\": 6, \"endLine\": 10, \"endColumn\": 7, \"text\": \"\"}]},\n"
        "  {\"code\": \"FS1002\", \"name\": \"DuplicateKey\", \"level\": \"error\", \"file\": \"--set\", \"line\": null, "
        "\"column\": null, \"endLine\": null, \"endColumn\": null, \"message\": \"bad\", \"notes\": [], \"helps\": [], "
        "\"fixes\": [{\"file\": \"--set\", \"line\": null, \"column\": null, \"endLine\": null, \"endColumn\": null, "
        "\"text\": \"c\"}]}\n"
        "]\n");
}

TEST_CASE("json holds any bytes") {
  Diagnostic finding{Code::DuplicateKey, Level::error, {9, 0, 0}, "", {}, {}, {}};
  for (int i = 0; i < 256; ++i) finding.message += static_cast<char>(i);
  finding.message += "\u202E\U000E0041\u0085é";
  const std::string out = rendered(Format::json, std::span(&finding, 1));
  CHECK(well_formed(out));
  CHECK(has(out, "\"file\": null"));
  CHECK(has(out, "\\u0000\\u0001"));
  CHECK(has(out, "\\u202e\\udb40\\udc41\\u0085é\""));
}

TEST_CASE("github commands are one line each, with their separators escaped") {
  CHECK(rendered(Format::github, {}).empty());
  CHECK(rendered(Format::github, three_findings()) ==
        "::warning file=specs/a b.yaml,line=10,col=1,endLine=11,title=FS2091::over <U+001B> two lines\n"
        "::error file=specs/a b.yaml,line=11,col=6,endLine=11,endColumn=10,title=FS1002::key `a,b` is 100%25 \"new\"%0Anote: "
        "first%0Asecond%0Ahelp: delete it\n"
        "::error title=FS1002::--set: bad\n");
  Sources sources;
  sources.add({"a:b,c%.yaml", "", 1});
  const Diagnostic finding{Code::DuplicateKey, Level::error, {0, 0, 0}, "line\r\n::error::x", {}, {}, {}};
  CHECK(render({Format::github, false, {}}, sources, std::span(&finding, 1)) ==
        "::error file=a%3Ab%2Cc%25.yaml,title=FS1002::line\\r%0A::error::x\n");
}

TEST_CASE("sarif without findings is a whole document with every rule") {
  const std::string out = rendered(Format::sarif, {});
  CHECK(well_formed(out));
  CHECK(has(out, "\"version\": \"2.1.0\",\n"));
  CHECK(has(out, "\"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\""));
  CHECK(has(out, "\"driver\": {\"name\": \"flexslice\", \"version\": \"1.2.3\", \"rules\": ["));
  CHECK(has(out, "\"columnKind\": \"unicodeCodePoints\",\n    \"results\": []\n"));
  for (const Row& rule : rows) {
    std::string quoted;
    append_json(rule.explanation, quoted);
    CHECK(has(out, "{\"id\": \"" + code_text(rule.code) + "\", \"name\": \"" + std::string(rule.name) + "\", \"shortDescription\": {"));
    CHECK(has(out, "\"help\": {\"text\": " + quoted + ", \"markdown\": " + quoted + "}"));
  }
  CHECK(has(out, "\"name\": \"InvalidText\", \"shortDescription\": {\"text\": \"invalid text\"}"));
  CHECK(has(out, "{\"text\": \"key `…` is given twice\"}"));
  CHECK_FALSE(has(render({Format::sarif, false, {}}, two_sources(), {}), "1.2.3"));
}

TEST_CASE("sarif results have a rule, a place and the fix") {
  const std::string out = rendered(Format::sarif, three_findings());
  CHECK(well_formed(out));
  const std::string_view results = std::string_view(out).substr(out.find("\"results\""));
  const auto index = [](Code code) { return std::to_string(&row(code) - rows); };
  CHECK(results == "\"results\": [\n      {\"ruleId\": \"FS2091\", \"ruleIndex\": " + index(Code::SuppressionUnused) +
                       ", \"level\": \"warning\", \"message\": {\"text\": \"over \\u001b two lines\"}, \"locations\": "
                       "[{\"physicalLocation\": {\"artifactLocation\": {\"uri\": \"specs/a%20b.yaml\"}, \"region\": {\"startLine\": 10, "
                       "\"startColumn\": 1, \"endLine\": 11, \"endColumn\": 10}}}]},\n      {\"ruleId\": \"FS1002\", \"ruleIndex\": " +
                       index(Code::DuplicateKey) +
                       ", \"level\": \"error\", \"message\": {\"text\": \"key `a,b` is 100% \\\"new\\\"\\nnote: first\\nsecond\\nhelp: "
                       "delete it\"}, \"locations\": [{\"physicalLocation\": {\"artifactLocation\": {\"uri\": \"specs/a%20b.yaml\"}, "
                       "\"region\": {\"startLine\": 11, \"startColumn\": 6, \"endLine\": 11, \"endColumn\": 10}}}], \"fixes\": "
                       "[{\"description\": {\"text\": \"delete it\"}, \"artifactChanges\": [{\"artifactLocation\": {\"uri\": "
                       "\"specs/a%20b.yaml\"}, \"replacements\": [{\"deletedRegion\": {\"startLine\": 11, \"startColumn\": 6, "
                       "\"endLine\": 11, \"endColumn\": 10}, \"insertedContent\": {\"text\": \"\\\"x\\\"\\n\"}}, {\"deletedRegion\": "
                       "{\"startLine\": 10, \"startColumn\": 6, \"endLine\": 10, \"endColumn\": 7}, \"insertedContent\": {\"text\": "
                       "\"\"}}]}]}]},\n      {\"ruleId\": \"FS1002\", \"ruleIndex\": " +
                       index(Code::DuplicateKey) +
                       ", \"level\": \"error\", \"message\": {\"text\": \"--set: bad\"}, \"locations\": []}\n    ]\n  }]\n}\n");
}

TEST_CASE("sarif paths are uri references") {
  const auto uri_of = [](std::string name) {
    Sources sources;
    sources.add({std::move(name), "", 1});
    const Diagnostic finding{Code::DuplicateKey, Level::error, {0, 0, 0}, "m", {}, {}, {}};
    const std::string out = render({Format::sarif, false, {}}, sources, std::span(&finding, 1));
    const std::size_t begin = out.find("\"uri\": ") + 7;
    return out.substr(begin, out.find('}', begin) - begin);
  };
  CHECK(uri_of("./././a.yaml") == "\"a.yaml\"");
  CHECK(uri_of("/tmp/a.yaml") == "\"file:///tmp/a.yaml\"");
  CHECK(uri_of("<stdin>") == "\"%3Cstdin%3E\"");
  CHECK(uri_of("a:b#c?d%\\é\xff") == "\"a%3Ab%23c%3Fd%25%5C%C3%A9%FF\"");
}

TEST_CASE("the renderers' places are those of the sources") {
  std::string text;
  unsigned state = 1;
  for (int i = 0; i < 30'000; ++i) {
    state = state * 1'103'515'245u + 12'345u;
    const unsigned choice = (state >> 16) % 40;
    text += choice == 0 ? "\n" : choice == 1 ? "é" : choice == 2 ? "\U0001F600" : choice == 3 ? "\xff" : choice == 4 ? "\r\n" : "x";
  }
  Sources sources;
  sources.add({"other.yaml", "a\nb\n", 1});
  sources.add({"a.yaml", text, 5});
  Locator locator(sources);
  for (std::uint32_t begin = 0; begin < text.size(); begin += 97) {
    if ((static_cast<unsigned char>(text[begin]) & 0xC0u) == 0x80u) continue;
    const Span span{1, begin, begin + 50};
    const Position first = sources.position(span), last = sources.end_position({1, begin, begin});
    const Place place = locator.place(span);
    REQUIRE(place.begin == LineColumn{first.line, first.column});
    REQUIRE(locator.place({1, begin, begin}).end == LineColumn{last.line, last.column});
  }
  CHECK(locator.place({0, 2, 3}).begin == LineColumn{2, 1});
}

}  // namespace flexslice::diag
