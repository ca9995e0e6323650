#include "extract/makefile.hpp"

#include <algorithm>
#include <string_view>

#include "base/ascii.hpp"
#include "base/lines.hpp"
#include "base/lists.hpp"
#include "base/text.hpp"
#include "extract/shell_words.hpp"

namespace flexslice::extract {

using std::size_t;

namespace {

class RecipeReader {
 public:
  explicit RecipeReader(const Excerpt& makefile) : makefile_(makefile), text_(makefile.text) {
    script_.language = Language::shell;
  }

  Excerpt read() {
    bool goes_on = false;  // a recipe, or else what nobody reads
    bool in_recipe = false;
    for (size_t at = 0; at < text_.size();) {
      const size_t next = text::next_line(text_, at);
      const std::string_view line = text_.substr(at, text::line_end(text_, at) - at);
      if (!goes_on) in_recipe = line.starts_with('\t');
      if (in_recipe) {
        recipe(at, next, goes_on);
      } else if (line.starts_with('#')) {
        append_bytes(script_, makefile_, at, next);
      } else if (!goes_on) {
        variable(at, at + line.size());
      }
      goes_on = line.ends_with('\\');
      at = next;
    }
    if (script_.segments.empty()) script_.segments.push_back({0, makefile_.host(0)});
    return std::move(script_);
  }

 private:
  void recipe(size_t begin, size_t end, bool goes_on) {
    if (text_[begin] == '\t') ++begin;
    while (!goes_on && begin < end && contains(std::string_view("@-+ \t"), text_[begin])) ++begin;
    convert(begin, end);
  }

  // `X := value`, also behind `export`.
  void variable(size_t begin, size_t end) {
    std::string_view rest = text_.substr(begin, end - begin);
    const auto skip_blanks = [&] { text::take(rest, ascii::is_blank); };
    skip_blanks();
    if (rest.starts_with("export ")) rest.remove_prefix(7);
    skip_blanks();
    const std::string_view name = variable_name(rest);
    const size_t name_begin = offset(rest);
    rest.remove_prefix(name.size());
    skip_blanks();
    const size_t op = offset(rest);
    const bool may_differ = rest.starts_with('?') || rest.starts_with('+');
    while (text::take_one_of(rest, ":?+")) {
    }
    if (name.empty() || !text::take_one_of(rest, "=")) return;
    skip_blanks();
    rest = rest.substr(0, rest.find(" #"));
    while (!rest.empty() && ascii::is_blank(rest.back())) rest.remove_suffix(1);
    const bool is_known = !may_differ && rest.find_first_of("\"`\\") == rest.npos;
    append_bytes(script_, makefile_, name_begin, name_begin + name.size());
    append_bytes(script_, is_known ? "=\"" : "=\"$_", makefile_.host(op));
    if (is_known) convert(offset(rest), offset(rest) + rest.size());
    append_bytes(script_, "\"\n", makefile_.host(offset(rest) + rest.size()));
  }

  size_t offset(std::string_view rest) const {
    return static_cast<size_t>(rest.data() - text_.data());
  }

  void convert(size_t begin, size_t end) {
    for (size_t at = begin; at < end;) {
      const size_t dollar = std::min(text_.find('$', at), end);
      append_bytes(script_, makefile_, at, dollar);
      at = dollar;
      if (at + 1 >= end) {
        append_bytes(script_, makefile_, at, end);
        return;
      }
      const char next = text_[at + 1];
      if (next == '$') {
        append_bytes(script_, makefile_, at + 1, at + 2);
        at += 2;
        if (at < end && text_[at] == '(') {  // not one of make's
          append_bytes(script_, makefile_, at, at + 1);
          ++at;
        }
      } else if (const size_t close = next == '(' ? text_.substr(0, end).find(')', at) : text_.npos;
                 close != text_.npos) {
        append_bytes(script_, "${", makefile_.host(at));
        append_bytes(script_, makefile_, at + 2, close);
        append_bytes(script_, "}", makefile_.host(close));
        at = close + 1;
      } else {
        append_bytes(script_,
                     contains(std::string_view("<^%*|?+"), next) ? "$_" : text_.substr(at, 2),
                     makefile_.host(at));
        at += 2;
      }
    }
  }

  const Excerpt& makefile_;
  std::string_view text_;
  Excerpt script_;
};

}  // namespace

Excerpt recipes(const Excerpt& makefile) { return RecipeReader(makefile).read(); }

}  // namespace flexslice::extract
