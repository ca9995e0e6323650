#include "extract/makefile.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ascii.hpp"
#include "base/lines.hpp"
#include "base/lists.hpp"
#include "base/text.hpp"
#include "extract/shell_words.hpp"

namespace flexslice::extract {

using std::size_t;

namespace {

constexpr int deepest_reference = 8;
constexpr int deepest_include = 4;
constexpr size_t longest_make_value = 4096;
constexpr size_t most_conditions = 64;
constexpr size_t spare_bytes = size_t{1} << 16;  // that values may add to a makefile
constexpr size_t most_steps = size_t{1}
                              << 22;  // from targets to those that need them: keeps time linear

struct MakeVariable {
  std::string value;
  bool expands_late = true;  // `=`, and not `:=`
  bool known = true;
  bool is_fixed = false;  // `override`
};
using MakeVariables = std::map<std::string, MakeVariable, std::less<>>;

struct MakefileRule {
  std::vector<std::string> targets;
  std::vector<std::string> needs;
  bool is_definition = false;
};

// A recipe, or one line of it: what one shell runs.
struct RecipeLine {
  size_t begin;
  size_t end;
  size_t rule;
  bool goes_on;  // with the shell of the line before
};

enum class Holds : std::uint8_t { yes, no, unknown };

bool is_name_end(char c) { return ascii::is_space(c) || contains(std::string_view(":=+?!#$"), c); }

std::string_view first_word(std::string_view text) {
  return text.substr(0, text.find_first_of(" \t"));
}

class MakefileReader {
 public:
  MakefileReader(const Excerpt& makefile, const ReadBeside& beside, const GivenNames& given)
      : makefile_(makefile), text_(makefile.text), beside_(beside) {
    script_.language = Language::shell;
    for (const std::string& name : given.names())
      globals_[name] = {.value = {}, .known = false, .is_fixed = true};
    is_open_ = given.is_any();
  }

  Excerpt read() {
    read_lines(text_, true, 0);
    write();
    if (script_.segments.empty()) script_.segments.push_back({0, makefile_.host(0)});
    return std::move(script_);
  }

 private:
  // `is_own`: recipes and comments are those of this file.
  void read_lines(std::string_view text, bool is_own, int depth) {
    bool in_recipe = false, in_definition = false;
    std::string definition;
    std::vector<std::string_view> defined;
    for (size_t at = 0; at < text.size();) {
      size_t next = text::next_line(text, at);
      const auto line_to = [&](size_t end) {
        std::string_view line = text.substr(at, end - at);
        while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.remove_suffix(1);
        return line;
      };
      bool continues = line_to(next).ends_with('\\');
      const size_t first_end = next;
      while (continues && next < text.size()) {
        const size_t begin = next;
        next = text::next_line(text, next);
        continues = text.substr(0, next).substr(begin).find("\\\n") != text.npos ||
                    text.substr(begin, next - begin).find("\\\r\n") != text.npos;
      }
      const std::string_view line = line_to(next);
      if (in_definition) {
        in_definition = text::trim(line) != "endef";
        if (!in_definition)
          set_flags(definition, defined);
        else
          defined.push_back(line);
        if (in_definition && is_own && is_live()) recipe(at, next);
      } else if (line.starts_with('\t') && in_recipe) {
        if (is_own && is_live()) recipe(at, next);
      } else if (line.starts_with('#')) {
        if (is_own) comments_.emplace_back(at, first_end);
        next = first_end;
      } else if (!text::trim(line).empty()) {
        std::string joined = join(line);
        in_definition = first_word(text::trim(joined)) == "define";
        if (in_definition) {
          definition = text::trim(text::trim(joined).substr(std::string_view("define").size()));
          set_unknown_definition(definition);
          defined.clear();
        } else {
          in_recipe =
              statement(joined, is_own ? std::optional(at) : std::nullopt, depth, in_recipe);
        }
      }
      at = next;
    }
  }

