#include "schema/placeholder.hpp"

#include <algorithm>
#include <vector>

#include "base/ascii.hpp"
#include "base/lists.hpp"
#include "base/text.hpp"

namespace flexslice::schema {

namespace {

// Flags of gcloud and fields of its API take these values.
constexpr std::string_view values[] = {"ADDON_MANAGER",
                                       "ALLOW_ALL",
                                       "ANY_SINGLE_ZONE",
                                       "API_SERVER",
                                       "AUTO_CONNECT",
                                       "CONTROLLER_MANAGER",
                                       "DISALLOW_ALL",
                                       "EPHEMERAL_KEY_ENCRYPTION",
                                       "EXTERNAL_LB",
                                       "FIXED_STANDARD",
                                       "FLEX_START",
                                       "GCE_METADATA",
                                       "GKE_METADATA",
                                       "GKE_METADATA_SERVER",
                                       "HIGH_AVAILABILITY",
                                       "HIGH_THROUGHPUT",
                                       "IGMP_QUERY_DISABLED",
                                       "IGMP_QUERY_V2",
                                       "INTERNAL_VPC_LB",
                                       "IPV4_IPV6",
                                       "IPV4_ONLY",
                                       "IPV6_ONLY",
                                       "MAX_THROUGHPUT",
                                       "PROJECT_SINGLETON_POLICY_ENFORCE",
                                       "PROVISION_ONLY",
                                       "RESERVATION_BOUND",
                                       "SEV_SNP",
                                       "STANDARD_ENCRYPTION",
                                       "UEFI_COMPATIBLE"};

// In words such as CLUSTER-NAME: with a hyphen, names in capitals look alike.
constexpr std::string_view nouns[] = {
    "YOUR",     "NAME",      "ID",        "PROJECT",  "CLUSTER",  "ZONE",        "REGION",
    "LOCATION", "POOL",      "IMAGE",     "TAG",      "BUCKET",   "NETWORK",     "SUBNET",
    "ACCOUNT",  "NAMESPACE", "SECRET",    "QUEUE",    "PATH",     "VERSION",     "NUMBER",
    "COUNT",    "TYPE",      "TOPOLOGY",  "VALUE",    "TOKEN",    "REPO",        "CLASS",
    "CLAIM",    "COHORT",    "CONTAINER", "DATASET",  "DISK",     "DEPLOYMENT",  "DOMAIN",
    "ENDPOINT", "EXAMPLE",   "FILE",      "FLAVOR",   "GATEWAY",  "GROUP",       "HOST",
    "HOSTNAME", "INSTANCE",  "JOB",       "JOBSET",   "KEY",      "LABEL",       "MACHINE",
    "MODEL",    "NODE",      "NODEPOOL",  "PASSWORD", "POD",      "PORT",        "PREFIX",
    "PRIORITY", "PVC",       "REGISTRY",  "RELEASE",  "REPLICAS", "RESERVATION", "RESOURCE",
    "ROLE",     "SERVER",    "SERVICE",   "SIZE",     "STORAGE",  "TEAM",        "USER",
    "USERNAME", "VOLUME",    "WORKLOAD"};

// In lower case, where they are all of a value or of a part of a path.
constexpr std::string_view stand_ins[] = {"changeme",   "change-me",  "change_me", "replaceme",
                                          "replace-me", "replace_me", "todo",      "tbd",
                                          "xxx",        "placeholder"};

bool is_capital(char c) { return ascii::is_upper(c) || ascii::is_digit(c) || c == '_' || c == '-'; }

// `CLUSTER-NAME`: words of letters, one of which is such a noun.
bool is_hyphenated(std::string_view word) {
  const std::vector<std::string_view> parts = text::split(word, '-');
  return parts.size() > 1 &&
         std::ranges::all_of(parts,
                             [](std::string_view part) {
                               return part.size() > 1 && std::ranges::all_of(part, ascii::is_upper);
                             }) &&
         std::ranges::any_of(parts, [](std::string_view part) { return contains(nouns, part); });
}

// The placeholder that `rest` begins with, or empty.
std::string_view placeholder_at(std::string_view rest) {
  const std::string_view whole = rest;
  const auto taken = [&] { return whole.substr(0, whole.size() - rest.size()); };
  const auto take = [&](std::string_view mark) {
    if (!rest.starts_with(mark)) return false;
    rest.remove_prefix(mark.size());
    return true;
  };
  const auto closed = [&](std::string_view mark, auto inner) {
    return text::take(rest, inner) > 0 && take(mark) ? taken() : std::string_view();
  };
  if (take("{{")) return closed("}}", [](char c) { return c != '}'; });
  // `{ZONE}`, `[ZONE]`
  for (const auto& [open, close] : {std::pair("{", "}"), std::pair("[", "]")}) {
    if (!take(open)) continue;
    const bool named = rest.size() > 1 && ascii::is_upper(rest[0]) && is_capital(rest[1]);
    return named ? closed(close, is_capital) : std::string_view();
  }
  if (take("${")) return closed("}", [](char c) { return c != '}'; });
  if (take("$")) {
    const bool name = !rest.empty() && !ascii::is_digit(rest.front());
    return name && text::take(rest, ascii::is_word) > 0 ? taken() : std::string_view();
  }
  if (take("<"))
    return closed(">",
                  [](char c) { return ascii::is_word(c) || c == '-' || c == ' ' || c == '.'; });
  // `__ZONE__`
  if (take("__")) {
    const bool named = !rest.empty() && ascii::is_upper(rest[0]);
    const std::size_t end = rest.find("__");
    if (!named || end == rest.npos || !std::ranges::all_of(rest.substr(0, end), is_capital))
      return {};
    return whole.substr(0, end + 4);
  }
  if (take("YOUR_"))
    return text::take(rest, [](char c) { return ascii::is_word(c) && !ascii::is_lower(c); }) > 0
               ? taken()
               : std::string_view();
  return {};
}

// `200GB` is none.
bool is_capital_word(std::string_view text) {
  if (!text.empty() && ascii::is_digit(text.front())) return false;
  const auto is_part = [](char c) { return is_capital(c) || c == '.' || c == ' '; };
  // `500BG` is a size, misspelt.
  if (text.empty() || ascii::is_digit(text.front())) return false;
  return std::ranges::count_if(text, ascii::is_upper) > 1 && std::ranges::all_of(text, is_part);
}

}  // namespace

bool is_plain_in_capitals(std::string_view text) {
  if (!is_capital_word(text)) return false;
  std::vector<std::string_view> parts;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view part = rest.substr(0, rest.find_first_of("_-. "));
    parts.push_back(part);
    rest.remove_prefix(std::min(part.size() + 1, rest.size()));
  }
  const auto is_filled_in = [](std::string_view part) {
    return contains(nouns, part) || part.find_first_not_of('X') == part.npos;
  };
  const bool are_letters = std::ranges::all_of(parts, [](auto part) { return part.size() == 1; });
  return (parts.size() == 1 || are_letters) && std::ranges::none_of(parts, is_filled_in);
}

