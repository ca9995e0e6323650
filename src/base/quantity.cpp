#include "base/quantity.hpp"

#include <algorithm>
#include <iterator>

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

// What the number before a suffix is multiplied by.
struct Scale {
  Suffix suffix = Suffix::decimal;
  int exponent = 0;  // of 10; binary: of 1024
};

std::optional<Scale> read_suffix(std::string_view text) {
  const auto decimal = std::find(std::begin(decimal_suffixes), std::end(decimal_suffixes), text);
  if (decimal != std::end(decimal_suffixes))
    return Scale{Suffix::decimal,
                 lowest_exponent + 3 * static_cast<int>(decimal - decimal_suffixes)};
  const auto binary = std::find(std::begin(binary_suffixes), std::end(binary_suffixes), text);
  if (binary != std::end(binary_suffixes))
    return Scale{Suffix::binary, static_cast<int>(binary - binary_suffixes)};
  if (text.front() != 'e' && text.front() != 'E') return std::nullopt;
  text.remove_prefix(1);
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  const std::optional<std::int64_t> digits = text::whole_number(text);
  if (!digits) return std::nullopt;
  // Beyond this every amount is the largest, or the smallest.
  const int exponent = static_cast<int>(std::min<std::int64_t>(*digits, 1000));
  return Scale{Suffix::exponent, negative ? -exponent : exponent};
}

Nano clamp(Nano nano) { return std::clamp<Nano>(nano, -Quantity::max, Quantity::max); }

// A decimal number, 0.DIGITS times 10^exponent, in nano-units. Digits below one nano-unit round it
// up.
Nano decimal_amount(std::string_view digits, int exponent) {
  Nano amount = 0;
  int places = exponent - lowest_exponent;  // digits that count
  for (char digit : digits) {
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

// Digits of `number` without those zeros at the end that come in threes, which `exponent` counts
// instead.
std::string shorten(Nano number, Nano factor, int step, int& exponent) {
  while (number % factor == 0) {
    number /= factor;
    exponent += step;
  }
  std::string digits;
  for (; number > 0; number /= 10)
    digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(number % 10)));
  return digits;
}

}  // namespace

std::string Quantity::text() const {
  if (nano == 0) return "0";
  const std::string sign = nano < 0 ? "-" : "";
  const Nano amount = nano < 0 ? -nano : nano;
  if (suffix == Suffix::binary && amount >= 1024 * unit && is_whole()) {
    int power = 0;
    const std::string digits = shorten(amount / unit, 1024, 1, power);
    return sign + digits + std::string(binary_suffixes[power]);
  }
  int exponent = lowest_exponent;
  const std::string digits = sign + shorten(amount, 1000, 3, exponent);
  if (suffix != Suffix::exponent)
    return digits + std::string(decimal_suffixes[(exponent - lowest_exponent) / 3]);
  return exponent == 0 ? digits : digits + "e" + std::to_string(exponent);
}

Quantity& Quantity::operator+=(const Quantity& other) {
  if (nano == 0) suffix = other.suffix;
  nano = clamp(nano + other.nano);
  return *this;
}

Quantity operator*(Quantity quantity, std::int64_t count) {
  const Nano amount = quantity.nano < 0 ? -quantity.nano : quantity.nano;
  if (count != 0 && amount > Quantity::max / count)
    return {quantity.nano < 0 ? -Quantity::max : Quantity::max, quantity.suffix};
  quantity.nano *= count;
  return quantity;
}

std::optional<Quantity> parse_quantity(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  const std::size_t end = std::min(text.find_first_not_of("0123456789."), text.size());
  const std::string_view number = text.substr(0, end);
  const std::size_t point = std::min(number.find('.'), number.size());
  std::string digits(number);
  if (point < number.size()) digits.erase(point, 1);
  if (digits.empty() || digits.find('.') != std::string::npos) return std::nullopt;
  const std::optional<Scale> scale = read_suffix(text.substr(end));
  if (!scale) return std::nullopt;
  const bool binary = scale->suffix == Suffix::binary;
  Nano amount = decimal_amount(digits, static_cast<int>(point) + (binary ? 0 : scale->exponent));
  for (int power = binary ? scale->exponent : 0; power > 0; --power)
    amount = std::min(amount * 1024, Quantity::max);
  return Quantity{negative ? -amount : amount, scale->suffix};
}

}  // namespace flexslice
