#include "schema/decode.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/ascii.hpp"
#include "base/text.hpp"
#include "schema/help.hpp"
#include "schema/kubernetes_types.hpp"
#include "schema/placeholder.hpp"
#include "schema/written.hpp"

namespace flexslice::schema {

namespace {

using diag::Code;
using diag::Diagnostic;
using yaml::Node;

// The way down to a value, as a chain on the stack; spelt out only for messages.
struct Path {
  const Path* parent = nullptr;
  std::string_view key = {};
  std::size_t index = 0;  // of a list's element, when key is empty

  std::string text() const {
    if (parent == nullptr) return {};
    std::string text = parent->text();
    text::add_to_path(text, key.empty() ? fmt::format("[{}]", index) : key);
    return text;
  }
  // The same of all items of its lists.
  std::string without_items() const {
    if (parent == nullptr) return {};
    std::string text = parent->without_items();
    if (!key.empty()) text::add_to_path(text, key);
    return text;
  }
  bool is_below(std::string_view field) const {
    return key == field || (parent != nullptr && parent->is_below(field));
  }
};

// Kubeflow Trainer merges what is below into the pods of the runtime.
constexpr std::string_view merged_field = "runtimePatches";

// Nothing is known of a value that cannot be read: whatever belongs to it counts as reported too.
void spoil(const Type& type, void* claim, Span span) {
  if (claim == nullptr) return;
  type.where(claim) = {span, false, true};
  if (type.category != Category::record) return;
  for (const Field& field : type.table->fields) spoil(*field.type, field.member(claim), span);
}

// A value that is only judged goes nowhere: then the record is null.
void* member_of(const Field& field, void* record) {
  return record == nullptr ? nullptr : field.member(record);
}
void* new_element(const Type& collection, void* claim) {
  return claim == nullptr ? nullptr : collection.append(claim);
}
template <class Claim>
Claim& target(void* claim, Claim&& dropped = {}) {
  return claim == nullptr ? dropped : *static_cast<Claim*>(claim);
}

// `{}` is valid if it says that all is as it is by default.
bool may_be_empty(const Type& type) {
  return type.category == Category::record && type.table->one_of.empty() &&
         std::ranges::count(type.table->fields, Presence::required, &Field::presence) == 0;
}

// The first fields of a type say best what the value is about.
std::string what_fills(const Type& type) {
  std::vector<std::string_view> keys;
  if (type.category == Category::record && !type.table->raw) {
    for (const Field& field : type.table->fields) keys.push_back(field.key);
  }
  const std::string_view value = may_be_empty(type) ? "write `{}`" : "add a value";
  if (keys.size() < 2) return fmt::format("{}, or delete the key", value);
  if (!may_be_empty(type))
    return fmt::format("add its fields, such as `{}` and `{}`, or delete the key", keys[0],
                       keys[1]);
  return fmt::format("{}, or its fields, such as `{}` and `{}`, or delete the key", value, keys[0],
                     keys[1]);
}

// A placeholder in free text, such as a script, may be meant as it is.
bool may_hold_placeholders(const Constraint& constraint, bool good) {
  return good && constraint.pattern != Pattern::image;
}

bool is_choice(const Constraint& constraint, std::string_view text) {
  return constraint.choices.empty() || std::ranges::count(constraint.choices, text) > 0;
}

bool meets(const Constraint& constraint, std::string_view text) {
  return matches(constraint.pattern, text) && text.size() <= constraint.longest;
}

class Decoder {
 public:
  Decoder(const Table& root, diag::Sink& sink)
      : root_(root), sink_(sink), of_kubernetes_(root.raw) {}

  static Decoder of_layer(const Table& root, diag::Sink& sink) {
    Decoder decoder(root, sink);
    decoder.is_partial_ = true;
    return decoder;
  }
  static Decoder of_patch(const Table& type, bool strategic, diag::Sink& sink) {
    Decoder decoder(type, sink);
    decoder.is_patch_ = decoder.is_partial_ = true;
    decoder.is_strategic_ = strategic;
    return decoder;
  }
  static Decoder of_manifest(const Node& object, const Table& kind, const Manifest& manifest,
                             diag::Sink& sink) {
    Decoder decoder(kind, sink);
    decoder.manifest_ = &manifest;
    decoder.is_crd_ = kind.is_custom;
    const bool is_queued =
        object.at({"metadata", "labels", "kueue.x-k8s.io/queue-name"}) != nullptr;
    decoder.refuses_fractions_ = !is_queued && kubernetes::refuses_fractions(kind.name);
    decoder.is_partial_ = !says_all(manifest.completeness);
    return decoder;
  }

  void record(const Node& node, const Table& table, void* record, const Path& path) {
    const bool scalar = node.kind == yaml::Kind::scalar;
    if (node.kind == yaml::Kind::mapping) {
      members(node, table, record, path);
    } else if (scalar && !table.shorthand.empty()) {
      const Field& field = *table.find(table.shorthand);
      value(node, *field.type, field.constraint, member_of(field, record), path);
    } else {
      for (const Field& field : table.fields)
        spoil(*field.type, member_of(field, record), node.span);
      if (scalar && report_placeholder(node.text, node.span, path)) return;
      Diagnostic& report = wrong_type(node, "a mapping", path);
      if (!table.shorthand.empty()) help_with_only_item(report, node);
      if (!scalar || path.parent == nullptr || helps_with_written(report, node.text, path)) return;
      help_with_scalar(report, node, table);
    }
  }

 private:
  Diagnostic& wrong_type(const Node& node, std::string_view expected, const Path& path) {
    const std::string name = path.text();
    return sink_.report<Code::WrongType>(
        node.span, name.empty() ? "the spec" : fmt::format("`{}`", name), expected,
        manifest_ == nullptr ? yaml::describe(node)
                             : yaml::describe(node, yaml::kubectl_type_of(node)));
  }

