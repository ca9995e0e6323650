// `matches` takes what the expressions of schema/patterns.def take. They are judged by the C
// library's own regular expressions.
#include <regex.h>

#include <algorithm>
#include <string>
#include <vector>

#include "../catch.hpp"
#include "base/text.hpp"
#include "readers/hostile.hpp"
#include "schema/pattern.hpp"

namespace flexslice::law {
namespace {

using hostile::Random;
using schema::Pattern;

constexpr Pattern patterns[] = {
#define FS_PATTERN(name, expression, max, words) Pattern::name,
#include "schema/patterns.def"
#undef FS_PATTERN
};

// ECMA's escapes inside brackets are the characters themselves in POSIX.
std::string posix(std::string_view expression) {
  std::string made;
  bool bracket = false;
  for (std::size_t i = 0; i < expression.size(); ++i) {
    const char c = expression[i];
    if (bracket && c == '\\') {
      const char escaped = expression[++i];
      made += escaped == 't' ? '\t' : escaped == 'n' ? '\n' : escaped == 'r' ? '\r' : escaped;
      continue;
    }
    bracket = bracket ? c != ']' : c == '[';
    made += c;
  }
  return made;
}

class Expression {
 public:
  explicit Expression(std::string_view ecma) {
    REQUIRE(::regcomp(&compiled_, posix(ecma).c_str(), REG_EXTENDED | REG_NOSUB) == 0);
  }
  ~Expression() { ::regfree(&compiled_); }
  Expression(const Expression&) = delete;
  Expression& operator=(const Expression&) = delete;

  bool matches(const std::string& text) const {
    return ::regexec(&compiled_, text.c_str(), 0, nullptr, 0) == 0;
  }

