#include "extract/chart.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "base/ascii.hpp"
#include "base/lines.hpp"
#include "base/lists.hpp"
#include "base/text.hpp"

namespace flexslice::extract {

using std::size_t;

namespace {

// Smaller ones are printed without an exponent.
constexpr double smallest_fraction = 1e6;
constexpr std::string_view quoting[] = {"quote", "squote"};
constexpr std::string_view harmless[] = {"toString", "trim"};

struct ValueReference {
  std::string_view name;
  bool is_quoted = false;
};

// `{{ .Values.steps | quote }}`; nothing where other functions may change what is printed.
std::optional<ValueReference> reference_in(std::string_view mark) {
  if (!mark.starts_with("{{") || !mark.ends_with("}}") || mark.size() < 5) return {};
  mark = mark.substr(2, mark.size() - 4);
  if (mark.starts_with('-')) mark.remove_prefix(1);
  if (mark.ends_with('-')) mark.remove_suffix(1);
  ValueReference reference;
  for (std::string_view part : text::split(mark, '|')) {
    part = text::trim(part);
    const size_t blank = std::min(part.find(' '), part.size());
    std::string_view function = part.substr(0, blank), name = text::trim(part.substr(blank));
    if (reference.name.empty() && name.empty()) std::swap(function, name);
    if (contains(quoting, function)) {
      reference.is_quoted = true;
    } else if (!function.empty() && function != "default" && !contains(harmless, function)) {
      return {};
    }
    if (!reference.name.empty()) continue;
    if (name.starts_with('$')) name.remove_prefix(1);
    if (!name.starts_with(".Values.") || function == "default") return {};
    reference.name = name;
  }
  return reference;
}

std::optional<std::string> printed(const yaml::Node& values, std::string_view name) {
  const yaml::Node* node = &values;
  for (std::string_view key : text::split(name.substr(std::string_view(".Values.").size()), '.')) {
    // Helm reads `n` and `y` as booleans, which no name finds.
    yaml::Node read;
    read.kind = yaml::Kind::scalar;
    read.text = key;
    node = yaml::kubectl_type_of(read) == yaml::ScalarType::boolean ? nullptr : node->find(key);
    if (node == nullptr) return {};
  }
  const auto number = text::whole_number(node->text);
  if (node->quoted || !number || static_cast<double>(*number) < smallest_fraction) return {};
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(),
                                 static_cast<double>(*number), std::chars_format::scientific);
  return std::string(digits.data(), end.ptr);
}

// Other characters of the same string are beside it, or the name of an option.
bool is_in_string(std::string_view text, size_t begin, size_t end) {
  const std::string_view line = text.substr(text::line_begin(text, begin));
  const std::string_view before = line.substr(0, line.size() - (text.size() - begin));
  const char next = end < text.size() ? text[end] : '\n';
  const auto is_of_string = [](char c) {
    return ascii::is_letter_or_digit(c) || contains(std::string_view("\"'=/_.-"), c);
  };
  if (text::trim(before).starts_with('#') || before.empty()) return false;
  if (is_of_string(next) || is_of_string(before.back())) return true;
  const std::string_view bare = text::trim(before);
  const std::string_view word = bare.substr(std::min(bare.rfind(' ') + 1, bare.size()));
  return word.size() > 1 && word.starts_with('-');
}

}  // namespace

std::vector<PrintedNumber> printed_numbers(const Excerpt& excerpt, std::string_view file,
                                           const yaml::Node& values) {
  std::vector<PrintedNumber> found;
  const std::string_view text = excerpt.text;
  for (size_t at = 0; (at = text.find("$X", at)) != text.npos;) {
    const size_t end = std::min(text.find_first_not_of('X', at + 1), text.size());
    const std::string_view mark = file.substr(std::min(excerpt.host(at), file.size()), end - at);
    const auto reference = reference_in(mark);
    const auto number = reference ? printed(values, reference->name) : std::nullopt;
    if (number && (reference->is_quoted || is_in_string(text, at, end)))
      found.push_back({at, end, std::string(reference->name), *number});
    at = end;
  }
  return found;
}

}  // namespace flexslice::extract