  // People write some values in the form of another tool. Only the spec has such rows.
  bool helps_with_written(Diagnostic& report, std::string_view text, const Path& path) const {
    const auto help = of_kubernetes_ ? std::nullopt : help_for_value(path.text(), text);
    if (help) report.help(std::string(*help));
    return help.has_value();
  }

  // `{key: token, name: hf}`, the keys in order; empty of what is no mapping of scalars, or of
  // mappings of these.
  static std::string text_of_mapping(const Node& node) {
    std::vector<std::string> members;
    for (const yaml::Member& member : node.members) {
      const std::string value = member.value.kind == yaml::Kind::scalar
                                    ? member.value.text
                                    : text_of_mapping(member.value);
      if (value.empty()) return {};
      members.push_back(fmt::format("{}: {}", member.key.text, value));
    }
    if (members.empty()) return {};
    std::ranges::sort(members);
    return fmt::format("{{{}}}", text::join(members, ", "));
  }

  bool report_placeholder(std::string_view text, Span where, const Path& path, bool good = false) {
    std::string_view placeholder = placeholder_in(text);
    if (placeholder.empty() && !good) placeholder = capital_word_in(text);
    if (placeholder.empty() && !good) placeholder = hyphenated_word_in(text);
    if (placeholder.empty()) return false;
    std::string option = fmt::format("{}=VALUE", path.text());
    // The shell reads brackets too.
    if (option.find('[') != std::string::npos) option = fmt::format("'{}'", option);
    sink_.report<Code::Placeholder>(where, placeholder)
        .help("write the value, or give it with `--set {}`", option);
    return true;
  }

  bool check_expression(std::string_view text, Span where, const ServerLimits& limits,
                        const Path& path) {
    if (text.size() < limits.shortest) {
      sink_.report<Code::TooFew>(where, path.text(), text::count(std::ssize(text), "character"),
                                 limits.shortest);
      return false;
    }
    if (limits.expression.empty() || matches_expression(limits.expression, text)) return true;
    sink_.report<Code::WrongForm>(where, text, path.text())
        .note("it must match `{}`", limits.expression);
    return false;
  }

  bool check_text(std::string_view text, Span where, const Constraint& constraint,
                  const Path& path) {
    const bool good = meets(constraint, text);
    // The rules know the names of the catalog; none of them is a placeholder.
    const bool fits = good && is_choice(constraint, text) && constraint.choices_of == NameSet::none;
    const bool is_word = manifest_ != nullptr && is_choice_in_capitals(constraint, text);
    if (!is_word && !may_hold_placeholders(constraint, fits) &&
        report_placeholder(text, where, path, fits))
      return false;
    if (text.empty() && (constraint.not_empty || !good)) {
      sink_.report<Code::EmptyValue>(where, path.text());
      return false;
    }
    // Kubernetes takes an empty text for its default, and CRDs do not.
    if (text.empty() && is_patch_ && !is_custom_) return true;
    if (!is_choice(constraint, text)) {
      Diagnostic& report = sink_.report<Code::UnknownChoice>(where, path.text(), text);
      report.note(fmt::format("valid values: {}", text::quoted_list(constraint.choices)));
      if (!helps_with_written(report, text::lower(text), path))
        diag::did_you_mean(report, text, constraint.choices);
      for (std::string_view choice : constraint.choices) {
        if (text::lower(choice) == text::lower(text)) report.fix(where, std::string(choice));
      }
      return false;
    }
    if (good)
      return constraint.server == nullptr ||
             check_expression(text, where, *constraint.server, path);
    const PatternRow& expected = row(constraint.pattern);
    const std::size_t longest = std::min(expected.max, constraint.longest);
    if (text.size() > longest) {
      const auto room = of_kubernetes_ ? std::nullopt : text_room(path.text());
      const auto excess = static_cast<std::int64_t>(text.size() - (room ? room->longest : longest));
      Diagnostic& report = sink_.report<Code::TooLong>(where, path.text(), text.size(), longest);
      if (!helps_with_written(report, text, path))
        report.help("drop {}{}{}", text::count(excess, "character"), room ? ": " : "",
                    room ? room->why : std::string_view());
    } else {
      Diagnostic& report = sink_.report<Code::WrongForm>(where, text, path.text());
      report.note(broken_rule(constraint.pattern, text)
                      .value_or(fmt::format("it must be {}", expected.words)));
      if (helps_with_written(report, text, path)) return false;
      if (const auto meant = likely(constraint.pattern, text))
        report.help(fmt::format("did you mean `{}`?", *meant));
      else if (!of_kubernetes_)
        help_with_folder(report, constraint.pattern, path.key, text);
    }
    return false;
  }

  bool text(const Node& node, const Type& to, const Constraint& constraint, void* claim,
            const Path& path) {
    if (node.kind != yaml::Kind::scalar) {
      Diagnostic& report = wrong_type(node, "a string", path);
      help_with_only_item(report, node);
      helps_with_written(report, text_of_mapping(node), path);
      if (node.kind == yaml::Kind::sequence && !constraint.rest.empty())
        help_with_rest(report, node, path.key, constraint.rest);
      if (node.argument)
        report.help(
            "`--set` reads the value as YAML: quote text with `: ` in it, '\"a: b\"'; a key with "
            "dots "
            "is in brackets, 'labels[example.com/team]=a'");
      return false;
    }
    const yaml::ScalarType type = yaml::type_of(node);
    const bool number = type == yaml::ScalarType::integer || type == yaml::ScalarType::floating;
    // The rules know which numbers the catalog has a meaning for, such as a topology's chips.
    const bool is_judged_later = constraint.any_scalar || constraint.choices_of != NameSet::none;
    if (constraint.or_true && type == yaml::ScalarType::boolean && node.text == "true")
      return claim == nullptr || to.parse(claim, node.text, nullptr);
    if (type == yaml::ScalarType::string || (is_judged_later && number)) {
      // Rules may say more of a value that is wrong.
      if (claim != nullptr) to.parse(claim, node.text, nullptr);
      return check_text(node.text, node.span, constraint, path);
    }
    // If the string would be wrong in quotes too, only that is reported.
    const bool good = matches(constraint.pattern, node.text);
    if (number && !good) return check_text(node.text, node.span, constraint, path);
    Diagnostic& report =
        of_kubernetes_
            ? sink_.report<Code::NotAString>(node.span, path.text(), yaml::describe(node))
            : sink_.report<Code::UnquotedText>(node.span, path.text(), yaml::describe(node));
    if (good && constraint.choices_of == NameSet::none && is_choice(constraint, node.text))
      help_with_quotes(report, node);
    return false;
  }

