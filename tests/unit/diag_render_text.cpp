#include "../catch.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "diag/render.hpp"

namespace flexslice::diag {
namespace {

constexpr auto unknown_topology = static_cast<Code>(3002);

// One source with one finding at the first place of `marked`.
struct Case {
  Sources sources;
  Diagnostic finding;

  Case(std::string name, std::string text, std::string_view marked, int first_line = 1)
      : finding{unknown_topology, Level::error, {}, "message", {}, {}, {}} {
    const auto begin = static_cast<std::uint32_t>(text.find(marked));
    finding.where = {0, begin, begin + static_cast<std::uint32_t>(marked.size())};
    sources.add({std::move(name), std::move(text), first_line});
  }

  std::string text(bool color = false) const {
    return render({Format::text, color, {}}, sources, std::span(&finding, 1));
  }
  std::string brief() const {
    return render({Format::brief, false, {}}, sources, std::span(&finding, 1));
  }
};

std::string repeated(std::string_view text, int times) {
  std::string all;
  while (times-- > 0) all += text;
  return all;
}

}  // namespace

TEST_CASE("text format is the one of the specification") {
  Case spec("specs/train.yaml", "name: a\ntpu:\n  topology: 4x6\n", "4x6", 6);
  spec.finding.message = "no v6e slice has topology 4x6";
  spec.finding.note("v6e topologies are 1x1 2x2 2x4 4x4 4x8 8x8 8x16 16x16");
  spec.finding.help("the nearest are 4x4 (16 chips, 4 hosts) and 4x8 (32 chips, 8 hosts)");
  CHECK(spec.text() ==
        "specs/train.yaml:8:13: error[FS3002]: no v6e slice has topology 4x6\n"
        "   |\n"
        " 8 |   topology: 4x6\n"
        "   |             ^^^\n"
        "   = note: v6e topologies are 1x1 2x2 2x4 4x4 4x8 8x8 8x16 16x16\n"
        "   = help: the nearest are 4x4 (16 chips, 4 hosts) and 4x8 (32 chips, 8 hosts)\n");
  CHECK(spec.brief() == "specs/train.yaml:8:13: error[FS3002]: no v6e slice has topology 4x6\n");
}

TEST_CASE("long values in messages keep their outline, which formats for programs do not cut") {
  Case spec("a.yaml", "key: x", "x");
  const std::string term = "{labelSelector: {matchLabels: {job-name: train}}, topologyKey: pool}";
  const std::string value =
      "`affinity: {podAffinity: {required: [" + term + "]}, anti: {required: [" + term + "]}}`";
  spec.finding.message = "compile adds " + value + " to `{short: {a: {b: {c: {d: 1}}}}}`";
  CHECK(spec.brief() ==
        "a.yaml:1:6: error[FS3002]: compile adds `affinity: {podAffinity: {required: [{…}]}, anti: "
        "{required: [{…}]}}` to `{short: {a: {b: {c: {d: 1}}}}}`\n");
  CHECK(render({Format::json, false, {}}, spec.sources, std::span(&spec.finding, 1))
            .find("{matchLabels: {job-name: train}}") != std::string::npos);
}

TEST_CASE("the gutter is as wide as the line number") {
  Case spec("a.yaml", "key: x", "x", 1000);
  spec.finding.note("one\ntwo\n\nfour");
  spec.finding.help("do\nthis");
  CHECK(spec.text() ==
        "a.yaml:1000:6: error[FS3002]: message\n"
        "      |\n"
        " 1000 | key: x\n"
        "      |      ^\n"
        "      = note: one\n"
        "              two\n"
        "\n"
        "              four\n"
        "      = help: do\n"
        "              this\n");
}

TEST_CASE("warnings and soft errors are called what they count as") {
  Case spec("a.yaml", "x", "x");
  spec.finding.level = Level::soft;
  CHECK(spec.brief() == "a.yaml:1:1: error[FS3002]: message\n");
  spec.finding.level = Level::warning;
  CHECK(spec.brief() == "a.yaml:1:1: warning[FS3002]: message\n");
}

TEST_CASE("carets stand below tabs and wide characters") {
  CHECK(Case("a.yaml", "\tkey:\tvalue", "value").text() ==
        "a.yaml:1:7: error[FS3002]: message\n"
        "   |\n"
        " 1 | \tkey:\tvalue\n"
        "   | \t    \t^^^^^\n");
  // From column 10 of the terminal to the next multiple of 8.
  CHECK(Case("a.yaml", "a: b\t# c", "\t").text() ==
        "a.yaml:1:5: error[FS3002]: message\n"
        "   |\n"
        " 1 | a: b\t# c\n"
        "   |     ^^^^^^^\n");
  CHECK(Case("a.yaml", "日本: \U0001F600e\u0301x \"語\"", "\U0001F600e\u0301x").text() ==
        "a.yaml:1:5: error[FS3002]: message\n"
        "   |\n"
        " 1 | 日本: \U0001F600e\u0301x \"語\"\n"
        "   |       ^^^^\n");
}

TEST_CASE("spans that are empty or longer than their line") {
  CHECK(Case("a.yaml", "a: b\nc: d\n", "").text() ==
        "a.yaml:1:1: error[FS3002]: message\n"
        "   |\n"
        " 1 | a: b\n"
        "   | ^\n");
  CHECK(Case("a.yaml", "a: |  \n  text\n", "|  \n  text").text() ==
        "a.yaml:1:4: error[FS3002]: message\n"
        "   |\n"
        " 1 | a: |\n"
        "   |    ^\n");
  CHECK(Case("a.yaml", "a:  \r\n  b: c\r\n", "  \r\n  b").text() ==
        "a.yaml:1:3: error[FS3002]: message\n"
        "   |\n"
        " 1 | a:\n"
        "   |   ^\n");
  Case end("a.yaml", "a: b\n", "");
  end.finding.where = {0, 5, 5};
  CHECK(end.text() ==
        "a.yaml:2:1: error[FS3002]: message\n"
        "   |\n"
        " 2 |\n"
        "   | ^\n");
  end.finding.where = {0, 4000, 2000};
  CHECK(end.brief() == "a.yaml:2:1: error[FS3002]: message\n");
}

TEST_CASE("long lines are cut around the span") {
  const std::string left = repeated("0123456789", 30), right = repeated("abcdefghij", 30);
  CHECK(Case("a.yaml", "k: " + left + "HERE" + right, "HERE").text() ==
        "a.yaml:1:304: error[FS3002]: message\n"
        "   |\n"
        " 1 | …" +
            repeated("0123456789", 6) + "HERE" + repeated("abcdefghij", 9) + "abcdef…\n" + "   | " +
            std::string(61, ' ') + "^^^^\n");
  CHECK(Case("a.yaml", "key: HERE" + right, "HERE").text() ==
        "a.yaml:1:6: error[FS3002]: message\n"
        "   |\n"
        " 1 | key: HERE" +
            repeated("abcdefghij", 15) + "a…\n" + "   |      ^^^^\n");
  const std::string marked = Case("a.yaml", "key: " + right + "  ", right).text();
  CHECK(marked.ends_with(" | key: " + repeated("abcdefghij", 15) + "abcde…\n   |      " +
                         std::string(155, '^') + "\n"));
  // A line that fits stays whole; blanks at its end do not count.
  CHECK(Case("a.yaml", "HERE" + std::string(156, 'x') + std::string(500, ' '), "HERE")
            .text()
            .find("…") == std::string::npos);
  CHECK(Case("a.yaml", "HERE" + std::string(157, 'x'), "HERE").text().find("…") !=
        std::string::npos);
  // Text that takes no columns has an end as well.
  CHECK(Case("a.yaml", "HERE" + repeated("\u0301", 100'000), "HERE").text().size() < 4000);
}

TEST_CASE("nothing acts on the terminal") {
  Case spec("a\x1b[2J.yaml", "key: \x1b[31mred\xff\r\x7f\u202Etxt \u200B", "red");
  spec.finding.message = "`\x1b]0;title\x07` and `a\nb\tc\rd\xc3`";
  spec.finding.note("\x1b[1m\nbold");
  CHECK(spec.text() ==
        "a<U+001B>[2J.yaml:1:11: error[FS3002]: `<U+001B>]0;title<U+0007>` and "
        "`a\\nb\\tc\\rd\uFFFD`\n"
        "   |\n"
        " 1 | key: <U+001B>[31mred\uFFFD<U+000D><U+007F><U+202E>txt <U+200B>\n"
        "   |                  ^^^\n"
        "   = note: <U+001B>[1m\n"
        "           bold\n");
}

TEST_CASE("whatever bytes come in, valid and printable text comes out") {
  std::string bytes;
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 256; ++i) bytes += static_cast<char>(round == 0 ? i : (i * 167 + 13) % 256);
  }
  for (std::uint32_t at = 0; at < bytes.size(); at += 3) {
    Case spec("a.yaml", bytes, "");
    spec.finding.where = {0, at, at + 5};
    spec.finding.message = bytes.substr(at, 7);
    spec.finding.help(bytes.substr(at));
    const std::string out = spec.text() + spec.brief();
    for (const auto& [point, bytes_of_point, valid] : utf8::Points(out)) {
      REQUIRE(valid);
      REQUIRE((point == '\n' || point == '\t' ||
               (point >= 0x20 && point != 0x7F && !(point >= 0x80 && point < 0xA0))));
    }
  }
}

TEST_CASE("findings without a place in a text") {
  Case argument("--set", "tpu.topology=4x9", "4x9");
  argument.finding.help("see above");
  CHECK(argument.text() ==
        "--set: error[FS3002]: message\n"
        "   |\n"
        "   | tpu.topology=4x9\n"
        "   |              ^^^\n"
        "   = help: see above\n");
  CHECK(argument.brief() == "--set: error[FS3002]: message\n");
  Case missing("missing.yaml", "", "");
  missing.finding.note("why");
  CHECK(missing.text() ==
        "missing.yaml: error[FS3002]: message\n"
        "   = note: why\n");
  Case nowhere("a.yaml", "x", "x");
  nowhere.finding.where.source = 7;
  CHECK(nowhere.text() == "flexslice: error[FS3002]: message\n");
}

TEST_CASE("color only on request, and around everything that has a meaning") {
  Case spec("a.yaml", "k: v", "v");
  spec.finding.note("n");
  CHECK(spec.text(true) ==
        "\x1b[1ma.yaml:1:4:\x1b[0m \x1b[1;31merror[FS3002]:\x1b[0m \x1b[1mmessage\x1b[0m\n"
        "\x1b[1;34m   |\x1b[0m\n"
        "\x1b[1;34m 1 |\x1b[0m k: v\n"
        "\x1b[1;34m   |\x1b[0m    \x1b[1;31m^\x1b[0m\n"
        "   \x1b[1;34m=\x1b[0m \x1b[1;36mnote:\x1b[0m n\n");
  spec.finding.level = Level::warning;
  spec.finding.notes.clear();
  spec.finding.help("h");
  CHECK(spec.text(true).find("\x1b[1;33mwarning[FS3002]:\x1b[0m") != std::string::npos);
  CHECK(spec.text(true).ends_with("\x1b[1;32mhelp:\x1b[0m h\n"));
  CHECK(spec.text().find('\x1b') == std::string::npos);
}

TEST_CASE("a message of a user's whole file is cut") {
  Case spec("a.yaml", "x", "x");
  spec.finding.message = "m" + repeated("日", 100'000);
  CHECK(spec.brief() == "a.yaml:1:1: error[FS3002]: m" + repeated("日", 1333) + "…\n");
}

TEST_CASE("people see fifty findings of a run and the number of the rest") {
  Sources sources;
  sources.add({"a.yaml", "x\n", 1});
  const std::vector<Diagnostic> findings(
      31, Diagnostic{unknown_topology, Level::error, {0, 0, 1}, "message", {}, {}, {}});
  Rendering run{{Format::brief, false, {}}};
  std::string out;
  render_begin(run, out);
  render_findings(run, sources, findings, out);
  render_findings(run, sources, findings, out);
  render_end(run, out);
  CHECK(out == repeated("a.yaml:1:1: error[FS3002]: message\n", 50) + "… and 12 more\n");

  Rendering text{{Format::text, false, {}}};
  out.clear();
  render_findings(text, sources, findings, out);
  render_findings(text, sources, findings, out);
  render_end(text, out);
  CHECK(out.ends_with("\n   | ^\n\n… and 12 more\n"));
  CHECK(out.starts_with("a.yaml:1:1: error[FS3002]: message\n   |\n 1 | x\n   | ^\n\na.yaml:1:1:"));
  CHECK(render({Format::text, false, {}}, sources, {}).empty());
}

}  // namespace flexslice::diag
