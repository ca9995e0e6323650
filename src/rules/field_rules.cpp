// The rows `rules` of schema/kubernetes.yaml: fields of one part of an object that contradict each
// other, and those that others need.
#include <fmt/core.h>

#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "base/quantity.hpp"
#include "base/text.hpp"
#include "rules/object_rules.hpp"
#include "schema/combinations.hpp"
#include "schema/pattern.hpp"
#include "schema/placeholder.hpp"
#include "yaml/path.hpp"

namespace flexslice::rules {

namespace {

using schema::JudgedPart;
using yaml::View;

constexpr std::string_view row_words[] = {
    "needs", "less",   "below",    "more",   "shorter", "than", "begins", "with",
    "named", "unique", "by",       "names",  "among",   "part", "last",   "holds",
    "alone", "but",    "together", "inside", "of",      "help", "note",   "level"};

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

// A field, or a field and its value.
bool is_given(const JudgedPart& part, std::string_view needed) {
  const std::size_t colon = needed.find(": ");
  const yaml::Member* field = find_field(*part.node, needed.substr(0, colon));
  const Node* own = field == nullptr ? nullptr : &field->value;
  const schema::Field* row = part.type->find(needed);
  // An empty map holds nothing, and an empty part may be all by default.
  if (row != nullptr && row->type->category == schema::Category::map && own != nullptr &&
      own->kind == yaml::Kind::mapping && own->members.empty())
    return false;
  return schema::is_set(own) && (colon == needed.npos || !is_literal(own) ||
                                 text::lower(own->text) == text::lower(needed.substr(colon + 2)));
}

// `needs`: one of several, with ` or ` between them.
bool is_met(const JudgedPart& part, std::string_view needs) {
  // A field that is not known may be a newer one that is taken in its place.
  const auto is_unknown = [&](const yaml::Member& member) {
    return part.type->find(member.key.text) == nullptr;
  };
  if (any_of(part.node->members, is_unknown)) return true;
  for (;;) {
    const std::size_t end = needs.find(" or ");
    if (is_given(part, needs.substr(0, end))) return true;
    if (end == needs.npos) return false;
    needs.remove_prefix(end + 4);
  }
}

// Two fields of which one limits the other, as a row names them.
struct OrderedFields {
  std::string_view low, high;
  bool may_be_equal = true, are_durations = false;

  explicit OrderedFields(View row) : low(row_text(row, "less")), high(row_text(row, "more")) {
    if (row.find("below")) {
      low = row_text(row, "below");
      may_be_equal = false;
    }
    if (!row.find("shorter")) return;
    low = row_text(row, "shorter");
    high = row_text(row, "than");
    are_durations = true;
  }
  bool are_in_order(std::string_view count, std::string_view limit) const {
    const auto ordered = [&](const auto& one, const auto& other) {
      return !one || !other || *one < *other || (*one == *other && may_be_equal);
    };
    return are_durations ? ordered(duration_of(count), duration_of(limit))
                         : ordered(parse_quantity(count), parse_quantity(limit));
  }