  bool integer(const Node& node, const Constraint& constraint, Integer& claim, const Path& path) {
    const bool negative = node.text.starts_with('-');
    const std::string_view digits = without_sign(node.text);
    auto number = text::whole_number(digits);
    if (number && digits.size() > 1 && digits.front() == '0' && !node.quoted) {
      sink_.report<Code::WrongForm>(node.span, node.text, path.text())
          .note("kubectl takes a number with a zero in front for octal")
          .help("write {}", *number);
      return false;
    }
    // More digits than a number has here.
    const bool is_huge =
        !number && !node.quoted && !digits.empty() && std::ranges::all_of(digits, ascii::is_digit);
    if (is_huge) return report_range(node, constraint, digits, path);
    if (node.kind != yaml::Kind::scalar || !number || node.quoted) {
      if (report_placeholder(node.text, node.span, path)) return false;
      Diagnostic& report = wrong_type(node, "a whole number", path);
      help_with_only_item(report, node);
      if (number && node.quoted) report.help("remove the quotes").fix(node.span, node.text);
      if (path.key.ends_with("Seconds") && matches(Pattern::duration, node.text))
        report.help("write {}", *duration_seconds(node.text));
      return false;
    }
    if (negative) number = -*number;
    if (*number >= constraint.min && *number <= constraint.max) {
      claim.value = *number;
      return true;
    }
    return report_range(node, constraint, digits, path);
  }

  bool report_range(const Node& node, const Constraint& constraint, std::string_view digits,
                    const Path& path) {
    Diagnostic& report = sink_.report<Code::OutOfRange>(node.span, path.text(), node.text);
    if (constraint.min == INT64_MIN)
      report.note("it has {}; at most {} is possible", text::count(std::ssize(digits), "digit"),
                  constraint.max);
    else if (constraint.max == INT64_MAX)
      report.note("it must be at least {}", constraint.min);
    else
      report.note("it must be between {} and {}", constraint.min, constraint.max);
    constexpr std::int64_t all_permissions = 0777;
    if (constraint.max == all_permissions && digits.size() == 3 &&
        digits.find_first_of("89") == digits.npos)
      report.help("write `0{}`: file modes are octal numbers", digits);
    return false;
  }

  bool flag(const Node& node, Flag& claim, const Path& path) {
    const bool scalar = node.kind == yaml::Kind::scalar;
    const std::string word = text::lower(node.text);
    const bool yes = word == "true" || word == "yes" || word == "on";
    if (scalar && yaml::type_of(node) == yaml::ScalarType::boolean) {
      claim.value = yes;
      return true;
    }
    if (report_placeholder(node.text, node.span, path)) return false;
    Diagnostic& report = wrong_type(node, "true or false", path);
    if (scalar && (yes || word == "false" || word == "no" || word == "off")) {
      const std::string meant = yes ? "true" : "false";
      report.help(fmt::format("write `{}`", meant)).fix(node.span, meant);
    }
    return false;
  }

  bool list(const Node& node, const Type& type, Constraint constraint, void* claim,
            const Path& path) {
    if (std::exchange(constraint.or_one, false) && node.kind == yaml::Kind::scalar)
      return value(node, *type.element, constraint, new_element(type, claim), path);
    if (node.kind != yaml::Kind::sequence) {
      if (report_placeholder(node.text, node.span, path)) return false;
      Diagnostic& report = wrong_type(node, "a list", path);
      if (node.kind == yaml::Kind::scalar) help_with_list(report, node, type, constraint);
      helps_with_written(report, text_of_mapping(node), path);
      return false;
    }
    if (constraint.not_empty && node.items.empty()) {
      sink_.report<Code::EmptyValue>(node.span, path.text());
      return false;
    }
    bool good = has_count(node, std::ssize(node.items), "item", constraint, path);
    const std::string_view list_key = std::exchange(constraint.list_key, {});
    const ServerLimits* limits = constraint.server;
    if (limits != nullptr && is_crd_ && !limits->unique_by.empty() && !is_patch_)
      good = has_distinct_items(node, limits->unique_by, *type.element, path) && good;
    constraint = Constraint(of_element(constraint));
    if (limits == nullptr) constraint.not_empty = false;
    const bool merges = is_strategic_ && !list_key.empty() && !replaces_list(node);
    // A patch replaces other lists as a whole.
    const bool is_part = (manifest_ != nullptr && !says_all(manifest_->completeness)) || merges;
    const bool was_partial = std::exchange(is_partial_, is_part);
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      if (is_strategic_ && node.items[i].find("$patch") != nullptr) {
        good = item_directive(node.items[i], list_key, path) && good;
        continue;
      }
      good = value(node.items[i], *type.element, constraint, new_element(type, claim),
                   Path{&path, {}, i}) &&
             good;
    }
    is_partial_ = was_partial;
    return is_strategic_ && !list_key.empty() ? has_keys(node, list_key, path) && good : good;
  }

