// Small helpers for text that several passes need. No locale, no regular expressions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace flexslice::text {

std::vector<std::string_view> split(std::string_view text, char separator);
std::string_view trim(std::string_view text);  // blanks, tabs and line ends
std::string join(std::span<const std::string> parts, std::string_view separator);
std::string join(std::span<const std::string_view> parts, std::string_view separator);
std::string quoted_list(
    std::span<const std::string_view> words);  // each between backquotes, with commas
std::string lower(std::string_view text);      // ASCII letters only

// `1 host`, `4 hosts`.
std::string count(std::int64_t number, std::string_view noun);

// In capitals, with zeros before it up to so many digits.
std::string hexadecimal(std::uint32_t number, int digits);

// A whole decimal number without sign, or nothing: no blanks, no overflow, no leading `+`.
std::optional<std::int64_t> whole_number(std::string_view text);

// The candidate that is most likely meant, or nothing when none is near.
std::optional<std::string_view> nearest(std::string_view seen,
                                        std::span<const std::string_view> candidates);

}  // namespace flexslice::text