 private:
  static std::optional<std::int64_t> duration_of(std::string_view text) {
    return schema::matches(schema::Pattern::duration, text) ? schema::duration_seconds(text)
                                                            : std::nullopt;
  }
};

// A field that is absent has its default, as far as the object is whole.
Diagnostic* judge_order(const JudgedPart& part, const OrderedFields& order,
                        const std::function<bool()>& is_complete, Sink& sink) {
  const auto *low = find_field(*part.node, order.low), *high = find_field(*part.node, order.high);
  if (low == nullptr || !schema::is_set(&low->value)) return nullptr;
  const schema::Field* row = part.type->find(order.high);
  std::string_view limit;
  if (high != nullptr && schema::is_set(&high->value)) {
    limit = high->value.text;
  } else if (row != nullptr && row->constraint.by_default && is_complete()) {
    limit = *row->constraint.by_default;
  }
  if (order.are_in_order(low->value.text, limit)) return nullptr;
  return &sink.report<Code::CountAboveLimit>(
      place_of({&low->value, high == nullptr ? nullptr : &high->value}), order.low, low->value.text,
      order.high, limit);
}

// An API server looks at the first letters of the field.
void judge_begin(const JudgedPart& part, View row, Sink& sink) {
  const yaml::Member* field = find_field(*part.node, row_text(row, "begins"));
  const std::string_view begin = row_text(row, "with");
  if (field == nullptr || field->value.kind != yaml::Kind::scalar ||
      field->value.text.starts_with(begin) ||
      (!field->value.text.empty() && schema::is_placeholder(field->value.text)))
    return;
  sink.report<Code::WrongForm>(place_of({&field->value, part.node}), field->value.text,
                               fmt::format("{}.{}", yaml::path_text(part.path), field->key.text))
      .note("it must begin with `{}`", begin);
}

// Adds the values that a path leads to: of lists on the way, those of all items.
void add_values_below(const Node& node, std::string_view path, std::vector<const Node*>& all) {
  if (node.kind == yaml::Kind::sequence) {
    for (const Node& item : node.items) add_values_below(item, path, all);
  } else if (path.empty()) {
    all.push_back(&node);
  } else {
    const std::size_t dot = path.find('.');
    if (const Node* below = node.find(path.substr(0, dot)))
      add_values_below(*below, dot == path.npos ? std::string_view() : path.substr(dot + 1), all);
  }
}

// Several paths have spaces between them.
std::vector<const Node*> values_at(const Node& node, std::string_view paths) {
  std::vector<const Node*> all;
  for (const std::string_view path : text::split(paths, ' ')) add_values_below(node, path, all);
  return all;
}

// The values of these keys in an item; empty where the first has none that is literal. Without keys
// the item itself is a name.
std::string name_by(const Node& item, std::string_view keys) {
  if (keys.empty()) return is_literal(&item) ? item.text : "";
  std::vector<std::string_view> words;
  for (const std::string_view key : text::split(keys, ' ')) {
    const Node* value = item.find(key);
    if (words.empty() && !is_literal(value)) return {};
    if (value != nullptr && value->kind != yaml::Kind::scalar) return {};
    // `TCP` is a value.
    if (value != nullptr && schema::is_placeholder(value->text) &&
        !schema::is_plain_in_capitals(value->text))
      return {};
    words.push_back(value == nullptr ? std::string_view() : std::string_view(value->text));
  }
  while (words.back().empty() && words.size() > 1) words.pop_back();
  return text::join(words, " ");
}

void judge_names(const JudgedPart& part, std::string_view list, std::string_view keys,
                 bool must_be_named, Sink& sink) {
  std::vector<PlacedName> earlier;
  // A deque keeps the names in place until all are compared.
  std::deque<std::string> names;
  std::size_t index = 0;
  const auto all = values_at(*part.node, list);
  const std::string_view key = keys.substr(0, keys.find(' '));
  for (const Node* item : all) {
    const Node* name = key.empty() ? item : item->find(key);
    if (must_be_named && all.size() > 1 && name == nullptr)
      sink.report<Code::MissingField>(
              item->span, fmt::format("{}.{}[{}].{}", yaml::path_text(part.path), list, index, key))
          .note("where there are several, each has a {}", key);
    names.push_back(name_by(*item, keys));
    if (!must_be_named && name != nullptr && !names.back().empty())
      judge_repeated(sink, earlier, place_of({name, item}), names.back(),
                     key.empty() ? std::string(list) : fmt::format("{} {}", list, keys));
    ++index;
  }
}

// Names refer to others of the same part.
void judge_listed_names(const JudgedPart& part, View row, const std::function<bool()>& is_complete,
                        Sink& sink) {
  const auto known = values_at(*part.node, row_text(row, "among"));
  if (!std::ranges::all_of(known, [](const Node* each) { return is_literal(each); })) return;
  for (const Node* name : values_at(*part.node, row_text(row, "names"))) {
    const auto is_it = [&](const Node* each) { return each->text == name->text; };
    if (!is_literal(name) || name->text.empty() || any_of(known, is_it)) continue;
    if (known.empty() && !is_complete()) return;
    sink.report<Code::NamesNoPart>(place_of({name, part.node}), row_text(row, "names"),
                                   row_text(row, "part"), name->text);
  }
}

// Only the last item of the list may have the value.
void judge_last(const JudgedPart& part, View row, Sink& sink) {
  const std::string_view key = row_text(row, "by"), value = row_text(row, "holds");
  const auto all = items(*part.node, row_text(row, "last"));
  for (std::size_t i = 0; i + 1 < all.size(); ++i) {
    const Node* own = all[i].find(key);
    if (own == nullptr || own->text != value) continue;
    sink.report<Code::FieldsContradict>(place_of({own, &all[i]}), yaml::path_text(part.path),
                                        fmt::format("`{}: {}`, and another of `{}` after it", key,
                                                    value, row_text(row, "last")))
        .help(std::string(row_text(row, "help")));
  }
}

// A field excludes all others but those of `but`.
void judge_alone(const JudgedPart& part, View row, Sink& sink) {
  const std::string_view alone = row_text(row, "alone");
  const yaml::Member* field = find_field(*part.node, alone);
  if (field == nullptr || !schema::is_set(&field->value)) return;
  for (const yaml::Member& other : part.node->members) {
    const auto is_it = [&](View each) { return each.text() == other.key.text; };
    if (other.key.text == alone || other.value.kind == yaml::Kind::null ||
        any_of(row.find("but"), is_it))
      continue;
    sink.report<Code::FieldsContradict>(place_of({&other.key, &field->key}),
                                        yaml::path_text(part.path),
                                        fmt::format("`{}` and `{}`", alone, other.key.text))
        .help("remove one of them");
    return;
  }
}

// All items of the list have the field, or none has.
void judge_together(const JudgedPart& part, View row, Sink& sink) {
  const std::string_view key = row_text(row, "by"), list = row_text(row, "together");
  const auto all = items(*part.node, list);
  const auto has_it = [&](const Node& item) {
    const Node* value = item.find(key);
    return value != nullptr && value->kind != yaml::Kind::null;
  };
  const auto with = std::ranges::find_if(all, has_it);
  const auto without = std::ranges::find_if_not(all, has_it);
  if (with != all.end() && without != all.end())
    sink.report<Code::FieldsContradict>(
            place_of({with->find(key), &*with}), yaml::path_text(part.path),
            fmt::format("`{}` with `{}` and `{}` without", list, key, list))
        .help("write it in all of them, or in none");
}

// `10.0.0.0/8`: the address and the length of its prefix.
std::optional<std::pair<std::uint64_t, std::int64_t>> address_range(std::string_view range) {
  constexpr std::uint64_t bytes = 256;
  constexpr std::int64_t longest = 32;
  const std::size_t slash = range.find('/');
  const auto length = text::whole_number(slash == range.npos ? "" : range.substr(slash + 1));
  const auto parts = text::split(range.substr(0, slash), '.');
  std::uint64_t address = 0;
  for (const std::string_view part : parts) {
    const auto number = text::whole_number(part);
    if (!number || static_cast<std::uint64_t>(*number) >= bytes) return std::nullopt;
    address = address * bytes + static_cast<std::uint64_t>(*number);
  }
  if (parts.size() != 4 || !length || *length > longest) return std::nullopt;
  return std::pair{address >> (longest - *length), *length};
}

// Ranges of addresses are parts of another.
void judge_inside(const JudgedPart& part, View row, Sink& sink) {
  const yaml::Member* outer = find_field(*part.node, row_text(row, "of"));
  const auto all = outer == nullptr ? std::nullopt : address_range(outer->value.text);
  if (!all) return;
  for (const Node* item : values_at(*part.node, row_text(row, "inside"))) {
    const auto own = address_range(item->text);
    if (!own ||
        (own->second > all->second && own->first >> (own->second - all->second) == all->first))
      continue;
    sink.report<Code::WrongForm>(
            place_of({item, part.node}), item->text,
            fmt::format("{}.{}", yaml::path_text(part.path), row_text(row, "inside")))
        .note("it must be a part of `{}: {}`", row_text(row, "of"), outer->value.text);
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
  const std::string_view needs = row_text(row, "needs"), unique = row_text(row, "unique"),
                         named = row_text(row, "named"), by = row_text(row, "by"),
                         note = row_text(row, "note");
  const auto finish = [&](Diagnostic& finding) {
    if (!note.empty()) finding.note(std::string(note));
    if (row_text(row, "level") == "warning") finding.level = diag::Level::warning;
  };
  if (const OrderedFields order(row); !order.low.empty()) {
    if (Diagnostic* finding = judge_order(part, order, is_complete, sink)) finish(*finding);
    return;
  }
  if (row.find("begins")) return judge_begin(part, row, sink);
  if (!unique.empty()) return judge_names(part, unique, by, false, sink);
  if (row.find("names")) return judge_listed_names(part, row, is_complete, sink);
  if (row.find("last")) return judge_last(part, row, sink);
  if (row.find("alone")) return judge_alone(part, row, sink);
  if (row.find("together")) return judge_together(part, row, sink);
  if (row.find("inside")) return judge_inside(part, row, sink);
  if (!named.empty()) {
    if (items(node, named).size() > 1 && is_complete()) judge_names(part, named, by, true, sink);
    return;
  }
  if (!needs.empty()) {
    if (is_met(part, needs) || !is_complete()) return;
    std::string needed(needs);
    for (std::size_t at = 0; (at = needed.find(" or ", at)) != needed.npos; at += 6)
      needed.replace(at, 4, "` or `");
    given = fmt::format("{}{} `{}`", given, given.empty() ? "no" : " without", needed);
  }
  Diagnostic& finding = sink.report<Code::FieldsContradict>(
      where, part.path.empty() ? part.type->name : yaml::path_text(part.path), given);
  if (needs.empty() && !derived.empty()) finding.help("add `{}: null`", derived);
  const std::string_view help = row_text(row, "help");
  if (!help.empty()) finding.help(std::string(help));
  finish(finding);
}

}  // namespace

void judge_field_rules(const JudgedPart& part, const std::function<bool()>& is_complete,
                       Sink& sink) {
  if (!part.type->rules) return;
  for (const View row : part.type->rules) judge_row(part, row, is_complete, sink);
}

}  // namespace flexslice::rules
