#include "base/quantity.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "base/ascii.hpp"
#include "base/text.hpp"

namespace flexslice {

namespace {

using Nano = Quantity::Nano;
using Suffix = Quantity::Suffix;

constexpr std::string_view decimal_suffixes[] = {"n", "u", "m", "",  "k",
                                                 "M", "G", "T", "P", "E"};  // from 10^-9, by 10^3
constexpr std::string_view binary_suffixes[] = {"",   "Ki", "Mi", "Gi",
                                                "Ti", "Pi", "Ei"};  // from 2^0, by 2^10
constexpr int lowest_exponent = -9;

// A suffix multiplies the number before it by this power.
struct Scale {
  Suffix suffix = Suffix::decimal;
  int exponent = 0;  // of 10; binary: of 1024
};

std::optional<Scale> read_suffix(std::string_view text) {
  const auto decimal = std::ranges::find(decimal_suffixes, text) - decimal_suffixes;
  if (decimal < std::ssize(decimal_suffixes))
    return Scale{Suffix::decimal, lowest_exponent + 3 * static_cast<int>(decimal)};
  const auto binary = std::ranges::find(binary_suffixes, text) - binary_suffixes;
  if (binary < std::ssize(binary_suffixes)) return Scale{Suffix::binary, static_cast<int>(binary)};
  if (!text::take_one_of(text, "eE")) return std::nullopt;
  const bool negative = text.starts_with('-');
  text::take_one_of(text, "+-");
  const std::optional<std::int64_t> digits = text::whole_number(text);
  if (!digits) return std::nullopt;
  // Beyond this every amount is the largest, or the smallest.
  const int exponent = static_cast<int>(std::min<std::int64_t>(*digits, 1000));
  return Scale{Suffix::exponent, negative ? -exponent : exponent};
}

// A decimal number, whose first digit is worth 10^(exponent - 1), in nano-units. Digits below one
// nano-unit round it up.
Nano decimal_amount(std::string_view number, int exponent) {
  Nano amount = 0;
  int places = exponent - lowest_exponent;  // digits that count
  for (char digit : number) {
    if (digit == '.') continue;
    if (places <= 0) {
      if (digit != '0') return amount + 1;
      continue;
    }
    amount = amount * 10 + (digit - '0');
    --places;
    if (amount > Quantity::max) return Quantity::max;
  }
  for (; places > 0 && amount > 0 && amount <= Quantity::max; --places) amount *= 10;
  return std::min(amount, Quantity::max);
}

}  // namespace

std::string Quantity::text() const {
  if (nano == 0) return "0";
  const Nano kibi = 1024 * unit;
  const bool binary = suffix == Suffix::binary && is_integer() && (nano >= kibi || nano <= -kibi);
  const int factor = binary ? 1024 : 1000;
  Nano digits = binary ? nano / unit : nano;
  int steps = 0;
  for (; digits % factor == 0; digits /= factor) ++steps;
  const int exponent = lowest_exponent + 3 * steps;
  if (binary) return fmt::format("{}{}", digits, binary_suffixes[steps]);
  if (suffix != Suffix::exponent) return fmt::format("{}{}", digits, decimal_suffixes[steps]);
  return exponent == 0 ? fmt::format("{}", digits) : fmt::format("{}e{}", digits, exponent);
}

Quantity& Quantity::operator+=(const Quantity& other) {
  if (nano == 0) suffix = other.suffix;
  nano = std::clamp<Nano>(nano + other.nano, -max, max);
  return *this;
}

Quantity operator*(Quantity quantity, std::int64_t count) {
  // Beyond 2^63 units and 10^9 of these, 128 bits have no room for a large count.
  const Nano most = count == 0 ? Quantity::max : Quantity::max / count;
  const bool fits = quantity.nano <= most && quantity.nano >= -most;
  quantity.nano = fits ? quantity.nano * count : quantity.nano < 0 ? -Quantity::max : Quantity::max;
  return quantity;
}

std::optional<Quantity> parse_quantity(std::string_view text) {
  const bool negative = text.starts_with('-');
  text::take_one_of(text, "+-");
  const std::string_view number = text;
  const std::size_t point = text::take(text, ascii::is_digit);
  const bool decimals = text::take_one_of(text, ".") && text::take(text, ascii::is_digit) > 0;
  const std::optional<Scale> scale = read_suffix(text);
  if (!scale || (point == 0 && !decimals)) return std::nullopt;
  const bool binary = scale->suffix == Suffix::binary;
  Nano amount = decimal_amount(number.substr(0, number.size() - text.size()),
                               static_cast<int>(point) + (binary ? 0 : scale->exponent));
  for (int power = binary ? scale->exponent : 0; power > 0; --power)
    amount = std::min(amount * 1024, Quantity::max);
  return Quantity{negative ? -amount : amount, scale->suffix};
}

}  // namespace flexslice
