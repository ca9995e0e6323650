#include "spec/matrix.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "base/ascii.hpp"
#include "base/text.hpp"
#include "schema/decode.hpp"
#include "schema/pattern.hpp"
#include "spec/document.hpp"
#include "spec/spec_fields.hpp"
#include "yaml/emit.hpp"
#include "yaml/made.hpp"

namespace flexslice::spec {

using diag::Code;
using yaml::Node;

namespace {

// Points are held in memory together, so a long spec has fewer.
constexpr std::size_t max_points = 1000, max_weight = 64 << 20;
// `-pool` after it is as long as GKE's names of node pools may be.
constexpr std::size_t max_name = 35;
constexpr std::size_t usual_value = 7;  // with as much room, values follow their field's name

// The scripts of a sweep are for one cluster and one queue.
constexpr std::string_view fixed[] = {
    "apiVersion",          "name",   "namespace",          "cluster",           "matrix",
    "provisioning.create", "budget", "provisioning.queue", "provisioning.owner"};

bool covers(std::string_view above, std::string_view path) {
  return path.starts_with(above) &&
         (path.size() == above.size() || path[above.size()] == '.' || path[above.size()] == '[');
}

std::string point_text(const Node& value) {
  return value.kind == yaml::Kind::scalar ? value.text
                                          : yaml::one_line(yaml::emit_json(yaml::to_value(value)));
}

// Keeps the characters that a name can have: `0-1` of 0.1. Two `-` in a row separate values, so a
// value has none.
std::string slug(std::string_view text) {
  std::string slug;
  for (const char c : text::lower(text)) {
    if (ascii::is_lower(c) || ascii::is_digit(c))
      slug += c;
    else if (!slug.empty() && slug.back() != '-')
      slug += '-';
  }
  if (slug.ends_with('-')) slug.pop_back();
  return slug;
}

std::string_view last_key(std::string_view path) {
  const std::size_t end = path.ends_with(']') ? path.size() - 1 : path.size();
  return path.substr(0, end).substr(path.substr(0, end).find_last_of(".[") + 1);
}

}  // namespace

bool may_vary(std::string_view path) {
  return std::ranges::none_of(
      fixed, [&](std::string_view one) { return covers(one, path) || covers(path, one); });
}

Sweep::Sweep(Node spec, diag::Sink& sink) : spec_(std::move(spec)) {
  const auto at = std::ranges::find(spec_.members, "matrix",
                                    [](const yaml::Member& member) { return member.key.text; });
  const std::size_t errors = sink.errors();
  matrix_ = schema::decode<Matrix>(at->value, sink, "matrix");
  spec_.members.erase(at);
  if (const Node* name = spec_.find("name")) name_ = name->text;
  queued_ = spec_.at({"provisioning", "queue"}) != nullptr;
  shares_ = queued_ || spec_.at({"provisioning", "nodePool"}) != nullptr;
  is_read_ = sink.errors() == errors;
  for (const auto& field : matrix_.vary.entries) add_axis(field, sink);
  for (Axis& axis : axes_) name_values(axis);
  if (!is_read_) return;
  for (const Map<Tree>& entry : matrix_.exclude.items) judge_exclusion(entry, sink);

  std::size_t weight = 1, count = 1;
  yaml::for_scalars(spec_, [&](const Node& scalar) { weight += scalar.text.size() + 64; });
  const std::size_t most = std::min(max_points, std::max<std::size_t>(1, max_weight / weight));
  std::string factors;
  for (const Axis& axis : axes_) {
    const std::size_t values = axis.field->value.items.size();
    count = count > most ? count : count * values;
    factors += (factors.empty() ? "" : " * ") + std::to_string(values);
  }
  if (count > most)
    sink.report<Code::TooManyPoints>(matrix_.vary, factors, most);
  else if (sink.errors() == 0)
    choose(count, sink);
}

// An excluded field that cannot vary is one mistake: its values are not judged as well.
void Sweep::judge_exclusion(const Map<Tree>& entry, diag::Sink& sink) const {
  for (const auto& [path, wanted] : entry.entries) {
    const auto field = std::ranges::find(matrix_.vary.entries, path.value,
                                         [](const auto& each) { return each.key.value; });
    if (field == matrix_.vary.entries.end()) {
      sink.report<Code::NotVaried>(path, path.value);
      continue;
    }
    const auto is_wanted = [text = point_text(wanted.value)](const Tree& each) {
      return point_text(each.value) == text;
    };
    if (std::ranges::none_of(field->value.items, is_wanted))
      sink.report<Code::NoSuchValue>(wanted, path.value, point_text(wanted.value));
  }
}

void Sweep::add_axis(const schema::Entry<List<Tree>>& field, diag::Sink& sink) {
  const std::string& path = field.key.value;
  if (!may_vary(path)) {
    sink.report<Code::NotVariable>(field.key, path)
        .help("write a spec for each value, in one file with `---` between them");
    moves_ = moves_ || covers("cluster", path) || covers(path, "cluster");
    return;
  }
  const Node chain = at_path(path, {}, {});
  const Node* below = &chain;
  const Node* set = &spec_;
  for (; set != nullptr && !below->members.empty(); below = &below->members.front().value)
    set = set->find(below->members.front().key.text);
  if (set != nullptr && set->argument) sink.report<Code::SetAndVaried>(field.key, path);
  std::set<std::string> values;
  for (const Tree& value : field.value.items) {
    if (!values.insert(point_text(value.value)).second)
      sink.report<Code::DuplicateValue>(value, point_text(value.value), path);
  }
  std::string label(last_key(path));
  shares_ = shares_ || path == "provisioning.nodePool";
  for (Axis& other : axes_) {
    if (other.label == label) other.label = other.field->key.value, label = path;
  }
  axes_.push_back({&field,
                   std::move(label),
                   {},
                   covers("tpu", path) || covers("provisioning", path) || covers("labels", path)});
}

// A value's word depends on those before it alone, so that one more at the end renames no point.
void Sweep::name_values(Axis& axis) {
  const std::size_t left = max_name - std::min(max_name, name_.size()),
                    room = left / axes_.size() - std::min<std::size_t>(2, left / axes_.size());
  std::string field = slug(last_key(axis.field->key.value)) + '-';
  if (field.size() + usual_value > room) field.clear();
  for (const Tree& value : axis.field->value.items) {
    const std::string text = value.value.kind == yaml::Kind::scalar ? slug(value.value.text) : "";
    std::string word = field + text;
    const auto taken = [&] { return std::ranges::count(axis.words, word) > 0; };
    if (text.empty() || word.size() > room || taken()) word = std::to_string(axis.words.size() + 1);
    while (taken()) word += "-x";
    axis.words.push_back(std::move(word));
  }
}

std::vector<std::size_t> Sweep::values_of(std::size_t number) const {
  std::vector<std::size_t> values(axes_.size());
  for (std::size_t i = axes_.size(); i-- > 0;) {
    const std::size_t size = axes_[i].field->value.items.size();
    values[i] = number % size;
    number /= size;
  }
  return values;
}

// `tune-lr-0-1--4x8`, or of the fields alone by which pools differ.
std::string Sweep::named(std::size_t number, bool of_pool) const {
  const std::vector<std::size_t> values = values_of(number);
  std::string name = name_;
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    if (of_pool && !axes_[i].of_pool) continue;
    name += (name.size() == name_.size() ? "-" : "--") + axes_[i].words[values[i]];
  }
  return name;
}

