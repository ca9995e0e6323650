#include "extract/nested.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "base/lists.hpp"
#include "base/text.hpp"
#include "extract/parameters.hpp"
#include "extract/shell_words.hpp"
#include "yaml/embedded.hpp"

namespace flexslice::extract {

using std::size_t;
using yaml::View;

namespace {

constexpr std::string_view run_programs[] = {"gcloud", "kubectl", "xpk",  "xpk.py", "gcluster",
                                             "sh",     "bash",    "dash", "ash",    "zsh"};
constexpr size_t longest_literal = 16;  // that is looked for after the value of a variable

View wrapper_rows() { return embedded::root_of(embedded::kubernetes, "extract/wrappers.yaml"); }

std::string_view name_of_program(std::string_view word) { return word.substr(word.rfind('/') + 1); }

bool has_item(View list, std::string_view word) {
  return list && any_of(list, [&](View each) { return each.text() == word; });
}

View wrapper_row(std::string_view program) {
  for (const View row : wrapper_rows()) {
    if (!row.find("rewrites") && has_item(row.find("programs"), program)) return row;
  }
  return {};
}

// Puts the bytes of a word beside those that a shell made of it, so that each has its place.
class WordAligner {
 public:
  WordAligner(const Excerpt& script, size_t begin, size_t end, Excerpt& to)
      : script_(script),
        raw_(std::string_view(script.text).substr(begin, end - begin)),
        begin_(begin),
        to_(to) {}

  void append(std::string_view value) {
    value_ = value;
    while (done_ < value_.size() && at_ < raw_.size()) {
      if (skip_quotes()) continue;
      if (raw_[at_] == '$' && quote_ != '\'' && !is_copied()) {
        if (!expansion()) break;
      } else if (raw_[at_] == value_[done_]) {
        ++at_;
        ++done_;
        ++run_;
      } else {
        break;
      }
    }
    flush();
    if (done_ == value_.size()) return;
    // The rest of the value gets the place of the whole rest of the text.
    const size_t from = std::min(at_, raw_.empty() ? 0 : raw_.size() - 1);
    append_in_place(to_, value_.substr(done_), script_.host(begin_ + from),
                    std::max<size_t>(raw_.size() - from, 1));
  }

 private:
  bool skip_quotes() {
    const char c = raw_[at_];
    if ((c == '\'' && quote_ != '"') || (c == '"' && quote_ != '\'')) {
      flush();
      quote_ = quote_ == c ? '\0' : c;
      ++at_;
      return true;
    }
    if (c != '\\' || quote_ == '\'' || at_ + 1 == raw_.size()) return false;
    const char next = raw_[at_ + 1];
    if (next == '\n') {
      flush();
      at_ += 2;
      return true;
    }
    if (quote_ == '"' && !contains(std::string_view("$`\"\\"), next)) return false;
    flush();
    if (next != value_[done_]) return false;
    at_ += 2;
    ++done_;
    append_bytes(to_, script_, begin_ + at_ - 1, begin_ + at_);
    return true;
  }

  // The variable is not known, and is in the word as it is written.
  bool is_copied() const {
    const size_t length = std::max<size_t>(parameter_at(raw_, at_).length, 1);
    return value_.substr(done_).starts_with(raw_.substr(at_, length));
  }

  bool expansion() {
    flush();
    const size_t length = parameter_at(raw_, at_).length;
    if (length == 0) return false;
    const std::string_view after = raw_.substr(at_ + length);
    const std::string_view literal =
        after.substr(0, std::min(after.find_first_of("$\"'\\`"), longest_literal));
    const bool is_last = after.find_first_not_of("\"'") == after.npos;
    if (literal.empty() && !is_last) return false;
    const size_t end = is_last ? value_.size() : value_.find(literal, done_);
    if (end == value_.npos) return false;
    if (end > done_)
      append_in_place(to_, value_.substr(done_, end - done_), script_.host(begin_ + at_), length);
    done_ = end;
    at_ += length;
    return true;
  }

  void flush() {
    append_bytes(to_, script_, begin_ + at_ - run_, begin_ + at_);
    run_ = 0;
  }