  // Without the line breaks, and the comment at the end.
  static std::string join(std::string_view line) {
    std::string joined;
    for (size_t i = 0; i < line.size(); ++i) {
      if (line[i] == '\\' && i + 1 < line.size() &&
          contains(std::string_view("\r\n"), line[i + 1])) {
        joined += ' ';
        while (i + 1 < line.size() && ascii::is_space(line[i + 1])) ++i;
      } else if (line[i] == '#' && (i == 0 || line[i - 1] != '\\')) {
        break;
      } else {
        joined += line[i];
      }
    }
    return joined;
  }

  bool is_live() const {
    return std::ranges::none_of(conditions_, [](const auto& each) { return each == Holds::no; });
  }
  bool is_certain() const {
    return std::ranges::all_of(conditions_, [](const auto& each) { return each == Holds::yes; });
  }

  void set_unknown_definition(std::string_view definition) {
    const std::string_view name = definition.substr(0, definition.find_first_of(" \t=:?+"));
    globals_[std::string(name)].known = false;
    // Its lines have the variables of any target, and arguments.
    rules_.emplace_back().is_definition = true;
  }

  // A definition of flags in one line is a value like that of an assignment. One of commands is
  // judged where it is.
  void set_flags(std::string_view definition, const std::vector<std::string_view>& lines) {
    if (lines.size() != 1 || !is_live()) return;
    const std::string_view line = text::trim(lines[0]);
    if (!line.starts_with('-') || contains(line, '#')) return;
    const bool has_sign = definition.ends_with('=');
    assignment(std::string(definition) + (has_sign ? " " : " = ") + join(line), globals_, false,
               false);
  }

  // Returns whether recipes may follow.
  bool statement(std::string_view line, std::optional<size_t> at, int depth, bool in_recipe) {
    line = text::trim(line);
    if (condition(line)) return in_recipe;
    if (!is_live()) return in_recipe;
    const std::string_view word = first_word(line);
    const std::string_view rest = text::trim(line.substr(word.size()));
    if (word == "include" || word == "-include" || word == "sinclude") {
      include(rest, depth);
      return false;
    }
    if (word == "undefine") return undefine(rest, false);
    if (line.find("$(eval") != line.npos || line.find("${eval") != line.npos) open();
    std::string_view statement = line;
    bool exports = false, overrides = false;
    for (std::string_view each = first_word(statement);
         each == "export" || each == "override" || each == "unexport" || each == "private";
         each = first_word(statement)) {
      exports |= each == "export";
      overrides |= each == "override";
      statement = text::trim(statement.substr(each.size()));
      if (statement.empty() && (exports || each == "unexport")) exports_all_ = exports;
    }
    if (first_word(statement) == "undefine")
      return undefine(text::trim(statement.substr(first_word(statement).size())), overrides);
    if (assignment(statement, globals_, overrides, exports)) return false;
    if (exports || first_word(line) == "unexport") {
      for (std::string_view name : text::split(statement, ' ')) {
        if (exports) {
          exported_.emplace(name);
          hidden_.erase(std::string(name));
        } else {
          exported_.erase(std::string(name));
          hidden_.emplace(name);
        }
        // Make sets it to nothing, if nothing has set it: `?=` comes too late then.
        if (!name.empty() && !globals_.contains(name) && !is_open_)
          globals_.emplace(name, MakeVariable{"", true, false});
      }
      return false;
    }
    return rule(line, at);
  }

  bool undefine(std::string_view name, bool overrides) {
    const auto found = globals_.find(name);
    if (found == globals_.end() || (found->second.is_fixed && !overrides)) return false;
    globals_.erase(found);
    exported_.erase(std::string(name));
    return false;
  }

