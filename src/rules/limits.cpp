// Limits of the API server and of Linux that the pattern of a text does not show.
#include <fmt/core.h>

#include <algorithm>

#include "base/quantity.hpp"
#include "base/text.hpp"
#include "rules/rules.hpp"
#include "schema/pattern.hpp"

namespace flexslice::rules {

using diag::Code;
using diag::Diagnostic;

void judge_argument(const Subject& subject, Span where, std::string_view what, std::size_t bytes) {
  constexpr std::size_t longest =
      131'071;  // MAX_ARG_STRLEN of Linux is 128 KiB, with a zero byte at the end
  if (bytes <= longest) return;
  subject.sink.report<Code::ArgumentTooLong>(where, what, bytes, longest)
      .help("put it into the image, or into a ConfigMap that is mounted as a volume");
}

namespace {

void judge_arguments(const Subject& subject) {
  const claims::Workload& workload = subject.claims.workload;
  judge_argument(subject, workload.script.where.span, "`workload.script`",
                 workload.script.value.size());
  const auto check_words = [&](std::string_view key, const schema::List<schema::Text>& words) {
    for (std::size_t i = 0; i < words.items.size(); ++i)
      judge_argument(subject, words.items[i].where.span, fmt::format("`workload.{}[{}]`", key, i),
                     words.items[i].value.size());
  };
  check_words("command", workload.command);
  check_words("args", workload.args);
  for (const auto& [key, variable] : workload.env.entries) {
    const schema::Text& value = variable.value;
    judge_argument(subject, value.where.span, fmt::format("`{}=…`", key.value),
                   key.value.size() + 1 + value.value.size());
  }
}

}  // namespace

void judge_bytes(const Subject& subject, Span where, std::string_view amount) {
  // The API server counts in thousandths, in 64 bits.
  constexpr std::int64_t most = INT64_MAX / 1000;
  const std::optional<Quantity> bytes = parse_quantity(amount);
  if (!bytes) return;
  if (!bytes->is_whole()) {
    Diagnostic& found = subject.sink.report<Code::FractionalBytes>(where, amount);
    const std::string_view number = amount.substr(0, amount.find('m'));
    if (number.size() < amount.size()) {
      found.note(fmt::format("`m` is a thousandth: {} is {}/1000 bytes", amount, number))
          .help(fmt::format("did you mean `{}Mi`?", number));
    } else {
      found.help(fmt::format("add a unit, such as `{}Gi`", amount));
    }
  } else if (bytes->nano / Quantity::unit > most) {
    subject.sink
        .report<Code::TooManyBytes>(where, amount,
                                    static_cast<std::int64_t>(bytes->nano / Quantity::unit))
        .note(fmt::format("the API server counts at most {} bytes", most));
  }
}

namespace {

void judge_amounts(const Subject& subject) {
  const auto check = [&](const schema::Text& amount) {
    if (amount.where.usable()) judge_bytes(subject, amount.where.span, amount.value);
  };
  const claims::Workload& workload = subject.claims.workload;
  check(workload.resources.memory);
  check(workload.resources.ephemeral_storage);
  for (const claims::Volume& volume : workload.volumes.items) {
    check(volume.memory.size_limit);
    check(volume.empty_dir.size_limit);
  }
}

void judge_deprecated(const Subject& subject, const schema::Map<schema::Text>& labels) {
  for (const auto& entry : labels.entries) {
    const catalog::Mistake* old = catalog::find_deprecated_label(subject.catalog, entry.key.value);
    if (old == nullptr) continue;
    Diagnostic& found =
        subject.sink.report<Code::DeprecatedLabel>(entry.key.where.span, entry.key.value)
            .note(std::string(old->why))
            .help(fmt::format("write `{}`", old->instead));
    const auto has_both = [&](const auto& each) { return each.key.value == old->instead; };
    if (std::none_of(labels.entries.begin(), labels.entries.end(), has_both))
      found.fix(entry.key.where.span, std::string(old->instead));
  }
}

// The API server holds this duration in 32 bits.
void judge_seconds(const Subject& subject, const schema::Text& duration) {
  constexpr std::int64_t longest = INT32_MAX, day = 86'400;
  const std::int64_t seconds =
      duration.where.usable() ? *schema::duration_seconds(duration.value) : 0;
  if (seconds <= longest) return;
  subject.sink.report<Code::TooManySeconds>(duration.where.span, duration.value, seconds, longest)
      .note(fmt::format("{} seconds are {} days", longest, longest / day));
}

}  // namespace

void judge_sizes(const Subject& subject) {
  judge_arguments(subject);
  judge_amounts(subject);
  judge_deprecated(subject, subject.claims.workload.node_selector);
  judge_seconds(subject, subject.claims.workload.ttl_after_finished);
}

}  // namespace flexslice::rules
