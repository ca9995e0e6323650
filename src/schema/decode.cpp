#include "schema/decode.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/text.hpp"
#include "schema/likely.hpp"
#include "schema/reshape.hpp"
#include "schema/unknown.hpp"

namespace flexslice::schema {

namespace {

using diag::Code;
using diag::Diagnostic;
using diag::Sink;
using yaml::Node;

// The way down to a value, as a chain on the stack; spelt out only for messages.
struct Path {
  const Path* parent = nullptr;
  std::string_view key = {};
  std::size_t index = 0;  // of a list's element, when key is empty

  std::string text() const {
    if (parent == nullptr) return {};
    const std::string before = parent->text();
    if (key.empty()) return fmt::format("{}[{}]", before, index);
    return before.empty() ? std::string(key) : fmt::format("{}.{}", before, key);
  }
};

// Of a value that cannot be read nothing is known: whatever belongs to it counts as reported too.
void spoil(const Type& type, void* target, Span span) {
  type.where(target) = {span, false, true};
  if (type.category != Category::record) return;
  for (const Field& field : type.table->fields) spoil(*field.type, field.member(target), span);
}

// Whether `{}` says something: that all is as it is by default.
bool may_be_empty(const Type& type) {
  if (type.category != Category::record || !type.table->one_of.empty()) return false;
  const auto required = [](const Field& field) { return field.presence == Presence::required; };
  return std::none_of(type.table->fields.begin(), type.table->fields.end(), required);
}

class Decoder {
 public:
  Decoder(const Table& root, Sink& sink) : root_(root), sink_(sink) {}

  void record(const Node& node, const Table& table, void* record, const Path& path);

 private:
  void value(const Node& node, const Type& type, const Rule& rule, void* target, const Path& path);
  void text(const Node& node, const Rule& rule, Text& target, const Path& path);
  void integer(const Node& node, const Rule& rule, Integer& target, const Path& path);
  void flag(const Node& node, Flag& target, const Path& path);
  void list(const Node& node, const Type& type, const Rule& rule, void* target, const Path& path);
  void map(const Node& node, const Type& type, const Rule& rule, void* target, const Path& path);
  void members(const Node& node, const Table& table, void* record, const Path& path);
  void absent(const Node& node, const Table& table, void* record, const Path& path,
              std::span<const std::string_view> misspelt);
  void exactly_one(const Node& node, const Table& table, void* record, const Path& path);
  bool check_text(std::string_view text, Span where, const Rule& rule, Pattern pattern,
                  const Path& path);
  Diagnostic& wrong_type(const Node& node, std::string_view expected, const Path& path);

