#include "diag/diag.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <tuple>

#include "base/ascii.hpp"

namespace flexslice::diag {

namespace {

auto has_level(Level level) {
  return [level](const Diagnostic& finding) { return finding.level == level; };
}

}  // namespace

std::string code_text(Code code) { return "FS" + std::to_string(static_cast<int>(code)); }

std::string summary(const Row& row) {
  std::string text;
  if (row.message != "{}") {
    text = row.message;
    for (const auto& [from, to] : {std::pair{"{}", "\xE2\x80\xA6"}, {"{{", "{"}, {"}}", "}"}}) {
      for (std::size_t at; (at = text.find(from)) != std::string::npos;) text.replace(at, 2, to);
    }
    return text;
  }
  for (char c : row.name) {
    if (ascii::is_upper(c) && !text.empty()) text += ' ';
    text += ascii::to_lower(c);
  }
  return text;
}

const Row* find_row(std::string_view text) {
  if (text.size() == 6 && (text.starts_with("FS") || text.starts_with("fs"))) text.remove_prefix(2);
  const auto number = text::whole_number(text);
  for (const Row& each : rows) {
    if (number == static_cast<int>(each.code)) return &each;
  }
  return nullptr;
}

Level level_of(Confidence confidence) {
  return confidence == Confidence::high     ? Level::error
         : confidence == Confidence::medium ? Level::soft
                                            : Level::warning;
}

Diagnostic& Diagnostic::note(std::string text) {
  notes.push_back(std::move(text));
  return *this;
}

Diagnostic& Diagnostic::help(std::string text) {
  helps.push_back(std::move(text));
  return *this;
}

Diagnostic& Diagnostic::fix(Span at, std::string text) {
  fixes.push_back({at, std::move(text)});
  return *this;
}

Diagnostic& Diagnostic::judged(Confidence confidence) {
  level = level_of(confidence);
  return *this;
}

std::size_t Sink::errors() const {
  return found_.size() - static_cast<std::size_t>(std::count_if(found_.begin(), found_.end(),
                                                                has_level(Level::warning)));
}

std::size_t Sink::hard_errors() const {
  return static_cast<std::size_t>(
      std::count_if(found_.begin(), found_.end(), has_level(Level::error)));
}

std::vector<Diagnostic> Sink::take() {
  const auto place = [](const Diagnostic& each) {
    return std::tuple(each.where.source, each.where.begin, each.code);
  };
  std::stable_sort(found_.begin(), found_.end(),
                   [&](const auto& a, const auto& b) { return place(a) < place(b); });
  const auto same = [](const Diagnostic& a, const Diagnostic& b) {
    return a.code == b.code && a.where == b.where && a.message == b.message;
  };
  found_.erase(std::unique(found_.begin(), found_.end(), same), found_.end());
  return std::move(found_);
}

Diagnostic& Sink::add(Code code, Span where, std::string message) {
  found_.push_back({code, row(code).level, where, std::move(message), {}, {}, {}});
  return found_.back();
}

void did_you_mean(Diagnostic& diagnostic, std::string_view seen,
                  std::span<const std::string_view> candidates) {
  if (const auto near = text::nearest(seen, candidates))
    diagnostic.help(fmt::format("did you mean `{}`?", *near));
}

}  // namespace flexslice::diag
