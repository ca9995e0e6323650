#include <fmt/core.h>

#include "../catch.hpp"
#include "yaml/parse.hpp"

namespace flexslice::yaml {
namespace {

using namespace std::string_view_literals;

// Every finding as `line:column FS1001 message [the span's text] (help)`.
std::vector<std::string> findings(std::string_view text) {
  Sources sources;
  sources.add({"spec.yaml", std::string(text)});
  diag::Sink sink;
  const std::optional<Node> root = parse(sources, 0, sink);
  CHECK_FALSE(root);
  std::vector<std::string> lines;
  for (const diag::Diagnostic& each : sink.take()) {
    const Position position = sources.position(each.where);
    std::string line =
        fmt::format("{}:{} {} {} [{}]", position.line, position.column, diag::code_text(each.code),
                    each.message, sources.text(each.where));
    for (const std::string& help : each.helps) line += " (" + help + ")";
    lines.push_back(line);
  }
  return lines;
}

void check(std::string_view text, const std::string& expected) {
  CAPTURE(text);
  CHECK(findings(text) == std::vector<std::string>{expected});
}

void invalid(std::string_view text, std::string_view place, std::string_view rest) {
  check(text, fmt::format("{} FS1001 invalid YAML: {}", place, rest));
}

TEST_CASE("indentation") {
  constexpr std::string_view tab = "a tab cannot be indentation [\t] (indent with spaces)";
  invalid("a:\n\tb: 1\n", "2:1", tab);
  invalid("a:\n  b: 1\n\tc: 2\n", "3:1", tab);
  invalid("a:\n \t- x\n", "2:2", tab);
  invalid("a:\n\tx\n", "2:1", tab);
  invalid("a: |\n\tx\n", "2:1", tab);
  invalid("a:\n  b: 1\n c: 2\n", "3:2",
          "inconsistent indentation [c] (indent the line exactly like the one that it belongs "
          "with)");
  invalid("a: 1\n  b: 2\n", "2:3",
          "inconsistent indentation: this line continues the value of the line before [b] (indent "
          "it like the key that it belongs with)");
  invalid("a: 1\n- b\n", "2:1",
          "a list item where a key is expected [-] (indent the list below its key)");
  invalid("- a\nb: 1\n", "2:1", "unexpected text after the end of the value [b: 1]");
  invalid("x:\n  - a\n  b: 1\n", "3:3",
          "expected `- `, because the lines before are a list [b] (indent the line like the list "
          "or like its key)");
}

TEST_CASE("colons") {
  invalid("a: b: c\n", "1:5",
          "unquoted `: ` in value [:] (put the value in quotes if the colon belongs to it)");
  invalid("a\nb: 1\n", "1:1", "missing `: ` after key [a] (write a colon after the key)");
  const std::string key(1025, 'k');
  invalid("a: 1\n" + key + ": 1\n", "2:1",
          "a key of 1025 characters; YAML takes 1024 [" + key + "]");
  invalid("a: 1\nother\n", "2:1", "missing `: ` after key [other] (write a colon after the key)");
  invalid("a: 1\nb:2\n", "2:1", "missing `: ` after key [b:2] (write a space after the colon)");
  invalid("a:\n  b:2\n  c: 3\n", "2:3",
          "missing `: ` after key [b:2] (write a space after the colon)");
  invalid("{a:[1]}\n", "1:4", "expected `,` or `}` here [[] (write a space after the colon)");
}

TEST_CASE("quotes") {
  invalid("a: \"xy\n", "1:4", "this quote is not closed [\"]");
  invalid("a: it's # \"\nb: 'x\nc: 1\n", "2:4", "this quote is not closed [']");
  invalid("'", "1:1", "this quote is not closed [']");
  constexpr std::string_view help =
      "(put the whole value in one pair of quotes, and double a quote inside '…')";
  invalid("a: \"b\" c\n", "1:8",
          fmt::format("unexpected text after the closing quote [c] {}", help));
  invalid("a: 'it's'\n", "1:8",
          fmt::format("unexpected text after the closing quote [s] {}", help));
  invalid("a: \"\\q\"\n", "1:5",
          "unknown escape `\\q` in a double-quoted string [\\q] (write `\\\\` for a backslash, or "
          "use single quotes)");
  invalid("a: \"C:\\xyz\"\n", "1:7",
          "unknown escape `\\xyz` in a double-quoted string [\\xyz] (write `\\\\` for a backslash, "
          "or use single quotes)");
}

TEST_CASE("characters that begin no value") {
  invalid("a: @x\n", "1:4", "a value cannot begin with `@` [@] (put the value in quotes)");
  invalid("a: `x`\n", "1:4", "a value cannot begin with a backtick [`] (put the value in quotes)");
  invalid("a: %x\n", "1:4", "a value cannot begin with `%` [%] (put the value in quotes)");
  invalid("%x: 1\n", "1:1", "a line cannot begin with `%` [%x: 1]");
  invalid("a: 1\n%x\n", "2:1", "a line cannot begin with `%` [%x]");
  invalid("a: *.log\n", "1:4",
          "`*.log` is an alias, but there is no `&.log` before it [*.log] (put a value that begins "
          "with `*` in quotes)");
  invalid("a: * x\n", "1:5", "a value cannot begin with `*` [] (put the value in quotes)");
  invalid("a: & x\n", "1:5", "a value cannot begin with `&` [] (put the value in quotes)");
  invalid("a: &x: y\n", "1:4",
          "the name of an anchor has letters, digits, `-` and `_` only, and a space behind it "
          "[&x:] (put a value that begins with `&` into "
          "quotes)");
  invalid("a: |x\n", "1:5",
          "the text after `|` or `>` begins on the next line [x] (put the value in quotes if it "
          "begins so)");
}

TEST_CASE("brackets") {
  invalid("a: [1, 2\nb: 3\n", "1:4", "this `[` is not closed [[]");
  invalid("a: [1, 2\n  b: 3\n", "2:4", "expected `,` or `]` here [:]");
  invalid("- {a: 1\n- {b: 2}\n", "1:3", "this `{` is not closed [{]");
  invalid("a: [1, [2, 3]\n", "1:4", "this `[` is not closed [[]");
  invalid("a: {x: 1\n", "1:4", "this `{` is not closed [{]");
  invalid("a: ]\n", "1:4", "`]` without its opening bracket []]");
  invalid("a: [1,,2]\n", "1:7", "empty list entry [,]");
  invalid("a: {,}\n", "1:5", "empty list entry [,]");
  invalid("[[1] [2]]\n", "1:6", "expected `,` or `]` here [[]");
  invalid("{a: x?y}\n", "1:6", "between brackets, a value with `?` must be in quotes [?]");
  invalid("a: - b\n", "1:4",
          "a list item cannot begin here [-] (begin the list on a line of its own, below its key)");
  invalid("{a: 1} x\n", "1:8", "unexpected text after the end of the value [x]");
}

TEST_CASE("more than one document") {
  invalid("a: 1\n---\nb: 2\n", "2:1", "a second document, where one is expected [---]");
  invalid("a: 1\n...\nb: 2\n", "3:1", "unexpected text after the end of the value [b: 2]");
}

TEST_CASE("aliases") {
  invalid("a: &x [*x]\n", "1:8", "recursive alias `*x` [*x]");
  invalid("&x a: {b: *y}\n", "1:11",
          "`*y` is an alias, but there is no `&y` before it [*y] (put a value that begins with `*` "
          "in quotes)");
}

TEST_CASE("YAML that is not supported") {
  check("<<: {a: 1}\n",
        "1:1 FS1010 merge key `<<` is not supported [<<] (put what several specs share into a "
        "file for `--defaults`)");
  check("a: !include x\n", "1:4 FS1005 tag `!include` is not supported [!include]");
  check("a: !env [x]\n", "1:4 FS1005 tag `!env` is not supported [!env]");
  check("a: !!int x\n", "1:4 FS1009 tag `!!int` does not fit `x` [!!int]");
  check("a: !!binary aGk=\n", "1:4 FS1005 tag `!!binary` is not supported [!!binary]");
  check("? [a]\n: b\n", "1:3 FS1011 a key must be a string, not a list []");
  check("~: b\n", "1:1 FS1011 a key must be a string, not nothing []");
  CHECK(findings("a: !x 1\nb: !y 2\n").size() == 2);
  // A syntax error alone: what the reader saw before it may have been a misunderstanding.
  CHECK(findings("a: !x 1\nb: [[[\n").size() == 1);
}

TEST_CASE("characters that look like those of YAML") {
  check("a: 1\n\u00a0b: 2\n",
        "2:1 FS1013 U+00A0 (no-break space) is not a space in YAML "
        "[\u00a0] (write a space)");
  check("x: 1\na:\u00a01\n",
        "2:3 FS1013 U+00A0 (no-break space) is not a space in YAML [\u00a0] "
        "(write a space)");
  check("a: 1\u200b\n",
        "1:5 FS1013 U+200B (zero-width space) is not a space in YAML [\u200b] "
        "(delete it)");
  check("a: “b”\n", "1:4 FS1014 `“` is not a quotation mark in YAML [“] (write `\"`)");
  check("a: “b: c”\n", "1:4 FS1014 `“` is not a quotation mark in YAML [“] (write `\"`)");
}

TEST_CASE("half of a surrogate pair") {
  const std::string help = " (write both escapes of the pair, or the character itself)";
  for (const char* lone : {"\\ud83d", "\\ude80"}) {
    check("a: \"x" + std::string(lone) + "y\"\n",
          fmt::format("1:6 FS1012 `{0}` is half of a surrogate pair [{0}]{1}", lone, help));
  }
  check("a: \"\\ud83d\\ud83d\\ude80\"\n",
        "1:5 FS1012 `\\ud83d` is half of a surrogate pair [\\ud83d]" + help);
}

TEST_CASE("bytes that are no text") {
  const auto reasons = [](std::string_view text) { return findings(text); };
  CHECK(reasons("a: \xFF\n") ==
        std::vector<std::string>{"1:4 FS1006 byte 0xFF is not valid UTF-8 [\xFF]"});
  CHECK(reasons("a: \"\0\"\n"sv) == std::vector<std::string>{fmt::format(
                                        "1:5 FS1003 invalid character U+0000 (NUL) [{}]", "\0"sv)});
  CHECK(
      reasons("a: \x1b[0m\n") ==
      std::vector<std::string>{"1:4 FS1003 invalid character U+001B (a control character) [\x1b]"});
  CHECK(reasons("a: b\rc: d\n") ==
        std::vector<std::string>{
            "1:5 FS1003 invalid character U+000D (a carriage return without a line feed) [\r]"});
  CHECK(reasons("a: x\xEF\xBB\xBF\n") ==
        std::vector<std::string>{"1:5 FS1003 invalid character U+FEFF (a byte order mark in the "
                                 "middle of the text) [\xEF\xBB\xBF]"});
  CHECK(reasons("a: \xC2\x80\n") ==
        std::vector<std::string>{"1:4 FS1003 invalid character U+0080 (not printable) [\xC2\x80]"});
  CHECK(reasons("a: 1\nb: \xC3\n").front().starts_with("2:4 FS1006 byte 0xC3"));
  CHECK(reasons("\xFE\xFF\0a"sv) ==
        std::vector<std::string>{
            "1:1 FS1008 the file is UTF-16; a spec must be UTF-8 [\xFE\xFF] (save the file as "
            "UTF-8)"});
  CHECK(reasons(std::string(100, '\x01')).size() == 5);
  CHECK(reasons("\x1F\x8B\x08\0\xFF\xFE"sv) ==
        std::vector<std::string>{"1:1 FS1007 this is a binary file, not a spec []"});
}

}  // namespace
}  // namespace flexslice::yaml