  const Table& root_;
  Sink& sink_;
};

Diagnostic& Decoder::wrong_type(const Node& node, std::string_view expected, const Path& path) {
  const std::string name = path.text();
  return sink_.report<Code::WrongType>(node.span,
                                       name.empty() ? "the spec" : fmt::format("`{}`", name),
                                       expected, yaml::describe(node));
}

bool Decoder::check_text(std::string_view text, Span where, const Rule& rule, Pattern pattern,
                         const Path& path) {
  if (text.empty() && (rule.not_empty || !matches(pattern, text))) {
    sink_.report<Code::EmptyValue>(where, path.text());
    return false;
  }
  if (!rule.choices.empty() &&
      std::find(rule.choices.begin(), rule.choices.end(), text) == rule.choices.end()) {
    Diagnostic& found = sink_.report<Code::UnknownChoice>(where, path.text(), text);
    found.note(fmt::format("allowed are {}", text::quoted_list(rule.choices)));
    diag::did_you_mean(found, text, rule.choices);
    return false;
  }
  if (matches(pattern, text)) return true;
  const PatternRow& expected = row(pattern);
  if (text.size() > expected.max) {
    sink_.report<Code::TooLong>(where, path.text(), text.size(), expected.max)
        .help(fmt::format(
            "drop {}",
            text::count(static_cast<std::int64_t>(text.size() - expected.max), "character")));
  } else {
    Diagnostic& found = sink_.report<Code::WrongForm>(where, text, path.text());
    found.note(fmt::format("it must be {}", expected.words));
    if (const auto meant = likely(pattern, text))
      found.help(fmt::format("did you mean `{}`?", *meant));
  }
  return false;
}

void Decoder::text(const Node& node, const Rule& rule, Text& target, const Path& path) {
  if (node.kind != yaml::Kind::scalar) {
    wrong_type(node, "a string", path);
    return;
  }
  const yaml::Type type = yaml::type_of(node);
  const bool number = type == yaml::Type::integer || type == yaml::Type::floating;
  if (type != yaml::Type::string && !(rule.any_scalar && number)) {
    // Where the text would be wrong in quotes too, only that is told.
    if (number && !matches(rule.pattern, node.text)) {
      check_text(node.text, node.span, rule, rule.pattern, path);
      return;
    }
    Diagnostic& found =
        sink_.report<Code::UnquotedText>(node.span, path.text(), yaml::describe(node));
    // Where the string would be wrong too, quotes are no help.
    const bool among = rule.choices.empty() || std::find(rule.choices.begin(), rule.choices.end(),
                                                         node.text) != rule.choices.end();
    if (among && rule.choices_of.empty() && matches(rule.pattern, node.text))
      help_with_quotes(found, node);
    return;
  }
  if (!check_text(node.text, node.span, rule, rule.pattern, path)) return;
  target.value = node.text;
  target.where.bad = false;
}

void Decoder::integer(const Node& node, const Rule& rule, Integer& target, const Path& path) {
  const bool negative = node.text.starts_with('-');
  auto number = text::whole_number(std::string_view(node.text).substr(negative ? 1 : 0));
  if (negative && number) number = -*number;
  if (node.kind != yaml::Kind::scalar || !number) {
    wrong_type(node, "a whole number", path);
    return;
  }
  if (node.quoted) {
    wrong_type(node, "a whole number", path).help("leave the quotes out").fix(node.span, node.text);
    return;
  }
  if (*number < rule.min || *number > rule.max) {
    Diagnostic& found = sink_.report<Code::OutOfRange>(node.span, path.text(), *number);
    found.note(rule.max == INT64_MAX
                   ? fmt::format("it must be at least {}", rule.min)
                   : fmt::format("it must be between {} and {}", rule.min, rule.max));
    return;
  }
  target.value = *number;
  target.where.bad = false;
}

void Decoder::flag(const Node& node, Flag& target, const Path& path) {
  if (node.kind == yaml::Kind::scalar && yaml::type_of(node) == yaml::Type::boolean) {
    target.value = text::lower(node.text) == "true";
    target.where.bad = false;
    return;
  }
  Diagnostic& found = wrong_type(node, "true or false", path);
  const std::string lowered = text::lower(node.text);
  const bool yes = lowered == "yes" || lowered == "on" || lowered == "true";
  const bool no = lowered == "no" || lowered == "off" || lowered == "false";
  if (node.kind == yaml::Kind::scalar && (yes || no))
    found.help(fmt::format("write `{}`", yes ? "true" : "false"))
        .fix(node.span, yes ? "true" : "false");
}

void Decoder::list(const Node& node, const Type& type, const Rule& rule, void* target,
                   const Path& path) {
  if (node.kind != yaml::Kind::sequence) {
    Diagnostic& found = wrong_type(node, "a list", path);
    if (node.kind == yaml::Kind::scalar)
      found.help(fmt::format("write it as `[{}]`", as_list(node.text)));
    return;
  }
  if (rule.not_empty && node.items.empty()) {
    sink_.report<Code::EmptyValue>(node.span, path.text());
    return;
  }
  bool good = true;
  Rule of_element = rule;
  of_element.not_empty = false;
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    void* element = type.append(target);
    value(node.items[i], *type.element, of_element, element, Path{&path, {}, i});
    good = good && !type.element->where(element).bad;
  }
  type.where(target).bad = !good;
}

void Decoder::map(const Node& node, const Type& type, const Rule& rule, void* target,
                  const Path& path) {
  if (node.kind != yaml::Kind::mapping) {
    Diagnostic& found = wrong_type(node, "a mapping", path);
    if (node.kind == yaml::Kind::sequence)
      found.help(fmt::format("write it without dashes, as `{}`", as_mapping(node)));
    return;
  }
  bool good = true;
  for (const yaml::Member& member : node.members) {
    const Path below{&path, member.key.text};
    void* element = type.append(target);
    Text& key = *type.key_of_last(target);
    key = {{member.key.span, true, false}, member.key.text};
    key.where.bad = !check_text(key.value, key.where.span, {}, rule.key_pattern, below);
    good = good && !key.where.bad;
    value(member.value, *type.element, rule, element, below);
    good = good && !type.element->where(element).bad;
  }
  type.where(target).bad = !good;
}

void Decoder::value(const Node& node, const Type& type, const Rule& rule, void* target,
                    const Path& path) {
  Where& where = type.where(target);
  where = {node.span, true, true};  // the kind's own function clears `bad`
  if (node.kind == yaml::Kind::null && type.category != Category::tree) {
    sink_.report<Code::EmptyValue>(node.span, path.text())
        .help(may_be_empty(type) ? "write `{}`, or delete the key"
                                 : "give it a value, or delete the key");
    spoil(type, target, node.span);
    return;
  }
  switch (type.category) {
    case Category::text:
      text(node, rule, *static_cast<Text*>(target), path);
      break;
    case Category::integer:
      integer(node, rule, *static_cast<Integer*>(target), path);
      break;
    case Category::flag:
      flag(node, *static_cast<Flag*>(target), path);
      break;
    case Category::tree:
      *static_cast<Tree*>(target) = {{node.span, true, false}, node};
      break;
    case Category::list:
      list(node, type, rule, target, path);
      break;
    case Category::map:
      map(node, type, rule, target, path);
      break;
    case Category::record: {
      // Usable part by part: later passes look at each member's own `bad`.
      const std::size_t errors = sink_.errors();
      record(node, *type.table, target, path);
      where = {node.span, true, sink_.errors() != errors};
      return;
    }
  }
  where.given = !where.bad;
}

void Decoder::absent(const Node& node, const Table& table, void* record, const Path& path,
                     std::span<const std::string_view> misspelt) {
  for (const Field& field : table.fields) {
    Where& where = field.type->where(field.member(record));
    if (where.given || where.bad) continue;
    where.span = node.span;
    if (std::find(misspelt.begin(), misspelt.end(), field.key) != misspelt.end()) {
      spoil(*field.type, field.member(record), node.span);
      continue;
    }
    if (field.presence == Presence::optional) continue;
    where.bad = true;
    const std::string name = Path{&path, field.key}.text();
    Diagnostic& found = sink_.report<Code::MissingField>(
        Span{node.span.source, node.span.begin, node.span.begin}, name);
    if (!field.example.empty())
      found.help(fmt::format("for example `{}: {}`", field.key, field.example));
  }
}

void Decoder::exactly_one(const Node& node, const Table& table, void* record, const Path& path) {
  std::vector<std::string_view> given;
  for (const Field& field : table.fields) {
    const Where& where = field.type->where(field.member(record));
    const bool candidate =
        std::find(table.one_of.begin(), table.one_of.end(), field.key) != table.one_of.end();
    if (candidate && (where.given || where.bad)) given.push_back(field.key);
  }
  if (table.one_of.empty() || given.size() == 1) return;
  Diagnostic& found =
      sink_.report<Code::NotExactlyOne>(node.span, path.text(), text::quoted_list(table.one_of));
  found.note(given.empty() ? "none is given"
                           : fmt::format("given are {}", text::quoted_list(given)));
}

void Decoder::members(const Node& node, const Table& table, void* record, const Path& path) {
  std::vector<std::string_view> misspelt;
  for (const yaml::Member& member : node.members) {
    const auto field = std::find_if(table.fields.begin(), table.fields.end(),
                                    [&](const Field& each) { return each.key == member.key.text; });
    if (field == table.fields.end()) {
      const std::string_view meant = report_unknown(member.key, table, root_, path.text(), sink_);
      if (!meant.empty()) misspelt.push_back(meant);
    } else {
      value(member.value, *field->type, field->rule, field->member(record),
            Path{&path, field->key});
    }
  }
  absent(node, table, record, path, misspelt);
  if (misspelt.empty()) exactly_one(node, table, record, path);
}

void Decoder::record(const Node& node, const Table& table, void* record, const Path& path) {
  if (node.kind == yaml::Kind::mapping) {
    members(node, table, record, path);
  } else if (node.kind == yaml::Kind::scalar && !table.shorthand.empty()) {
    const auto field = std::find_if(table.fields.begin(), table.fields.end(),
                                    [&](const Field& each) { return each.key == table.shorthand; });
    value(node, *field->type, field->rule, field->member(record), path);
  } else {
    Diagnostic& found = wrong_type(node, "a mapping", path);
    if (node.kind == yaml::Kind::scalar && path.parent != nullptr)
      help_with_scalar(found, node.text, table);
    for (const Field& each : table.fields) spoil(*each.type, each.member(record), node.span);
  }
}

}  // namespace

void decode(const Node& node, const Table& table, void* record, Sink& sink) {
  Decoder(table, sink).record(node, table, record, Path{});
}

}  // namespace flexslice::schema
