#include "plan/limits.hpp"

#include <algorithm>

#include "base/quantity.hpp"

namespace flexslice::plan {

using diag::Code;
using diag::Diagnostic;

void check_argument(const Context& context, Span where, std::string_view what, std::size_t bytes) {
  constexpr std::size_t longest = 131'071;  // MAX_ARG_STRLEN of Linux is 128 KiB, with a zero byte at the end
  if (bytes <= longest) return;
  context.sink.report<Code::ArgumentTooLong>(where, what, bytes, longest)
      .help("put it into the image, or into a ConfigMap that is mounted as a volume");
}

void check_arguments(const Context& context) {
  const spec::Workload& workload = context.spec.workload;
  check_argument(context, workload.script.where.span, "`workload.script`", workload.script.value.size());
  const auto check_words = [&](std::string_view key, const record::List<record::Text>& words) {
    for (std::size_t i = 0; i < words.items.size(); ++i)
      check_argument(context, words.items[i].where.span, text::format("`workload.{}[{}]`", key, i), words.items[i].value.size());
  };
  check_words("command", workload.command);
  check_words("args", workload.args);
  for (const auto& [key, variable] : workload.env.entries) {
    const record::Text& value = variable.value;
    check_argument(context, value.where.span, text::format("`{}=…`", key.value), key.value.size() + 1 + value.value.size());
  }
}

void check_bytes(const Context& context, Span where, std::string_view amount) {
  // The API server counts in thousandths, in 64 bits.
  constexpr std::int64_t most = INT64_MAX / 1000;
  const std::optional<Quantity> bytes = parse_quantity(amount);
  if (!bytes) return;
  if (!bytes->is_whole()) {
    Diagnostic& found = context.sink.report<Code::FractionalBytes>(where, amount);
    const std::string_view number = amount.substr(0, amount.find('m'));
    if (number.size() < amount.size()) {
      found.note(text::format("`m` is a thousandth: {} is {}/1000 bytes", amount, number))
          .help(text::format("did you mean `{}Mi`?", number));
    } else {
      found.help(text::format("add a unit, such as `{}Gi`", amount));
    }
  } else if (bytes->nano / Quantity::unit > most) {
    context.sink.report<Code::TooManyBytes>(where, amount, static_cast<std::int64_t>(bytes->nano / Quantity::unit))
        .note(text::format("the API server counts at most {} bytes", most));
  }
}

void check_amounts(const Context& context) {
  const auto check = [&](const record::Text& amount) {
    if (usable(amount.where)) check_bytes(context, amount.where.span, amount.value);
  };
  const spec::Workload& workload = context.spec.workload;
  check(workload.resources.memory);
  check(workload.resources.ephemeral_storage);
  for (const spec::Volume& volume : workload.volumes.items) {
    check(volume.memory.size_limit);
    check(volume.empty_dir.size_limit);
  }
}

void check_deprecated(const Context& context, const record::Map<record::Text>& labels) {
  for (const auto& entry : labels.entries) {
    const catalog::Mistake* old = catalog::find_deprecated_label(context.catalog, entry.key.value);
    if (old == nullptr) continue;
    Diagnostic& found = context.sink.report<Code::DeprecatedLabel>(entry.key.where.span, entry.key.value)
                            .note(std::string(old->why))
                            .help(text::format("write `{}`", old->instead));
    const auto has_both = [&](const auto& each) { return each.key.value == old->instead; };
    if (std::none_of(labels.entries.begin(), labels.entries.end(), has_both)) found.fix(entry.key.where.span, std::string(old->instead));
  }
}

}  // namespace flexslice::plan
