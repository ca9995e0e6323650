#include "diag/diag.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <tuple>

#include "base/credentials.hpp"

namespace flexslice::diag {

std::string code_text(Code code) { return fmt::format("FS{}", static_cast<int>(code)); }

namespace {

// Calls `value` with the name of each value of the message, and returns what it makes of all.
template <class Replace>
std::string with_values(std::string_view message, const Replace& value) {
  std::string text;
  for (;;) {
    const std::size_t open = message.find('{');
    text += message.substr(0, open);
    if (open == std::string_view::npos) return text;
    const std::size_t close = message.find('}', open);
    text += value(message.substr(open + 1, close - open - 1));
    message.remove_prefix(close + 1);
  }
}

}  // namespace

std::string summary(const Row& row) {
  return with_values(row.message(),
                     [](std::string_view name) { return fmt::format("<{}>", name); });
}

std::string message(Code code, std::span<const std::string> values) {
  auto next = values.begin();
  return masked(with_values(row(code).message(), [&](std::string_view) { return *next++; }));
}

namespace {

struct MergedCode {
  int number;
  Code now;
};

constexpr MergedCode merged_codes[] = {
#define FS_CODE(name, number, level, values, of_run)
#define FS_MERGED(number, now) {number, static_cast<Code>(now)},
#include "diag/codes.inl"
#undef FS_MERGED
#undef FS_CODE
};

}  // namespace

std::vector<std::string> earlier_codes(Code code) {
  std::vector<std::string> codes;
  for (const MergedCode& merged : merged_codes) {
    if (merged.now == code) codes.push_back(fmt::format("FS{}", merged.number));
  }
  return codes;
}

const Row* find_row(std::string_view text) {
  if (text.size() == 6 && (text.starts_with("FS") || text.starts_with("fs"))) text.remove_prefix(2);
  auto number = text::whole_number(text);
  for (const MergedCode& merged : merged_codes) {
    if (number == merged.number) number = static_cast<int>(merged.now);
  }
  for (const Row& each : rows) {
    if (number == static_cast<int>(each.code)) return &each;
  }
  return nullptr;
}

Diagnostic& Diagnostic::note(std::string text) {
  notes.push_back(masked(std::move(text)));
  return *this;
}

Diagnostic& Diagnostic::help(std::string_view text) {
  if (!text.empty()) helps.push_back(masked(std::string(text)));
  return *this;
}

Diagnostic& Diagnostic::note_formatted(fmt::string_view text, fmt::format_args values) {
  return note(fmt::vformat(text, values));
}

Diagnostic& Diagnostic::help_formatted(fmt::string_view text, fmt::format_args values) {
  return help(fmt::vformat(text, values));
}

Diagnostic& Diagnostic::fix(Span at, std::string text) {
  fixes.push_back({at, std::move(text)});
  return *this;
}

Diagnostic& Diagnostic::choice(Span at, std::string text) {
  choices.push_back({at, std::move(text)});
  return *this;
}

Diagnostic& Diagnostic::also(Span at, std::string text) {
  related.push_back({masked(std::move(text)), at});
  return *this;
}

Diagnostic& Diagnostic::also(std::string file, Position at, std::string text) {
  related.push_back({masked(std::move(text)), {}, std::move(file), at});
  return *this;
}

std::span<const Edit> Diagnostic::shown_fixes() const {
  const bool is_secret =
      std::ranges::any_of(fixes, [](const Edit& edit) { return has_credential(edit.text); });
  return is_secret ? std::span<const Edit>() : fixes;
}

Diagnostic& Diagnostic::judged(Confidence confidence) {
  level = confidence == Confidence::high     ? Level::error
          : confidence == Confidence::medium ? Level::soft
                                             : Level::warning;
  return *this;
}

std::size_t errors(std::span<const Diagnostic> findings) {
  return static_cast<std::size_t>(std::ranges::count_if(
      findings, [](Level level) { return level <= Level::soft; }, &Diagnostic::level));
}

Diagnostic& Sink::report_values(Code code, Span where, fmt::format_args values) {
  std::vector<std::string> texts;
  for (int i = 0; i < row(code).values; ++i)
    texts.push_back(fmt::vformat(fmt::format("{{{}}}", i), values));
  return add({code, row(code).level, where, message(code, texts), {}, {}, {}});
}

std::size_t Sink::hard_errors() const {
  return static_cast<std::size_t>(std::ranges::count(found_, Level::error, &Diagnostic::level));
}

std::vector<Diagnostic> Sink::take() {
  std::ranges::stable_sort(found_, {}, [](const Diagnostic& finding) {
    return std::tuple(finding.where.source, finding.where.begin, finding.code);
  });
  const auto same = [](const Diagnostic& a, const Diagnostic& b) {
    return a.code == b.code && a.where == b.where && a.message == b.message;
  };
  found_.erase(std::unique(found_.begin(), found_.end(), same), found_.end());
  return std::move(found_);
}

void did_you_mean(Diagnostic& diagnostic, std::string_view seen,
                  std::span<const std::string_view> candidates) {
  if (const auto near = text::nearest(seen, candidates))
    diagnostic.help(fmt::format("did you mean `{}`?", *near));
}

}  // namespace flexslice::diag
