#include "extract/arithmetic.hpp"

#include <array>
#include <string>
#include <vector>

#include "base/ascii.hpp"
#include "base/lists.hpp"
#include "base/text.hpp"
#include "extract/parameters.hpp"
#include "extract/shell_words.hpp"

namespace flexslice::extract {

using std::size_t;
using Value = std::optional<std::int64_t>;

namespace {

constexpr size_t longest_expression = 512;
constexpr int deepest_expression = 32;
constexpr std::int64_t greatest = std::int64_t{1} << 31;  // far more than anything that is counted

// From the loosest.
constexpr std::array<std::array<std::string_view, 4>, 10> levels{{{"||"},
                                                                  {"&&"},
                                                                  {"|"},
                                                                  {"^"},
                                                                  {"&"},
                                                                  {"==", "!="},
                                                                  {"<=", ">=", "<", ">"},
                                                                  {"<<", ">>"},
                                                                  {"+", "-"},
                                                                  {"*", "/", "%"}}};

class Calculator {
 public:
  Calculator(std::string_view text, Variables& variables, Span where, bool is_blind)
      : text_(text), variables_(variables), where_(where), is_blind_(is_blind) {}

  Value run() {
    const Variables::Mark mark = variables_.mark();
    Value value = list();
    skip();
    if (at_ < text_.size()) is_odd_ = true;
    if (is_odd_) {
      variables_.undo(mark);
      forget_assigned();
      return {};
    }
    return value;
  }

 private:
  void skip() {
    while (at_ < text_.size() && ascii::is_space(text_[at_])) ++at_;
  }
  bool sees(std::string_view sign) {
    skip();
    return text_.substr(at_).starts_with(sign);
  }
  bool take(std::string_view sign) {
    if (!sees(sign)) return false;
    at_ += sign.size();
    return true;
  }
  char after(size_t length) const {
    return at_ + length < text_.size() ? text_[at_ + length] : '\0';
  }

  Value list() {
    Value value = assignment();
    while (!is_odd_ && take(",")) value = assignment();
    return value;
  }

  std::string_view name() {
    skip();
    const bool has_dollar = after(0) == '$';
    const bool has_brace = has_dollar && after(1) == '{';
    const size_t begin = at_ + (has_dollar ? 1 : 0) + (has_brace ? 1 : 0);
    const std::string_view found = variable_name(text_.substr(std::min(begin, text_.size())));
    if (found.empty()) return {};
    const size_t end = begin + found.size();
    if (has_brace && (end >= text_.size() || text_[end] != '}')) return {};
    at_ = end + (has_brace ? 1 : 0);
    return found;
  }

  Value read(std::string_view variable) {
    const Variables::VariableLookup found = variables_.look_up(variable);
    if (is_blind_) return {};
    if (found.state == Variables::VariableState::unset) return 0;
    if (found.state != Variables::VariableState::known) return {};
    const std::string& value = found.variable->value;
    if (value.empty()) return 0;
    // `010` is eight.
    if (value.size() > 1 && value[0] == '0') return {};
    // A value that is an expression is calculated in its turn.
    if (assigns(value)) variables_.open_all();
    return text::whole_number(value);
  }
  void write(std::string_view variable, Value value) {
    variables_.set(variable, value ? std::to_string(*value) : "", where_, value.has_value());
  }

  Value assignment() {
    if (++depth_ > deepest_expression) is_odd_ = true;
    const size_t begin = at_;
    skip();
    const bool is_plain = after(0) != '$';
    const std::string_view variable = is_plain ? name() : std::string_view();
    if (!variable.empty()) {
      skip();
      for (std::string_view sign : {"", "+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^"}) {
        if (!text_.substr(at_).starts_with(std::string(sign) + "=") ||
            (sign.empty() && after(1) == '='))
          continue;
        at_ += sign.size() + 1;
        Value value = assignment();
        if (!sign.empty()) value = apply(sign, read(variable), value);
        write(variable, value);
        --depth_;
        return value;
      }
    }
    at_ = begin;
    Value value = choice();
    --depth_;
    return value;
  }