  const Excerpt& script_;
  std::string_view raw_;
  size_t begin_;
  Excerpt& to_;
  std::string_view value_;
  size_t at_ = 0, done_ = 0;
  size_t run_ = 0;  // bytes before `at_` that are not appended yet
  char quote_ = '\0';
};

class NestedReader {
 public:
  NestedReader(const Excerpt& script, std::span<const Command> commands)
      : script_(script), commands_(commands) {}

  std::vector<Excerpt> read() {
    for (const Command& command : commands_) {
      const View row = wrapper_row(name_of_program(command.words[0].text));
      if (!row) continue;
      for (const View option : iterable(row.find("script"))) {
        if (option.text() == "operand") {
          if (const size_t first = first_operand(command, row); first < command.words.size())
            add(command, row, first, first + 1, true);
        } else {
          option_value(command, row, option.text());
        }
      }
      if (const View rest = row.find("rest")) {
        size_t first = first_operand(command, row);
        first += static_cast<size_t>(text::whole_number(rest.text()).value_or(0));
        if (first < command.words.size() && command.words[first].text == "--") ++first;
        if (first < command.words.size()) add(command, row, first, command.words.size(), true);
      }
      if (row.find("words")) words(command, row);
    }
    return std::move(found_);
  }

 private:
  static std::vector<View> iterable(View list) {
    std::vector<View> all;
    if (!list) return all;
    for (const View each : list) all.push_back(each);
    return all;
  }

  static size_t first_operand(const Command& command, View row) {
    size_t at = 1;
    while (at < command.words.size() && command.words[at].text.starts_with('-')) {
      if (command.words[at].text == "--") return at + 1;
      at += has_item(row.find("skips"), command.words[at].text) ? 2 : 1;
    }
    return at;
  }

  void option_value(const Command& command, View row, std::string_view option) {
    for (size_t i = 1; i < command.words.size(); ++i) {
      const std::string_view word = command.words[i].text;
      const bool is_cluster = row.find("short") && word.starts_with('-') &&
                              !word.starts_with("--") && word.size() > 1 && word.ends_with('c');
      if (word == option || is_cluster) {
        if (i + 1 < command.words.size()) add(command, row, i + 1, i + 2, true);
        return;
      }
      if (option.starts_with("--") && word.starts_with(std::string(option) + "=")) {
        add(command, row, i, i + 1, true, option.size() + 1);
        return;
      }
      if (row.find("short") && !word.starts_with('-')) return;  // the name of a file
    }
  }

  void words(const Command& command, View row) {
    const View after = row.find("after");
    const size_t operand = first_operand(command, row);
    if (after && (operand >= command.words.size() || !has_item(after, command.words[operand].text)))
      return;
    for (size_t i = 1; i < command.words.size(); ++i) {
      if (contains(run_programs, name_of_program(command.words[i].text)))
        return add(command, row, i, command.words.size(), false);
    }
  }

  // Adds the words from `first` to `last` as a script. `is_text`: a shell reads them again; else
  // they are words already.
  void add(const Command& command, View row, size_t first, size_t last, bool is_text,
           size_t skipped = 0) {
    if (!taken_.emplace(command.words[first].where, last - first).second) return;
    Excerpt nested = part(script_, 0, 0);
    nested.segments.clear();
    nested.language = Language::shell;
    const bool is_variable = is_one_variable(command, first, last);
    if (is_variable) {
      std::vector<std::string_view> parts;
      for (size_t i = first; i < last; ++i) parts.push_back(command.words[i].text);
      append(command.words[first], text::join(parts, " "), nested, 0);
    }
    for (size_t i = first; i < last && !is_variable; ++i) {
      const Word& word = command.words[i];
      if (i > first) append_in_place(nested, " ", script_.host(word.where.begin), 1);
      const bool is_quoted = !is_text && word.text.find_first_of(" \t\n;|&<>()#") != word.text.npos;
      if (is_quoted && contains(word.text, '\'')) return;
      if (is_quoted) append_in_place(nested, "'", script_.host(word.where.begin), 1);
      append(word, word.text.substr(skipped), nested, skipped);
      if (is_quoted) append_in_place(nested, "'", script_.host(word.where.end - 1), 1);
    }
    if (row.find("adds")) add_arguments(command, row, nested);
    nested.own_shell = true;
    nested.is_embedded = true;
    if (!nested.segments.empty() && nested.text != script_.text)
      found_.push_back(std::move(nested));
  }

