#include "base/credentials.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/ascii.hpp"
#include "base/text.hpp"

namespace flexslice {

namespace {

using std::size_t;

// How the tokens of one maker look.
struct TokenForm {
  std::string_view start;
  size_t shortest, longest;  // without the start
  std::string_view signs;    // besides letters and digits
};

constexpr TokenForm forms[] = {
#define FS_TOKEN(start, shortest, longest, signs) {start, shortest, longest, signs},
#include "base/secrets.def"
};

// How strict the value of a name has to look secret: any word, a long one with digits, or one that
// no person thinks of.
enum class Look : std::uint8_t { any, long_word, random };

struct SecretName {
  std::string_view ending;  // of a variable, a flag or a key, in lower case with `_`
  Look look{};
};

constexpr SecretName names[] = {
#define FS_SECRET(ending, look) {ending, Look::look},
#include "base/secrets.def"
};
constexpr std::string_view key_begin = "-----BEGIN ", key_name = "PRIVATE KEY-----";
constexpr size_t shortest_key = 16;
constexpr size_t longest_name = 40;  // of `RSA PRIVATE KEY-----` and its like

// A range of a text holds what is secret.
struct Secret {
  size_t begin = 0, end = 0;
};

// An example repeats one character.
bool is_run(std::string_view secret) {
  return std::ranges::count(secret, secret.front()) == std::ssize(secret);
}

// Words, as in `sk-your-key-goes-here`, have neither digits nor capitals.
bool is_words(std::string_view secret) {
  return std::ranges::none_of(secret, ascii::is_digit) &&
         std::ranges::none_of(secret, ascii::is_upper);
}

constexpr bool begins_token(char c) {
  return std::ranges::any_of(forms, [c](const TokenForm& form) { return form.start[0] == c; });
}

// Most words begin with a letter that no token begins with.
constexpr auto token_letters = [] {
  std::array<bool, 128> letters{};
  for (size_t i = 0; i < letters.size(); ++i) letters[i] = begins_token(static_cast<char>(i));
  return letters;
}();

// `at` is where a word begins.
std::optional<Secret> token_at(std::string_view text, size_t at) {
  const auto first = static_cast<unsigned char>(at < text.size() ? text[at] : '\0');
  if (first >= token_letters.size() || !token_letters[first]) return std::nullopt;
  for (const TokenForm& form : forms) {
    if (!text.substr(at).starts_with(form.start)) continue;
    const size_t begin = at + form.start.size();
    size_t end = begin;
    while (end < text.size() && (ascii::is_letter_or_digit(text[end]) ||
                                 form.signs.find(text[end]) != std::string_view::npos))
      ++end;
    const size_t length = end - begin;
    const std::string_view secret = text.substr(begin, length);
    if (length >= form.shortest && length <= form.longest && !is_run(secret) &&
        (form.signs.empty() || !is_words(secret)))
      return Secret{begin, end};
  }
  return std::nullopt;
}

// From the end of the first line to the last one. Without that, as far as the text is like a key,
// in which a line break may be written as `\n`.
std::optional<Secret> key_at(std::string_view text, size_t at) {
  if (!text.substr(at).starts_with(key_begin)) return std::nullopt;
  const size_t name = text.substr(0, at + key_begin.size() + longest_name).find(key_name, at);
  if (name == std::string_view::npos) return std::nullopt;
  const size_t begin = name + key_name.size();
  const auto is_of_key = [](char c) {
    return ascii::is_letter_or_digit(c) || ascii::is_space(c) ||
           std::string_view("+/=\\\"'").find(c) != std::string_view::npos;
  };
  size_t end = begin, letters = 0;
  for (; end < text.size() && is_of_key(text[end]); ++end)
    letters += ascii::is_letter_or_digit(text[end]) ? 1 : 0;
  // A command that only looks for a key, as grep does, has none.
  return letters < shortest_key ? std::nullopt : std::optional(Secret{begin, end});
}

bool is_of_secret_name(char c) { return ascii::is_letter_or_digit(c) || c == '_' || c == '-'; }

// Returns whether somebody still has to write the value, or the value means none.
bool is_example(std::string_view value) {
  constexpr std::string_view starts[] = {
      "your", "change", "example", "dummy", "test", "none", "null", "empty", "fake", "sample",
      "todo", "true", "false", "secret", "token", "pass", "xxx", "***", "insert", "replace", "my-",
      "my_", "foo", "redacted",
      // References to where the value is kept.
      "projects/", "vault:", "ref+", "arn:", "sm:", "gsm:", "op:", "env:", "file:", "berglas:"};
  std::string lower(value);
  for (char& c : lower) c = ascii::is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c;
  const bool is_capitals =
      std::ranges::none_of(value, [](char c) { return ascii::is_lower(c) || ascii::is_digit(c); });
  return is_capitals || is_run(value) || std::ranges::any_of(starts, [&](std::string_view start) {
           return lower.starts_with(start);
         });
}

bool is_secret(std::string_view value, Look look) {
  constexpr size_t shortest_word = 4, shortest_long = 16, shortest_random = 20;
  if (value.size() < shortest_word || value.find_first_of("$<>{}()[]*") != value.npos ||
      value.front() == '/' || is_example(value))
    return false;
  const bool has_digit = std::ranges::any_of(value, ascii::is_digit),
             has_lower = std::ranges::any_of(value, ascii::is_lower),
             has_upper = std::ranges::any_of(value, ascii::is_upper),
             is_hex = std::ranges::all_of(
                 value, [](char c) { return ascii::is_digit(c) || (c >= 'a' && c <= 'f'); });
  if (look == Look::any) return true;
  if (look == Look::long_word) return value.size() >= shortest_long && has_digit;
  return value.size() >= shortest_random && has_digit && ((has_lower && has_upper) || is_hex) &&
         value.find('/') == value.npos;
}

// The value after `NAME=`, `NAME: `, `NAME, value: ` or `--name ` at the end of the name.
std::optional<Secret> value_after(std::string_view text, size_t end, bool is_flag) {
  constexpr std::string_view value_key = "value";
  const auto skip = [&](std::string_view signs) {
    while (end < text.size() && signs.find(text[end]) != std::string_view::npos) ++end;
  };
  const size_t name_end = end;
  skip("\"'");
  if (end == text.size()) return std::nullopt;
  if (text[end] == ',' || text[end] == '\n') {
    skip(", \t\n\"'");
    if (!text.substr(end).starts_with(value_key)) return std::nullopt;
    end += value_key.size();
    skip("\"' ");
    if (end == text.size() || text[end] != ':') return std::nullopt;
  }
  if (text[end] == '=' || (text[end] == ':' && end + 1 < text.size() &&
                           (text[end + 1] == ' ' || text[end + 1] == '"'))) {
    ++end;
  } else if (!is_flag || end != name_end || text[end] != ' ') {
    return std::nullopt;
  }
  skip(" \"'");
  const size_t begin = end;
  while (end < text.size() && !ascii::is_space(text[end]) &&
         std::string_view("\"',;&|").find(text[end]) == std::string_view::npos)
    ++end;
  return begin == end ? std::nullopt : std::optional(Secret{begin, end});
}

// Finds the value behind a name, such as `API_KEY`, that begins at `at`.
std::optional<Secret> named_at(std::string_view text, size_t at) {
  size_t end = at;
  while (end < text.size() && is_of_secret_name(text[end])) ++end;
  const auto value = value_after(text, end, text.substr(at).starts_with("--"));
  if (!value) return std::nullopt;
  std::string name = text::lower(text.substr(at, end - at));
  for (char& c : name) c = c == '-' ? '_' : c;
  for (const SecretName& secret : names) {
    if (!name.ends_with(secret.ending)) continue;
    const size_t before = name.size() - secret.ending.size();
    if (before > 0 && name[before - 1] != '_') continue;
    if (!is_secret(text.substr(value->begin, value->end - value->begin), secret.look)) continue;
    // A token keeps its beginning, which says whose it is.
    const auto token = token_at(text, value->begin);
    return token ? token : value;
  }
  return std::nullopt;
}

// Finds the password in `scheme://user:password@host`.
std::optional<Secret> password_at(std::string_view text, size_t at) {
  constexpr std::string_view start = "://";
  if (!text.substr(at).starts_with(start)) return std::nullopt;
  const size_t begin = at + start.size(), end = text.find_first_of("/ \t\n\"'", begin);
  const std::string_view authority = text.substr(begin, end == text.npos ? end : end - begin);
  const size_t sign = authority.rfind('@'), colon = authority.find(':');
  if (sign == authority.npos || colon == authority.npos || colon > sign) return std::nullopt;
  const std::string_view password = authority.substr(colon + 1, sign - colon - 1);
  if (!is_secret(password, Look::any)) return std::nullopt;
  return Secret{begin + colon + 1, begin + sign};
}

std::optional<Secret> next_credential(std::string_view text, size_t from) {
  for (size_t at = from; at < text.size(); ++at) {
    const char c = text[at];
    std::optional<Secret> found;
    if (c == '-') found = key_at(text, at);
    if (c == ':') found = password_at(text, at);
    if (!found && is_of_secret_name(c) && (at == 0 || !is_of_secret_name(text[at - 1]))) {
      found = token_at(text, at);
      if (!found) found = named_at(text, at);
    }
    // A value that begins before `from` was masked already.
    if (found && found->begin >= from) return found;
  }
  return std::nullopt;
}

}  // namespace

bool has_credential(std::string_view text) { return next_credential(text, 0).has_value(); }

std::string masked(std::string text) {
  for (auto found = next_credential(text, 0); found; found = next_credential(text, found->end)) {
    for (size_t i = found->begin; i < found->end; ++i) {
      if (!ascii::is_space(text[i])) text[i] = '*';
    }
  }
  return text;
}

}  // namespace flexslice