  bool condition(std::string_view line) {
    const std::string_view word = first_word(line);
    std::string_view rest = text::trim(line.substr(word.size()));
    if (line.starts_with("ifeq") || line.starts_with("ifneq") || word == "ifdef" ||
        word == "ifndef") {
      if (conditions_.size() < most_conditions) conditions_.push_back(holds(line));
    } else if (word == "else" && !conditions_.empty()) {
      Holds& last = conditions_.back();
      last = last == Holds::yes ? Holds::no : last == Holds::no ? Holds::yes : last;
      // It is not known which of several conditions holds.
      if (!rest.empty() && last != Holds::no)
        last = last == Holds::unknown ? Holds::unknown : holds(rest);
    } else if (word == "endif") {
      if (!conditions_.empty()) conditions_.pop_back();
    } else {
      return false;
    }
    return true;
  }

  Holds holds(std::string_view line) const {
    const bool is_negative = line.starts_with("ifn");
    const auto answer = [&](bool equal) { return equal != is_negative ? Holds::yes : Holds::no; };
    if (line.starts_with("ifdef") || line.starts_with("ifndef")) {
      const auto found = globals_.find(text::trim(line.substr(is_negative ? 6 : 5)));
      if (found == globals_.end() || !found->second.known) return Holds::unknown;
      return answer(!found->second.value.empty());
    }
    line = text::trim(line.substr(is_negative ? 5 : 4));
    std::string_view left, right;
    if (line.starts_with('(') && line.ends_with(')')) {
      const size_t comma = line.find(',');
      if (comma == line.npos) return Holds::unknown;
      left = text::trim(line.substr(1, comma - 1));
      right = text::trim(line.substr(comma + 1, line.size() - comma - 2));
    } else {
      const size_t close = line.empty() ? line.npos : line.find(line[0], 1);
      if (close == line.npos) return Holds::unknown;
      left = line.substr(1, close - 1);
      right = text::trim(line.substr(close + 1));
      if (right.size() < 2) return Holds::unknown;
      right = right.substr(1, right.size() - 2);
    }
    const auto a = expanded(left, globals_), b = expanded(right, globals_);
    return a && b ? answer(*a == *b) : Holds::unknown;
  }

  void include(std::string_view files, int depth) {
    for (std::string_view file : text::split(files, ' ')) {
      if (file.empty()) continue;
      const auto name = expanded(file, globals_);
      const auto text = name && beside_ && depth < deepest_include && is_certain() ? beside_(*name)
                                                                                   : std::nullopt;
      if (text) {
        const std::string copy = *text;
        read_lines(copy, false, depth + 1);
      } else {
        open();
      }
    }
  }

  // A recipe that is run before others may set the variable.
  void set_elsewhere(std::string_view setting) {
    const std::string_view name = setting.substr(0, text::find_if(setting, 0, is_name_end));
    if (name.empty()) return open();
    globals_[std::string(name)] = {.value = {}, .known = false, .is_fixed = true};
  }

  void open() {
    for (auto& [name, variable] : globals_) variable.known = false;
    is_open_ = true;
  }

