// Limits of the API server and of Linux that the pattern of a text does not show.
#include <fmt/core.h>

#include "base/quantity.hpp"
#include "base/text.hpp"
#include "rules/rules.hpp"
#include "schema/pattern.hpp"

namespace flexslice::rules {

namespace {

std::int64_t whole_bytes(const Quantity& quantity) {
  return static_cast<std::int64_t>(quantity.nano / Quantity::unit);
}

// An amount of whole bytes that is close to what was written: of `698.7Gi` the whole `698Gi`, of
// `0.3Gi` as many whole Mi; empty: there is none.
std::string whole_amount(std::string_view amount) {
  const auto is_good = [](std::string_view text) {
    const auto quantity = parse_quantity(text);
    return quantity && quantity->is_integer() && quantity->nano > 0;
  };
  if (is_good(amount)) return std::string(amount);
  const std::size_t point = amount.find('.');
  const std::size_t unit = amount.find_first_not_of("0123456789.");
  if (point == amount.npos || unit == amount.npos) return {};
  std::string whole = fmt::format("{}{}", amount.substr(0, point), amount.substr(unit));
  if (is_good(whole)) return whole;
  const auto quantity = parse_quantity(amount);
  constexpr Quantity::Nano mebi = Quantity::gibi >> 10;
  if (!quantity || quantity->nano < mebi) return {};
  return fmt::format("{}Mi", static_cast<std::int64_t>(quantity->nano / mebi));
}

}  // namespace

void report_argument(Sink& sink, Span where, std::string_view what, std::size_t bytes) {
  sink.report<Code::ArgumentTooLong>(where, what, bytes, longest_argument)
      .help("put it into the image, or into a ConfigMap that is mounted as a volume");
}

void judge_bytes(Sink& sink, Span where, std::string_view amount) {
  const std::optional<Quantity> quantity = parse_quantity(amount);
  if (!quantity) return;
  const std::int64_t bytes = whole_bytes(*quantity);
  if (!quantity->is_integer()) {
    Diagnostic& finding = sink.report<Code::FractionalBytes>(where, amount);
    const auto number = amount.substr(0, amount.find_first_not_of("0123456789."));
    const std::string_view unit = amount.substr(number.size());
    if (unit.empty()) {
      const std::string with_unit = whole_amount(fmt::format("{}Gi", amount));
      if (!with_unit.empty()) finding.help("add a unit, such as `{}`", with_unit);
    } else if (unit == "m") {
      finding.note("`m` is a thousandth: {} is {}/1000 bytes", amount, number);
      const std::string meant = whole_amount(fmt::format("{}Mi", number));
      if (!meant.empty()) finding.help("did you mean `{}`?", meant);
    } else if (const std::string whole = whole_amount(amount); !whole.empty()) {
      finding.help("write a whole number, such as `{}`", whole);
    }
  } else if (bytes > 0 && bytes < least_bytes && text::whole_number(amount)) {
    sink.report<Code::BytesWithoutUnit>(where, amount, bytes).help("did you mean `{}Gi`?", amount);
  }
}

void judge_most_bytes(Sink& sink, Span where, std::string_view amount) {
  const std::optional<Quantity> quantity = parse_quantity(amount);
  const std::int64_t bytes = quantity ? whole_bytes(*quantity) : 0;
  if (bytes > most_bytes)
    sink.report<Code::TooManyBytes>(where, amount, bytes)
        .note("the API server counts at most {} bytes", most_bytes);
}

void judge_precision(Sink& sink, Span where, std::string_view amount) {
  constexpr Quantity::Nano milli = Quantity::unit / 1000;
  std::optional<Quantity> quantity = parse_quantity(amount);
  if (!quantity || quantity->nano <= 0 || quantity->nano % milli == 0) return;
  quantity->nano += milli - quantity->nano % milli;
  sink.report<Code::QuantityTooPrecise>(where, amount, quantity->text())
      .help("write `{}`", quantity->text());
}

namespace {

void judge_head(const Facts& facts, Sink& sink) {
  const spec::RayHead& head = facts.claims.workload.ray.head;
  if (head.cpu.usable()) judge_precision(sink, head.cpu.where.span, head.cpu.value);
  if (head.memory.usable()) judge_bytes(sink, head.memory.where.span, head.memory.value);
}

// The API server holds this duration in 32 bits.
void judge_seconds(const Facts& facts, Sink& sink) {
  const Text& duration = facts.claims.workload.ttl_after_finished;
  constexpr std::int64_t longest = INT32_MAX, day = 86'400;
  const auto seconds = duration.usable() ? *schema::duration_seconds(duration.value) : 0;
  if (seconds > longest)
    sink.report<Code::TooManySeconds>(duration, duration.value, seconds, longest)
        .note("{} seconds are {} days", longest, longest / day);
}

}  // namespace

Rules limit_rules() {
  static constexpr Rule rules[] = {judge_head, judge_seconds};
  return rules;
}

}  // namespace flexslice::rules
