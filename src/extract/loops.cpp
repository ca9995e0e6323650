#include "extract/loops.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>

#include "base/lists.hpp"
#include "base/text.hpp"
#include "extract/shell_words.hpp"

namespace flexslice::extract {

using std::size_t;

namespace {

constexpr size_t most_values = 32;
// Loops around a command further out do not matter: keeps time linear.
constexpr size_t deepest_loop = 16;

struct NumberRange {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

// `{0..3}`, `$(seq 0 3)`, `$(seq 4)`.
std::optional<NumberRange> range_in(std::string_view text) {
  const auto between = [&](std::string_view opening, std::string_view closing) {
    const bool is = text.starts_with(opening) && text.ends_with(closing);
    return is ? text.substr(opening.size(), text.size() - opening.size() - closing.size())
              : std::string_view{};
  };
  std::optional<std::int64_t> first = 1, last;
  if (const auto braces = between("{", "}"); !braces.empty()) {
    const size_t dots = braces.find("..");
    if (dots == braces.npos) return {};
    first = text::whole_number(braces.substr(0, dots));
    last = text::whole_number(braces.substr(dots + 2));
  } else if (const auto seq = between("$(seq ", ")"); !seq.empty()) {
    const size_t blank = seq.find(' ');
    if (blank != seq.npos) first = text::whole_number(seq.substr(0, blank));
    last = text::whole_number(blank == seq.npos ? seq : seq.substr(blank + 1));
  }
  if (!first || !last || *first > *last || *last - *first >= static_cast<int>(most_values))
    return {};
  return NumberRange{*first, *last};
}

// Nothing where a word is not literal.
std::vector<std::string> values_of(std::string_view script, std::span<const Word> words) {
  std::vector<std::string> values;
  for (const Word& word : words) {
    const auto raw = script.substr(word.where.begin, word.where.end - word.where.begin);
    if (const auto range = range_in(raw)) {
      for (std::int64_t i = range->first; i <= range->last; ++i)
        values.push_back(fmt::format("{}", i));
    } else if (word.unknown || word.text.find_first_of("*?[{") != std::string::npos) {
      return {};
    } else {
      values.push_back(word.text);
    }
    if (values.size() > most_values) return {};
  }
  return values;
}

// Of `for X in …`; names are empty where the words are none of a loop.
ScriptLoop read_loop(std::string_view script, std::span<const Word> words) {
  ScriptLoop loop;
  if (words.size() < 2) return loop;
  loop.where = words[0].where;
  if (words[1].text.starts_with("$((")) {  // `for ((i = 0; …))`
    std::string_view inner = script.substr(words[1].where.begin + 2);
    text::take(inner, [](char c) { return c == ' ' || c == '('; });
    if (const auto name = variable_name(inner); !name.empty()) loop.names.emplace_back(name);
    return loop;
  }
  const std::string& name = words[1].text;
  if (variable_name(name) != name || (words.size() > 2 && words[2].text != "in")) return loop;
  loop.names.push_back(name);
  if (words.size() > 3) loop.values = values_of(script, words.subspan(3));
  return loop;
}

bool uses(const Word& word, const ScriptLoop& loop) {
  std::string_view rest = word.text;
  for (size_t dollar; (dollar = rest.find('$')) != rest.npos;) {
    rest.remove_prefix(dollar + 1);
    if (rest.starts_with('{')) rest.remove_prefix(1);
    if (contains(loop.names, variable_name(rest))) return true;
  }
  return false;
}

}  // namespace

void OpenLoops::open(ScriptLoop loop, const Word& first, size_t end, size_t commands) {
  loop.body = end;
  loop.first_command = commands;
  loop.is_unrolled = unrolls_ && open_.empty() && !loop.values.empty();
  if (loop.is_unrolled) {
    variables_.set(loop.names[0], loop.values[loop.next++], first.where, true);
  } else {
    for (const std::string& name : loop.names) variables_.set(name, {}, first.where, false);
  }
  open_.push_back(std::move(loop));
}

void OpenLoops::close(size_t end) {
  if (open_.empty()) return;
  ScriptLoop& loop = open_.back();
  const size_t length = end - loop.body;
  if (!loop.is_unrolled || loop.next == loop.values.size() || length > repeatable_) {
    open_.pop_back();
    return;
  }
  repeatable_ -= length;
  variables_.set(loop.names[0], loop.values[loop.next++], loop.where, true);
  repeat_from_ = loop.body;
}

void OpenLoops::follow_keyword(const Word& keyword, std::span<const Word> words, size_t end,
                               size_t commands) {
  if (keyword.text != "while" && keyword.text != "until") return;
  ScriptLoop loop;
  loop.where = keyword.where;
  if (!words.empty() && words[0].text == "read") {
    for (const Word& word : words.subspan(1)) {
      if (variable_name(word.text) == word.text) loop.names.push_back(word.text);
    }
  }
  open(std::move(loop), keyword, end, commands);
}

void OpenLoops::follow(std::span<const Word> words, size_t end, size_t commands) {
  if (words.empty()) return;
  const std::string_view command = words[0].text;
  if (command == "done") close(end);
  if (command != "for" && command != "select") return;
  if (ScriptLoop loop = read_loop(script_, words); !loop.names.empty())
    open(std::move(loop), words[0], end, commands);
}

Span OpenLoops::unknown_loop(const Command& command) const {
  const size_t outer = open_.size() - std::min(open_.size(), deepest_loop);
  for (const ScriptLoop& loop : std::span(open_).subspan(outer)) {
    const auto is_used = [&](const Word& word) { return word.unknown && uses(word, loop); };
    if (!loop.is_unrolled && any_of(command.words, is_used)) return loop.where;
  }
  return {};
}

bool OpenLoops::is_repeated(const Command& command, std::span<const Command> commands) const {
  if (open_.empty() || !open_[0].is_unrolled || open_[0].next == 1) return false;
  const auto is_same = [](const Word& a, const Word& b) {
    return a.where == b.where && a.text == b.text;
  };
  return any_of(commands.subspan(open_[0].first_command), [&](const Command& each) {
    return std::ranges::equal(each.words, command.words, is_same);
  });
}

}  // namespace flexslice::extract