std::string_view placeholder_in(std::string_view text) {
  const auto may_begin = [](char c) {
    return c == '{' || c == '[' || c == '$' || c == '<' || c == 'Y' || c == '_';
  };
  for (std::size_t at = 0; (at = text::find_if(text, at, may_begin)) != text.npos; ++at) {
    const bool within =
        (text[at] == 'Y' || text[at] == '_') && at > 0 && ascii::is_word(text[at - 1]);
    if (const auto placeholder = placeholder_at(text.substr(at)); !within && !placeholder.empty())
      return placeholder;
  }
  return {};
}

std::string_view capital_word_in(std::string_view text) {
  while (!text.empty()) {
    const std::string_view whole = text;
    const std::string_view word = whole.substr(0, text::take(text, ascii::is_word));
    const std::size_t line = word.find('_');
    if (line != word.npos && ascii::is_upper(word.front()) &&
        std::ranges::none_of(word, ascii::is_lower) && !contains(values, word) &&
        !is_plain_in_capitals(word))
      return word;
    if (!text.empty()) text.remove_prefix(1);
  }
  return {};
}

std::string_view hyphenated_word_in(std::string_view text) {
  if (text.empty()) return {};
  const auto is_part = [](char c) { return ascii::is_word(c) || c == '-'; };
  // Most texts have no hyphen between capitals.
  for (std::size_t at = 1; (at = text.find('-', at)) < text.size() - 1; ++at) {
    if (!ascii::is_upper(text[at - 1]) || !ascii::is_upper(text[at + 1])) continue;
    std::size_t begin = at, end = at;
    while (begin > 0 && is_part(text[begin - 1])) --begin;
    while (end < text.size() && is_part(text[end])) ++end;
    const std::string_view word = text.substr(begin, end - begin);
    if (is_hyphenated(word)) return word;
    at = end - 1;
  }
  return {};
}

// The beginning of `rest`, to a character that passes the test.
static std::string_view taken_part(std::string_view rest, auto is_end) {
  return rest.substr(0, text::find_if(rest, 0, is_end));
}

// `REGION-docker.pkg.dev/PROJECT/repo`: a path, a part of which is such a noun.
static bool has_noun_in_path(std::string_view text) {
  if (text.find('/') == text.npos) return false;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view part = taken_part(
        rest, [](char c) { return c == '/' || c == ':' || c == '@' || c == '.' || c == '-'; });
    if (!part.empty() && ascii::is_upper(part.front()) && contains(nouns, part)) return true;
    rest.remove_prefix(std::min(part.size() + 1, rest.size()));
  }
  return false;
}

bool is_placeholder(std::string_view text) {
  if (text.empty() || !placeholder_in(text).empty() || is_capital_word(text) ||
      has_noun_in_path(text))
    return true;
  const auto is_sign = [](char c) {
    return c == '{' || c == '}' || c == '[' || c == ']' || c == '<' || c == '>' || c == '$' ||
           c == '%' || c == '|' || c == '*' || c == '\n';
  };
  if (text::find_if(text, 0, is_sign) != std::string_view::npos) return true;
  if (text.find("...") != std::string_view::npos) return true;
  const std::string lowered = text::lower(text);
  for (std::string_view rest = lowered; !rest.empty();) {
    const std::string_view part = taken_part(rest, [](char c) {
      return c == '/' || c == ':' || c == '@' || c == ',' || c == '=' || c == ' ';
    });
    if (contains(stand_ins, part) || part.starts_with("your-") || part.starts_with("your_"))
      return true;
    rest.remove_prefix(std::min(part.size() + 1, rest.size()));
  }
  return false;
}

}  // namespace flexslice::schema
