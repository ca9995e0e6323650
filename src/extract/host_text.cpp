#include "extract/host_text.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "base/ascii.hpp"
#include "base/lines.hpp"
#include "base/lists.hpp"
#include "base/text.hpp"
#include "extract/here_documents.hpp"
#include "extract/parameters.hpp"
#include "extract/shell_words.hpp"

namespace flexslice::extract {

using std::size_t;

namespace {

constexpr int deepest_expression = 8;
constexpr size_t most_unfilled = 64;
constexpr int most_here_documents = 8;  // in a word; keeps time linear
constexpr size_t longest_joined = size_t{1} << 16;
constexpr size_t nowhere = std::string_view::npos;

void add(HostText& to, const Unfilled& part) {
  if (to.unfilled.size() < most_unfilled &&
      !any_of(to.unfilled, [&](const Unfilled& each) { return each.text == part.text; }))
    to.unfilled.push_back(part);
}

void append_to(HostText& to, const HostText& from) {
  to.text += from.text;
  for (const Unfilled& each : from.unfilled) add(to, each);
}

// After the `)` of what begins with `(` at `at`, or nothing.
size_t end_of_parentheses(std::string_view text, size_t at, int depth);

// After the quote that ends the string whose first character is at `at`.
size_t end_of_string(std::string_view text, size_t at, int depth) {
  for (; at < text.size(); ++at) {
    if (text[at] == '\\') {
      ++at;
    } else if (text[at] == '"') {
      return at + 1;
    } else if (text.substr(at).starts_with("$(")) {
      at = end_of_parentheses(text, at + 1, depth + 1);
      if (at == nowhere) return nowhere;
      --at;
    }
  }
  return nowhere;
}

size_t end_of_parentheses(std::string_view text, size_t at, int depth) {
  if (depth > deepest_expression) return nowhere;
  for (int open = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '\\') {
      ++at;
    } else if (c == '\'' || c == '"') {
      const size_t end = c == '"' ? end_of_string(text, at + 1, depth) : text.find(c, at + 1);
      if (end == nowhere) return nowhere;
      at = c == '"' ? end - 1 : end;
    } else if (c == '(') {
      ++open;
    } else if (c == ')' && --open == 0) {
      return at + 1;
    }
  }
  return nowhere;
}

class HostReader {
 public:
  // Of the part of the script up to `end`.
  HostReader(std::string_view script, Span part, const Variables& variables, size_t& budget,
             int depth)
      : text_(script.substr(0, part.end)),
        source_(part.source),
        at_(part.begin),
        variables_(variables),
        budget_(budget),
        depth_(depth) {}

  std::optional<HostText> read() {
    if (depth_ > deepest_expression) return {};
    while (is_good_ && at_ < text_.size()) step();
    if (!is_good_ || in_quotes_) return {};
    return std::move(result_);
  }

  // The text of a here-document, in which quotes are characters.
  std::optional<HostText> read_here_document() {
    in_here_document_ = true;
    return read();
  }

 private:
  bool follows(std::string_view expected) const { return text_.substr(at_).starts_with(expected); }

  void take(size_t length) {
    result_.text += text_.substr(at_, length);
    at_ = std::min(at_ + length, text_.size());
  }

  void take_unfilled(size_t end) {
    is_good_ = end != nowhere;
    if (!is_good_) return;
    add(result_, {std::string(text_.substr(at_, end - at_)), {source_, at_, end}});
    take(end - at_);
  }

  void step() {
    const char c = text_[at_];
    if (c == '$') return dollar();
    if (c == '`') {
      const size_t close = text_.find('`', at_ + 1);
      return take_unfilled(close == nowhere ? nowhere : close + 1);
    }
    if (c == '\\') return backslash();
    if (c == '"' && !in_here_document_) {
      in_quotes_ = !in_quotes_;
      ++at_;
    } else if (c == '\'' && !in_here_document_ && !in_quotes_) {
      const size_t close = text_.find('\'', at_ + 1);
      is_good_ = close != nowhere;
      if (!is_good_) return;
      ++at_;
      take(close - at_);
      ++at_;
    } else {
      take(1);
    }
  }

  void backslash() {
    const std::string_view next = text_.substr(at_ + 1, 2);
    if (next.starts_with('\n') || next == "\r\n") {
      at_ += next.starts_with('\n') ? 2 : 3;
      return;
    }
    const std::string_view escaped = in_here_document_ ? "$`\\" : "$`\\\"";
    const bool is_literal = in_quotes_ || in_here_document_;
    if (is_literal && (next.empty() || !contains(escaped, next[0]))) return take(1);
    ++at_;
    take(1);
  }

