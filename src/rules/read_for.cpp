#include "rules/read_for.hpp"

#include <algorithm>
#include <functional>

#include "base/ascii.hpp"
#include "base/lists.hpp"
#include "base/text.hpp"
#include "rules/references.hpp"
#include "yaml/embedded.hpp"

namespace flexslice::rules {

namespace {

using yaml::View;

View read_for_row(ReadFor purpose) {
  const View table =
      embedded::root_of(embedded::kubernetes, "rules/references.yaml").find("readFor");
  switch (purpose) {
    case ReadFor::completes:
      return table.find("completes");
    case ReadFor::makes:
      return table.find("makes");
    case ReadFor::creates:
      break;
  }
  return table.find("creates");
}

bool has_kind(std::string_view text, const auto& is_it) {
  constexpr std::string_view key = "kind";
  for (std::size_t at = 0; (at = text.find(key, at)) != text.npos;) {
    at += key.size();
    std::string_view rest = text.substr(at);
    const auto skip = [&](std::string_view marks) {
      rest.remove_prefix(std::min(rest.find_first_not_of(marks), rest.size()));
    };
    skip("\"'");
    if (!rest.starts_with(':')) continue;
    skip(": \"'");
    const std::size_t end = text::find_if(rest, 0, std::not_fn(ascii::is_letter_or_digit));
    if (is_it(rest.substr(0, end))) return true;
  }
  return false;
}

}  // namespace

bool is_read_for(ReadFor purpose, std::string_view text) {
  const View row = read_for_row(purpose), kinds = row.find("kinds");
  if (any_of(row.find("words"), [&](View word) { return text::includes(text, word.text()); }))
    return true;
  const bool makes = purpose == ReadFor::makes;
  if (!makes && kinds.is_empty()) return false;
  return has_kind(text, [&](std::string_view kind) {
    return any_of(kinds, [&](View each) { return each.text() == kind; }) ||
           (makes && is_named_by_others(kind));
  });
}

}  // namespace flexslice::rules
