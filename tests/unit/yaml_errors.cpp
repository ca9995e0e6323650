#include <fmt/core.h>

#include "../catch.hpp"
#include "gist.hpp"
#include "yaml/parse.hpp"

namespace flexslice::yaml {
namespace {

using namespace std::string_view_literals;

// Every finding as `line:column FS1001 [the span's text] names and numbers`.
std::vector<std::string> findings(std::string_view text) {
  Sources sources;
  sources.add({"spec.yaml", std::string(text)});
  diag::Sink sink;
  const std::optional<Node> root = parse(sources, 0, sink);
  CHECK_FALSE(root);
  std::vector<std::string> lines;
  for (const diag::Diagnostic& each : sink.take()) {
    const Position position = sources.position(each.where);
    std::string line = fmt::format("{}:{} {} [{}]", position.line, position.column,
                                   diag::code_text(each.code), sources.text(each.where));
    std::string message = each.message;
    for (const std::string& help : each.helps) message += " (" + help + ")";
    const std::string gist = test::gist(message);
    lines.push_back(gist.empty() ? line : line + " " + gist);
  }
  return lines;
}

void check(std::string_view text, const std::string& expected) {
  CAPTURE(text);
  CHECK(findings(text) == std::vector<std::string>{expected});
}

void invalid(std::string_view text, std::string_view place, std::string_view rest) {
  check(text, fmt::format("{} FS1001 {}", place, rest));
}

TEST_CASE("indentation") {
  constexpr std::string_view tab = "[\t]";
  invalid("a:\n\tb: 1\n", "2:1", tab);
  invalid("a:\n  b: 1\n\tc: 2\n", "3:1", tab);
  invalid("a:\n \t- x\n", "2:2", tab);
  invalid("a:\n\tx\n", "2:1", tab);
  invalid("a: |\n\tx\n", "2:1", tab);
  invalid("a:\n  b: 1\n c: 2\n", "3:2", "[c]");
  invalid("a: 1\n  b: 2\n", "2:3", "[b]");
  invalid("a: 1\n- b\n", "2:1", "[-]");
  invalid("- a\nb: 1\n", "2:1", "[b: 1]");
  invalid("x:\n  - a\n  b: 1\n", "3:3", "[b] `- `");
}

TEST_CASE("colons") {
  invalid("a: b: c\n", "1:5", "[:] `: `");
  invalid("a\nb: 1\n", "1:1", "[a] `: `");
  const std::string key(1025, 'k');
  invalid("a: 1\n" + key + ": 1\n", "2:1", "[" + key + "] 1025 1024");
  invalid("a: 1\nother\n", "2:1", "[other] `: `");
  invalid("a: 1\nb:2\n", "2:1", "[b:2] `: `");
  invalid("a:\n  b:2\n  c: 3\n", "2:3", "[b:2] `: `");
  invalid("{a:[1]}\n", "1:4", "[[] `,` `}`");
}

TEST_CASE("quotes") {
  invalid("a: \"xy\n", "1:4", "[\"]");
  invalid("a: it's # \"\nb: 'x\nc: 1\n", "2:4", "[']");
  invalid("'", "1:1", "[']");
  invalid("a: \"b\" c\n", "1:8", "[c]");
  invalid("a: 'it's'\n", "1:8", "[s]");
  invalid("a: \"\\q\"\n", "1:5", "[\\q] `\\q` `\\\\`");
  invalid("a: \"C:\\xyz\"\n", "1:7", "[\\xyz] `\\xyz` `\\\\`");
}

TEST_CASE("characters that begin no value") {
  invalid("a: @x\n", "1:4", "[@] `@`");
  invalid("a: `x`\n", "1:4", "[`]");
  invalid("a: %x\n", "1:4", "[%] `%`");
  invalid("%x: 1\n", "1:1", "[%x: 1] `%`");
  invalid("a: 1\n%x\n", "2:1", "[%x] `%`");
  invalid("a: *.log\n", "1:4", "[*.log] `*.log` `&.log` `*`");
  invalid("a: * x\n", "1:5", "[] `*`");
  invalid("a: & x\n", "1:5", "[] `&`");
  invalid("a: &x: y\n", "1:4", "[&x:] `-` `_` `&`");
  invalid("a: |x\n", "1:5", "[x] `|` `>`");
}

TEST_CASE("brackets") {
  invalid("a: [1, 2\nb: 3\n", "1:4", "[[] `[`");
  invalid("a: [1, 2\n  b: 3\n", "2:4", "[:] `,` `]`");
  invalid("- {a: 1\n- {b: 2}\n", "1:3", "[{] `{`");
  invalid("a: [1, [2, 3]\n", "1:4", "[[] `[`");
  invalid("a: {x: 1\n", "1:4", "[{] `{`");
  invalid("a: ]\n", "1:4", "[]] `]`");
  invalid("a: [1,,2]\n", "1:7", "[,]");
  invalid("a: {,}\n", "1:5", "[,]");
  invalid("[[1] [2]]\n", "1:6", "[[] `,` `]`");
  invalid("{a: x?y}\n", "1:6", "[?] `?`");
  invalid("a: - b\n", "1:4", "[-]");
  invalid("{a: 1} x\n", "1:8", "[x]");
}

TEST_CASE("more than one document") {
  invalid("a: 1\n---\nb: 2\n", "2:1", "[---]");
  invalid("a: 1\n...\nb: 2\n", "3:1", "[b: 2]");
}

TEST_CASE("aliases") {
  invalid("a: &x [*x]\n", "1:8", "[*x] `*x`");
  invalid("&x a: {b: *y}\n", "1:11", "[*y] `*y` `&y` `*`");
}

TEST_CASE("YAML that is not supported") {
  check("<<: {a: 1}\n", "1:1 FS1010 [<<] `<<` `--defaults`");
  check("a: !include x\n", "1:4 FS1005 [!include] `!include`");
  check("a: !env [x]\n", "1:4 FS1005 [!env] `!env`");
  check("a: !!int x\n", "1:4 FS1009 [!!int] `!!int` `x`");
  check("a: !!binary aGk=\n", "1:4 FS1005 [!!binary] `!!binary`");
  check("? [a]\n: b\n", "1:3 FS1011 []");
  check("~: b\n", "1:1 FS1011 []");
  CHECK(findings("a: !x 1\nb: !y 2\n").size() == 2);
  // A syntax error alone: what the reader saw before it may have been a misunderstanding.
  CHECK(findings("a: !x 1\nb: [[[\n").size() == 1);
}

TEST_CASE("characters that look like those of YAML") {
  check("a: 1\n\u00a0b: 2\n", "2:1 FS1013 [\u00a0] U+00A0");
  check("x: 1\na:\u00a01\n", "2:3 FS1013 [\u00a0] U+00A0");
  check("a: 1\u200b\n", "1:5 FS1013 [\u200b] U+200B");
  check("a: “b”\n", "1:4 FS1014 [“] `“` `\"`");
  check("a: “b: c”\n", "1:4 FS1014 [“] `“` `\"`");
}

TEST_CASE("half of a surrogate pair") {
  for (const char* lone : {"\\ud83d", "\\ude80"}) {
    check("a: \"x" + std::string(lone) + "y\"\n", fmt::format("1:6 FS1012 [{0}] `{0}`", lone));
  }
  check("a: \"\\ud83d\\ud83d\\ude80\"\n", "1:5 FS1012 [\\ud83d] `\\ud83d`");
}

TEST_CASE("bytes that are no text") {
  const auto reasons = [](std::string_view text) { return findings(text); };
  CHECK(reasons("a: \xFF\n") == std::vector<std::string>{"1:4 FS1006 [\xFF] 0xFF UTF-8"});
  CHECK(reasons("a: \"\0\"\n"sv) ==
        std::vector<std::string>{fmt::format("1:5 FS1003 [{}] U+0000", "\0"sv)});
  CHECK(reasons("a: \x1b[0m\n") == std::vector<std::string>{"1:4 FS1003 [\x1b] U+001B"});
  CHECK(reasons("a: b\rc: d\n") == std::vector<std::string>{"1:5 FS1003 [\r] U+000D"});
  CHECK(reasons("a: x\xEF\xBB\xBF\n") == std::vector<std::string>{"1:5 FS1003 [\xEF\xBB\xBF]"});
  CHECK(reasons("a: \xC2\x80\n") == std::vector<std::string>{"1:4 FS1003 [\xC2\x80] U+0080"});
  CHECK(reasons("a: 1\nb: \xC3\n").front().ends_with("0xC3 UTF-8"));
  CHECK(reasons("\xFE\xFF\0a"sv) ==
        std::vector<std::string>{"1:1 FS1008 [\xFE\xFF] UTF-16 UTF-8 UTF-8"});
  CHECK(reasons(std::string(100, '\x01')).size() == 5);
  CHECK(reasons("\x1F\x8B\x08\0\xFF\xFE"sv) == std::vector<std::string>{"1:1 FS1007 []"});
}

}  // namespace
}  // namespace flexslice::yaml