  // `NAME = value`; `?=` and `+=` count on nothing in the environment, as defaults do.
  bool assignment(std::string_view line, MakeVariables& variables, bool overrides, bool exports) {
    const size_t name_end = text::find_if(line, 0, is_name_end);
    const std::string_view name = line.substr(0, name_end);
    std::string_view rest = text::trim(line.substr(std::min(name_end, line.size())));
    const size_t equals = rest.find_first_not_of(":?+!");
    if (name.empty() || equals == rest.npos || rest[equals] != '=' || equals > 3) return false;
    const std::string_view op = rest.substr(0, equals);
    const std::string value(text::trim(rest.substr(equals + 1)));
    if (exports) {
      exported_.emplace(name);
      hidden_.erase(std::string(name));
    }
    const bool is_global = &variables == &globals_;
    const auto before = variables.find(name);
    const auto global = globals_.find(name);
    MakeVariable made{value};
    made.is_fixed = overrides;
    if (before != variables.end() && before->second.is_fixed && !overrides) return true;
    if (name == "MAKEFLAGS") {
      for (std::string_view word : text::split(value, ' ')) {
        if (contains(word, '=') && !word.starts_with('-')) set_elsewhere(word);
      }
      return true;
    }
    made.known = value.size() <= longest_make_value && op != "!";
    if (op.starts_with(':')) {
      const auto now = expanded(value, globals_);
      made.expands_late = false;
      made.known = now.has_value();
      made.value = now.value_or("");
    } else if (op == "?") {
      if (before != variables.end()) return true;
      if (!is_global && global != globals_.end()) return true;
      made.known = made.known && !is_open_;
    } else if (op == "+") {
      const MakeVariable* base = before != variables.end()  ? &before->second
                                 : global != globals_.end() ? &global->second
                                                            : nullptr;
      if (base != nullptr) {
        made = *base;
        const auto now = base->expands_late ? std::optional(value) : expanded(value, globals_);
        made.known = base->known && now && base->value.size() + value.size() < longest_make_value;
        made.value += (made.value.empty() ? "" : " ") + now.value_or("");
      } else {
        made.known = made.known && !is_open_;
      }
    }
    // It may not be read: then the value is another one.
    if (!is_certain()) made.known = false;
    variables.insert_or_assign(std::string(name), std::move(made));
    return true;
  }

  bool rule(std::string_view line, std::optional<size_t> at) {
    const size_t colon = line.find(':');
    if (colon == line.npos) return false;
    MakefileRule made;
    for (std::string_view target : text::split(line.substr(0, colon), ' ')) {
      if (!target.empty()) made.targets.emplace_back(target);
    }
    std::string_view needs = line.substr(colon + 1);
    if (needs.starts_with(':')) needs.remove_prefix(1);
    needs = text::trim(needs);
    bool exports = false, overrides = false;
    std::string_view setting = needs;
    for (std::string_view each = first_word(setting);
         each == "export" || each == "override" || each == "private"; each = first_word(setting)) {
      exports |= each == "export";
      overrides |= each == "override";
      setting = text::trim(setting.substr(each.size()));
    }
    const size_t semicolon = needs.find(';');
    MakeVariables one;
    if (assignment(setting.substr(0, semicolon == needs.npos ? setting.npos : setting.size()), one,
                   overrides, exports)) {
      for (const std::string& target : made.targets) {
        MakeVariables& own = of_target_[target];
        assignment(setting, own, overrides, exports);
      }
      return true;
    }
    for (std::string_view need : text::split(needs.substr(0, semicolon), ' ')) {
      if (!need.empty()) made.needs.emplace_back(need);
    }
    is_one_shell_ |= contains(made.targets, ".ONESHELL");
    exports_all_ |= contains(made.targets, ".EXPORT_ALL_VARIABLES");
    rules_.push_back(std::move(made));
    if (at && line.find(';') != line.npos) {
      const size_t begin = text_.find(';', *at);
      const size_t end = text::next_line(text_, *at);
      if (begin < end) lines_.push_back({begin + 1, end, rules_.size() - 1, false});
    }
    return true;
  }

  void recipe(size_t begin, size_t end) {
    for (std::string_view each : {"$(eval ", "${eval "}) {
      const size_t at = text_.substr(0, end).find(each, begin);
      if (at != text_.npos) set_elsewhere(text::trim(text_.substr(at + each.size(), end - at)));
    }
    if (rules_.empty()) rules_.emplace_back();
    const bool goes_on =
        is_one_shell_ && !lines_.empty() && lines_.back().rule == rules_.size() - 1;
    lines_.push_back({begin, end, rules_.size() - 1, goes_on});
  }

  std::optional<std::string> expanded(std::string_view text, const MakeVariables& variables,
                                      int depth = 0) const {
    std::string result;
    for (size_t at = 0; at < text.size();) {
      const size_t dollar = std::min(text.find('$', at), text.size());
      result += text.substr(at, dollar - at);
      at = dollar;
      if (at == text.size()) break;
      const auto [name, length] = reference(text, at);
      if (length == 0) return {};
      if (name == "$") {
        result += '$';
      } else {
        const auto value = value_of(name, variables, depth + 1);
        if (!value || result.size() + value->size() > longest_make_value) return {};
        result += *value;
      }
      at += length;
    }
    return result;
  }

