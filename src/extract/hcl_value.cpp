#include "extract/hcl_value.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/ascii.hpp"
#include "base/lists.hpp"
#include "base/text.hpp"
#include "yaml/made.hpp"

namespace flexslice::extract {

using std::size_t;
using yaml::Kind;
using yaml::Node;

namespace {

using Known = std::optional<Node>;
using Arguments = std::vector<Known>;

constexpr size_t longest_text = 4096;
constexpr int most_nested = 32;    // values that name values, and brackets
constexpr int most_values = 2000;  // a value that is named twice, by one that is named twice …

Node truth(bool value) { return yaml::plain_at(value ? "true" : "false"); }
Known number_value(double value) {
  if (!std::isfinite(value) || std::abs(value) > 1e15) return {};
  return yaml::plain_at(value == std::floor(value)
                            ? std::to_string(static_cast<std::int64_t>(value))
                            : fmt::format("{}", value));
}

bool has_expression(std::string_view text) {
  return text.find("${") != text.npos || text.find("%{") != text.npos;
}
bool is_null(const Node& node) { return node.kind == Kind::null; }

// Terraform makes a number of a string where one is due.
std::optional<double> as_number(const Known& value) {
  if (!value || value->kind != Kind::scalar || value->text.empty()) return {};
  double number = 0;
  const char* const end = value->text.data() + value->text.size();
  const auto read = std::from_chars(value->text.data(), end, number);
  if (read.ec != std::errc() || read.ptr != end) return {};
  return number;
}
std::optional<bool> truth_of(const Known& value) {
  if (!value || value->kind != Kind::scalar) return {};
  if (value->text != "true" && value->text != "false") return {};
  return value->text == "true";
}

// Nothing where the types differ: Terraform may convert one.
std::optional<bool> equal(const Known& a, const Known& b) {
  if (!a || !b) return {};
  if (is_null(*a) || is_null(*b)) return is_null(*a) && is_null(*b);
  if (a->kind != Kind::scalar || b->kind != Kind::scalar || has_expression(a->text) ||
      has_expression(b->text))
    return {};
  if (a->text == b->text) return true;
  const auto x = as_number(a), y = as_number(b);
  if (x.has_value() != y.has_value()) return {};
  return x ? *x == *y : false;
}

Known fold_numbers(const Arguments& given, const auto& combine) {
  std::optional<double> all;
  for (const Known& each : given) {
    const auto number = as_number(each);
    if (!number) return {};
    all = all ? combine(*all, *number) : *number;
  }
  return all ? number_value(*all) : Known();
}

Known rounded(const Arguments& given, double (*round)(double)) {
  const auto number = given.size() == 1 ? as_number(given[0]) : std::nullopt;
  return number ? number_value(round(*number)) : Known();
}

// A list that is given as one is that of the arguments.
Known itself(const Arguments& given) { return given.size() == 1 ? given[0] : Known(); }

bool is_kind(const Arguments& given, size_t index, Kind kind) {
  return index < given.size() && given[index] && given[index]->kind == kind;
}

Known length(const Arguments& given) {
  if (given.size() != 1 || !given[0] || is_null(*given[0])) return {};
  const Node& value = *given[0];
  return number_value(static_cast<double>(value.kind == Kind::sequence  ? value.items.size()
                                          : value.kind == Kind::mapping ? value.members.size()
                                                                        : value.text.size()));
}

Known lookup_key(const Arguments& given) {
  if (given.size() < 2 || !is_kind(given, 0, Kind::mapping) || !is_kind(given, 1, Kind::scalar))
    return {};
  if (const Node* found = given[0]->find(given[1]->text)) return *found;
  const auto has_open_key = [](const yaml::Member& each) { return has_expression(each.key.text); };
  return given.size() > 2 && !std::ranges::any_of(given[0]->members, has_open_key) ? given[2]
                                                                                   : Known();
}

Known element(const Arguments& given) {
  const auto index = given.size() == 2 ? as_number(given[1]) : std::nullopt;
  if (!index || *index < 0 || !is_kind(given, 0, Kind::sequence) || given[0]->items.empty())
    return {};
  return given[0]->items[static_cast<size_t>(*index) % given[0]->items.size()];
}

Known set_of(const Arguments& given) {
  if (given.size() != 1 || !is_kind(given, 0, Kind::sequence)) return {};
  std::vector<Node> items = given[0]->items;
  if (std::ranges::any_of(items, [](const Node& item) {
        return item.kind != Kind::scalar || has_expression(item.text);
      }))
    return {};
  std::ranges::sort(items, {}, &Node::text);
  std::string last;
  bool is_first = true;
  std::erase_if(items, [&](const Node& item) {
    const bool is_twice = !std::exchange(is_first, false) && item.text == last;
    last = item.text;
    return is_twice;
  });
  return yaml::list_at({}, std::move(items));
}

// `%d`, `%s` and `%v` alone.
Known formatted(const Arguments& given) {
  if (!is_kind(given, 0, Kind::scalar)) return {};
  const std::string& pattern = given[0]->text;
  std::string out;
  size_t next = 1;
  for (size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '%') {
      out += pattern[i];
    } else if (++i < pattern.size() && pattern[i] == '%') {
      out += '%';
    } else if (i < pattern.size() && contains(std::string_view("dsv"), pattern[i]) &&
               is_kind(given, next, Kind::scalar)) {
      out += given[next++]->text;
    } else {
      return {};
    }
  }
  return next == given.size() ? yaml::string_at(out) : Known();
}

Known join_items(const Arguments& given) {
  if (given.size() != 2 || !is_kind(given, 0, Kind::scalar) || !is_kind(given, 1, Kind::sequence))
    return {};
  std::vector<std::string> parts;
  for (const Node& item : given[1]->items) {
    if (item.kind != Kind::scalar || has_expression(item.text)) return {};
    parts.push_back(item.text);
  }
  return yaml::string_at(text::join(parts, given[0]->text));
}

Known split_at(const Arguments& given) {
  if (given.size() != 2 || !is_kind(given, 0, Kind::scalar) || !is_kind(given, 1, Kind::scalar) ||
      given[0]->text.size() != 1)
    return {};
  std::vector<Node> items;
  for (std::string_view part : text::split(given[1]->text, given[0]->text[0]))
    items.push_back(yaml::string_at(part));
  return yaml::list_at({}, std::move(items));
}

Known first_given(const Arguments& given) {
  for (const Known& each : given) {
    if (!each) return {};
    if (!is_null(*each) && !(each->kind == Kind::scalar && each->text.empty())) return each;
  }
  return {};
}

Known concatenated(const Arguments& given) {
  std::vector<Node> items;
  for (size_t i = 0; i < given.size(); ++i) {
    if (!is_kind(given, i, Kind::sequence)) return {};
    items.insert(items.end(), given[i]->items.begin(), given[i]->items.end());
  }
  return yaml::list_at({}, std::move(items));
}

Known merge_mappings(const Arguments& given) {
  Node made = yaml::mapping_at();
  for (size_t i = 0; i < given.size(); ++i) {
    if (given[i] && is_null(*given[i])) continue;
    if (!is_kind(given, i, Kind::mapping)) return {};
    for (const yaml::Member& member : given[i]->members) {
      std::erase_if(made.members,
                    [&](const yaml::Member& each) { return each.key.text == member.key.text; });
      made.members.push_back(member);
    }
  }
  return made;
}

Known sorted_keys(const Arguments& given, bool values) {
  if (given.size() != 1 || !is_kind(given, 0, Kind::mapping)) return {};
  std::vector<yaml::Member> members = given[0]->members;
  std::ranges::sort(members, {}, yaml::key_text);
  std::vector<Node> items;
  for (yaml::Member& member : members)
    items.push_back(std::move(values ? member.value : member.key));
  return yaml::list_at({}, std::move(items));
}

Known contains_item(const Arguments& given) {
  if (given.size() != 2 || !is_kind(given, 0, Kind::sequence)) return {};
  for (const Node& item : given[0]->items) {
    const auto same = equal(item, given[1]);
    if (!same || *same) return same ? Known(truth(true)) : Known();
  }
  return truth(false);
}

struct HclFunction {
  std::string_view name;
  Known (*call)(const Arguments&);
};
constexpr HclFunction functions[] = {
    {"abs", [](const Arguments& given) { return rounded(given, std::fabs); }},
    {"ceil", [](const Arguments& given) { return rounded(given, std::ceil); }},
    {"coalesce", first_given},
    {"concat", concatenated},
    {"contains", contains_item},
    {"element", element},
    {"floor", [](const Arguments& given) { return rounded(given, std::floor); }},
    {"format", formatted},
    {"join", join_items},
    {"keys", [](const Arguments& given) { return sorted_keys(given, false); }},
    {"length", length},
    {"lookup", lookup_key},
    {"max",
     [](const Arguments& given) {
       return fold_numbers(given, [](double a, double b) { return std::max(a, b); });
     }},
    {"merge", merge_mappings},
    {"min",
     [](const Arguments& given) {
       return fold_numbers(given, [](double a, double b) { return std::min(a, b); });
     }},
    {"pow",
     [](const Arguments& given) {
       return given.size() == 2
                  ? fold_numbers(given, [](double a, double b) { return std::pow(a, b); })
                  : Known();
     }},
    {"split", split_at},
    {"sum",
     [](const Arguments& given) {
       if (given.size() != 1 || !is_kind(given, 0, Kind::sequence)) return Known();
       return fold_numbers(Arguments(given[0]->items.begin(), given[0]->items.end()),
                           std::plus<>());
     }},
    {"tolist", itself},
    {"tomap", itself},
    {"tonumber",
     [](const Arguments& given) {
       const auto number = given.size() == 1 ? as_number(given[0]) : std::nullopt;
       return number ? number_value(*number) : Known();
     }},
    {"toset", set_of},
    {"tostring",
     [](const Arguments& given) {
       return given.size() == 1 && is_kind(given, 0, Kind::scalar) ? yaml::string_at(given[0]->text)
                                                                   : Known();
     }},
    {"try", [](const Arguments& given) { return given.empty() ? Known() : given[0]; }},
    {"values", [](const Arguments& given) { return sorted_keys(given, true); }},
};

constexpr std::array<std::array<std::string_view, 4>, 6> hcl_levels{
    {{"||"}, {"&&"}, {"==", "!="}, {"<=", ">=", "<", ">"}, {"+", "-"}, {"*", "/", "%"}}};

Known combined(std::string_view sign, const Known& a, const Known& b) {
  if (sign == "==" || sign == "!=") {
    const auto same = equal(a, b);
    return same ? Known(truth(*same == (sign == "=="))) : Known();
  }
  if (sign == "&&" || sign == "||") {
    const auto x = truth_of(a), y = truth_of(b);
    if (!x || !y) return {};
    return truth(sign == "&&" ? *x && *y : *x || *y);
  }
  const auto x = as_number(a), y = as_number(b);
  if (!x || !y) return {};
  if (sign == "+") return number_value(*x + *y);
  if (sign == "-") return number_value(*x - *y);
  if (sign == "*") return number_value(*x * *y);
  if (sign == "/") return number_value(*x / *y);
  if (sign == "%") return number_value(std::fmod(*x, *y));
  if (sign == "<") return truth(*x < *y);
  if (sign == ">") return truth(*x > *y);
  return truth(sign == "<=" ? *x <= *y : *x >= *y);
}

// Names in values may lead to more values, so one of these reads each text, and they share `steps`.
class HclCalculator {
 public:
  HclCalculator(std::string_view text, const HclNames& names, int depth, int& steps)
      : text_(text), names_(names), depth_(depth), steps_(steps) {}