void Sweep::choose(std::size_t count, diag::Sink& sink) {
  std::vector<bool> excluded(count);
  for (const Map<Tree>& entry : matrix_.exclude.items) {
    std::vector<bool> matches(count, true);
    for (const auto& [path, wanted] : entry.entries) {
      const auto axis = std::ranges::find(axes_, path.value, [](const Axis& each) {
        return std::string_view(each.field->key.value);
      });
      const std::vector<Tree>& values = axis->field->value.items;
      const auto value = std::ranges::find(values, point_text(wanted.value),
                                           [](const Tree& each) { return point_text(each.value); });
      const auto i = static_cast<std::size_t>(axis - axes_.begin()),
                 index = static_cast<std::size_t>(value - values.begin());
      for (std::size_t number = 0; number < count; ++number)
        matches[number] = matches[number] && values_of(number)[i] == index;
    }
    for (std::size_t number = 0; number < count; ++number)
      if (matches[number]) excluded[number] = true;
  }
  std::set<std::string> pools;
  for (std::size_t number = 0; number < count; ++number) {
    if (excluded[number]) continue;
    std::string pool = shares_ ? named(number, true) : "";
    const bool first = pool.empty() || pools.insert(pool).second;
    points_.push_back({number, std::move(pool), first});
  }
  if (points_.empty()) sink.report<Code::NoPoints>(matrix_.exclude);
}

PointSpec Sweep::point(std::size_t index) const { return point_of(points_[index]); }

std::vector<PointSpec> Sweep::combinations() const {
  std::vector<PointSpec> combinations;
  if (!is_read_) return combinations;
  combinations.push_back(point_of({0, {}, true}));
  // Zones and the like of the others may be right for the clusters that were meant.
  if (moves_) return combinations;
  std::size_t step = 1;
  for (std::size_t i = axes_.size(); i-- > 0;) {
    const std::size_t values = axes_[i].field->value.items.size();
    if (combinations.size() + values > max_points || step > SIZE_MAX / values) break;
    for (std::size_t value = 1; value < values; ++value)
      combinations.push_back(point_of({value * step, {}, true}));
    step *= values;
  }
  return combinations;
}

PointSpec Sweep::point_of(const Choice& choice) const {
  PointSpec point{spec_, {}, {name_, choice.pool, choice.first, 1}};
  const auto lay = [&](std::string_view path, Span where, Node value) {
    point.tree = overlay(std::move(point.tree), at_path(path, where, std::move(value)), true);
  };
  if (const Node* name = spec_.find("name");
      name != nullptr && schema::matches(schema::Pattern::workload_name, name_)) {
    lay("name", name->span, yaml::string_at(named(choice.number, false), name->span));
    lay("labels", name->span, at_path(sweep_label, name->span, yaml::string_at(name_, name->span)));
  }
  const std::vector<std::size_t> values = values_of(choice.number);
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    const Node& value = axes_[i].field->value.items[values[i]].value;
    const std::string& path = axes_[i].field->key.value;
    const std::string_view top = std::string_view(path).substr(0, path.find_first_of(".["));
    const schema::Field* field = schema::TableOf<Claims>::table.find(top);
    // A missing `workload` is reported, and not what a value would leave open in it.
    if (top == path || spec_.find(top) != nullptr || field == nullptr ||
        field->presence != schema::Presence::required)
      lay(path, axes_[i].field->key.where.span, value);
    const std::string text = point_text(value);
    point.values += fmt::format("{}{}={}", i == 0 ? "" : ", ", axes_[i].label,
                                text.size() > 40 ? axes_[i].words[values[i]] : text);
  }
  if (!queued_ && shares_)
    point.claim.together = std::ranges::count(points_, choice.pool, &Choice::pool);
  return point;
}

}  // namespace flexslice::spec
