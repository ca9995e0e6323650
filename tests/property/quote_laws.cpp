// What is quoted for the shell reaches a program as the same bytes: judged by bash itself.
#include <fmt/core.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "../catch.hpp"
#include "backend/gcloud/bash.hpp"
#include "backend/gcloud/shell_quote.hpp"
#include "base/text.hpp"
#include "compiled.hpp"
#include "readers/hostile.hpp"

namespace flexslice::law {
namespace {

using hostile::Random;
using yaml::Value;

// What bash prints when it runs the script.
std::string bash(const std::string& script, const char* locale) {
  std::string path = "/tmp/flexslice-quote-XXXXXX";
  const int file = ::mkstemp(path.data());
  REQUIRE(file >= 0);
  REQUIRE(::write(file, script.data(), script.size()) == static_cast<ssize_t>(script.size()));
  ::close(file);
  std::string printed;
  std::FILE* pipe =
      ::popen(fmt::format("LC_ALL={} bash --norc {} 2>&1", locale, path).c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::array<char, 4096> buffer{};
  while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe))
    printed.append(buffer.data(), count);
  CHECK(::pclose(pipe) == 0);
  ::unlink(path.c_str());
  return printed;
}

std::vector<std::string> zero_ended(const std::string& printed) {
  std::vector<std::string> all;
  for (std::size_t begin = 0; begin < printed.size();) {
    const std::size_t end = std::min(printed.find('\0', begin), printed.size());
    all.push_back(printed.substr(begin, end - begin));
    begin = end + 1;
  }
  return all;
}

std::string random_bytes(Random& random) {
  std::string bytes;
  for (std::size_t count = random.below(12); count > 0; --count)
    bytes += static_cast<char>(1 + random.below(255));
  return bytes;
}

// Pieces of shell syntax and of flags.
std::string random_shell(Random& random) {
  static constexpr std::array<std::string_view, 44> pieces = {
      "'",      "\"",      "\\", "$",   "$(",    ")",   "`",   "${", "}",    "$((", "!",
      "!!",     "*",       "?",  "[a]", "{a,b}", "~",   "#",   " #", ";",    "&",   "|",
      "<",      ">",       "(",  "\n",  "\r",    "\t",  " ",   "=",  "-",    "--",  "--flag=",
      "--a-b=", "--Flag=", "a",  "x=y", "%s",    "\\0", "\\n", "é",  "\xff", ">&2", "$'\\n'"};
  std::string made;
  for (std::size_t count = random.below(7); count > 0; --count) made += random.pick(pieces);
  return made;
}

std::vector<std::string> words() {
  std::vector<std::string> all;
  for (const std::string& each : hostile::strings()) {
    if (each.find('\0') == std::string::npos) all.push_back(each);
  }
  for (const char* each : {"$(touch /tmp/owned)",
                           "`id`",
                           "'; exit 3; '",
                           "\\'",
                           "'\\''",
                           "$'x'",
                           "--filter=name~^a$",
                           "--=",
                           "--x='",
                           "-n",
                           "-e",
                           "--",
                           "%",
                           "%d",
                           "~root",
                           "a\\\nb",
                           "!$",
                           "$$",
                           "$0",
                           "a=b",
                           "\xc3\x28",
                           "\x80\xff"}) {
    all.emplace_back(each);
  }
  Random random(11);
  for (int round = 0; round < 4000; ++round) all.push_back(random_bytes(random));
  for (int round = 0; round < 4000; ++round) all.push_back(random_shell(random));
  return all;
}

void check_same(const std::vector<std::string>& expected, const std::vector<std::string>& seen) {
  REQUIRE(seen.size() == expected.size());
  std::vector<std::string> wrong;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (seen[i] != expected[i]) wrong.push_back(expected[i]);
  }
  CHECK(wrong == std::vector<std::string>{});
}

TEST_CASE("bash gives back every quoted word", "[property]") {
  const std::vector<std::string> all = words();
  std::string script = "printf '%s\\0'";
  for (const std::string& word : all) script += " " + gcloud::shell_quote(word);
  for (const char* locale : {"C", "C.UTF-8"}) {
    INFO(locale);
    check_same(all, zero_ended(bash(script + "\n", locale)));
  }
}

// However a command is laid out on lines, and whatever the titles say.
TEST_CASE("a script runs its commands with the words they were given", "[property]") {
  const std::vector<std::string> all = words();
  Value script;
  script["title"] = Value::string("Try\n$(exit 4)");
  Value& steps = script["steps"] = Value::sequence();
  for (std::size_t begin = 0; begin < all.size(); begin += 17) {
    Value& step = steps.push(Value::mapping());
    step["title"] = Value::string(all[begin]);
    Value& argv = step["run"] = Value::strings({"printf", "%s\\0"});
    for (std::size_t i = begin; i < std::min(begin + 17, all.size()); ++i) {
      argv.push(Value::string(all[i])).comment = i % 3 == 0 ? all[i] : "";
    }
  }
  const gcloud::Header header{"try.sh", "a `summary`\n$(exit 5)", "spec\nexit 6\n.yaml", true};
  const std::string text = gcloud::to_bash(script, header, built_in_templates());
  std::string printed = bash("exec 2>/dev/null\n" + text, "C.UTF-8");
  check_same(all, zero_ended(printed));
}

}  // namespace
}  // namespace flexslice::law