  // The whole text: with one expression and nothing else it has that one's type.
  Known run() {
    if (text_.size() > longest_text) return {};
    Known value = parts('\0');
    return is_bad_ || at_ < text_.size() ? Known() : value;
  }

 private:
  char peek(size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
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
  void must(std::string_view sign) {
    if (!take(sign)) is_bad_ = true;
  }

  // Up to the quote that ends it, or the end of all.
  Known parts(char quote) {
    std::string out;
    std::vector<Known> values;
    bool has_text = false;
    while (!is_bad_ && at_ < text_.size() && !(quote != '\0' && peek() == quote)) {
      const std::string_view rest = text_.substr(at_);
      if (rest.starts_with("$${") || rest.starts_with("%{") || rest.starts_with("%%{")) {
        is_bad_ = true;
      } else if (rest.starts_with("${")) {
        at_ += 2;
        values.push_back(expression());
        must("}");
        if (values.back() && values.back()->kind == Kind::scalar) out += values.back()->text;
      } else if (quote != '\0' && peek() == '\\') {
        out += peek(1);
        is_bad_ |= peek(1) != '"' && peek(1) != '\\';
        has_text = true;
        at_ += 2;
      } else {
        out += peek();
        has_text = true;
        ++at_;
      }
    }
    if (!has_text && values.size() == 1) return values[0];
    const auto is_scalar = [](const Known& value) { return value && value->kind == Kind::scalar; };
    return std::ranges::all_of(values, is_scalar) ? yaml::string_at(out) : Known();
  }

  Known expression() {
    if (++depth_ > most_nested || ++steps_ > most_values) is_bad_ = true;
    if (is_bad_) return {};
    Known value = binary(0);
    if (take("?")) {
      const Known yes = expression();
      must(":");
      const Known no = expression();
      const auto condition = truth_of(value);
      value = condition ? (*condition ? yes : no) : Known();
    }
    --depth_;
    return value;
  }

  Known binary(size_t level) {
    if (level == hcl_levels.size()) return unary();
    Known left = binary(level + 1);
    for (bool goes_on = true; goes_on && !is_bad_;) {
      goes_on = false;
      for (std::string_view sign : hcl_levels[level]) {
        if (sign.empty() || !take(sign)) continue;
        left = combined(sign, left, binary(level + 1));
        goes_on = true;
        break;
      }
    }
    return left;
  }

  Known unary() {
    if (is_bad_) return {};
    if (sees("!") && !sees("!=")) {
      ++at_;
      const auto value = truth_of(unary());
      return value ? Known(truth(!*value)) : Known();
    }
    if (take("-")) {
      const auto value = as_number(unary());
      return value ? number_value(-*value) : Known();
    }
    return postfix();
  }

  Known postfix() {
    Known value = primary();
    while (!is_bad_) {
      if (peek() == '[') {
        ++at_;
        if (sees("*")) is_bad_ = true;
        const Known key = expression();
        must("]");
        value = item_of(value, key);
      } else if (peek() == '.') {
        ++at_;
        const std::string_view key = word();
        if (key.empty()) is_bad_ = true;
        value = item_of(value, yaml::string_at(key));
      } else {
        break;
      }
    }
    return value;
  }

  Known item_of(const Known& outer, const Known& key) {
    if (!outer || !key || key->kind != Kind::scalar) return {};
    if (outer->kind == Kind::mapping) {
      const Node* found = outer->find(key->text);
      return found == nullptr ? Known() : settled(*found);
    }
    const auto index = text::whole_number(key->text);
    if (outer->kind != Kind::sequence || !index || *index < 0 || *index >= std::ssize(outer->items))
      return {};
    return settled(outer->items[static_cast<size_t>(*index)]);
  }

  std::string_view word() {
    const size_t begin = at_;
    while (ascii::is_word(peek()) || (at_ > begin && peek() == '-')) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  Known primary() {
    skip();
    if (take("(")) {
      Known value = expression();
      must(")");
      return value;
    }
    if (peek() == '"') {
      ++at_;
      Known value = parts('"');
      if (peek() != '"') is_bad_ = true;
      ++at_;
      if (value && value->kind == Kind::scalar) value->quoted = true;
      return value;
    }
    if (peek() == '[') return list();
    if (peek() == '{') return object();
    if (ascii::is_digit(peek())) {
      const size_t begin = at_;
      while (ascii::is_letter_or_digit(peek()) || peek() == '.') ++at_;
      Node digits = yaml::string_at(text_.substr(begin, at_ - begin));
      const auto number = as_number(digits);
      return number ? number_value(*number) : Known();
    }
    const std::string_view name = word();
    if (name.empty()) is_bad_ = true;
    if (is_bad_) return {};
    if (name == "true" || name == "false") return truth(name == "true");
    if (name == "null") return Node();
    if (peek() == '(') return called(name);
    return named(name);
  }

  // The shortest name that has a value: what follows are keys in it.
  Known named(std::string_view first) {
    for (auto each = bound_.rbegin(); each != bound_.rend(); ++each) {
      if (each->first == first) return each->second;
    }
    const size_t begin = at_ - first.size();
    const std::string_view longest_name = text_.substr(begin);
    for (int words = 1; words < 4; ++words) {
      const std::string_view name = longest_name.substr(0, at_ - begin);
      if (const Node* found = words > 1 ? names_(name) : nullptr) return settled(*found);
      if (peek() != '.' || !(ascii::is_word(peek(1)) && !ascii::is_digit(peek(1)))) return {};
      ++at_;
      word();
    }
    return {};
  }

  Known settled(const Node& node) {
    if (node.kind != Kind::scalar || !has_expression(node.text)) return node;
    if (depth_ >= most_nested || ++steps_ > most_values) return {};
    return HclCalculator(node.text, names_, depth_ + 1, steps_).run();
  }

  Known called(std::string_view name) {
    ++at_;
    Arguments given;
    while (!is_bad_ && !take(")")) {
      given.push_back(expression());
      if (sees("...")) is_bad_ = true;
      if (!take(",") && !sees(")")) is_bad_ = true;
    }
    // Items of lists and mappings may be names themselves.
    for (Known& each : given) {
      if (!each) continue;
      for (Node& item : each->items) settle(item);
      for (yaml::Member& member : each->members) settle(member.value);
    }
    const HclFunction* known =
        find_where(functions, [&](const HclFunction& each) { return each.name == name; });
    return known == nullptr || is_bad_ ? Known() : known->call(given);
  }

  void settle(Node& item) {
    if (Known value = settled(item)) item = std::move(*value);
  }

  Known list() {
    ++at_;
    std::vector<Node> items;
    bool is_known = true;
    if (sees("for ")) return comprehension(Kind::sequence);
    while (!is_bad_ && !take("]")) {
      const Known item = expression();
      is_known &= item.has_value();
      if (item) items.push_back(*item);
      if (!take(",") && !sees("]")) is_bad_ = true;
    }
    return is_known ? Known(yaml::list_at({}, std::move(items))) : Known();
  }

  Known object() {
    ++at_;
    Node made = yaml::mapping_at();
    bool is_known = true;
    if (sees("for ")) return comprehension(Kind::mapping);
    while (!is_bad_ && !take("}")) {
      if (sees("(")) is_bad_ = true;
      Known key;
      if (peek() == '"') {
        key = primary();
      } else if (const std::string_view name = word(); !name.empty()) {
        key = yaml::string_at(name);
      }
      if (!take("=") && !take(":")) is_bad_ = true;
      const Known value = expression();
      is_known &= key && value;
      if (key && value) made.members.push_back({*key, *value});
      take(",");
    }
    return is_known ? Known(std::move(made)) : Known();
  }

  // `for NAME in …`, `for KEY, NAME in …`, from there on. What is said of each is read again for
  // each, and once where there is none.
  Known comprehension(Kind kind) {
    take("for ");
    skip();
    std::string_view key_name, value_name = word();
    if (take(",")) {
      skip();
      key_name = std::exchange(value_name, word());
    }
    must("in ");
    const Known source = expression();
    must(":");
    const bool is_known =
        source && (source->kind == Kind::sequence || source->kind == Kind::mapping);
    std::vector<std::pair<Known, Known>> given;
    if (is_known) {
      // An item of a list has its index for a key, and one of a set itself: nobody knows here.
      for (const Node& item : source->items) given.emplace_back(Known(), settled(item));
      for (const yaml::Member& member : source->members)
        given.emplace_back(member.key, settled(member.value));
      std::ranges::stable_sort(given, {}, [](const auto& each) {
        return each.first ? std::string_view(each.first->text) : std::string_view();
      });
    }
    const bool is_empty = given.empty();
    if (is_empty) given.emplace_back();
    Known made = Node();
    made->kind = kind;
    const size_t begin = at_;
    for (const auto& [key, value] : given) {
      at_ = begin;
      bound_.emplace_back(key_name, key);
      bound_.emplace_back(value_name, value);
      Known left;
      if (kind == Kind::mapping) {
        left = expression();
        must("=>");
      }
      Known right = expression();
      if (sees("...")) is_bad_ = true;
      const auto is_taken = take("if ") ? truth_of(expression()) : std::optional(true);
      bound_.resize(bound_.size() - 2);
      if (!is_taken || !right || (kind == Kind::mapping && !left)) made.reset();
      if (is_bad_ || is_empty || !made || !*is_taken) continue;
      if (kind == Kind::mapping) {
        made->members.push_back({std::move(*left), std::move(*right)});
      } else {
        made->items.push_back(std::move(*right));
      }
    }
    must(kind == Kind::mapping ? "}" : "]");
    if (!is_known) return {};
    if (is_empty) return kind == Kind::mapping ? merge_mappings({}) : Known(yaml::list_at());
    return made;
  }

  std::string_view text_;
  const HclNames& names_;
  std::vector<std::pair<std::string_view, Known>> bound_;  // by `for`
  size_t at_ = 0;
  int depth_;
  int& steps_;
  bool is_bad_ = false;  // of a form that is not read
};

}  // namespace

std::optional<Node> calculate_hcl(const Node& said, const HclNames& names) {
  int steps = 0;
  std::optional<Node> value = HclCalculator(said.text, names, 0, steps).run();
  if (value && value->kind == Kind::scalar && has_expression(value->text)) return std::nullopt;
  if (value) value->span = said.span;
  return value;
}

}  // namespace flexslice::extract
