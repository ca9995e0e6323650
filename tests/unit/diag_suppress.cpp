#include <fmt/core.h>

#include "../catch.hpp"
#include "diag/fix.hpp"
#include "diag/render.hpp"
#include "diag/suppress.hpp"
#include "gist.hpp"

namespace flexslice::diag {
namespace {

constexpr auto code = Code::SuppressionUnused;  // FS2091: any row that may be allowed would do
constexpr auto other = Code::DuplicateKey;      // FS1002

struct File {
  Sources sources;
  std::vector<Span> scalars;
  std::vector<Diagnostic> findings;

  explicit File(std::string text) { sources.add({"a.yaml", std::move(text), 1}); }

  Span span(std::string_view part) const {
    const std::size_t begin = sources[0].text.find(part);
    REQUIRE(begin != std::string::npos);
    return {0, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(begin + part.size())};
  }
  File& scalar(std::string_view part) {
    scalars.push_back(span(part));
    return *this;
  }
  File& found(std::string_view at, Level level = Level::warning, Code what = code) {
    findings.push_back({what, level, span(at), "found", {}, {}, {}});
    return *this;
  }
  std::vector<Diagnostic> left() const { return suppress(sources, 0, scalars, findings); }
  // Without the messages.
  std::string brief() const {
    std::string lines = render({Format::brief, false, {}}, sources, left());
    for (std::size_t at = 0; (at = lines.find("]: ", at)) != lines.npos; ++at)
      lines.erase(at + 1, lines.find('\n', at) - at - 1);
    return lines;
  }
  std::string after_fix() const { return apply_fixes(sources[0].text, 0, left()).text; }
};

}  // namespace

TEST_CASE("at the end of a line a comment covers the line") {
  const std::string text = "a: 1\nb: 2  # flexslice: allow FS2091 - it is meant\nc: 3\n";
  CHECK(File(text).found("b: 2").brief().empty());
  CHECK(File(text).found("2  #", Level::soft).brief().empty());
  CHECK(File(text).found("a: 1").found("b: 2").brief() == "a.yaml:1:1: warning[FS2091]\n");
  CHECK(File(text).found("c: 3").found("b: 2").brief() == "a.yaml:3:1: warning[FS2091]\n");
  CHECK(File(text).found("2", Level::warning, other).found("b").brief() ==
        "a.yaml:2:4: warning[FS1002]\n");
}

TEST_CASE("on its own line a comment covers the next line that says something") {
  const std::string text = "a: 1\n  # flexslice: allow FS2091 - why\n\n  # prose\nb:\n  c: 2\n";
  CHECK(File(text).found("b:").brief().empty());
  CHECK(File(text).found("b:").found("c: 2").brief() == "a.yaml:6:3: warning[FS2091]\n");
  CHECK(File(text).found("b:").found("a: 1").brief() == "a.yaml:1:1: warning[FS2091]\n");
  const std::string stacked =
      "a: 1\n# flexslice: allow FS2091 - why\n# flexslice: allow FS1002 - why\nb: 2\n";
  CHECK(File(stacked).found("b").found("2\n", Level::soft, other).brief().empty());
}

TEST_CASE("above the first line a comment covers the whole document") {
  const std::string text = "\n# prose\n# flexslice: allow FS2091 - why\n\na: 1\nb:\n  c: 2";
  CHECK(File(text).found("a: 1").found("c: 2").brief().empty());
  CHECK(File("\xEF\xBB\xBF# flexslice: allow FS2091 - why\na: 1\nb: 2").found("b").brief().empty());
  for (const std::string head : {"# flexslice: allow FS2091 - why\n---\n",
                                 "%YAML 1.2\n---\n# flexslice: allow FS2091 - why\n",
                                 "--- # flexslice: allow FS2091 - why\n\n"}) {
    CHECK(File(head + "a: 1\nb: 2").found("b").brief().empty());
    CHECK(File(head + "a: 1").after_fix().find("allow") == std::string::npos);
  }
  CHECK(File("--- # flexslice: allow FS2091 - why\na: 1").after_fix() == "---\na: 1");
  File at_end(text);
  at_end.findings.push_back({code, Level::warning, {0, 500, 500}, "found", {}, {}, {}});
  CHECK(at_end.found("c").brief() == "a.yaml:7:7: warning[FS2091]\n");
  File just_at_end(text);
  const auto size = static_cast<std::uint32_t>(text.size());
  just_at_end.findings.push_back({code, Level::warning, {0, size, size}, "found", {}, {}, {}});
  CHECK(just_at_end.brief().empty());
}

TEST_CASE("the last line and a comment below it") {
  CHECK(File("a: 1\nb: 2 # flexslice: allow FS2091 - why").found("b").brief().empty());
  CHECK(File("a: 1\nb: 2\n# flexslice: allow FS2091 - why").found("b").brief() ==
        "a.yaml:2:1: warning[FS2091]\n"
        "a.yaml:3:20: warning[FS2091]\n");
}

TEST_CASE("errors stay") {
  const File file =
      File("a: 1 # flexslice: allow FS1002 - why\n").found("a: 1", Level::error, other);
  REQUIRE(file.left().size() == 1);
  CHECK(file.left()[0].level == Level::error);
  REQUIRE(file.left()[0].notes.size() == 1);
  CHECK(test::gist(file.left()[0].notes[0]) == "`FS1002`");
}

TEST_CASE("several codes and ways to write the reason") {
  for (std::string_view list :
       {"FS1002, FS2091 - why", "FS1002,FS2091 -- why", "FS1002 FS2091 — why", "fs1002, 2091: why",
        "FS1002, FS2091 -why", "FS1002 , FS2091, - why"}) {
    CAPTURE(list);
    const std::string text = "x: 0\na: 1 # flexslice: allow " + std::string(list) + "\n";
    CHECK(File(text).found("a").found("1", Level::soft, other).brief().empty());
  }
  CHECK(File("x: 0\na: 1 #flexslice:allow FS2091 - why\r\n").found("a").brief().empty());
}

TEST_CASE("a suppression without a reason works, but is reported") {
  for (std::string_view end : {"", " ", " -", " - ", " because", " because FS1002", ":"}) {
    CAPTURE(end);
    CHECK(
        File("x: 0\na: 1 # flexslice: allow FS2091" + std::string(end) + "\n").found("a").brief() ==
        "a.yaml:2:6: error[FS2093]\n");
  }
  CHECK(File("a: 1 # flexslice: allow\n").brief() == "a.yaml:1:6: error[FS2093]\n");
}

TEST_CASE("codes that are none") {
  CHECK(File("a: 1 # flexslice: allow FS0000, FS2091 - why\n").found("a").brief() ==
        "a.yaml:1:25: error[FS2092]\n");
  CHECK(File("a: 1 # flexslice: allow everything - why\n").brief() ==
        "a.yaml:1:25: error[FS2092]\n");
  const File named("a: 1 # flexslice: allow DuplicateKey - why\n");
  REQUIRE(named.left().size() == 1);
  CHECK(named.left()[0].helps == std::vector<std::string>{"did you mean `FS1002`?"});
  CHECK(named.after_fix() == "a: 1 # flexslice: allow FS1002 - why\n");
}

TEST_CASE("what is meant as a suppression and is none") {
  for (std::string_view word : {"alow", "Allow", "allows", "ignore", "disable", "noqa"}) {
    for (std::string_view between : {" ", ": ", "=", ":"}) {
      const File file(fmt::format("a: 1 # flexslice: {}{}FS2091 - why\n", word, between));
      CHECK(file.brief() == fmt::format("a.yaml:1:19: warning[FS2094]\n", word));
      CHECK(file.after_fix() == "a: 1 # flexslice: allow FS2091 - why\n");
    }
  }
  for (std::string_view prose : {"see FS2091", "follow FS2091", "ignore it", "skip 3 hosts",
                                 "all FS2091 are gone", "FS2091 is wrong here", ""})
    CHECK(File(fmt::format("a: 1 # flexslice: {}\n", prose)).brief().empty());
  CHECK(File("a: 1 # flexslice: allow - why\n").brief() == "a.yaml:1:6: warning[FS2094]\n");
  CHECK(File("x: 0\na: 1 # flexslice: allow: FS2091 - why\n").found("a").brief().empty());
}

TEST_CASE("a suppression of nothing is reported and can be deleted") {
  const File own("x: 0\n  # flexslice: allow FS2091, FS1002 - why\r\na: 1\n");
  CHECK(own.brief() ==
        "a.yaml:2:22: warning[FS2091]\n"
        "a.yaml:2:30: warning[FS2091]\n");
  CHECK(own.after_fix() == "x: 0\na: 1\n");
  CHECK(File("x: 0\na: 1  \t# flexslice: allow FS2091 - why\r\nb: 2\n").after_fix() ==
        "x: 0\na: 1\r\nb: 2\n");
  // The comment stays while a part of it is needed.
  const File half = File("x: 0\na: 1 # flexslice: allow FS2091, FS1002 - why\n").found("a");
  CHECK(half.brief() == "a.yaml:2:33: warning[FS2091]\n");
  CHECK(half.after_fix() == half.sources[0].text);
  // Errors end the search before all warnings are known.
  CHECK(File("a: 1 # flexslice: allow FS2091 - why\n").found("1", Level::error, other).brief() ==
        "a.yaml:1:4: error[FS1002]\n");
}

TEST_CASE("text in scalars is no comment") {
  const std::string block =
      "script: |  # flexslice: allow FS1002 - why\n  # flexslice: allow FS2091 - why\n  x # "
      "flexslice: nonsense\nb: 1\n";
  const std::string_view body = std::string_view(block).substr(8, block.size() - 8 - 5);
  CHECK(File(block).scalar(body).found("script", Level::soft, other).found("b: 1").brief() ==
        "a.yaml:4:1: warning[FS2091]\n");
  const std::string quoted =
      "a: \"x\n  # flexslice: allow FS2091 - why\n  y\"\nb: ' # flexslice: allow FS2091 - why'\n";
  CHECK(File(quoted)
            .scalar("' # flexslice: allow FS2091 - why'")
            .scalar("\"x\n  # flexslice: allow FS2091 - why\n  y\"")
            .scalar("a")
            .found("y\"")
            .brief() == "a.yaml:3:3: warning[FS2091]\n");
  CHECK(File("a: '# x' # flexslice: allow FS2091 - why\n")
            .scalar("'# x'")
            .found("a")
            .brief()
            .empty());
  CHECK(File("a: 1 # see # flexslice: allow FS2091 - why\n").brief().empty());
  CHECK(File("a: x# flexslice: allow FS2091 - why\n").brief().empty());
  CHECK(
      File(
          "# flexslice: the compiler\n# flexslice: allowed FS0000\n# our flexslice: allow FS0000\n")
          .brief()
          .empty());
}

TEST_CASE("findings of other sources are left alone") {
  File file("a: 1 # flexslice: allow FS2091 - why\n");
  file.sources.add({"defaults.yaml", "a: 1\n", 1});
  file.findings.push_back({code, Level::warning, {1, 0, 1}, "found", {}, {}, {}});
  CHECK(file.brief() ==
        "a.yaml:1:25: warning[FS2091]\n"
        "defaults.yaml:1:1: warning[FS2091]\n");
  CHECK(suppress(file.sources, 1, {}, file.findings).size() == 1);
  CHECK(may_suppress("# flexslice: allow"));
  CHECK_FALSE(may_suppress("apiVersion: flexslice/v1"));
}

}  // namespace flexslice::diag