  std::optional<std::string> value_of(std::string_view name, const MakeVariables& variables,
                                      int depth) const {
    if (name.empty() || depth > deepest_reference) return {};
    auto found = variables.find(name);
    if (found == variables.end()) {
      found = globals_.find(name);
      if (found == globals_.end()) return {};
    }
    if (!found->second.known) return {};
    if (!found->second.expands_late) return found->second.value;
    return expanded(found->second.value, variables, depth);
  }

  // The name, and the bytes of the whole; `$` for `$$`, and no name for what only make knows.
  static std::pair<std::string_view, size_t> reference(std::string_view text, size_t at) {
    if (at + 1 >= text.size()) return {"", 0};
    const char next = text[at + 1];
    if (next == '$') return {"$", 2};
    if (next != '(' && next != '{') return {text.substr(at + 1, 1), 2};
    int depth = 0;
    for (size_t end = at + 1; end < text.size(); ++end) {
      if (contains(std::string_view("({"), text[end])) ++depth;
      if (!contains(std::string_view(")}"), text[end]) || --depth > 0) continue;
      const std::string_view name = text.substr(at + 2, end - at - 2);
      const bool is_plain = name.find_first_of(" \t:$(){}") == name.npos;
      return {is_plain ? name : std::string_view(), end + 1 - at};
    }
    return {"", 0};
  }

  // The variables of a target. What it has of a target that needs it depends on which is made.
  MakeVariables of_rule(const MakefileRule& rule) {
    MakeVariables own;
    if (of_target_.empty()) return own;
    std::set<std::string_view> above(rule.targets.begin(), rule.targets.end());
    bool is_known = true;
    for (bool grows = true; grows && is_known;) {
      grows = false;
      steps_ += rules_.size();
      is_known = steps_ < most_steps;
      for (const MakefileRule& each : rules_) {
        if (!any_of(each.needs, [&](const std::string& need) { return above.contains(need); }))
          continue;
        for (const std::string& target : each.targets) grows |= above.insert(target).second;
      }
    }
    for (const auto& [target, variables] : of_target_) {
      if (is_known && !rule.is_definition && !contains(target, '%') && !above.contains(target))
        continue;
      for (const auto& [name, variable] : variables) own[name].known = false;
    }
    if (rule.targets.size() == 1 && of_target_.contains(rule.targets[0])) {
      for (const auto& [name, variable] : of_target_[rule.targets[0]]) own[name] = variable;
    }
    return own;
  }

  void write() {
    auto comment = comments_.begin();
    std::optional<size_t> rule;
    MakeVariables own;
    for (const RecipeLine& line : lines_) {
      for (; comment != comments_.end() && comment->first < line.begin; ++comment)
        append_bytes(script_, makefile_, comment->first, comment->second);
      if (rule != line.rule) own = of_rule(rules_[line.rule]);
      rule = line.rule;
      in_definition_ = rules_[line.rule].is_definition;
      if (!line.goes_on) {
        script_.shells.push_back(script_.text.size());
        write_environment(line, own);
      }
      write_line(line, own);
    }
    for (; comment != comments_.end(); ++comment)
      append_bytes(script_, makefile_, comment->first, comment->second);
  }

