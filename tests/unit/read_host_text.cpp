#include "../catch.hpp"
#include "extract/shell.hpp"

namespace flexslice::extract {
namespace {

// The second word of the only command, and what only a shell knows of it.
std::string host(std::string_view text) {
  CAPTURE(text);
  Variables variables;
  const Script script = read_shell(text, 0, variables, {"xpk"}, Loops::unrolled);
  REQUIRE(script.commands.size() == 1);
  const Word& word = script.commands[0].words.at(1);
  if (word.host == nullptr) return word.text;
  std::string shown = word.host->text;
  for (const Unfilled& part : word.host->unfilled) {
    CHECK(text.substr(part.where.begin, part.where.end - part.where.begin) == part.text);
    shown += " | " + part.text;
  }
  return shown;
}

TEST_CASE("what is known is put in, and the rest stays") {
  CHECK(host("A=1\nxpk \"$A $B ${C} $(d \"e\")\"") ==
        "1 $B ${C} $(d \"e\") | $B | ${C} | $(d \"e\")");
  CHECK(host("A=\"x $(date)\"\nB=\"$A y\"\nxpk \"$B\"") == "x $(date) y | $(date)");
  CHECK(host("A=MY_FLAG\nxpk \"$A\"") == "MY_FLAG");
  CHECK(host("A=a\nA+=$B\nA+=c\nxpk \"$A\"") == "a$Bc | $B");
  CHECK(host("xpk \"${A:-x$B} ${C:-d}\"") == "x$B d | $B");
  CHECK(host("xpk \"$1 ${A[@]} ${#B} `c`\"") ==
        "$1 ${A[@]} ${#B} `c` | $1 | ${A[@]} | ${#B} | `c`");
}

TEST_CASE("what is quoted is the container's") {
  CHECK(host("xpk \"\\$A \\\\ \\\"b\\\" $C\"") == "$A \\ \"b\" $C | $C");
  CHECK(host("xpk 'a $B'\"$C\"'$(d)'") == "a $B$C$(d) | $C");
  CHECK(host("xpk \"a \\\n$B\"") == "a $B | $B");
}

TEST_CASE("here-documents that are values") {
  CHECK(host("A=$(cat <<EOF\na \"$B\" \\$C\nd\nEOF\n)\nxpk \"$A\"") == "a \"$B\" $C\nd | $B");
  CHECK(host("A=\"$(cat <<'EOF'\na $B )\nEOF\n)\"\nxpk \"$A\"") == "a $B )");
}

TEST_CASE("a value that depends on what is run is not known") {
  CHECK(host("if a; then B=c; else B=d; fi\nxpk \"$B\"") == "$B | $B");
  CHECK(host("read -r B\nxpk \"$B\"") == "$B | $B");
  CHECK(host("B=(c d)\nxpk \"$B\"") == "$B | $B");
  CHECK(host("B=a\nfor i in $(x); do B+=$i; done\nxpk \"$B\"") == "$B | $B");
  CHECK(host("xpk \"$(a $(b \"c)\" ) ')' )\"") ==
        "$(a $(b \"c)\" ) ')' ) | $(a $(b \"c)\" ) ')' )");
}

TEST_CASE("values that grow do not grow without end") {
  std::string text = "A=\"$(x)aaaaaaaaaaaaaaaa\"\n";
  for (int i = 0; i < 40; ++i) text += "A=\"$A$A$A$A\"\n";
  CHECK(host(text + "xpk \"$A\"").size() < 200000);
}

}  // namespace
}  // namespace flexslice::extract