  bool has_count(const Node& node, std::int64_t count, std::string_view noun,
                 const Constraint& constraint, const Path& path) {
    const ServerLimits* limits = constraint.server;
    if (limits == nullptr || is_strategic_) return true;
    const auto number = static_cast<std::size_t>(count);
    if (number < limits->fewest) {
      sink_.report<Code::TooFew>(node.span, path.text(), text::count(count, noun), limits->fewest);
    } else if (number > limits->most) {
      sink_.report<Code::TooMany>(node.span, path.text(), text::count(count, noun), limits->most);
    } else {
      return true;
    }
    return false;
  }

  // No item of a list that an API server keeps by its keys has those of another.
  bool has_distinct_items(const Node& list, std::string_view keys, const Type& type,
                          const Path& path) {
    std::vector<std::string> seen;
    for (const Node& item : list.items) {
      const std::string id = keys == "=" ? item.text : identity(item, keys, type);
      if (id.empty() || schema::is_placeholder(id)) continue;
      if (std::ranges::count(seen, id) > 0) {
        sink_.report<Code::ItemTwice>(item.span, id, path.text());
        return false;
      }
      seen.push_back(id);
    }
    return true;
  }

  // `containerPort: 80, protocol: TCP`; empty where a key is missing or no scalar.
  static std::string identity(const Node& item, std::string_view keys, const Type& type) {
    std::vector<std::string> parts;
    for (const std::string_view key : text::split(keys, ',')) {
      const Node* value = item.find(key);
      const Field* field = type.table == nullptr ? nullptr : type.table->find(key);
      if (value == nullptr && field != nullptr && field->constraint.by_default) {
        parts.push_back(fmt::format("{}: {}", key, *field->constraint.by_default));
      } else if (value == nullptr || value->kind != yaml::Kind::scalar || value->text.empty()) {
        return {};
      } else {
        parts.push_back(fmt::format("{}: {}", key, value->text));
      }
    }
    return text::join(parts, ", ");
  }

  // Strategic merge patches.

  static bool replaces_list(const Node& list) {
    return std::ranges::any_of(list.items, [](const Node& item) {
      const Node* directive = item.find("$patch");
      return directive != nullptr && directive->text == "replace";
    });
  }

  // kubectl ignores other keys of an item that has `$patch`.
  static const Node* key_beside(const Node& mapping, std::string_view allowed) {
    for (const yaml::Member& member : mapping.members) {
      if (member.key.text != "$patch" && member.key.text != allowed) return &member.key;
    }
    return nullptr;
  }

  bool is_directive_known(const Node& directive) {
    if (directive.text == "delete" || directive.text == "replace") return true;
    sink_
        .report<Code::UnknownPatchDirective>(
            directive.span,
            directive.text.empty() ? "$patch" : fmt::format("$patch: {}", directive.text))
        .note("valid directives: `$patch: delete`, `$patch: replace`");
    return false;
  }

  bool misplaced(const Node& directive, std::string_view why, std::string_view help) {
    sink_.report<Code::PatchDirectiveMisplaced>(directive.span, directive.text)
        .note(std::string(why))
        .help(std::string(help));
    return false;
  }

  bool item_directive(const Node& item, std::string_view list_key, const Path& list) {
    const Node& directive = *item.find("$patch");
    if (!is_directive_known(directive)) return false;
    if (list_key.empty())
      return misplaced(
          directive,
          fmt::format("items of `{}` have no key, so the patch replaces the list", list.text()),
          "write the list without it, as it should be");
    if (directive.text == "replace") {
      if (key_beside(item, {}) == nullptr) return true;
      return misplaced(directive,
                       "in an item of a list it replaces the whole list, and drops the item",
                       "write `- $patch: replace` as an item of its own");
    }
    if (item.find(list_key) == nullptr) return report_no_key(item, list_key, list);
    if (key_beside(item, list_key) == nullptr) return true;
    return misplaced(
        directive,
        fmt::format("it deletes the item, and `{}` too", key_beside(item, list_key)->text),
        fmt::format("write `{}` and `$patch` alone", list_key));
  }

  bool report_no_key(const Node& item, std::string_view list_key, const Path& list) {
    sink_.report<Code::PatchItemWithoutKey>(item.span, list.text(), list_key)
        .help("add `{}`; or add the item `$patch: replace` to replace the list", list_key);
    return false;
  }

  // Every item of a list that merges, and none has that of another.
  bool has_keys(const Node& list, std::string_view list_key, const Path& path) {
    bool good = true;
    std::vector<std::string_view> keys;
    for (const Node& item : list.items) {
      if (item.kind != yaml::Kind::mapping || item.find("$patch") != nullptr) continue;
      const Node* key = item.find(list_key);
      if (key == nullptr) {
        good = report_no_key(item, list_key, path);
      } else if (std::ranges::count(keys, key->text) > 0) {
        sink_.report<Code::DuplicatePatchItem>(key->span, path.text(), list_key, key->text);
        good = false;
      } else {
        keys.push_back(key->text);
      }
    }
    return good;
  }

  // Directives of a strategic merge patch are judged here, and are no fields.
  bool mapping_directive(const yaml::Member& member, const Node& mapping, const Path& path) {
    const std::string_view key = member.key.text;
    if (!is_strategic_ || !key.starts_with('$')) return false;
    if (key != "$patch") {
      Diagnostic& report = sink_.report<Code::UnknownPatchDirective>(member.key.span, key);
      if (key == "$retainKeys")
        report.help("write `KEY: null` for each key to remove");
      else if (key.starts_with("$setElementOrder/"))
        report.help("remove it; `- $patch: replace` and all items give a list another order");
      else if (key.starts_with("$deleteFromPrimitiveList/"))
        report.help("write `merge` with the values to keep");
      else
        report.note("valid directives: `$patch: delete`, `$patch: replace`");
      return true;
    }
    if (!is_directive_known(member.value)) return true;
    if (path.key == "strategicMerge" && path.parent->key.empty()) {
      misplaced(member.value, "it would take all fields out of what the patch changes",
                "write it below the field that it is for");
    } else if (member.value.text == "delete") {
      if (const Node* other = key_beside(mapping, {}))
        misplaced(member.value, fmt::format("it removes all members, and `{}` too", other->text),
                  "write `$patch: replace` to keep what is written here");
    }
    return true;
  }

