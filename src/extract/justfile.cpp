#include "extract/justfile.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/ascii.hpp"
#include "base/lines.hpp"
#include "base/lists.hpp"
#include "base/text.hpp"

namespace flexslice::extract {

using std::size_t;

namespace {

constexpr size_t longest_string = 1024;

class JustReader {
 public:
  JustReader(const Excerpt& justfile, const GivenNames& given)
      : justfile_(justfile), text_(justfile.text), given_(given) {
    script_.language = Language::shell;
  }

  Excerpt read() {
    // A variable may be set below the recipe that has it.
    for_lines([&](size_t, size_t, std::string_view line) {
      if (!is_indented(line)) assign(line);
      if (line.starts_with("set dotenv")) script_.has_open_environment = script_.own_shell = true;
    });
    for_lines([&](size_t begin, size_t next, std::string_view line) {
      if (is_indented(line) || goes_on_) return body(begin, next, line);
      end_recipe();
      if (line.starts_with('#')) append_bytes(script_, justfile_, begin, next);
      header(line);
    });
    end_recipe();
    if (script_.segments.empty()) script_.segments.push_back({0, justfile_.host(0)});
    return std::move(script_);
  }

 private:
  static bool is_indented(std::string_view line) {
    return !line.empty() && ascii::is_blank(line.front());
  }

  void for_lines(const auto& act) const {
    for (size_t at = 0; at < text_.size();) {
      const size_t next = text::next_line(text_, at);
      act(at, next, text_.substr(at, text::line_end(text_, at) - at));
      at = next;
    }
  }

  // `x := "value"`; what an expression gives is not known.
  void assign(std::string_view line) {
    if (line.starts_with("export ")) line.remove_prefix(7);
    const std::string_view name = line.substr(0, line.find_first_of(" :"));
    std::string_view rest = line.substr(name.size());
    text::take(rest, ascii::is_blank);
    if (name.empty() || !rest.starts_with(":=")) return;
    const std::string_view value = text::trim(rest.substr(2));
    std::optional<std::string>& known = variables_[std::string(name)];
    const char quote = value.empty() ? ' ' : value.front();
    const bool is_string = (quote == '\'' || quote == '"') && value.size() > 1 &&
                           value.back() == quote && value.size() < longest_string;
    if (!is_string) return;
    const std::string_view inner = value.substr(1, value.size() - 2);
    if (!contains(inner, quote) && !contains(inner, '\\')) known = inner;
  }

  // The parameters of a recipe hide variables.
  void header(std::string_view line) {
    const size_t colon = line.find(':');
    if (line.starts_with('#') || colon == line.npos || line.substr(colon).starts_with(":=")) return;
    for (std::string_view word : text::split(line.substr(0, colon), ' ')) {
      word = word.substr(0, word.find('='));
      text::take(word, [](char c) { return c == '+' || c == '*' || c == '$'; });
      if (!word.empty()) parameters_.emplace_back(word);
    }
  }

  void body(size_t begin, size_t next, std::string_view line) {
    const size_t first = std::min(line.find_first_not_of(" \t"), line.size());
    std::string_view bare = line.substr(first);
    if (bare.starts_with("#!") && !in_recipe_) is_script_ = true;
    in_recipe_ = in_recipe_ || !bare.empty();
    size_t from = begin + first;
    if (!is_script_ && !goes_on_) {
      while (from < next && contains(std::string_view("@-"), text_[from])) ++from;
      append_in_place(script_, "( ", justfile_.host(from), 1);
    }
    interpolate(from, begin + line.size());
    append_bytes(script_, justfile_, begin + line.size(), next);
    goes_on_ = line.ends_with('\\');
    if (!is_script_ && !goes_on_) append_in_place(script_, "\n)\n", justfile_.host(next - 1), 1);
  }

  void end_recipe() {
    parameters_.clear();
    in_recipe_ = is_script_ = goes_on_ = false;
  }

  void interpolate(size_t begin, size_t end) {
    for (size_t at = begin; at < end;) {
      const size_t open = std::min(text_.find("{{", at), end);
      append_bytes(script_, justfile_, at, open);
      if (open == end) return;
      const size_t close = text_.find("}}", open);
      if (close == text_.npos || close >= end) return append_bytes(script_, justfile_, open, end);
      const std::string name(text::trim(text_.substr(open + 2, close - open - 2)));
      const auto found = variables_.find(name);
      const bool is_known = found != variables_.end() && found->second &&
                            !contains(parameters_, name) && !given_.contains(name);
      if (is_known) {
        append_in_place(script_, *found->second, justfile_.host(open), close + 2 - open);
      } else {
        append_bytes(script_, justfile_, open, close + 2);
      }
      at = close + 2;
    }
  }

  const Excerpt& justfile_;
  std::string_view text_;
  const GivenNames& given_;
  Excerpt script_;
  std::map<std::string, std::optional<std::string>, std::less<>> variables_;
  std::vector<std::string> parameters_;  // of the recipe
  bool in_recipe_ = false;
  bool is_script_ = false;  // begins with `#!`
  bool goes_on_ = false;    // the line before ends with `\`
};

}  // namespace

Excerpt just_recipes(const Excerpt& justfile, const GivenNames& given) {
  return JustReader(justfile, given).read();
}

}  // namespace flexslice::extract
