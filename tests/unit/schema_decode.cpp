// Decoding by a field table: every message, word for word, and what later passes are told about a
// value.
#include <fmt/core.h>

#include <string>
#include <vector>

#include "../catch.hpp"
#include "base/text.hpp"
#include "diag/fix.hpp"
#include "gist.hpp"
#include "schema/decode.hpp"
#include "spec/spec_fields.hpp"
#include "yaml/parse.hpp"

namespace flexslice::schema {
namespace {

struct Point {
  Where where;
  Integer x;
  Text label;
};

struct Source {
  Where where;
  Text value, file, key;
};

struct Shape {
  Where where;
  Text name, kind, color, catalogued;
  Integer count;
  Flag closed;
  List<Text> tags;
  Map<Text> notes;
  List<Point> points;
  Source source;
  Text size;
  Tree extra;
};

}  // namespace

template <>
struct TableOf<Point> {
  static const Table table;
};
template <>
struct TableOf<Source> {
  static const Table table;
};
template <>
struct TableOf<Shape> {
  static const Table table;
};

namespace {

using enum Presence;

constexpr std::string_view kinds[] = {"round", "square"};
constexpr std::string_view sources[] = {"value", "file"};
constexpr Field point_fields[] = {
    field<&Point::x>("x", required, {.min = 1, .max = 9}, {"X.", {}, "3"}),
    field<&Point::label>("label", optional, {}, {"Label."}),
};
constexpr Field source_fields[] = {
    field<&Source::value>("value", optional, {}, {"Value."}),
    field<&Source::file>("file", optional, {}, {"File."}),
    field<&Source::key>("key", optional, {}, {"Key."}),
};
constexpr Field shape_fields[] = {
    field<&Shape::name>("name", required, {.pattern = Pattern::dns_label}, {"Name.", {}, "disc"}),
    field<&Shape::kind>("kind", optional, {.choices = kinds}, {"Kind."}),
    field<&Shape::color>("color", optional, {.not_empty = true}, {"Color."}),
    field<&Shape::catalogued>("catalogued", optional, {.choices_of = NameSet::sources},
                              {"Known to a catalog."}),
    field<&Shape::count>("count", optional, {.min = 1}, {"Count."}),
    field<&Shape::closed>("closed", optional, {}, {"Closed."}),
    field<&Shape::tags>("tags", optional, {.not_empty = true}, {"Tags."}),
    field<&Shape::notes>("notes", optional,
                         {.pattern = Pattern::label_value, .key_pattern = Pattern::label_key},
                         {"Notes."}),
    field<&Shape::points>("points", optional, {}, {"Points."}),
    field<&Shape::source>("source", optional, {}, {"Source."}),
    field<&Shape::size>("size", optional, {.pattern = Pattern::quantity, .any_scalar = true},
                        {"Size."}),
    field<&Shape::extra>("extra", optional, {}, {"Anything."}),
};

}  // namespace

const Table TableOf<Point>::table{"point", point_fields, "x"};
const Table TableOf<Source>::table{"source", source_fields, "value", sources};
const Table TableOf<Shape>::table{"shape", shape_fields};

namespace {

using Lines = std::vector<std::string>;

struct Decoded {
  explicit Decoded(const std::string& text) {
    files.add({"shape.yaml", text, 1});
    diag::Sink sink;
    auto node = yaml::parse(files, 0, sink);
    REQUIRE(node);
    shape = decode<Shape>(*node, sink);
    found = sink.take();
    for (const diag::Diagnostic& each : found) {
      const Position at = files.position(each.where);
      std::string line =
          fmt::format("{}:{} {} {}", at.line, at.column, diag::code_text(each.code), each.message);
      for (const std::string& note : each.notes) line += " [" + note + "]";
      for (const std::string& help : each.helps) line += " (" + help + ")";
      lines.push_back(test::gist(line));
    }
  }
  std::string fixed() const { return diag::apply_fixes(files[0].text, 0, found).text; }