  // No type says how lists below are merged.
  bool has_no_directive(const Node& node) {
    for (const yaml::Member& member : node.members) {
      if (member.key.text == "$patch")
        return misplaced(member.value, "flexslice does not know the fields here",
                         "write null to remove a member, and the whole of a list");
    }
    return std::ranges::all_of(node.items,
                               [&](const Node& item) { return has_no_directive(item); }) &&
           std::ranges::all_of(node.members, [&](const yaml::Member& member) {
             return has_no_directive(member.value);
           });
  }

  bool map(const Node& node, const Type& type, const Constraint& constraint, void* claim,
           const Path& path) {
    if (node.kind != yaml::Kind::mapping) {
      if (report_placeholder(node.text, node.span, path)) return false;
      Diagnostic& report = wrong_type(node, "a mapping", path);
      if (node.kind == yaml::Kind::sequence)
        help_with_mapping(report, node);
      else
        helps_with_written(report, node.text, path);
      return false;
    }
    bool good = has_count(node, std::ssize(node.members), "entry", constraint, path);
    for (const yaml::Member& member : node.members) {
      const Path below{&path, member.key.text};
      if (mapping_directive(member, node, path)) continue;
      void* element = new_element(type, claim);
      if (member.key.text.empty()) {
        sink_.report<Code::EmptyKey>(member.key.span, path.text())
            .help("write its name, or delete the line");
        if (element != nullptr) *type.key_of_last(claim) = {{member.key.span, true, true}, {}};
        good = false;
        continue;
      }
      const bool good_key =
          (manifest_ != nullptr && schema::is_placeholder(member.key.text) &&
           !matches(constraint.key_pattern, text::lower(member.key.text))) ||
          check_text(member.key.text, member.key.span, {.pattern = constraint.key_pattern}, below);
      if (!good_key && judges_objects()) note_who_refuses(member.key, below);
      if (element != nullptr)
        *type.key_of_last(claim) = {{member.key.span, true, !good_key}, member.key.text};
      good = value(member.value, *type.element, of_element(constraint), element, below) &&
             good_key && good;
    }
    return good;
  }

  // Trees of Kubernetes are read as kubectl reads them.
  bool tree(const Node& node, const Constraint& constraint, Node& claim, const Path& path) {
    claim = node;
    yaml::read_octal(claim);
    if (constraint.shape.empty()) return true;
    const std::size_t errors = sink_.errors();
    const bool was_of_kubernetes = std::exchange(of_kubernetes_, true);
    record(claim, kubernetes::table(constraint.shape), nullptr, path);
    of_kubernetes_ = was_of_kubernetes;
    return sink_.errors() == errors;
  }

  static std::string_view without_sign(std::string_view text) {
    return text.substr(text.starts_with('-') ? 1 : 0);
  }
  static bool begins_as_number(std::string_view text) {
    const std::string_view digits = without_sign(text);
    return !digits.empty() && ascii::is_digit(digits.front());
  }

  // An amount that its author means has letters after the number, but not those of `10XXGi`, or is
  // below zero. kubectl reads as a number what is one to YAML 1.1.
  static bool is_amount(const Node& node) {
    const std::string_view digits = without_sign(node.text);
    if (text::whole_number(digits)) return node.text[0] == '-';
    constexpr std::string_view signs = "., %";
    return digits.find("XX") == digits.npos &&
           std::ranges::all_of(digits,
                               [&](char c) {
                                 return ascii::is_letter_or_digit(c) || signs.find(c) != signs.npos;
                               }) &&
           yaml::kubectl_type_of(node) == yaml::ScalarType::string;
  }

  // Something that is meant as an image: in a placeholder whole words are in capitals.
  static bool is_image(std::string_view text) {
    std::size_t capitals = 0;
    for (const char c : text) {
      capitals = ascii::is_upper(c) || c == '_' ? capitals + 1 : 0;
      if (capitals > 1) return false;
    }
    return !schema::is_placeholder(text::lower(text));
  }

  // A text of a manifest is meant as it stands without the marks and capitals of placeholders. To
  // an object's name that ends with a hyphen kustomize adds the rest.
  bool is_meant(std::string_view text, Pattern pattern) const {
    const bool may_go_on =
        (pattern == Pattern::dns_subdomain || pattern == Pattern::workload_name) &&
        (manifest_ == nullptr || manifest_->completeness != Completeness::whole);
    return !(may_go_on && text.ends_with('-')) && !schema::is_placeholder(text) &&
           capital_word_in(text).empty() && hyphenated_word_in(text).empty();
  }

  // Words that are no words of a placeholder alone, such as those of a schedule.
  static bool is_phrase(std::string_view text) {
    return text.find(' ') != text.npos && std::ranges::any_of(text, [](char c) {
             return ascii::is_lower(c) || ascii::is_digit(c);
           });
  }

  static bool is_zone_abbreviation(std::string_view text) {
    constexpr std::size_t shortest = 3, longest = 5;
    return text.size() >= shortest && text.size() <= longest && text.ends_with('T') &&
           std::ranges::all_of(text, ascii::is_upper);
  }

  static bool is_percentage(std::string_view text) {
    return text.ends_with('%') && text::whole_number(text.substr(0, text.size() - 1));
  }

  // It has asterisks, which are signs of placeholders elsewhere.
  static bool is_schedule(std::string text) {
    std::erase(text, '*');
    return text.empty() || !schema::is_placeholder(text);
  }

