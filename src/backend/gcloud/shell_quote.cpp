#include "backend/gcloud/shell_quote.hpp"

#include <algorithm>

#include "base/ascii.hpp"

namespace flexslice::gcloud {

namespace {

bool needs_no_quotes(char c) {
  return ascii::is_letter_or_digit(c) ||
         std::string_view("_@%+=:,./-").find(c) != std::string_view::npos;
}

std::string in_single_quotes(std::string_view text) {
  std::string word = "'";
  for (char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

// The length of a leading `--flag=`, or 0.
std::size_t flag_length(std::string_view text) {
  if (!text.starts_with("--")) return 0;
  const std::size_t end = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz-");
  return end != std::string_view::npos && text[end] == '=' ? end + 1 : 0;
}

}  // namespace

std::string shell_quote(std::string_view text) {
  // A word such as `a=b` in front of a command would be an assignment; commands of ours begin with
  // a fixed word.
  if (!text.empty() && std::ranges::all_of(text, needs_no_quotes)) return std::string(text);
  const std::size_t flag = flag_length(text);
  return std::string(text.substr(0, flag)) + in_single_quotes(text.substr(flag));
}

}  // namespace flexslice::gcloud