  Value choice() {
    const Value condition = binary(0);
    if (!take("?")) return condition;
    const Variables::Mark mark = variables_.mark();
    const Value yes = assignment();
    if (!take(":")) is_odd_ = true;
    const Value no = assignment();
    if (variables_.mark() != mark) is_odd_ = true;  // what is not taken assigns nothing
    if (!condition) return {};
    return *condition != 0 ? yes : no;
  }

  Value binary(size_t level) {
    if (level == levels.size()) return power();
    Value left = binary(level + 1);
    for (bool goes_on = true; goes_on && !is_odd_;) {
      goes_on = false;
      for (std::string_view sign : levels[level]) {
        if (sign.empty() || !sees(sign) || is_other(sign)) continue;
        at_ += sign.size();
        const Variables::Mark mark = variables_.mark();
        const Value right = binary(level + 1);
        if (level < 2 && variables_.mark() != mark) is_odd_ = true;
        left = apply(sign, left, right);
        goes_on = true;
        break;
      }
    }
    return left;
  }

  // `&` of `&&`, `<` of `<<=`: another operator.
  bool is_other(std::string_view sign) const {
    const char next = after(sign.size());
    if (sign.size() == 1 && contains(std::string_view("&|<>*"), sign[0]) && next == sign[0])
      return true;
    return next == '=' && sign != "==" && sign != "!=" && sign != "<=" && sign != ">=" &&
           sign != "||" && sign != "&&";
  }

  Value power() {
    Value left = unary();
    if (!take("**")) return left;
    const Value exponent = power();
    if (!left || !exponent || *exponent < 0 || *exponent > 62) return {};
    Value value = 1;
    for (std::int64_t i = 0; i < *exponent && value; ++i) value = apply("*", value, left);
    return value;
  }

  Value unary() {
    if (++depth_ > deepest_expression) is_odd_ = true;
    if (is_odd_) return {};
    Value value;
    if (sees("++") || sees("--")) {
      const bool adds = take("++");
      if (!adds) take("--");
      const bool is_plain = !sees("$");
      const std::string_view variable = name();
      if (variable.empty() || !is_plain) is_odd_ = true;
      value = apply(adds ? "+" : "-", read(variable), 1);
      write(variable, value);
    } else if (take("+")) {
      value = unary();
    } else if (take("-")) {
      value = unary();
      if (value) value = -*value;
    } else if (take("!")) {
      value = unary();
      if (value) value = *value == 0 ? 1 : 0;
    } else {
      value = primary();
    }
    --depth_;
    return value;
  }

  Value primary() {
    if (take("(")) {
      const Value value = list();
      if (!take(")")) is_odd_ = true;
      return value;
    }
    skip();
    if (ascii::is_digit(after(0))) {
      const size_t begin = at_;
      while (at_ < text_.size() && ascii::is_word(text_[at_])) ++at_;
      const std::string_view digits = text_.substr(begin, at_ - begin);
      if (after(0) == '#') is_odd_ = true;
      // `010` is eight.
      if (digits.size() > 1 && digits[0] == '0') return {};
      return text::whole_number(digits);
    }
    const bool is_plain = after(0) != '$';
    const std::string_view variable = name();
    if (variable.empty() || after(0) == '[') {
      is_odd_ = true;
      return {};
    }
    const Value value = read(variable);
    if (!is_plain) return value;
    if (take("++"))
      write(variable, apply("+", value, 1));
    else if (take("--"))
      write(variable, apply("-", value, 1));
    return value;
  }