  // `NEVER` for Never, `HTTP` for TCP and gcloud's `SPECIFIC_RESERVATION` for Specific are meant,
  // where a placeholder has capitals too.
  static bool is_choice_in_capitals(const Constraint& constraint, std::string_view text) {
    const auto words = text::lower(text);
    const auto is_of_gcloud = [&](std::string_view choice) {
      std::string joined = words;
      std::erase(joined, '_');
      const std::string own = text::lower(choice);
      return joined == own || words.starts_with(own + "_");
    };
    // `FIFO` for StrictFIFO, `PREFIX` for PathPrefix.
    const auto is_end = [&](std::string_view choice) {
      return text.size() > 3 && text::lower(choice).ends_with(words) &&
             schema::is_plain_in_capitals(text);
    };
    if (std::ranges::any_of(constraint.choices, is_of_gcloud) ||
        std::ranges::any_of(constraint.choices, is_end))
      return true;
    return capital_word_in(text).empty() &&
           std::ranges::any_of(constraint.choices, [&](std::string_view choice) {
             return text::lower(choice) == text::lower(text) ||
                    !std::ranges::any_of(choice, ascii::is_lower);
           });
  }

  // Documentation writes `[NAME]` too.
  static bool is_placeholder_in_brackets(const Node& node, const Type& type,
                                         const Constraint& constraint) {
    if (type.category >= Category::tree || node.items.size() != 1) return false;
    const Node& item = node.items[0];
    const bool is_bare =
        item.kind == yaml::Kind::scalar && !item.quoted && node.span.end > item.span.end;
    return is_bare && schema::is_placeholder(item.text) && !is_phrase(item.text) &&
           !is_choice_in_capitals(constraint, item.text);
  }

  // No name of lower-case letters is like it, and a placeholder says what to fill in.
  bool is_name_in_capitals(const Constraint& constraint, std::string_view text) const {
    constexpr Pattern names[] = {Pattern::dns_label, Pattern::dns_subdomain, Pattern::workload_name,
                                 Pattern::port_name};
    const bool is_name = std::ranges::count(names, constraint.pattern) > 0 ||
                         (constraint.server != nullptr && !constraint.server->expression.empty());
    return is_name && says_all(manifest_->completeness) && is_plain_in_capitals(text);
  }

  bool is_left_alone(const Node& node, const Type& type, const Constraint& constraint) const {
    if (node.kind == yaml::Kind::sequence)
      return is_placeholder_in_brackets(node, type, constraint);
    if (node.kind != yaml::Kind::scalar) return false;
    const bool number = text::whole_number(without_sign(node.text)).has_value();
    if (type.category == Category::integer && (number || is_percentage(node.text))) return false;
    if (type.category != Category::text)
      return !(node.text.empty() && node.quoted) && schema::is_placeholder(node.text);
    if (is_name_in_capitals(constraint, node.text)) return false;
    if (constraint.any_scalar && yaml::type_of(node) == yaml::ScalarType::boolean) return false;
    // Rules know which label is meant.
    if (constraint.pattern == Pattern::label_key && !meets(constraint, node.text) &&
        meets(constraint, text::lower(node.text)))
      return true;
    if (is_quantity(constraint.pattern) && begins_as_number(node.text))
      return !is_amount(node) && (node.text != "0" || meets(constraint, node.text));
    // `CEST` is an abbreviation, and no placeholder.
    if (constraint.pattern == Pattern::time_zone && is_zone_abbreviation(node.text)) return false;
    // ko builds the image of such a package and writes its name here.
    if (constraint.pattern == Pattern::image && node.text.starts_with("ko://")) return true;
    if (constraint.pattern == Pattern::image && is_image(node.text)) return false;
    if (constraint.pattern == Pattern::schedule && is_schedule(node.text)) return false;
    // Its brackets are those of a label.
    const bool is_path =
        constraint.pattern == Pattern::field_path || constraint.pattern == Pattern::file_field_path;
    if (is_path && node.text.find_first_of("{}<>$%|*\n ") == std::string::npos) return false;
    const bool is_part =
        constraint.pattern == Pattern::part || constraint.pattern == Pattern::percentage;
    if (is_part && begins_as_number(node.text) && node.text.ends_with('%')) return false;
    // Kubernetes takes an empty text for its default, and CRDs do not.
    if (node.text.empty())
      return !constraint.not_empty && !(is_custom_ && !constraint.choices.empty()) &&
             constraint.server == nullptr;
    if (!is_choice(constraint, node.text))
      return schema::is_placeholder(node.text) && !is_choice_in_capitals(constraint, node.text);
    const bool is_number = yaml::kubectl_type_of(node) != yaml::ScalarType::string;
    if (constraint.or_integer && (number || is_number || is_percentage(node.text))) return false;
    if (constraint.server != nullptr && meets(constraint, node.text))
      return schema::is_placeholder(node.text);
    return is_number || meets(constraint, node.text) || !is_meant(node.text, constraint.pattern);
  }

  // kubectl reads such a value as a number or a flag, and Kubernetes takes strings alone. In
  // documentation N is any number.
  bool is_no_string(const Node& node, const Type& type, const Constraint& constraint) const {
    if (node.kind != yaml::Kind::scalar || node.quoted || node.text == "N" ||
        type.category != Category::text)
      return false;
    const yaml::ScalarType read = yaml::kubectl_type_of(node);
    if (constraint.any_scalar && refuses_fractions_) return read == yaml::ScalarType::floating;
    return !constraint.any_scalar && !constraint.or_integer && read != yaml::ScalarType::string;
  }