  // Variables of make that its shells have.
  void write_environment(const RecipeLine& line, const MakeVariables& own) {
    std::set<std::string_view> written;
    const std::string_view text = text_.substr(0, line.end);
    for (size_t at = line.begin; (at = text.find("$$", at)) < text.size(); at += 2) {
      const size_t begin = at + (text.substr(at + 2, 1) == "{" ? 3 : 2);
      const std::string_view name = variable_name(text.substr(std::min(begin, text.size())));
      const bool is_set =
          exported_.contains(name) || (exports_all_ && !hidden_.contains(name) &&
                                       (own.contains(name) || globals_.contains(name)));
      if (!is_set || !written.insert(name).second) continue;
      const auto value = in_definition_ ? std::nullopt : value_of(name, own, 0);
      const bool is_plain = value && value->find_first_of("'\n") == std::string::npos &&
                            written_ + value->size() < text_.size() + spare_bytes;
      written_ += is_plain ? value->size() : 0;
      const std::string setting =
          std::string(name) + (is_plain ? "='" + *value + "'\n" : "=\"$_\"\n");
      append_in_place(script_, setting, makefile_.host(line.begin), 1);
    }
  }

  void write_line(const RecipeLine& line, const MakeVariables& own) {
    size_t begin = line.begin;
    if (text_[begin] == '\t') ++begin;
    if (!line.goes_on) {
      while (begin < line.end && contains(std::string_view("@-+ \t"), text_[begin])) ++begin;
    }
    const std::string_view text = text_.substr(0, line.end);
    for (size_t at = begin; at < line.end;) {
      const size_t stop = std::min(text.find_first_of("$\n", at), line.end);
      append_bytes(script_, makefile_, at,
                   std::min(stop + (stop < line.end && text[stop] == '\n' ? 1 : 0), line.end));
      at = stop;
      if (at == line.end) break;
      if (text[at] == '\n') {  // make takes the tab away
        ++at;
        if (at < line.end && text[at] == '\t') ++at;
        continue;
      }
      const auto [name, length] = reference(text, at);
      if (length == 0) {
        append_bytes(script_, makefile_, at, at + 1);
        ++at;
      } else if (name == "$") {
        append_bytes(script_, makefile_, at + 1, at + 2);
        at += 2;
      } else {
        write_reference(name, at, length, own, text.substr(begin));
        at += length;
      }
    }
    if (!script_.text.ends_with('\n')) append_bytes(script_, "\n", makefile_.host(line.end));
  }

  void write_reference(std::string_view name, size_t at, size_t length, const MakeVariables& own,
                       std::string_view line) {
    const size_t host = makefile_.host(at);
    const size_t host_length = makefile_.host(at + length - 1) + 1 - host;
    // Values of a definition are those of another place.
    if (const auto value = in_definition_ ? std::nullopt : value_of(name, own, 0);
        value && written_ + value->size() < text_.size() + spare_bytes) {
      written_ += value->size();
      return append_in_place(script_, *value, host, host_length);
    }
    // The shell has no variable of this name, or another one.
    if (variable_name(name) == name && line.find(std::string(name) + "=") == line.npos) {
      append_bytes(script_, "${", host);
      append_bytes(script_, makefile_, at + 2, at + 2 + name.size());
      append_bytes(script_, "}", makefile_.host(at + length - 1));
    } else {
      append_in_place(script_, "$_", host, host_length);
    }
  }

  const Excerpt& makefile_;
  std::string_view text_;
  const ReadBeside& beside_;
  MakeVariables globals_;
  std::map<std::string, MakeVariables, std::less<>> of_target_;
  std::set<std::string, std::less<>> exported_, hidden_;  // `unexport` hides them from shells
  std::vector<MakefileRule> rules_;
  std::vector<RecipeLine> lines_;
  std::vector<std::pair<size_t, size_t>> comments_;
  std::vector<Holds> conditions_;
  bool is_open_ = false;  // something that is not read may have set variables
  bool in_definition_ = false;
  bool is_one_shell_ = false;
  bool exports_all_ = false;
  size_t written_ = 0;  // bytes of values
  size_t steps_ = 0;
  Excerpt script_;
};

}  // namespace

Excerpt recipes(const Excerpt& makefile, const ReadBeside& beside, const GivenNames& given) {
  return MakefileReader(makefile, beside, given).read();
}

}  // namespace flexslice::extract
