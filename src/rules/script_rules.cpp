// Scripts as a whole: quotes without an end, and variables that have no value where they are used.
#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <string>

#include "base/ascii.hpp"
#include "base/lines.hpp"
#include "base/slip.hpp"
#include "base/text.hpp"
#include "rules/command_rules.hpp"
#include "yaml/embedded.hpp"

namespace flexslice::rules {

using extract::Command;
using extract::Word;

namespace {

constexpr auto nowhere = std::string_view::npos;

// Flags whose value must be there.
constexpr std::string_view needed_values[] = {
    "--cluster",   "--location",     "--zone",     "--region",       "--node-locations",
    "--num-nodes", "--machine-type", "--tpu-type", "--tpu-topology", "--num-slices"};

// Many shorter words are one letter away from each other.
constexpr std::size_t shortest_slip = 4;

bool row_lists(yaml::View list, std::string_view item) {
  return any_of(list, [&](yaml::View each) { return each.text() == item; });
}

std::string longer_path(std::string_view path, std::string_view word) {
  return path.empty() ? std::string(word) : fmt::format("{} {}", path, word);
}

std::string_view leading_name(std::string_view text) {
  if (text.empty() || ascii::is_digit(text.front())) return {};
  return text.substr(0, text::find_if(text, 0, std::not_fn(ascii::is_word)));
}

// The name in `$X` or `${X}`.
std::string_view plain_name(std::string_view part) {
  if (!part.starts_with('$')) return {};
  part.remove_prefix(1);
  const bool has_braces = text::take_one_of(part, "{");
  const std::string_view name = leading_name(part);
  const std::string_view after = part.substr(name.size());
  return has_braces ? (after == "}" ? name : std::string_view()) : name;
}

// Finds the name as a word of its own in the text, but not as the value of the variable; `from`:
// where to begin.
std::size_t mention_of(std::string_view name, std::string_view text, std::size_t from) {
  for (std::size_t at = from; (at = text.find(name, at)) != nowhere; at += name.size()) {
    const char before = at == 0 ? ' ' : text[at - 1];
    const char after = at + name.size() < text.size() ? text[at + name.size()] : ' ';
    if (!ascii::is_word(before) && before != '$' && before != '{' && !ascii::is_word(after))
      return at;
  }
  return nowhere;
}

bool sets_from_elsewhere(std::string_view text) {
  constexpr std::string_view signs[] = {"source ", ". ", "eval ", "set -a", "env "};
  return any_of(signs, [&](std::string_view sign) {
    return text.starts_with(sign) || text.find(fmt::format("\n{}", sign)) != nowhere;
  });
}

// A line that begins without blanks is in no function, whose call may come later.
void judge_use_of(const Command& command, const Word& word, std::string_view text, Sink& sink) {
  for (const extract::Unfilled& part : word.unfilled) {
    const std::string_view name = plain_name(part.text);
    const std::size_t use = command.where.begin;
    if (name.size() < 2 || text::line_begin(text, use) != use) continue;
    const std::size_t first = mention_of(name, text, 0);
    if (first == nowhere || first < part.where.end) continue;
    const std::size_t line = text::line_begin(text, first);
    const std::string_view set = text.substr(line, text::line_end(text, first) - line);
    const std::string_view value = set.substr(first - line + name.size());
    const std::string_view before = set.substr(0, first - line);
    if (!value.starts_with('=') || (before != "" && before != "export ") ||
        value.find(fmt::format("${}", name)) != nowhere ||
        value.find(fmt::format("${{{}", name)) != nowhere ||
        sets_from_elsewhere(text.substr(0, use)))
      continue;
    sink.report<Code::VariableSetLater>(part.where, name)
        .also({part.where.source, first, first + name.size()}, "it is set here")
        .help("set it above");
  }
}

void judge_empty(const Command& command, std::size_t index, std::string_view text, Sink& sink) {
  const Word& word = command.words[index];
  const bool is_whole = word.text.ends_with('=');
  if (word.set_at == Span{} || word.unknown || (!is_whole && !word.text.empty()) ||
      word.set_at.end > text.size())
    return;
  std::string_view flag = word.text;
  if (!is_whole) flag = index == 0 ? std::string_view() : command.words[index - 1].text;
  if (is_whole) flag.remove_suffix(1);
  const std::string_view set = text.substr(word.set_at.begin, word.set_at.end - word.set_at.begin);
  const std::string_view name = leading_name(set);
  const std::string_view value = set.substr(std::min(name.size(), set.size()));
  if (!contains(needed_values, flag) || name.empty() ||
      (value != "=" && value != "=\"\"" && value != "=''"))
    return;
  sink.report<Code::VariableEmpty>(word.where, flag, name).also(word.set_at, "it is set here");
}

// `-n $NAME` without quotes, where the value is empty and the word is gone.
void judge_lost_namespace(const Command& command, std::size_t index, std::string_view text,
                          Sink& sink) {
  const std::string_view option = command.words[index].text;
  if (!command.is_open || (option != "-n" && option != "--namespace") ||
      !command.words[0].text.ends_with("kubectl"))
    return;
  const Span where = command.words[index].where;
  const std::size_t begin = text.find_first_not_of(" \t", where.end);
  if (begin == nowhere || text[begin] != '$') return;
  const std::size_t end = std::min(text.find_first_of(" \t\r\n;|&", begin), text.size());
  if (index + 1 < command.words.size() && command.words[index + 1].where.begin < end) return;
  sink.report<Code::VariableEmpty>({where.source, begin, end}, option,
                                   plain_name(text.substr(begin, end - begin)))
      .note("without quotes and a value, `-n` takes the next word as the namespace");
}

void judge_quote(const Command& command, std::size_t index, bool is_embedded, Sink& sink) {
  const Word& word = command.words[index];
  if (!word.unfinished) return;
  const std::size_t equals = word.text.find('=');
  std::string_view flag = word.text.starts_with("--") && equals != nowhere
                              ? std::string_view(word.text).substr(0, equals)
                          : index > 0 ? std::string_view(command.words[index - 1].text)
                                      : std::string_view(word.text);
  if (flag.empty()) flag = word.text;
  diag::Diagnostic& finding = sink.report<Code::QuoteUnfinished>(word.where, flag);
  if (is_embedded) finding.level = diag::Level::warning;
}

}  // namespace

void judge_script(const extract::Script& script, std::string_view text, bool is_embedded,
                  Sink& sink) {
  for (const Command& command : script.commands) {
    for (std::size_t i = 0; i < command.words.size(); ++i) {
      judge_quote(command, i, is_embedded, sink);
      if (is_embedded) continue;
      judge_use_of(command, command.words[i], text, sink);
      judge_empty(command, i, text, sink);
      judge_lost_namespace(command, i, text, sink);
    }
  }
}

void judge_subcommand(const Command& command, Sink& sink) {
  if (command.words.empty()) return;
  const std::string_view first = command.words[0].text;
  const std::string_view program = first.substr(first.rfind('/') + 1);
  for (const yaml::View row : embedded::root_of(embedded::kubernetes, "rules/subcommands.yaml")) {
    if (!row_lists(row.find("programs"), program)) continue;
    std::string path;
    for (std::size_t i = 1; i < command.words.size(); ++i) {
      const Word& word = command.words[i];
      if (word.unknown || word.may_split || word.unfinished) return;
      if (word.text.starts_with('-')) {
        if (row_lists(row.find("valued"), word.text)) {
          ++i;
        } else if (word.text.find('=') == nowhere) {
          return;
        }
        continue;
      }
      const yaml::View following = row.find("after").find(path);
      if (!following) return;
      const auto names = text::split(following.text(), ' ');
      const auto near = std::ranges::find_if(
          names, [&](std::string_view name) { return text::is_slip(word.text, name); });
      if (!contains(names, std::string_view(word.text))) {
        if (near == names.end() || word.text.size() < shortest_slip) return;
        sink.report<Code::SubcommandMisspelled>(word.where, program, longer_path(path, word.text))
            .help("did you mean `{}`?", *near);
        return;
      }
      path = longer_path(path, word.text);
    }
  }
}

bool is_namespace(const extract::Script& script, Span where) {
  return any_of(script.commands, [&](const Command& command) {
    for (std::size_t i = 1; i + 1 < command.words.size(); ++i) {
      const std::string_view option = command.words[i].text;
      if ((option == "-n" || option == "--namespace") && command.words[i + 1].where == where)
        return command.words[0].text.ends_with("kubectl");
    }
    return false;
  });
}

}  // namespace flexslice::rules