  // Returns whether the value is valid.
  bool value(const Node& node, const Type& type, const Constraint& constraint, void* claim,
             const Path& path) {
    const bool any_tree = type.category == Category::tree && constraint.shape.empty();
    if ((is_partial_ || judges_objects()) && node.kind == yaml::Kind::null) return true;
    if (manifest_ != nullptr && is_no_string(node, type, constraint)) {
      const std::string quoted = fmt::format("\"{}\"", node.text);
      sink_
          .report<Code::NotAString>(node.span, path.text(),
                                    yaml::describe(node, yaml::kubectl_type_of(node)))
          .help("write {}", quoted)
          .fix(node.span, quoted);
      return false;
    }
    if (manifest_ != nullptr && is_left_alone(node, type, constraint)) return true;
    if (judges_objects() && std::ranges::count(constraint.newer, node.text) > 0) return true;
    if (node.kind == yaml::Kind::null && !any_tree) {
      sink_.report<Code::EmptyValue>(node.span, path.text()).help("{}", what_fills(type));
      spoil(type, claim, node.span);
      return false;
    }
    if (type.category == Category::record) {
      // Usable part by part: later passes look at each member's own `bad`.
      const std::size_t errors = sink_.errors();
      if (constraint.not_empty && node.kind == yaml::Kind::mapping && node.members.empty() &&
          manifest_ != nullptr && says_all(manifest_->completeness))
        sink_.report<Code::EmptyValue>(node.span, path.text());
      const bool was_partial = std::exchange(is_partial_, is_partial_ || constraint.is_layer);
      record(node, *type.table, claim, path);
      is_partial_ = was_partial;
      const bool good = sink_.errors() == errors;
      if (claim != nullptr) type.where(claim) = {node.span, true, !good};
      return good;
    }
    const bool good = [&] {
      switch (type.category) {
        case Category::text:
          if (constraint.or_integer && text::whole_number(without_sign(node.text)))
            return integer(node, constraint, target<Integer>(nullptr), path);
          return text(node, type, constraint, claim, path);
        case Category::integer:
          return integer(node, constraint, target<Integer>(claim), path);
        case Category::flag:
          return flag(node, target<Flag>(claim), path);
        case Category::list:
          return list(node, type, constraint, claim, path);
        case Category::map:
          return map(node, type, constraint, claim, path);
        default:
          if (is_strategic_) return has_no_directive(node);
          return claim == nullptr || tree(node, constraint, static_cast<Tree*>(claim)->value, path);
      }
    }();
    if (claim != nullptr) type.where(claim) = {node.span, good, !good};
    if (!good && judges_objects()) note_who_refuses(node, path);
    return good;
  }

  // API servers accept some values that nothing can run with.
  void note_who_refuses(const Node& node, const Path& path) {
    for (const Code code : {Code::WrongForm, Code::UnknownChoice, Code::OutOfRange, Code::TooLong,
                            Code::EmptyValue}) {
      Diagnostic* finding = sink_.find(code, node.span);
      if (finding == nullptr) continue;
      // Webhooks cannot even read what is above int32.
      if (code != Code::OutOfRange || text::whole_number(node.text).value_or(0) <= INT32_MAX)
        note_who_refuses(*finding, path, code == Code::EmptyValue);
      else if (is_custom_)
        finding->note("the API server may accept it; the controller reads numbers of 32 bits");
      return;
    }
  }
  void note_who_refuses(Diagnostic& finding, const Path& path, bool is_none) const {
    const auto refusal = kubernetes::later_refusal(root_.name, path.without_items(), is_none);
    if (!refusal.who.empty()) finding.note(std::string(refusal.who));
    if (refusal.is_harmless) finding.level = diag::Level::warning;
  }

  // A kind that is no word, or stands under another name, may be any.
  static bool may_lack(const Field& field, const Node& node, const Table& table,
                       std::span<const std::string_view> misspelt) {
    if (field.optional_for.empty()) return false;
    if (table.find("kind") == nullptr) {
      const Node* enough = &node;
      for (std::string_view key : text::split(field.optional_for, '.'))
        enough = enough == nullptr ? nullptr : enough->find(key);
      return enough != nullptr;
    }
    if (std::ranges::count(misspelt, "kind") > 0) return true;
    const Node* kind = node.find("kind");
    const auto is_kind = [&](const auto& words) {
      return std::ranges::count(words, std::string_view(kind->text)) > 0;
    };
    return kind != nullptr && (is_kind(text::split(field.optional_for, ' ')) ||
                               !is_kind(table.find("kind")->constraint.choices));
  }

  // An API server drops null, and takes an empty list for none where it requires one.
  bool is_dropped(const Node& given, const Field& field, const Table& table) const {
    if (manifest_ == nullptr) return false;
    return given.kind == yaml::Kind::null ||
           (field.presence == Presence::required && !table.is_custom &&
            given.kind == yaml::Kind::sequence && given.items.empty());
  }

  // Fields that were not written, or under another name.
  void absent(const Node& node, const Table& table, void* record, const Path& path,
              std::span<const std::string_view> misspelt) {
    for (const Field& field : table.fields) {
      const Node* given = node.find(field.key);
      if (given != nullptr && !is_dropped(*given, field, table)) continue;
      void* claim = member_of(field, record);
      const bool missing = field.presence == Presence::required &&
                           !may_lack(field, node, table, misspelt) &&
                           (table.is_custom || !path.is_below(merged_field));
      if (std::ranges::count(misspelt, field.key) > 0) {
        spoil(*field.type, claim, node.span);
        continue;
      }
      if (claim != nullptr) field.type->where(claim) = {node.span, false, missing};
      if (missing) {
        Diagnostic& report = sink_.report<Code::MissingField>(
            Span{node.span.source, node.span.begin, node.span.begin},
            Path{&path, field.key}.text());
        if (manifest_ != nullptr) note_who_refuses(report, Path{&path, field.key}, true);
        if (!field.example.empty())
          report.help(fmt::format("for example `{}: {}`", field.key, field.example));
        if (field.optional_for.find('.') != std::string_view::npos)
          report.help(fmt::format("or write `{}` in its place", field.optional_for));
      }
    }
  }