  void dollar() {
    if (follows("$'") && !in_quotes_ && !in_here_document_) {
      is_good_ = false;
    } else if (!follows("$(")) {
      parameter();
    } else if (!here_document()) {
      take_unfilled(end_of_parentheses(text_, at_ + 1, 0));
    }
  }

  void parameter() {
    const Parameter found = parameter_at(text_, at_);
    if (found.length == 0) return take(1);
    const auto variable = variables_.find(found.name);
    const bool is_set = variable != variables_.end();
    if (const auto value = expand(found, variables_, budget_)) {
      budget_ -= value->text.size();
      result_.text += value->text;
      at_ += found.length;
    } else if (is_set && !variable->second.known && variable->second.host != nullptr &&
               variable->second.host->text.size() <= budget_) {
      budget_ -= variable->second.host->text.size();
      append_to(result_, *variable->second.host);
      at_ += found.length;
    } else if (is_set || !contains(std::string_view("-="), found.change) ||
               !part(found.fallback, at_ + found.length, false)) {
      take_unfilled(at_ + found.length);
    }
  }

  // Adds what the shell makes of a part of the text, and reads on at `next`.
  bool part(std::string_view text, size_t next, bool is_here_document) {
    const auto begin = static_cast<size_t>(text.data() - text_.data());
    HostReader inner(text_, {source_, begin, begin + text.size()}, variables_, budget_, depth_ + 1);
    const auto read = is_here_document ? inner.read_here_document() : inner.read();
    if (!read) return false;
    append_to(result_, *read);
    at_ = next;
    return true;
  }

  // `$(cat <<EOF …)`
  bool here_document() {
    if (++here_documents_ > most_here_documents) return false;
    std::string_view rest = text_.substr(at_ + 2);
    text::take(rest, ascii::is_space);
    if (!rest.starts_with("cat")) return false;
    rest.remove_prefix(3);
    text::take(rest, ascii::is_blank);
    if (!rest.starts_with("<<") || rest.starts_with("<<<")) return false;
    rest.remove_prefix(2);
    HereLines lines(rest);
    size_t begin = 0;
    const auto document = lines.take_delimiter(begin);
    if (!document || begin >= rest.size() || rest[begin] != '\n') return false;
    const auto body = lines.find(*document, begin + 1);
    if (!body) return false;
    const size_t close = rest.find_first_not_of(" \t\r\n", body->next);
    if (close == nowhere || rest[close] != ')') return false;
    const size_t next = static_cast<size_t>(rest.data() - text_.data()) + close + 1;
    std::string_view text = rest.substr(begin + 1, body->end - begin - 1);
    while (text.ends_with('\n') || text.ends_with('\r')) text.remove_suffix(1);
    if (!document->is_quoted) return part(text, next, true);
    result_.text += text;
    at_ = next;
    return true;
  }

  std::string_view text_;
  std::uint32_t source_;
  size_t at_;
  const Variables& variables_;
  size_t& budget_;
  int depth_;
  int here_documents_ = 0;
  bool in_quotes_ = false;  // double ones
  bool in_here_document_ = false;
  bool is_good_ = true;
  HostText result_;
};

}  // namespace

std::shared_ptr<const HostText> host_text(std::string_view script, Span word,
                                          const Variables& variables, size_t& budget) {
  const std::string_view raw = script.substr(word.begin, word.end - word.begin);
  if (raw.substr(assignment_length(raw)).starts_with('(')) return nullptr;
  auto read = HostReader(script, word, variables, budget, 0).read();
  return read ? std::make_shared<const HostText>(std::move(*read)) : nullptr;
}

std::shared_ptr<const HostText> without_prefix(const HostText& text, size_t length) {
  return std::make_shared<const HostText>(HostText{text.text.substr(length), text.unfilled});
}

std::shared_ptr<const HostText> host_text(const Variable& variable) {
  if (!variable.known) return variable.host;
  return std::make_shared<const HostText>(HostText{variable.value, {}});
}

std::shared_ptr<const HostText> joined(const std::shared_ptr<const HostText>& first,
                                       const std::shared_ptr<const HostText>& second) {
  if (first == nullptr || second == nullptr) return nullptr;
  if (first->text.size() + second->text.size() > longest_joined) return nullptr;
  HostText result = *first;
  append_to(result, *second);
  return std::make_shared<const HostText>(std::move(result));
}

}  // namespace flexslice::extract
