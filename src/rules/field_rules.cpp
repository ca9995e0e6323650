// The rows `rules` of schema/kubernetes.yaml: fields of one part of an object that contradict each
// other, and those that others need.
#include <fmt/core.h>

#include "base/text.hpp"
#include "rules/object_rules.hpp"
#include "schema/combinations.hpp"
#include "yaml/path.hpp"

namespace flexslice::rules {

namespace {

using schema::JudgedPart;
using yaml::View;

constexpr std::string_view row_words[] = {"needs", "less",   "below", "more",
                                          "named", "unique", "by",    "help"};

// A field by its name, or the first one below it by its path; null where there is none.
const yaml::Member* find_field(const Node& part, std::string_view path) {
  for (const Node& item : part.items) {
    if (const yaml::Member* field = find_field(item, path)) return field;
  }
  // Keys of labels have dots too.
  for (const yaml::Member& member : part.members) {
    if (member.key.text == path) return &member;
  }
  const std::size_t dot = path.find('.');
  const auto* field = find_where(
      part.members, [&](const auto& each) { return each.key.text == path.substr(0, dot); });
  return field == nullptr || dot == path.npos ? field
                                              : find_field(field->value, path.substr(dot + 1));
}

// The empty value is that of a field that is absent.
bool has_value(const yaml::Member* field, View values) {
  const Node* own = field == nullptr ? nullptr : &field->value;
  const bool is_set = schema::is_set(own);
  if (values.is_empty()) return is_set && own->text != "0";
  return any_of(values, [&](View value) {
    return is_set ? own->kind == yaml::Kind::scalar && own->text == value.text()
                  : value.text().empty();
  });
}

// `needs`: a field, or a field and its value.
bool is_met(const JudgedPart& part, std::string_view needs) {
  // A field that is not known may be a newer one that is taken in its place.
  const auto is_unknown = [&](const yaml::Member& member) {
    return part.type->find(member.key.text) == nullptr;
  };
  if (any_of(part.node->members, is_unknown)) return true;
  const std::size_t colon = needs.find(": ");
  const yaml::Member* field = find_field(*part.node, needs.substr(0, colon));
  const Node* own = field == nullptr ? nullptr : &field->value;
  return schema::is_set(own) && (colon == needs.npos || !is_literal(own) ||
                                 text::lower(own->text) == text::lower(needs.substr(colon + 2)));
}

void judge_order(const Node& part, std::string_view less, std::string_view more, bool may_be_equal,
                 Sink& sink) {
  const auto *low = find_field(part, less), *high = find_field(part, more);
  if (low == nullptr || high == nullptr) return;
  const auto count = text::whole_number(low->value.text),
             limit = text::whole_number(high->value.text);
  if (count && limit && (*count > *limit || (*count == *limit && !may_be_equal)))
    sink.report<Code::CountAboveLimit>(place_of({&low->value, &high->value}), less, *count, more,
                                       *limit);
}

// The items of the list, or of all lists that a path leads to.
void add_items(const Node& node, std::string_view path, std::vector<const Node*>& all) {
  const std::size_t dot = path.find('.');
  for (const Node& item : items(node, path.substr(0, dot))) {
    if (dot == path.npos) {
      all.push_back(&item);
    } else {
      add_items(item, path.substr(dot + 1), all);
    }
  }
}

// Without a key the items themselves are names.
void judge_names(const JudgedPart& part, std::string_view list, std::string_view key,
                 bool must_be_named, Sink& sink) {
  std::vector<PlacedName> earlier;
  std::size_t index = 0;
  std::vector<const Node*> all;
  add_items(*part.node, list, all);
  for (const Node* each : all) {
    const Node& item = *each;
    const Node* name = key.empty() ? each : item.find(key);
    if (must_be_named && all.size() > 1 && name == nullptr)
      sink.report<Code::MissingField>(
              item.span, fmt::format("{}.{}[{}].{}", yaml::path_text(part.path), list, index, key))
          .note("where there are several, each has a {}", key);
    if (!must_be_named && is_literal(name))
      judge_repeated(sink, earlier, place_of({name, &item}), name->text,
                     key.empty() ? std::string(list) : fmt::format("{} {}", list, key));
    ++index;
  }
}

void judge_row(const JudgedPart& part, View row, const std::function<bool()>& is_complete,
               Sink& sink) {
  const Node& node = *part.node;
  std::string given;
  std::string_view derived;
  Span where = node.span;
  for (const View values : row) {
    if (contains(row_words, values.key())) continue;
    const yaml::Member* field = find_field(node, values.key());
    if (!has_value(field, values)) return;
    if (field == nullptr || !schema::is_set(&field->value)) continue;
    const auto& [key, value] = *field;
    given += fmt::format("{}`{}`", given.empty() ? "" : " and ",
                         value.kind == yaml::Kind::scalar
                             ? fmt::format("{}: {}", values.key(), value.text)
                             : values.key());
    if (key.span == Span{}) {
      derived = values.key();
    } else {
      where = key.span;
    }
  }
  const std::string_view needs = row_text(row, "needs"), less = row_text(row, "less"),
                         below = row_text(row, "below"), unique = row_text(row, "unique"),
                         named = row_text(row, "named"), by = row_text(row, "by");
  if (!below.empty() || !less.empty())
    return judge_order(node, less.empty() ? below : less, row_text(row, "more"), below.empty(),
                       sink);
  if (!unique.empty()) return judge_names(part, unique, by, false, sink);
  if (!named.empty()) {
    if (items(node, named).size() > 1 && is_complete()) judge_names(part, named, by, true, sink);
    return;
  }
  if (!needs.empty()) {
    if (is_met(part, needs) || !is_complete()) return;
    given = fmt::format("{}{} `{}`", given, given.empty() ? "no" : " without", needs);
  }
  Diagnostic& finding = sink.report<Code::FieldsContradict>(
      where, part.path.empty() ? part.type->name : yaml::path_text(part.path), given);
  if (needs.empty() && !derived.empty()) finding.help("add `{}: null`", derived);
  const std::string_view help = row_text(row, "help");
  if (!help.empty()) finding.help(std::string(help));
}

}  // namespace

void judge_field_rules(const JudgedPart& part, const std::function<bool()>& is_complete,
                       Sink& sink) {
  if (!part.type->rules) return;
  for (const View row : part.type->rules) judge_row(part, row, is_complete, sink);
}

}  // namespace flexslice::rules
