#include "hostile.hpp"

#include <array>

namespace flexslice::hostile {

using namespace std::string_view_literals;

const std::vector<std::string>& strings() {
  static const std::vector<std::string> chosen = [] {
    std::vector<std::string> all;
    constexpr std::string_view listed[] = {
        // words
        "", " ", "~", "null", "Null", "NULL", "nUlL", "y", "Y", "n", "N", "yes", "Yes", "YES", "no",
        "NO", "on", "ON", "off", "Off", "true", "True", "TRUE", "tRuE", "false", "FALSE", "=", "<<",
        ".inf", "-.inf", "+.INF", ".Inf", ".nan", ".NaN", "nan", "NaN", "inf", "-inf", "Infinity",
        "undefined", "None", "nil",
        // numbers
        "0", "1", "-1", "+1", "00", "007", "0777", "08", "0o17", "0o8", "0O17", "0x1F", "0X1f",
        "0xg", "0x", "0b101", "0B1", "0b2", "1_000", "1__0", "_1", "-_1", "+_", "_", "1_", "1,000",
        ",1", "1.", ".5", "-.5", "+.5", ".", "..", "...", "....", "-", "--", "---", "----", "+",
        "++1", "1e3", "1E3", "1e+3", "1e-3", "1.0e3", "1e", "1e+", "e3", ".e3", "._", "._1", "1._5",
        "1e1_0", "0.1.2", "1.33.2", "1.33.2-gke.1240000", "10.0.0.1", "10.0.0.0/8", "12e03",
        "12345e678", "0e0", "9223372036854775808", "-9223372036854775809",
        "123456789012345678901234567890", "1:30", "190:20:30", "-1:30", "+1:2", "1:30.5", "1:60",
        "1:", "1:a", "8080:80", "0x1p-2", "0x.1", "0x1_F", "1 2", "1-2", "4x4", "2x2x1", "3600s",
        "5m", "200Gi", "50%", "12e4567", "0123abc",
        // dates
        "2001-12-14", "2001-1-1", "2001-12-14T21:59:43.10-05:00", "2001-12-14t21:59:43Z",
        "2001-12-14 21:59:43.10 -5", "2001-12-14x", "2001-12-145", "20011214", "2001-12",
        "21:59:43",
        // indicators
        "-c", "- c", "-", "-\tc", "?", "? x", "?x", ":", ": x", ":x", "x:", "x: y", "x:y", "x :y",
        "a: b: c", ",", ",x", "[", "]", "{", "}", "[x]", "{x}", "{{ x }}", "${x}", "$(x)", "#",
        "# x", "#x", "x #", "x #y", "x#y", "&", "&x", "*", "*x", "*.log", "!", "!x", "!!str x", "|",
        "|-", "| x", ">", ">x", ">-", "'", "''", "'x'", "it's", "\"", "\"\"", "\"x\"", "x\"y", "%",
        "%x", "%YAML 1.2", "@", "@x", "`", "`x`", "\\", "\\n", "\\x41", "a\\", "--flag=x", "--- x",
        "---x", "... x", "...x", "a=b", "=x", "<", "<<x", "a<<b", "a, b", "a [b]",
        "us-docker.pkg.dev/a/b:latest", "http://x.y/?a=b&c=d#e", "/bin/sh", "C:\\x", "a@b.c", "~x",
        "~/x", "x~", "null x", "true,",
        // blanks and breaks
        " x", "x ", "  ", "\t", "\tx", "x\t", "x\ty", "x  y", "\n", "\n\n", "\nx", "x\n", "x\n\n",
        "\n\nx\n\n", "x\ny", "x\n\ny", "x\n y\n", " x\ny", "  x\n y\n", "\tx\ny\n", "\n x\n",
        "\n\tx", "x\n\t", "x \ny", "x\n  ", "x\n  \ny", "x\n \n", " \nx", "  \n x", "\n \n x",
        "x\r", "x\ry", "x\r\ny", "\r\n", "\r", "# x\ny\n", "x\n# y\n", "---\nx\n", "x\n---\ny\n",
        "x\n...\n", "- x\n- y\n", "x: y\nz: w\n", "a #b\n", "\"x\n", "'x\ny'\n", "%x\ny\n",
        "x\n\n\n\n", "!x\ny", "&x\ny", "*x\n", "|\nx", ">\nx\n", "|2\n x\n",
        "#!/bin/bash\nset -e\n  cd x\n", "x\n   \n  y\n ", " \n", "\t\n", "\n\t\n",
        // characters
        "é", "naïve", "日本語", "→", "😀", "👩‍👩‍👧", "\xC2\xA0", "x\xC2\xA0",
        "\xC2\xA0x", "\xC2\x85", "x\xC2\x85y", "\xE2\x80\xA8", "x\xE2\x80\xA9y", "\xEF\xBB\xBF",
        "\xEF\xBB\xBFx", "x\xEF\xBB\xBF", "\xEF\xBF\xBE", "\xEF\xBF\xBF", "\xEF\xBF\xBD",
        "\xE2\x80\x8B", "\xE2\x80\xAE", "x\xE2\x81\xA6y", "\xC2\x80", "\xC2\x9F",
        "\xF4\x8F\xBF\xBF", "\xF0\x9F\x98\x80\n\xC2\x85", "é\n→\n😀\n", "\x7F", "\x01", "\x1B[0m",
        "x\x08", "\x0B", "\x0C", "\x1F", "x\x01\ny\n", "\x7F\n", "\xE3\x80\x80x",
        "x\n\xE3\x80\x80y\n", "\xC2\xA0\nx\n"};
    for (const std::string_view each : listed) all.emplace_back(each);
    all.emplace_back("\0"sv);
    all.emplace_back("x\0y"sv);
    all.emplace_back(std::string(300, 'x'));
    all.emplace_back(std::string(1100, 'k'));
    all.emplace_back(std::string(2000, '"'));
    std::string words;
    for (int i = 0; i < 60; ++i) words += "word ";
    all.push_back(words + "end");
    return all;
  }();
  return chosen;
}

std::string string(Random& random) {
  static constexpr std::array pieces = {" "sv,
                                        " "sv,
                                        "\n"sv,
                                        "\n"sv,
                                        "\t"sv,
                                        "\r"sv,
                                        "  "sv,
                                        ":"sv,
                                        ": "sv,
                                        "#"sv,
                                        " #"sv,
                                        "- "sv,
                                        "-"sv,
                                        "?"sv,
                                        "\""sv,
                                        "'"sv,
                                        "\\"sv,
                                        "["sv,
                                        "]"sv,
                                        "{"sv,
                                        "}"sv,
                                        ","sv,
                                        "&"sv,
                                        "*"sv,
                                        "!"sv,
                                        "|"sv,
                                        ">"sv,
                                        "%"sv,
                                        "@"sv,
                                        "`"sv,
                                        "="sv,
                                        "<"sv,
                                        "~"sv,
                                        "."sv,
                                        "..."sv,
                                        "---"sv,
                                        "0"sv,
                                        "1"sv,
                                        "9"sv,
                                        "_"sv,
                                        "e"sv,
                                        "+"sv,
                                        "x"sv,
                                        "a"sv,
                                        "abc"sv,
                                        "true"sv,
                                        "no"sv,
                                        "é"sv,
                                        "→"sv,
                                        "😀"sv,
                                        "\x7F"sv,
                                        "\x01"sv,
                                        "\xC2\x85"sv,
                                        "\xC2\xA0"sv,
                                        "\xE2\x80\xA8"sv,
                                        "\xEF\xBB\xBF"sv,
                                        "\n\n"sv,
                                        "\n  "sv};
  if (random.one_in(4)) return random.pick(strings());
  std::string text;
  for (std::size_t count = random.below(random.one_in(5) ? 30 : 7); count > 0; --count)
    text += random.pick(pieces);
  return text;
}

namespace {

yaml::Value leaf(Random& random) {
  constexpr std::array<std::int64_t, 5> numbers = {0, 1, -1, 8471, INT64_MIN};
  switch (random.below(8)) {
    case 0:
      return yaml::Value{};
    case 1:
      return yaml::Value::boolean(random.one_in(2));
    case 2:
      return yaml::Value::number(random.pick(numbers));
    case 3:
      return random.one_in(2) ? yaml::Value::sequence() : yaml::Value::mapping();
    default:
      return yaml::Value::string(string(random));
  }
}

}  // namespace

yaml::Value tree(Random& random, int depth) {
  yaml::Value value;
  if (depth == 0 || random.one_in(4)) {
    value = leaf(random);
  } else if (random.one_in(2)) {
    value = yaml::Value::sequence();
    for (std::size_t count = random.below(4); count > 0; --count)
      value.push(tree(random, depth - 1));
  } else {
    value = yaml::Value::mapping();
    for (std::size_t count = random.below(4); count > 0; --count)
      value[string(random)] = tree(random, depth - 1);
  }
  if (random.one_in(3)) value.comment = string(random);
  return value;
}

}  // namespace flexslice::hostile