  Sources files;
  Shape shape;
  std::vector<diag::Diagnostic> found;
  Lines lines;
};

Lines findings(const std::string& rest) { return Decoded("name: n\n" + rest).lines; }

TEST_CASE("a good record is read with its places") {
  const Decoded made(
      "name: n\nkind: round\ncount: 3\nclosed: true\ntags: [a, b]\nnotes: {k: v}\npoints: [{x: 2, "
      "label: l}, 4]\n"
      "source: {file: f}\nsize: 8\nextra: {any: [thing]}\n");
  CHECK(made.lines == Lines{});
  CHECK(made.shape.kind.value == "round");
  CHECK(made.files.text(made.shape.kind.where.span) == "round");
  CHECK(made.shape.count.value == 3);
  CHECK(made.shape.closed.value);
  CHECK((made.shape.tags.items.size() == 2 && made.shape.tags.items[1].value == "b"));
  CHECK((made.shape.notes.entries[0].key.value == "k" &&
         made.shape.notes.entries[0].value.value == "v"));
  CHECK((made.shape.points.items[0].x.value == 2 && made.shape.points.items[1].x.value == 4));
  CHECK(made.shape.size.value == "8");
  CHECK(made.shape.extra.value.find("any") != nullptr);
  CHECK((made.shape.source.file.where.given && !made.shape.source.value.where.given));
  CHECK_FALSE(made.shape.color.where.given);
  CHECK_FALSE(made.shape.color.where.bad);
  CHECK(made.files.text(made.shape.color.where.span) == made.files.text(made.shape.where.span));
}

TEST_CASE("unknown fields") {
  CHECK(findings("kimd: round\n") == Lines{"2:1 FS2001 `kimd` `kind`"});
  CHECK(findings("zzz: 1\n") == Lines{"2:1 FS2001 `zzz`"});
  CHECK(findings("source: {value: v, zzz: 1}\n") ==
        Lines{"2:20 FS2001 `zzz` `source` `value` `file` `key`"});
  CHECK(findings("points: [{x: 1, lable: a}]\n") ==
        Lines{"2:17 FS2001 `lable` `points[0]` `label`"});
}

TEST_CASE("missing fields") {
  CHECK(Decoded("kind: round\n").lines == Lines{"1:1 FS2002 `name` `name: disc`"});
  CHECK(findings("points: [{label: a}]\n") == Lines{"2:10 FS2002 `points[0].x` `x: 3`"});
}

TEST_CASE("a misspelt field is not also missing") {
  const Decoded made("nmae: n\ncolour: red\nsorce: {value: v}\n");
  CHECK(made.lines == Lines{"1:1 FS2001 `nmae` `name`", "2:1 FS2001 `colour` `color`",
                            "3:1 FS2001 `sorce` `source`"});
  CHECK((made.shape.name.where.bad && made.shape.color.where.bad && made.shape.source.where.bad &&
         made.shape.source.key.where.bad));
  CHECK(findings("source: {vaule: v}\n") == Lines{"2:10 FS2001 `vaule` `source` `value`"});
}

TEST_CASE("wrong types") {
  CHECK(findings("tags: a\n") == Lines{"2:7 FS2003 `tags` `[a]`"});
  CHECK(findings("tags: {a: b}\n") == Lines{"2:7 FS2003 `tags`"});
  CHECK(findings("notes: [a]\n") == Lines{"2:8 FS2003 `notes` `KEY: VALUE`"});
  CHECK(findings("color: [a]\n") == Lines{"2:8 FS2003 `color` `a`"});
  CHECK(findings("count: many\n") == Lines{"2:8 FS2003 `count`"});
  CHECK(findings("count: 1.5\n") == Lines{"2:8 FS2003 `count` 1.5"});
  CHECK(findings("points: [[1]]\n") == Lines{"2:10 FS2003 `points[0]` `1`"});
  CHECK(findings("tags: [a, [b]]\n") == Lines{"2:11 FS2003 `tags[1]` `b`"});
  CHECK(Decoded("just text\n").lines == Lines{"1:1 FS2003"});
  CHECK(Decoded("- a\n").lines == Lines{"1:1 FS2003"});
}

TEST_CASE("what was not read is bad in all its parts") {
  for (const char* source : {"[a]", "", "{valeu: v, kye: k}"}) {
    CAPTURE(source);
    const Decoded made("name: n\nsource: " + std::string(source) + "\n");
    CHECK((made.shape.source.where.bad && made.shape.source.value.where.bad &&
           made.shape.source.key.where.bad));
  }
  CHECK(findings("source: [a]\n") == Lines{"2:9 FS2003 `source` `a`"});
}

TEST_CASE("text without quotes that is none") {
  const Decoded made(
      "name: n\nkind: round\ncolor: true\nnotes: {a: 12, b: 0x1}\ntags: [1e3, .5]\n");
  CHECK(made.lines == Lines{"3:8 FS2004 `color`", "4:12 FS2004 `notes.a` 12 12",
                            "4:19 FS2004 `notes.b` 0x1 0x1", "5:8 FS2004 `tags[0]` 1e3 1e3",
                            "5:13 FS2004 `tags[1]` .5 .5"});
  CHECK(made.fixed() ==
        "name: n\nkind: round\ncolor: \"true\"\nnotes: {a: \"12\", b: \"0x1\"}\ntags: [\"1e3\", "
        "\".5\"]\n");
  CHECK(Decoded(made.fixed()).lines == Lines{});
}

// Where the string would be refused as well, the fix would not be one.
TEST_CASE("no quotes where they do not help") {
  CHECK(findings("kind: 7\n") == Lines{"2:7 FS2004 `kind` 7"});
  CHECK(findings("notes: {a: -1}\n") == Lines{"2:12 FS2006 `-1` `notes.a` `-` `_` `.`"});
  // What a number means there, the rules know.
  CHECK(findings("catalogued: 7\n") == Lines{});
}

TEST_CASE("quotes around a number, words for truth") {
  const Decoded made("name: n\ncount: \"3\"\nclosed: yes\n");
  CHECK(made.lines == Lines{"2:8 FS2003 `count` 3", "3:9 FS2003 `closed` `true`"});
  CHECK(made.fixed() == "name: n\ncount: 3\nclosed: true\n");
  CHECK(findings("closed: \"False\"\n") == Lines{"2:9 FS2003 `closed` `false`"});
  CHECK(findings("closed: 1\n") == Lines{"2:9 FS2003 `closed` 1"});
}

TEST_CASE("choices, forms, lengths, ranges") {
  CHECK(findings("kind: sqare\n") == Lines{"2:7 FS2005 `kind` `sqare` `round` `square` `square`"});
  CHECK(Decoded("name: No_\n").lines == Lines{"1:7 FS2006 `No_` `name` `-`"});
  CHECK(Decoded("name: " + std::string(65, 'n') + "\n").lines ==
        Lines{"1:7 FS2007 `name` 65 63 35"});
  CHECK(findings("count: 0\n") == Lines{"2:8 FS2008 `count` 0 1"});
  CHECK(findings("count: -3\n") == Lines{"2:8 FS2008 `count` -3 1"});
  CHECK(findings("points: [10]\n") == Lines{"2:10 FS2008 `points[0]` 10 1 9"});
  CHECK(findings("notes: {-a: b}\n").size() == 1);
  CHECK(findings("notes: {-a: b}\n")[0].starts_with("2:9 FS2006 `-a` `notes.-a`"));
}

TEST_CASE("nothing where something is wanted") {
  CHECK(findings("color:\n") == Lines{"2:7 FS2009 `color`"});
  CHECK(findings("color: ~\n") == Lines{"2:8 FS2009 `color`"});
  CHECK(findings("color: \"\"\n") == Lines{"2:8 FS2009 `color`"});
  CHECK(findings("tags: []\n") == Lines{"2:7 FS2009 `tags`"});
  CHECK(findings("points: []\nnotes: {}\n") == Lines{});
  CHECK(findings("extra:\n") == Lines{});
  CHECK(findings("points: [~]\n") == Lines{"2:10 FS2009 `points[0]` `x` `label`"});
  CHECK(Decoded("name:\n").shape.name.where.bad);
}

TEST_CASE("exactly one of several") {
  CHECK(findings("source: {}\n") == Lines{"2:9 FS2010 `source` `value` `file`"});
  CHECK(findings("source: {value: a, file: b}\n") ==
        Lines{"2:9 FS2010 `source` `value` `file` `value` `file`"});
  CHECK(findings("source: {file: [a]}\n") == Lines{"2:16 FS2003 `source.file` `a`"});
}

TEST_CASE("a bare scalar stands for the shorthand field") {
  const Decoded made("name: n\nsource: bare\npoints: [5]\n");
  CHECK(made.lines == Lines{});
  CHECK(made.shape.source.value.value == "bare");
  CHECK(made.shape.points.items[0].x.value == 5);
  CHECK(findings("source: 12\n") == Lines{"2:9 FS2004 `source` 12 12"});
}

TEST_CASE("several independent mistakes in the order of their places") {
  const Decoded made("closed: maybe\nkind: oval\nzzz: 1\ncount: 0\n");
  REQUIRE(made.found.size() == 5);
  std::vector<diag::Code> codes;
  for (const auto& each : made.found) codes.push_back(each.code);
  using enum diag::Code;
  CHECK(codes ==
        std::vector<diag::Code>{MissingField, WrongType, UnknownChoice, UnknownField, OutOfRange});
}

TEST_CASE("a list with a bad element is bad, the others are read") {
  const Decoded made("name: n\ntags: [a, 1, c]\nnotes: {k: v, l: 2}\n");
  CHECK(made.shape.tags.where.bad);
  CHECK((made.shape.tags.items.size() == 3 && made.shape.tags.items[2].value == "c" &&
         made.shape.tags.items[1].where.bad));
  CHECK((made.shape.notes.where.bad && made.shape.notes.entries[1].value.where.bad &&
         !made.shape.notes.entries[0].value.where.bad));
}

}  // namespace
}  // namespace flexslice::schema