  void exactly_one(const Node& node, const Table& table, const Path& path) {
    std::vector<std::string_view> given;
    for (std::string_view key : table.one_of) {
      if (node.find(key) != nullptr) given.push_back(key);
    }
    if (table.one_of.empty() || given.size() == 1) return;
    if (of_kubernetes_) {
      if (given.empty()) {
        sink_.report<Code::NoneOfFields>(node.span, path.text(), text::quoted_list(table.one_of));
      } else {
        sink_.report<Code::FieldsExclude>(
            node.span, fmt::format("`{}`", text::join(given, "` and `")), path.text());
      }
      return;
    }
    sink_.report<Code::NotExactlyOne>(node.span, path.text(), text::quoted_list(table.one_of))
        .note(given.empty() ? "none is set" : fmt::format("set: {}", text::quoted_list(given)));
  }

  bool judges_objects() const { return is_patch_ || manifest_ != nullptr; }

  // A catalog on top of the program's own may know the field.
  bool is_added(const Path& path) const {
    const std::string field = path.without_items();
    return std::ranges::any_of(manifest_->added, [&](std::string_view added) {
      return added.starts_with(root_.name) && added.substr(root_.name.size()).starts_with(' ') &&
             added.substr(root_.name.size() + 1) == field;
    });
  }

  // The field that was meant, or empty.
  std::string_view unknown(const Node& key, const Node& node, const Table& table,
                           const Path& path) {
    if (manifest_ != nullptr && is_added(Path{&path, key.text})) return {};
    diag::Sink own;
    Diagnostic& report = report_unknown(key, table, path, own);
    const std::string_view meant = help_with_unknown(report, key, node, table, root_);
    // A field that is like no known one may be of a later release.
    const bool may_be_new =
        manifest_ != nullptr && std::ranges::all_of(key.text, ascii::is_letter_or_digit) &&
        !root_.release.empty() && meant.empty() && report.helps.empty() &&
        table.name != "ObjectMeta" && !kubernetes::is_of_no_release(key.text, root_.name) &&
        (table.is_custom ? !kubernetes::is_field_of(root_.name, key.text)
                         : !kubernetes::is_field_anywhere(key.text));
    if (may_be_new) {
      sink_.report<Code::FieldOfNewerRelease>(key.span, root_.release, Path{&path, key.text}.text(),
                                              root_.name);
      return {};
    }
    for (Diagnostic& finding : own.take()) sink_.add(std::move(finding));
    return meant;
  }
  Diagnostic& report_unknown(const Node& key, const Table& table, const Path& path,
                             diag::Sink& sink) const {
    if (is_patch_) {
      Diagnostic& report = sink.report<Code::NoSuchField>(key.span, table.name, key.text);
      if (key.text == "$patch") report.help("write `strategicMerge` instead of `merge`");
      return report;
    }
    if (manifest_ != nullptr)
      return sink.report<Code::NoSuchField>(
          key.span, fmt::format("{} {}", root_.name, manifest_->api_version),
          Path{&path, key.text}.text());
    const std::string name = path.text();
    return sink.report<Code::UnknownField>(key.span, key.text,
                                           name.empty() ? "the spec" : fmt::format("`{}`", name));
  }

  void members(const Node& node, const Table& table, void* record, const Path& path) {
    const bool was_custom = std::exchange(is_custom_, table.is_custom);
    judge_members(node, table, record, path);
    is_custom_ = was_custom;
  }

  void judge_members(const Node& node, const Table& table, void* record, const Path& path) {
    std::vector<std::string_view> misspelt;
    bool has_any_key = false;  // `${key}: …` of a template, or one that is reported
    for (const yaml::Member& member : node.members) {
      if (manifest_ != nullptr && !placeholder_in(member.key.text).empty()) {
        has_any_key = true;
        continue;
      }
      if (judges_objects() && std::ranges::count(table.newer, member.key.text) > 0) continue;
      if (mapping_directive(member, node, path)) continue;
      if (const Field* field = table.find(member.key.text)) {
        value(member.value, *field->type, field->constraint, member_of(*field, record),
              Path{&path, field->key});
      } else if (table.is_open) {
        has_any_key = true;
      } else if (const std::string_view meant = unknown(member.key, node, table, path);
                 !meant.empty()) {
        misspelt.push_back(meant);
      } else {
        has_any_key |= manifest_ != nullptr;
      }
    }
    if (is_partial_ || has_any_key) return;
    absent(node, table, record, path, misspelt);
    if (misspelt.empty() && manifest_ == nullptr) exactly_one(node, table, path);
  }

  const Table& root_;
  diag::Sink& sink_;
  bool of_kubernetes_;  // of what is judged now, its own types
  bool is_patch_ = false, is_strategic_ = false;
  const Manifest* manifest_ = nullptr;
  bool is_partial_ = false;         // nothing is required, and null is no value
  bool is_crd_ = false;             // the object is of a CRD
  bool refuses_fractions_ = false;  // of quantities that are no texts
  bool is_custom_ = false;          // and so is the type of what is judged now
};

}  // namespace

void decode(const Node& node, const Table& table, void* record, diag::Sink& sink,
            std::string_view at) {
  const Path spec;
  Decoder(table, sink).record(node, table, record, at.empty() ? spec : Path{&spec, at});
}

void judge_layer(const Node& layer, const Table& table, diag::Sink& sink) {
  if (layer.kind == yaml::Kind::null) return;
  diag::Sink own;
  Decoder::of_layer(table, own).record(layer, table, nullptr, Path{});
  for (Diagnostic& finding : own.take()) {
    if (finding.code != Code::Placeholder) sink.add(std::move(finding));
  }
}

void judge_patch(const Node& patch, const Table& table, const PatchField& field, diag::Sink& sink) {
  const Path root, patches{&root, "patches"}, item{&patches, {}, field.index},
      path{&item, field.name};
  Decoder::of_patch(table, field.name == "strategicMerge", sink)
      .record(patch, table, nullptr, path);
}

void judge_manifest(const Node& object, const Table& table, const Manifest& manifest,
                    diag::Sink& sink) {
  Decoder::of_manifest(object, table, manifest, sink).record(object, table, nullptr, Path{});
}

}  // namespace flexslice::schema
