#include "schema/written.hpp"

#include <cstddef>
#include <vector>

#include "base/ascii.hpp"
#include "base/text.hpp"
#include "yaml/embedded.hpp"

namespace flexslice::schema {

namespace {

yaml::View written_rows(std::string_view of) {
  return embedded::root_of(embedded::kubernetes, "schema/written.yaml").find(of);
}

std::string_view text_in_row(yaml::View row, std::string_view key) { return row.find(key).text(); }

// Takes the part of the text for each `*` of the form. False: the text has another form. All parts
// but the first of a form that begins with `*` hold at least one character, and all but the last no
// `/`.
bool take_parts(std::string_view text, std::string_view like,
                std::vector<std::string_view>& parts) {
  const std::size_t star = like.find('*');
  if (star == like.npos) return text == like;
  if (!text.starts_with(like.substr(0, star))) return false;
  text.remove_prefix(star);
  like.remove_prefix(star + 1);
  if (like.empty()) {
    parts.push_back(text);
    return !text.empty();
  }
  const std::string_view next = like.substr(0, like.find('*'));
  for (std::size_t at = text.find(next); at != text.npos; at = text.find(next, at + 1)) {
    const std::size_t count = parts.size();
    parts.push_back(text.substr(0, at));
    if (take_parts(text.substr(at), like, parts)) return true;
    parts.resize(count);
  }
  return false;
}

std::string with_parts(std::string_view help, std::string_view text,
                       const std::vector<std::string_view>& parts) {
  std::string all;
  for (std::size_t i = 0; i < help.size(); ++i) {
    const bool is_part = help[i] == '$' && i + 1 < help.size() && ascii::is_digit(help[i + 1]);
    if (!is_part) {
      all += help[i];
      continue;
    }
    const auto number = static_cast<std::size_t>(help[++i] - '0');
    all += number == 0 ? text : number <= parts.size() ? parts[number - 1] : std::string_view();
  }
  return all;
}

// `workload.volumes[].gcs` of `workload.volumes[0].gcs`.
std::string without_numbers(std::string_view path) {
  std::string all;
  bool in_brackets = false;
  for (const char c : path) {
    if (c == ']') in_brackets = false;
    if (!in_brackets) all += c;
    if (c == '[') in_brackets = true;
  }
  return all;
}

bool is_field(const std::string& path, std::string_view field) {
  const auto own = text::split(path, '.'), wanted = text::split(field, '.');
  if (own.size() != wanted.size()) return false;
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (wanted[i] != "*" && own[i] != wanted[i]) return false;
  }
  return true;
}

}  // namespace

std::optional<std::string> help_for_value(std::string_view path, std::string_view value) {
  const std::string field = without_numbers(path);
  for (const yaml::View row : written_rows("values")) {
    std::vector<std::string_view> parts;
    if (is_field(field, text_in_row(row, "field")) &&
        take_parts(value, text_in_row(row, "like"), parts))
      return with_parts(text_in_row(row, "help"), value, parts);
  }
  return std::nullopt;
}

std::optional<TextRoom> text_room(std::string_view path) {
  for (const yaml::View row : written_rows("long")) {
    if (!is_field(std::string(path), text_in_row(row, "field"))) continue;
    return TextRoom{
        static_cast<std::size_t>(text::whole_number(text_in_row(row, "longest")).value_or(0)),
        text_in_row(row, "why")};
  }
  return std::nullopt;
}

std::optional<std::string_view> field_behind(std::string_view kind, std::string_view path) {
  for (const yaml::View row : written_rows("behind")) {
    std::vector<std::string_view> kinds, parts;
    if (take_parts(kind, text_in_row(row, "kind"), kinds) &&
        take_parts(path, text_in_row(row, "at"), parts))
      return text_in_row(row, "field");
  }
  return std::nullopt;
}

std::optional<std::string> help_for_key(std::string_view key) {
  for (const yaml::View row : written_rows("keys")) {
    std::vector<std::string_view> parts;
    if (take_parts(key, text_in_row(row, "like"), parts))
      return with_parts(text_in_row(row, "help"), key, parts);
  }
  return std::nullopt;
}

}  // namespace flexslice::schema
