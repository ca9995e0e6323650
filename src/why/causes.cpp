#include "why/causes.hpp"

#include <fmt/core.h>

#include "base/text.hpp"
#include "yaml/embedded.hpp"

namespace flexslice::why {

namespace {

yaml::View cause_table() { return embedded::root_of(embedded::kubernetes, "why/causes.yaml"); }

std::string filled(std::string_view text, const Holes& holes) {
  std::string out;
  while (!text.empty()) {
    const std::size_t begin = text.find('{');
    const std::size_t end = begin == std::string_view::npos ? begin : text.find('}', begin);
    out += text.substr(0, end == std::string_view::npos ? end : begin);
    if (end == std::string_view::npos) break;
    const auto value = holes.find(text.substr(begin + 1, end - begin - 1));
    out += value == holes.end() ? text.substr(begin, end + 1 - begin) : value->second;
    text.remove_prefix(end + 1);
  }
  return out;
}

bool is_hole_letter(char c) { return c >= 'a' && c <= 'z'; }

// Returns the end of the name in braces with which the form begins, or 0: braces around anything
// else are text.
std::size_t hole_end(std::string_view form) {
  std::size_t end = 1;
  while (end < form.size() && is_hole_letter(form[end])) ++end;
  return form.starts_with('{') && end > 1 && end < form.size() && form[end] == '}' ? end + 1 : 0;
}

// The text before the next `*` or name.
std::string_view literal_of(std::string_view form) {
  std::size_t end = 0;
  while (end < form.size() && form[end] != '*' && hole_end(form.substr(end)) == 0) ++end;
  return form.substr(0, end);
}

}  // namespace

std::optional<Holes> match_form(std::string_view form, std::string_view text) {
  Holes holes;
  while (true) {
    const std::string_view literal = literal_of(form);
    if (!text.starts_with(literal)) return std::nullopt;
    form.remove_prefix(literal.size());
    text.remove_prefix(literal.size());
    if (form.empty()) return text.empty() ? std::optional(holes) : std::nullopt;
    const std::size_t hole = hole_end(form);
    const std::string name(hole == 0 ? "" : form.substr(1, hole - 2));
    form.remove_prefix(hole == 0 ? 1 : hole);
    const std::string_view next = literal_of(form);
    const std::size_t end = next.empty() ? text.size()
                            : form.size() == next.size() && text.ends_with(next)
                                ? text.size() - next.size()
                                : text.find(next);
    if (end == std::string_view::npos) return std::nullopt;
    if (!name.empty()) holes[name] = text::trim(text.substr(0, end));
    text.remove_prefix(end);
  }
}

std::optional<PodCause> cause_of(const ClusterSign& sign, Holes known) {
  std::size_t rank = 0;
  for (const yaml::View row : cause_table()) {
    ++rank;
    for (const yaml::View form : row.find("signs")) {
      if (form.find("from").text() != sign.from) continue;
      const auto holes = match_form(form.find("is").text(), sign.text);
      if (!holes) continue;
      for (const auto& [name, value] : *holes) known[name] = value;
      return PodCause{row.key(),
                      filled(row.find("says").text(), known),
                      filled(row.find("next").text(), known),
                      row.find("waits").text() == "true",
                      sign,
                      rank};
    }
  }
  return std::nullopt;
}

std::optional<std::string> cause_text(std::string_view code) {
  for (const yaml::View row : cause_table()) {
    if (text::lower(row.key()) != text::lower(code)) continue;
    return fmt::format("{}: {}\n\n{}\n\nWhat to do: {}.\n{}", row.key(), row.find("says").text(),
                       row.find("means").text(), row.find("next").text(),
                       row.find("waits").text() == "true" ? "It can also end without that.\n" : "");
  }
  return std::nullopt;
}

}  // namespace flexslice::why