  static Value apply(std::string_view sign, Value a, Value b) {
    if (!a || !b || *a > greatest || *b > greatest || *a < -greatest || *b < -greatest) return {};
    const std::int64_t x = *a, y = *b;
    if (sign == "+") return x + y;
    if (sign == "-") return x - y;
    if (sign == "*") return x * y;
    if (sign == "/" || sign == "%") {
      if (y == 0) return {};
      return sign == "/" ? x / y : x % y;
    }
    if (sign == "<<") return y >= 0 && y < 31 ? Value(x * (std::int64_t{1} << y)) : Value();
    if (sign == ">>") return y >= 0 && y < 63 ? Value(x >> y) : Value();
    if (sign == "&") return x & y;
    if (sign == "|") return x | y;
    if (sign == "^") return x ^ y;
    if (sign == "&&") return x != 0 && y != 0 ? 1 : 0;
    if (sign == "||") return x != 0 || y != 0 ? 1 : 0;
    if (sign == "==") return x == y ? 1 : 0;
    if (sign == "!=") return x != y ? 1 : 0;
    if (sign == "<") return x < y ? 1 : 0;
    if (sign == "<=") return x <= y ? 1 : 0;
    if (sign == ">") return x > y ? 1 : 0;
    return x >= y ? 1 : 0;
  }

  static bool assigns(std::string_view text) {
    return text.find('=') != text.npos || text.find("++") != text.npos ||
           text.find("--") != text.npos;
  }

  // `$1 = 4` and `++$name` set the variable that the value names.
  bool assigns_by_value() const {
    for (size_t at = 0; (at = text_.find('$', at)) != text_.npos;) {
      const std::string_view before = text::trim(text_.substr(0, at));
      at = std::min(text_.find_first_of(" \t=+-*/%&|^<>?:,()", at + 1), text_.size());
      const std::string_view after = text::trim(text_.substr(at));
      const size_t sign = after.find_first_not_of("+-*/%&|^<>");
      const bool is_set = sign != after.npos && after[sign] == '=' &&
                          !after.substr(sign).starts_with("==") && !after.starts_with("<=") &&
                          !after.starts_with(">=");
      if (is_set || after.starts_with("++") || after.starts_with("--") || before.ends_with("++") ||
          before.ends_with("--"))
        return true;
    }
    return false;
  }

  // Names beside anything that looks like an assignment.
  void forget_assigned() {
    if (assigns_by_value()) variables_.open_all();
    for (size_t at = 0; assigns(text_) && at < text_.size();) {
      const std::string_view found = variable_name(text_.substr(at));
      if (!found.empty()) variables_.set_unknown(found, where_);
      at += std::max<size_t>(found.size(), 1);
    }
  }

  std::string_view text_;
  Variables& variables_;
  Span where_;
  bool is_blind_;
  size_t at_ = 0;
  int depth_ = 0;
  bool is_odd_ = false;  // not read to its end
};

// A shell puts values in before it calculates: `$V = 4` sets the variable that V names.
std::string with_names(std::string_view expression, const Variables& variables) {
  std::string filled;
  for (size_t at = 0; at < expression.size();) {
    const size_t dollar = std::min(expression.find('$', at), expression.size());
    filled += expression.substr(at, dollar - at);
    at = dollar;
    if (at == expression.size()) break;
    const Parameter parameter = parameter_at(expression, at);
    const size_t length = std::max<size_t>(parameter.length, 1);
    const bool is_plain = parameter.change == '\0' && parameter.subscript.empty();
    const auto found = variables.look_up(is_plain ? parameter.name : std::string_view());
    const bool names_another = found.state == Variables::VariableState::known &&
                               !found.variable->value.empty() &&
                               variable_name(found.variable->value) == found.variable->value;
    filled +=
        names_another ? std::string_view(found.variable->value) : expression.substr(at, length);
    at += length;
  }
  return filled;
}

}  // namespace

std::optional<std::int64_t> calculate(std::string_view expression, Variables& variables, Span where,
                                      bool is_blind) {
  if (expression.size() > longest_expression) {
    variables.open_all();
    return {};
  }
  const bool has_values = !is_blind && contains(expression, '$');
  const std::string filled = has_values ? with_names(expression, variables) : std::string();
  return Calculator(has_values ? filled : expression, variables, where, is_blind).run();
}

}  // namespace flexslice::extract
