#include <algorithm>
#include <nlohmann/json.hpp>

#include "../catch.hpp"
#include "diag/format.hpp"
#include "diag/render.hpp"

namespace flexslice::diag {
namespace {

Sources two_sources() {
  Sources sources;
  sources.add({"specs/a b.yaml", "one: 1\ntwo: \"日本\" # x\n", 10});
  sources.add({"--set", "a=b", 1});
  return sources;
}

std::vector<Diagnostic> three_findings() {
  Diagnostic certain{
      Code::DuplicateKey, Level::error, {0, 12, 20}, "key `a,b` is 100% \"new\"", {}, {}, {}};
  certain.note("first\nsecond").help("delete it").fix({0, 12, 20}, "\"x\"\n").fix({0, 5, 6}, "");
  Diagnostic wide{
      Code::SuppressionUnused, Level::warning, {0, 0, 20}, "over \x1b two lines", {}, {}, {}};
  Diagnostic argument{Code::DuplicateKey, Level::soft, {1, 2, 3}, "bad", {}, {}, {}};
  argument.fix({1, 2, 3}, "c");
  return {wide, certain, argument};
}

std::string rendered(Format format, std::span<const Diagnostic> findings) {
  return render({format, false, "1.2.3"}, two_sources(), findings);
}

using Json = nlohmann::ordered_json;

Json lines(int line, int column, int end_line, int end_column) {
  return {{"line", line}, {"column", column}, {"endLine", end_line}, {"endColumn", end_column}};
}

Json with(Json object, const Json& members) {
  object.update(members);
  return object;
}

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace

TEST_CASE("formats by name") {
  for (std::string_view name : flexslice::words_of<Format>)
    CHECK(flexslice::find_word<Format>(name));
  CHECK(flexslice::find_word<Format>("short") == Format::brief);
  CHECK(flexslice::find_word<Format>("github") == Format::github);
  CHECK_FALSE(flexslice::find_word<Format>("xml"));
}

TEST_CASE("json is one list, a line for each finding") {
  CHECK(Json::parse(rendered(Format::json, {})) == Json::array());
  const std::string out = rendered(Format::json, three_findings());
  CHECK(std::count(out.begin(), out.end(), '\n') == 5);
  const Json file = {{"file", "specs/a b.yaml"}};
  const Json argument = {{"file", "--set"},
                         {"line", nullptr},
                         {"column", nullptr},
                         {"endLine", nullptr},
                         {"endColumn", nullptr}};
  const Json list = Json::parse(out);
  REQUIRE(list.size() == 3);
  CHECK(list[0] ==
        with(with(with({{"code", "FS2091"}, {"name", "SuppressionUnused"}, {"level", "warning"}},
                       file),
                  lines(10, 1, 11, 10)),
             {{"message", "over \x1b two lines"},
              {"notes", Json::array()},
              {"helps", Json::array()},
              {"fixes", Json::array()},
              {"related", Json::array()}}));
  CHECK(list[1] ==
        with(with(with({{"code", "FS1002"}, {"name", "DuplicateKey"}, {"level", "error"}}, file),
                  lines(11, 6, 11, 10)),
             {{"message", "key `a,b` is 100% \"new\""},
              {"notes", {"first\nsecond"}},
              {"helps", {"delete it"}},
              {"fixes",
               {with(with(file, lines(11, 6, 11, 10)), {{"text", "\"x\"\n"}}),
                with(with(file, lines(10, 6, 10, 7)), {{"text", ""}})}},
              {"related", Json::array()}}));
  CHECK(list[2] ==
        with(with({{"code", "FS1002"}, {"name", "DuplicateKey"}, {"level", "error"}}, argument),
             {{"message", "bad"},
              {"notes", Json::array()},
              {"helps", Json::array()},
              {"fixes", Json::array({with(argument, {{"text", "c"}})})},
              {"related", Json::array()}}));
}

TEST_CASE("a second place, in the same sources or in another file") {
  Diagnostic finding{Code::DuplicateKey, Level::error, {0, 12, 20}, "bad", {}, {}, {}};
  finding.note("fact").also({0, 0, 3}, "the first").also("other.yaml", {3, 7}, "the second");
  CHECK(has(rendered(Format::text, std::span(&finding, 1)),
            "= note: fact\n    = note: specs/a b.yaml:10:1: the first\n"
            "    = note: other.yaml:3:7: the second\n"));
  CHECK(has(rendered(Format::github, std::span(&finding, 1)),
            "%0Anote: other.yaml:3:7: the second\n"));
  const Json json = Json::parse(rendered(Format::json, std::span(&finding, 1)));
  CHECK(json[0]["related"] ==
        Json{with(with({{"file", "specs/a b.yaml"}}, lines(10, 1, 10, 4)),
                  {{"message", "the first"}}),
             with(with({{"file", "other.yaml"}}, lines(3, 7, 3, 7)), {{"message", "the second"}})});
  const Json sarif = Json::parse(rendered(Format::sarif, std::span(&finding, 1)));
  const Json& related = sarif["runs"][0]["results"][0]["relatedLocations"];
  REQUIRE(related.size() == 2);
  CHECK(related[1]["physicalLocation"]["artifactLocation"]["uri"] == "other.yaml");
  CHECK(related[1]["physicalLocation"]["region"]["startLine"] == 3);
  CHECK(related[1]["message"]["text"] == "the second");
}

TEST_CASE("json holds any bytes, and only ASCII that is printable") {
  Diagnostic finding{Code::DuplicateKey, Level::error, {9, 0, 0}, "", {}, {}, {}};
  for (int i = 0; i < 256; ++i) finding.message += static_cast<char>(i);
  finding.message += "\u202E\U000E0041\u0085é";
  const std::string out = rendered(Format::json, std::span(&finding, 1));
  CHECK(std::all_of(out.begin(), out.end(),
                    [](char c) { return c == '\n' || (c >= ' ' && c <= '~'); }));
  const Json list = Json::parse(out);
  CHECK(list[0]["file"].is_null());
  const std::string message = list[0]["message"];
  CHECK(message.substr(0, 128) == finding.message.substr(0, 128));
  CHECK(message.ends_with("\uFFFD\u202E\U000E0041\u0085é"));
}

TEST_CASE("github commands are one line each, with their separators escaped") {
  CHECK(rendered(Format::github, {}).empty());
  CHECK(rendered(Format::github, three_findings()) ==
        "::warning file=specs/a b.yaml,line=10,col=1,endLine=11,title=FS2091::over <U+001B> two "
        "lines\n"
        "::error file=specs/a b.yaml,line=11,col=6,endLine=11,endColumn=10,title=FS1002::key `a,b` "
        "is 100%25 \"new\"%0Anote: "
        "first%0Asecond%0Ahelp: delete it\n"
        "::error title=FS1002::--set: bad\n");
  Sources sources;
  sources.add({"a:b,c%.yaml", "", 1});
  const Diagnostic finding{
      Code::DuplicateKey, Level::error, {0, 0, 0}, "line\r\n::error::x", {}, {}, {}};
  CHECK(render({Format::github, false, {}}, sources, std::span(&finding, 1)) ==
        "::error file=a%3Ab%2Cc%25.yaml,title=FS1002::line\\r%0A::error::x\n");
}

TEST_CASE("sarif without findings is a whole document with every rule") {
  const Json log = Json::parse(rendered(Format::sarif, {}));
  CHECK(log["version"] == "2.1.0");
  CHECK(log["$schema"] == "https://json.schemastore.org/sarif-2.1.0.json");
  REQUIRE(log["runs"].size() == 1);
  CHECK(log["runs"][0]["columnKind"] == "unicodeCodePoints");
  CHECK(log["runs"][0]["results"] == Json::array());
  const Json& driver = log["runs"][0]["tool"]["driver"];
  CHECK(driver["name"] == "flexslice");
  CHECK(driver["version"] == "1.2.3");
  REQUIRE(driver["rules"].size() == std::size(rows));
  for (std::size_t i = 0; i < std::size(rows); ++i) {
    const Json& rule = driver["rules"][i];
    CHECK(rule["id"] == code_text(rows[i].code));
    CHECK(rule["name"] == rows[i].name());
    CHECK(rule["shortDescription"]["text"] == summary(rows[i]));
    CHECK(rule["help"] ==
          Json{{"text", rows[i].explanation()}, {"markdown", rows[i].explanation()}});
    CHECK(rule["fullDescription"] == Json{{"text", rows[i].explanation()}});
    CHECK(rule["defaultConfiguration"]["level"] == (rows[i].level == Level::note      ? "note"
                                                    : rows[i].level == Level::warning ? "warning"
                                                                                      : "error"));
  }
  CHECK(summary(row(Code::DuplicateKey)) == "duplicate key `<key>`");
  CHECK(summary(row(Code::ChipsBelowHost)) ==
        "each pod requests <chips>, but a <node> host has <count>");
  CHECK_FALSE(has(render({Format::sarif, false, {}}, two_sources(), {}), "1.2.3"));
}

TEST_CASE("sarif results have a rule, a place and the fix") {
  const Json results = Json::parse(rendered(Format::sarif, three_findings()))["runs"][0]["results"];
  const auto index = [](Code code) { return &row(code) - rows; };
  const auto region = [](int line, int column, int end_line, int end_column) -> Json {
    return {{"startLine", line},
            {"startColumn", column},
            {"endLine", end_line},
            {"endColumn", end_column}};
  };
  const Json artifact = {{"artifactLocation", {{"uri", "specs/a%20b.yaml"}}}};
  const auto location = [&](const Json& where) -> Json {
    return Json::array({{{"physicalLocation", with(artifact, {{"region", where}})}}});
  };
  REQUIRE(results.size() == 3);
  CHECK(results[0] == Json{{"ruleId", "FS2091"},
                           {"ruleIndex", index(Code::SuppressionUnused)},
                           {"level", "warning"},
                           {"message", {{"text", "over \x1b two lines"}}},
                           {"locations", location(region(10, 1, 11, 10))}});
  const Json replacements = {
      {{"deletedRegion", region(11, 6, 11, 10)}, {"insertedContent", {{"text", "\"x\"\n"}}}},
      {{"deletedRegion", region(10, 6, 10, 7)}, {"insertedContent", {{"text", ""}}}}};
  const Json fix = {
      {"description", {{"text", "delete it"}}},
      {"artifactChanges", Json::array({with(artifact, {{"replacements", replacements}})})}};
  CHECK(results[1] ==
        Json{{"ruleId", "FS1002"},
             {"ruleIndex", index(Code::DuplicateKey)},
             {"level", "error"},
             {"message",
              {{"text", "key `a,b` is 100% \"new\"\nnote: first\nsecond\nhelp: delete it"}}},
             {"locations", location(region(11, 6, 11, 10))},
             {"fixes", Json::array({fix})}});
  CHECK(results[2] == Json{{"ruleId", "FS1002"},
                           {"ruleIndex", index(Code::DuplicateKey)},
                           {"level", "error"},
                           {"message", {{"text", "--set: bad"}}},
                           {"locations", Json::array()}});
}

TEST_CASE("sarif paths are uri references") {
  const auto uri_of = [](std::string name) {
    Sources sources;
    sources.add({std::move(name), "", 1});
    const Diagnostic finding{Code::DuplicateKey, Level::error, {0, 0, 0}, "m", {}, {}, {}};
    const Json log =
        Json::parse(render({Format::sarif, false, {}}, sources, std::span(&finding, 1)));
    return log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
              ["uri"]
                  .get<std::string>();
  };
  CHECK(uri_of("./././a.yaml") == "a.yaml");
  CHECK(uri_of("/tmp/a.yaml") == "file:///tmp/a.yaml");
  CHECK(uri_of("<stdin>") == "%3Cstdin%3E");
  CHECK(uri_of("a:b#c?d%\\é\xff") == "a%3Ab%23c%3Fd%25%5C%C3%A9%FF");
}

TEST_CASE("a locator answers for any source in any order") {
  Sources sources;
  sources.add({"other.yaml", "a\nb\n", 1});
  sources.add({"a.yaml", "x\ny: 1\n", 5});
  sources.add({"--set", "a=b", 1});
  Locator locator(sources);
  CHECK(locator.place({1, 2, 4}).begin == Position{6, 1});
  CHECK(locator.place({1, 2, 4}).end == Position{6, 3});
  CHECK(locator.place({0, 2, 99}).begin == Position{2, 1});
  CHECK(locator.place({0, 2, 99}).end == Position{3, 1});
  CHECK(locator.place({1, 0, 0}).begin == Position{5, 1});
  CHECK_FALSE(locator.place({2, 0, 1}).begin);
  CHECK(locator.place({9, 0, 1}).file.empty());
}

}  // namespace flexslice::diag