  // All of these are the value of one variable.
  static bool is_one_variable(const Command& command, size_t first, size_t last) {
    const Span set_at = command.words[first].set_at;
    for (size_t i = first; i < last; ++i) {
      const Word& word = command.words[i];
      if (word.set_at != set_at || word.where != command.words[first].where) return false;
    }
    return set_at != Span{};
  }

  void append(const Word& word, std::string_view value, Excerpt& nested, size_t skipped) const {
    Span from = word.where;
    from.begin += static_cast<std::uint32_t>(skipped);
    const std::string_view text = script_.text;
    const std::string_view raw = text.substr(from.begin, from.end - from.begin);
    const std::string_view bare = text::trim(raw.substr(0, raw.find_last_not_of('"') + 1));
    const size_t quotes = std::min(bare.find_first_not_of('"'), bare.size());
    const bool is_variable = bare.substr(quotes).starts_with('$') &&
                             parameter_at(bare, quotes).length == bare.size() - quotes;
    if (is_variable && word.set_at != Span{} && word.set_at.end <= text.size()) {
      from = word.set_at;
      const std::string_view assignment = text.substr(from.begin, from.end - from.begin);
      from.begin += static_cast<std::uint32_t>(assignment_length(assignment));
    }
    WordAligner(script_, from.begin, from.end, nested).append(value);
  }

  // xargs puts words where `{}` is, or at the end.
  static void add_arguments(const Command& command, View row, Excerpt& nested) {
    std::string mark = "{}";
    for (size_t i = 1; i < command.words.size(); ++i) {
      const std::string_view word = command.words[i].text, option = row.find("replaces").text();
      if (option.empty() || !word.starts_with(option)) continue;
      mark = word.size() > option.size()    ? word.substr(option.size())
             : i + 1 < command.words.size() ? command.words[i + 1].text
                                            : mark;
      break;
    }
    bool is_replaced = false;
    for (size_t at = 0; !mark.empty() && (at = nested.text.find(mark, at)) != std::string::npos;
         at += mark.size()) {
      is_replaced = true;
      std::fill(nested.text.begin() + static_cast<std::ptrdiff_t>(at),
                nested.text.begin() + static_cast<std::ptrdiff_t>(at + mark.size()), 'X');
      nested.text[at] = '$';
    }
    if (!is_replaced) append_in_place(nested, " $XXX", nested.host(nested.text.size() - 1), 1);
  }

  const Excerpt& script_;
  std::span<const Command> commands_;
  std::set<std::pair<Span, size_t>> taken_;
  std::vector<Excerpt> found_;
};

}  // namespace

const std::vector<std::string_view>& wrapper_names() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> all;
    for (const View row : wrapper_rows()) {
      if (row.find("prefix") || row.find("rewrites")) continue;
      for (const View program : row.find("programs")) all.push_back(program.text());
    }
    return all;
  }();
  return names;
}

std::vector<Excerpt> nested_scripts(const Excerpt& script, std::span<const Command> commands) {
  return NestedReader(script, commands).read();
}

bool runs_input(std::span<const Command> commands, Span where) {
  return any_of(commands, [&](const Command& command) {
    if (command.where.begin < where.begin || command.where.begin >= where.end) return false;
    const View row = wrapper_row(name_of_program(command.words[0].text));
    const View input = row.find("input");
    if (!input) return false;
    std::int64_t operands = 0;
    for (size_t i = 1; i < command.words.size(); ++i) {
      const std::string_view word = command.words[i].text;
      if (has_item(row.find("script"), word)) return false;
      if (word.starts_with('-') && word != "-") {
        i += has_item(row.find("skips"), word) ? 1 : 0;
        if (word == "-s") return true;  // what follows are arguments of the script
        continue;
      }
      operands += word == "-" ? 0 : 1;
    }
    return operands <= text::whole_number(input.text()).value_or(0);
  });
}

}  // namespace flexslice::extract
