#include <algorithm>
#include <utility>

#include "base/ascii.hpp"
#include "base/lines.hpp"
#include "base/lists.hpp"
#include "base/text.hpp"
#include "extract/shell_reader.hpp"
#include "extract/shell_words.hpp"

namespace flexslice::extract {

using std::size_t;

namespace {

constexpr size_t most_blocks = 64;
constexpr size_t most_calls = 12;        // of functions in functions
constexpr size_t most_loop_values = 32;  // of a loop

bool is_literal_pattern(std::string_view pattern) {
  return pattern.find_first_of("*?[$`(+@!") == pattern.npos;
}

}  // namespace

bool ShellReader::is_dead() const {
  return is_over_ || list_.is_skipped || any_of(blocks_, [](const ShellBlock& each) {
           return each.is_dead || each.outer.is_skipped;
         });
}

bool ShellReader::is_hidden() const {
  return effects_ != nullptr || is_over_ || is_quiet_ || list_.is_never ||
         any_of(blocks_,
                [](const ShellBlock& each) { return each.is_never || each.outer.is_never; });
}

// Returns whether the word that ends is one that orders commands; then it is no word of a command.
bool ShellReader::keyword() {
  if (in_array_ || line_.has_quotes || line_.pieces.size() != 1 || line_.array) return false;
  const Word& piece = line_.pieces[0];
  if (piece.unknown || piece.set_at != Span{}) return false;
  const std::string word = piece.text;
  const Span where = span(line_.word_begin, at_);
  if (line_.tokens.size() == 1 && line_.tokens[0].word.text == "function") {
    line_.pieces.clear();
    line_.tokens.clear();
    define_function(word);
    return true;
  }
  const auto is_prefix = [](const Token& token) {
    return token.word.text == "$" || token.word.text == "time";
  };
  if (!std::ranges::all_of(line_.tokens, is_prefix)) return false;
  const bool in_block = blocks_.size() > base_;
  if (in_block && blocks_.back().in_pattern && word != "esac") return false;
  const bool in_branches = in_block && blocks_.back().kind == BlockKind::branches;
  if (word == "{") {
    open({"}", BlockKind::group, where});
  } else if (word == "if") {
    open({"fi", BlockKind::branches, where});
  } else if (word == "while" || word == "until") {
    begin_loop({"done", BlockKind::loop, where}, at_);
  } else if (word == "!") {
    list_.is_negated = !list_.is_negated;
  } else if (word == "then" && in_branches) {
    ShellBlock& block = blocks_.back();
    end_list();
    block.branch = variables_.mark();
    block.is_dead = block.is_taken || status_ == ShellStatus::no || status_ == ShellStatus::never;
    block.is_never = status_ == ShellStatus::never;
    block.is_taken |= status_ == ShellStatus::yes;
  } else if ((word == "else" || word == "elif") && in_branches) {
    ShellBlock& block = blocks_.back();
    end_list();
    next_branch(block);
    block.is_dead = block.is_taken;
    block.has_else = word == "else";
  } else if (word == "do" || word == "then" || word == "else" || word == "elif") {
    end_list();
  } else if (word == "}" || word == "fi" || word == "done" || word == "esac") {
    if (!any_of(std::span(blocks_).subspan(base_),
                [&](const ShellBlock& each) { return each.end == word; }))
      return false;
    line_.pieces.clear();
    close(word);
    return true;
  } else {
    return false;
  }
  line_.pieces.clear();
  return true;
}

void ShellReader::open(ShellBlock block) {
  if (blocks_.size() >= most_blocks) return variables_.give_up();
  list_.goes_on = false;
  block.outer = list_;
  block.mark = block.branch = variables_.mark();
  blocks_.push_back(std::move(block));
  begin_list();
}

// Ends blocks whose ends are missing.
void ShellReader::drop_blocks(size_t count) {
  while (blocks_.size() > count) {
    const ShellBlock& block = blocks_.back();
    if (block.kind == BlockKind::subshell) {
      variables_.undo(block.mark);
    } else if (block.kind != BlockKind::group) {
      for (const Variables::Writes& way : block.ways) {
        if (way.opened) variables_.open_all();
        for (const auto& [name, variable] : way.of) variables_.set_unknown(name, block.where);
      }
      variables_.forget(block.mark);
    }
    list_ = block.outer;
    blocks_.pop_back();
  }
}

// Closes the innermost block of that end, and all that is in it.
void ShellReader::close(std::string_view end) {
  size_t count = blocks_.size();
  while (count > base_ && blocks_[count - 1].end != end) --count;
  if (count == base_) return;
  end_list();
  drop_blocks(count);
  ShellBlock& block = blocks_.back();
  if (block.kind == BlockKind::subshell) {
    variables_.undo(block.mark);
    status_ = ShellStatus::unknown;
  } else if (block.kind == BlockKind::branches || block.kind == BlockKind::cases) {
    end_branches(block);
  } else if (block.kind == BlockKind::loop) {
    if (block.next < block.values.size() && effects_ == nullptr) {
      set_loop_value(block);
      reads_ -= std::min(reads_, at_ - block.body);
      at_ = block.body;
      return begin_list();
    }
    // It may run no time, or be left in its middle.
    if (block.values.empty() || block.has_jumps || block.is_unordered)
      variables_.forget(block.mark);
    status_ = ShellStatus::unknown;
  }
  list_ = blocks_.back().outer;
  blocks_.pop_back();
}

void ShellReader::next_branch(ShellBlock& block) {
  if (!block.is_dead && !block.is_left) block.ways.push_back(variables_.since(block.mark));
  variables_.undo(block.branch);
  block.is_left = block.is_dead = block.is_never = false;
}

void ShellReader::end_branches(ShellBlock& block) {
  if (!block.in_pattern) next_branch(block);
  if (!block.has_else && !block.is_taken) block.ways.push_back(variables_.since(block.mark));
  variables_.undo(block.mark);
  if (!block.ways.empty()) variables_.join(block.ways);
  status_ = ShellStatus::unknown;
}

// `from`: where it is read, its condition first.
void ShellReader::begin_loop(ShellBlock loop, size_t from) {
  if (effects_ == nullptr) {
    ScannedBlock extent = scan(from, &loop);
    const size_t most = loop.values.size() * (extent.end - from);
    if (!extent.is_closed || most > reads_) loop.values.clear();
    if (loop.values.empty()) {
      apply(extent.effects, loop.where);
      loop.names.merge(extent.effects.names);
    }
  }
  loop.body = from;
  if (!loop.values.empty()) {
    loop.mark = variables_.mark();
    set_loop_value(loop);
  } else {
    for (const std::string& name : loop.names) variables_.set_unknown(name, loop.where);
  }
  open(std::move(loop));
}

void ShellReader::follow(const std::vector<Word>& words) {
  const std::string_view command = words[0].text;
  if (command == "case") return begin_cases(words);
  if ((command != "for" && command != "select") || words.size() < 2) return;
  ShellBlock loop{"done", BlockKind::loop, words[0].where};
  std::string_view name = words[1].text;
  text::take(name, [](char c) { return c == '(' || c == ' '; });  // `for ((i = 0; …))`
  if (words.size() > 2 && words[2].text != "in") return;
  name = variable_name(name);
  if (name.empty() && !words[1].text.starts_with("((")) return;
  loop.names.emplace(name);
  for (size_t i = 3; i < words.size(); ++i) {
    const bool is_literal =
        unrolls_ && command == "for" && effects_ == nullptr && words.size() <= most_loop_values + 3;
    const auto values = is_literal ? loop_values(words[i]) : std::nullopt;
    loop.is_unordered |= words[i].unknown && values && values->size() > 1;
    if (!values || loop.values.size() + values->size() > most_loop_values) {
      loop.values.clear();
      break;
    }
    loop.values.insert(loop.values.end(), values->begin(), values->end());
  }
  begin_loop(std::move(loop), at_);
}

// The values that a word of `for` gives; nothing where they are not known.
std::optional<std::vector<std::string>> ShellReader::loop_values(const Word& word) const {
  if (word.unknown) return parts_of_map(word.text);
  if (!contains(word.text, '{')) {
    const bool is_known = word.text.find_first_of("*?[") == std::string::npos;
    return is_known ? std::optional(std::vector{word.text}) : std::nullopt;
  }
  // Quotes keep braces, and so does a value that a variable has.
  const std::string_view written = whole_.substr(std::min<size_t>(word.where.begin, whole_.size()),
                                                 word.where.end - word.where.begin);
  if (written == "\"" + word.text + "\"" || written == "'" + word.text + "'")
    return std::vector{word.text};
  return written == word.text ? expand_braces(word.text) : std::nullopt;
}

// `${!NAME[@]}`, `${NAME[@]}`
std::optional<std::vector<std::string>> ShellReader::parts_of_map(std::string_view word) const {
  if (!word.starts_with("${") || !(word.ends_with("[@]}") || word.ends_with("[*]}")))
    return std::nullopt;
  const bool is_keys = word[2] == '!';
  const std::string_view name = word.substr(is_keys ? 3 : 2, word.size() - (is_keys ? 7 : 6));
  const auto items = variables_.items_of(name);
  if (!items || variable_name(name) != name) return std::nullopt;
  std::vector<std::string> parts;
  for (const auto& [key, value] : *items) parts.push_back(is_keys ? key : value);
  return parts;
}

// A pass leaves nothing to another one if nobody knows which is the first.
void ShellReader::set_loop_value(ShellBlock& loop) {
  if (loop.is_unordered) variables_.forget(loop.mark);
  variables_.set(*loop.names.begin(), loop.values[loop.next++], loop.where, true);
}

void ShellReader::begin_cases(const std::vector<Word>& words) {
  if (words.size() < 3 || words[2].text != "in") return;
  ShellBlock cases{"esac", BlockKind::cases, words[0].where};
  cases.in_pattern = true;
  if (!words[1].unknown) cases.subject = words[1].text;
  for (size_t i = 3; i < words.size(); ++i) cases.values.push_back(words[i].text);
  open(std::move(cases));
}

void ShellReader::take_pattern() {
  for (const Token& token : line_.tokens) blocks_.back().values.push_back(token.word.text);
  line_.tokens.clear();
  line_.assigned.reset();
}

// After the `)` of a pattern.
void ShellReader::end_pattern() {
  take_pattern();
  ShellBlock& block = blocks_.back();
  bool matches = false, may_match = !block.subject;
  for (const std::string& pattern : block.values) {
    matches |= pattern == "*" || (block.subject && pattern == *block.subject);
    may_match |= !is_literal_pattern(pattern);
  }
  block.values.clear();
  block.in_pattern = false;
  block.branch = variables_.mark();
  block.is_dead = block.is_taken || (!matches && !may_match);
  block.is_taken |= matches;
  begin_list();
}

void ShellReader::begin_list() {
  list_ = {};
  list_.begin = list_.pipe = variables_.mark();
}

void ShellReader::end_pipeline() {
  if (list_.in_pipe) {
    if (keeps_last_) {
      variables_.forget(list_.pipe);
    } else {
      variables_.undo(list_.pipe);
    }
    status_ = ShellStatus::unknown;
  }
  if (list_.is_negated)
    status_ = status_ == ShellStatus::unknown ? status_
              : status_ == ShellStatus::yes   ? ShellStatus::no
                                              : ShellStatus::yes;
  if (list_.is_skipped) {
    variables_.undo(list_.skipped);
    status_ = list_.before;
  }
  list_.in_pipe = list_.is_negated = list_.is_skipped = list_.is_never = false;
  list_.pipe = variables_.mark();
}

void ShellReader::end_list() {
  end_pipeline();
  if (list_.maybe) {
    variables_.forget(*list_.maybe);
    status_ = ShellStatus::unknown;
  }
  if (blocks_.empty() && calls_.empty() && depth_ == 0 && effects_ == nullptr && !is_quiet_ &&
      shells_.empty())
    variables_.settle();
  begin_list();
}

// After `&&` or `||`.
void ShellReader::join_list(bool is_or) {
  end_pipeline();
  if (list_.maybe) {
    status_ = ShellStatus::unknown;
    if (is_or || list_.after_or) variables_.forget(*std::exchange(list_.maybe, {}));
  }
  list_.goes_on = true;
  list_.after_or = is_or;
  list_.pipe = variables_.mark();
  const bool has_failed = status_ == ShellStatus::no || status_ == ShellStatus::never;
  if (is_or ? status_ == ShellStatus::yes : has_failed) {
    list_.is_skipped = true;
    list_.is_never = status_ == ShellStatus::never;
    list_.skipped = variables_.mark();
    list_.before = status_;
  } else if (status_ == ShellStatus::unknown && !list_.maybe) {
    list_.maybe = variables_.mark();
  }
}

// Only looks at what comes: up to the end of the block that is open, or of the first one.
ShellReader::ScannedBlock ShellReader::scan(size_t begin, const ShellBlock* opened) {
  ScannedBlock extent;
  extent.end = begin;
  if (reads_ == 0) {
    variables_.give_up();
    return extent;
  }
  const Variables::Mark mark = variables_.mark();
  LeftPart part = begin_part(begin, text().size());
  Effects* const outer = std::exchange(effects_, &extent.effects);
  if (opened != nullptr) open(*opened);
  bool was_open = blocks_.size() > base_;
  while (at_ < text().size() && (was_open || at_ < begin + 2)) {
    step();
    if (at_ == text().size()) end_command();
    if (was_open && blocks_.size() <= base_) {
      extent.is_closed = true;
      break;
    }
    was_open = blocks_.size() > base_;
  }
  extent.end = at_;
  blocks_.resize(std::min(base_, blocks_.size()));
  const Variables::Writes changes = variables_.since(mark);
  extent.effects.all |= changes.opened;
  for (const auto& [name, variable] : changes.of) extent.effects.names.insert(name);
  variables_.undo(mark);
  effects_ = outer;
  end_part(std::move(part));
  reads_ -= std::min(reads_, extent.end - begin);
  return extent;
}

void ShellReader::add_closure(std::string_view name, Effects& effects,
                              std::set<std::string, std::less<>>& seen) const {
  const auto function = functions_.find(name);
  if (function == functions_.end() || !seen.emplace(name).second) return;
  const Effects& own = function->second.effects;
  effects.all |= own.all;
  for (const std::string& each : own.names) {
    if (!own.locals.contains(each)) effects.names.insert(each);
  }
  for (const std::string& each : own.calls) add_closure(each, effects, seen);
}

void ShellReader::apply(const Effects& effects, Span where) {
  Effects all = effects;
  std::set<std::string, std::less<>> seen;
  for (const std::string& each : effects.calls) add_closure(each, all, seen);
  if (all.all) variables_.open_all();
  for (const std::string& name : all.names) variables_.set_unknown(name, where);
}

// After `name()` or `function name`. Its body is read where it is called.
void ShellReader::define_function(std::string_view name) {
  size_t at = at_;
  const auto skip = [&] {
    while (at < text().size() && (ascii::is_space(text()[at]) || text()[at] == '#'))
      at = text()[at] == '#' ? text::line_end(text(), at) : at + 1;
  };
  skip();
  if (text().substr(at).starts_with('(') && at + 1 < text().size()) {
    const size_t inner = text().find_first_not_of(" \t", at + 1);
    if (inner != nowhere && text()[inner] == ')') at = inner + 1;
    skip();
  }
  if (at >= text().size() || (text()[at] != '{' && text()[at] != '(')) return;
  ScannedBlock extent = scan(at, nullptr);
  if (!extent.is_closed) return;
  functions_.insert_or_assign(std::string(name),
                              Function{at, extent.end, std::move(extent.effects)});
  at_ = extent.end;
  status_ = ShellStatus::yes;
}

void ShellReader::call(const std::string& name, std::vector<Word> arguments,
                       const std::vector<Token>& prefix) {
  Function& function = functions_.find(name)->second;
  const auto [begin, end] = std::pair(function.begin, function.end);
  const Span where = span(at_, at_);
  status_ = ShellStatus::unknown;
  if (calls_.size() >= most_calls || end - begin > reads_) {
    Effects effects;
    effects.calls.insert(name);
    return apply(effects, where);
  }
  function.was_called = true;
  reads_ -= end - begin;
  const Variables::Mark mark = variables_.mark();
  std::vector<std::pair<std::string, std::optional<Variable>>> saved;
  const auto save = [&](std::string_view each) {
    const auto found = variables_.all().find(each);
    saved.emplace_back(
        each, found == variables_.all().end() ? std::nullopt : std::optional(found->second));
  };
  for (std::string_view each : own_arguments) save(each);
  for (const Token& token : prefix) {
    save(variable_name(token.word.text));
    assign(token);
  }
  set_arguments(std::move(arguments), where);
  calls_.push_back({blocks_.size()});
  read_part(begin, end);
  const Call done = std::move(calls_.back());
  calls_.pop_back();
  if (done.returns_early) variables_.forget(mark);
  for (auto each = done.saved.rbegin(); each != done.saved.rend(); ++each)
    variables_.put(each->first, each->second);
  for (auto& [each, variable] : saved) variables_.put(each, std::move(variable));
  status_ = ShellStatus::unknown;
}

// Functions that others call, or that nothing calls: only what they say themselves is known.
void ShellReader::read_uncalled() {
  is_over_ = false;
  for (bool goes_on = true; goes_on;) {
    goes_on = false;
    for (auto& [name, function] : functions_) {
      if (std::exchange(function.was_called, true)) continue;
      const auto [begin, end] = std::pair(function.begin, function.end);
      const Variables::Mark mark = variables_.mark();
      variables_.open_all();
      calls_.push_back({blocks_.size()});
      read_part(begin, end);
      calls_.pop_back();
      variables_.undo(mark);
      goes_on = true;
      break;
    }
  }
}

ShellReader::LeftPart ShellReader::begin_part(size_t begin, size_t end) {
  LeftPart part{at_, std::exchange(line_, {}), list_, base_, std::exchange(broken_, {})};
  line_.text = whole_.substr(0, end);
  at_ = begin;
  base_ = blocks_.size();
  begin_list();
  return part;
}

void ShellReader::end_part(LeftPart part) {
  at_ = part.at;
  line_ = std::move(part.line);
  list_ = part.list;
  base_ = part.base;
  broken_ = part.broken;
}

void ShellReader::read_part(size_t begin, size_t end) {
  LeftPart part = begin_part(begin, end);
  read_line();
  end_list();
  drop_blocks(base_);
  end_part(std::move(part));
}

void ShellReader::leave(std::string_view by) {
  if (effects_ != nullptr) effects_->jumps = true;
  bool is_maybe = list_.maybe || list_.in_pipe || list_.is_skipped;
  size_t count = blocks_.size();
  for (; count > base_ && blocks_[count - 1].kind == BlockKind::group; --count)
    is_maybe |= blocks_[count - 1].outer.maybe || blocks_[count - 1].outer.is_skipped;
  const bool is_script = blocks_.empty() && calls_.empty() && effects_ == nullptr && depth_ == 0 &&
                         !place_ && (by == "exit" || by == "return");
  if (is_script) {
    is_over_ |= !is_maybe;
  } else if (by == "exit") {
    const bool in_branch = count > base_ && (blocks_[count - 1].kind == BlockKind::branches ||
                                             blocks_[count - 1].kind == BlockKind::cases);
    if (in_branch && !is_maybe) blocks_[count - 1].is_left = true;
  } else if (by == "return") {
    if (calls_.empty() || effects_ != nullptr) return;
    if (!is_maybe && count == base_) {
      at_ = text().size();
    } else {
      calls_.back().returns_early = true;
    }
  } else {
    const auto loop = std::find_if(blocks_.rbegin(), blocks_.rend(), [](const ShellBlock& each) {
      return each.kind == BlockKind::loop;
    });
    if (loop != blocks_.rend()) loop->has_jumps = true;
  }
}

}  // namespace flexslice::extract
