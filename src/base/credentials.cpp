#include "base/credentials.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "base/ascii.hpp"

namespace flexslice {

namespace {

using std::size_t;

struct TokenForm {
  std::string_view start;
  size_t shortest, longest;  // without the start
  std::string_view signs;    // besides letters and digits
};

constexpr TokenForm forms[] = {
    {"hf_", 34, 64, ""},
    {"ghp_", 36, 64, ""},
    {"sk-", 40, 400, "-_"},
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

std::optional<Secret> token_at(std::string_view text, size_t at) {
  if (at > 0 &&
      (ascii::is_letter_or_digit(text[at - 1]) || text[at - 1] == '_' || text[at - 1] == '-'))
    return std::nullopt;
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

std::optional<Secret> next_credential(std::string_view text, size_t from) {
  for (size_t at = from; at < text.size(); ++at) {
    const char c = text[at];
    if (c != 'h' && c != 'g' && c != 's' && c != '-') continue;
    if (const auto found = c == '-' ? key_at(text, at) : token_at(text, at)) return found;
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