 private:
  regex_t compiled_{};
};

// Good and nearly good values of all patterns; each pattern is tried with all of them and their
// mutations.
const std::vector<std::string> seeds = {"a",
                                        "10.0.0.1",
                                        "256.1.1.1",
                                        "10.0.0.0/8",
                                        "192.168.16.0/20",
                                        "2001:db8::1",
                                        "2001:db8::/32",
                                        "None",
                                        "net.core.somaxconn",
                                        "net/core",
                                        "train-1",
                                        "0a",
                                        "a.b-c.d",
                                        "us-east5",
                                        "us-east5-b",
                                        "us-central1-ai1a",
                                        "northamerica-northeast2-c",
                                        "example.com:my-project",
                                        "my-project",
                                        "1.33",
                                        "1.33.2",
                                        "1.33.2-gke.1240000",
                                        "team",
                                        "example.com/team",
                                        "cloud.google.com/gke-nodepool",
                                        "A_b.c",
                                        "",
                                        "EPOCHS",
                                        "_x.y-Z",
                                        "90s",
                                        "1h30m",
                                        "7d",
                                        "1d2h3m4s",
                                        "999999999s",
                                        "500m",
                                        "8",
                                        "1.5Gi",
                                        "16Ki",
                                        "100E",
                                        "123456789012345.123456789Pi",
                                        "registry.example:5000/path/image:tag@sha256:0123",
                                        "/data",
                                        "/",
                                        "/a b/c",
                                        "my_bucket.x",
                                        "bucket-1",
                                        "gs://bucket-1",
                                        "gs://my_bucket.x/pathways/tmp",
                                        "tls.crt",
                                        "metadata.name",
                                        "metadata.uid",
                                        "metadata.namespace",
                                        "metadata.labels",
                                        "metadata.annotations",
                                        "metadata.annotations['b']",
                                        "metadata.labels['team']",
                                        "metadata.annotations['a']",
                                        "spec.nodeName",
                                        "spec.serviceAccountName",
                                        "status.hostIP",
                                        "status.podIPs",
                                        "memory",
                                        "hugepages-2Mi",
                                        "data/a/..b",
                                        "metrics",
                                        "1-a",
                                        "a--b",
                                        "12-3",
                                        "..data",
                                        ".env",
                                        "/var/../etc",
                                        "/tmp/..cache/a..b/.",
                                        "res-1",
                                        "25%",
                                        "100%",
                                        "7%",
                                        "default",
                                        "nodes@my-project.iam.gserviceaccount.com",
                                        "projects/my-project/reservations/res-1",
                                        "res/reservationBlocks/b1/reservationSubBlocks/s1",
                                        "projects/p.q:r/reservations/a/reservationBlocks/b",
                                        "30 3 * * 1-5",
                                        "*/15 0-6,12 1,15 jan-mar MON",
                                        "00000,1 2 3 4 5",
                                        "@daily",
                                        "@every 1h30m",
                                        "google.com/tpu=present:NoSchedule",
                                        "a:PreferNoSchedule",
                                        "Europe/Berlin",
                                        "Etc/UTC",
                                        "12",
                                        "ANY",
                                        "BALANCED"};

std::string mutated(std::string text, Random& random) {
  static constexpr std::string_view alphabet = "abzAZ019-_./:@ \t\n~%$smhdGiKMEPTxgke\xc3";
  for (std::size_t count = 1 + random.below(3); count > 0; --count) {
    const std::size_t at = random.below(text.size() + 1);
    const char c = alphabet[random.below(alphabet.size())];
    switch (random.below(4)) {
      case 0:
        text.insert(at, 1, c);
        break;
      case 1:
        text.erase(at, 1);
        break;
      case 2:
        if (at < text.size()) text[at] = c;
        break;
      default:
        text.insert(at, text.substr(random.below(text.size() + 1), 1 + random.below(8)));
    }
  }
  return text;
}

std::vector<std::string> texts() {
  std::vector<std::string> all = seeds;
  for (const std::string& each : hostile::strings()) {
    if (each.find('\0') == std::string::npos && each.size() < 100) all.push_back(each);
  }
  Random random(21);
  for (int round = 0; round < 7000; ++round) all.push_back(mutated(random.pick(seeds), random));
  return all;
}

TEST_CASE("every pattern takes what the C library takes by its expression", "[property]") {
  const std::vector<std::string> all = texts();
  for (const Pattern pattern : patterns) {
    const schema::PatternRow& row = schema::row(pattern);
    if (row.pattern.empty()) continue;
    INFO(row.name << ": " << row.pattern);
    const Expression expression(row.pattern);
    std::size_t good = 0;
    std::vector<std::string> disagree;
    for (const std::string& text : all) {
      const bool expected = text.size() <= row.max && expression.matches(text);
      good += expected ? 1 : 0;
      if (schema::matches(pattern, text) != expected) disagree.push_back(text);
    }
    CHECK(disagree == std::vector<std::string>{});
    CHECK(good > 10);
    CHECK(good < all.size());
  }
}

// A text of exactly that many bytes that has the expression: some part of a good value repeated.
std::string of_length(const Expression& expression, std::size_t size) {
  for (const std::string& seed : seeds) {
    for (std::size_t at = 0; at < seed.size() && seed.size() <= size; ++at) {
      std::string grown = seed;
      grown.insert(at, size - seed.size(), seed[at]);
      if (expression.matches(grown)) return grown;
    }
  }
  return {};
}

TEST_CASE("a pattern's longest value is taken and one character more is not", "[property]") {
  for (const Pattern pattern : patterns) {
    const schema::PatternRow& row = schema::row(pattern);
    // Versions and durations end long before the general bound, by their patterns; label keys and
    // buckets, whose parts are bounded, have tests of their own.
    const bool bounded = row.pattern.find("{1,9}") != std::string_view::npos ||
                         row.pattern.find_first_of("*+") == std::string_view::npos ||
                         pattern == Pattern::label_key || pattern == Pattern::resource_name ||
                         pattern == Pattern::bucket;
    if (row.pattern.empty() || bounded) continue;
    INFO(row.name);
    const Expression expression(row.pattern);
    const std::string longest = of_length(expression, row.max);
    REQUIRE(longest.size() == row.max);
    CHECK(schema::matches(pattern, longest));
    const std::string longer = of_length(expression, row.max + 1);
    CHECK_FALSE(schema::matches(pattern, longer));
  }
}

// The prefix has a bound that the expression does not show.
TEST_CASE("a label key's prefix and name have their own lengths", "[property]") {
  const auto key = [](std::size_t prefix, std::size_t name) {
    return std::string(prefix, 'p') + "/" + std::string(name, 'n');
  };
  CHECK(schema::row(Pattern::label_key).max == key(253, 63).size());
  CHECK(schema::matches(Pattern::label_key, key(253, 63)));
  CHECK_FALSE(schema::matches(Pattern::label_key, key(254, 62)));
  CHECK_FALSE(schema::matches(Pattern::label_key, key(252, 64)));
  CHECK_FALSE(schema::matches(Pattern::label_key, std::string(64, 'n')));
}

}  // namespace
}  // namespace flexslice::law
