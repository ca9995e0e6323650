#include "extract/variables.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "base/ascii.hpp"
#include "base/text.hpp"

namespace flexslice::extract {

namespace {

constexpr std::size_t longest_value = 4096;
constexpr int most_references_in_a_row = 4;
// Items of arrays that the log may hold: keeps memory linear.
constexpr std::size_t most_logged_items = std::size_t{1} << 18;

bool has_same_value(const Variable& a, const Variable& b) {
  return a.is_unset == b.is_unset && a.is_array == b.is_array && a.is_map == b.is_map &&
         a.value == b.value && a.refers_to == b.refers_to &&
         std::ranges::equal(a.items, b.items, {}, &Word::text, &Word::text) &&
         std::ranges::none_of(a.items, &Word::unknown);
}

// Returns the shorter of two arrays if the longer one begins with its words. The last word of
// the result is unknown: the longer array goes on there.
std::optional<Variable> common_beginning(const Variable& a, const Variable& b) {
  if (!a.is_array || !b.is_array || a.is_map || b.is_map) return {};
  const auto known_items = [](const Variable& each) {
    const bool is_open = !each.items.empty() && each.items.back().unknown;
    return std::span(each.items).first(each.items.size() - (is_open ? 1 : 0));
  };
  const auto one = known_items(a), other = known_items(b);
  const Variable& shorter = one.size() <= other.size() ? a : b;
  const auto common = known_items(shorter);
  const bool begins = std::ranges::equal(
      common, (&shorter == &a ? other : one).first(common.size()),
      [](const Word& x, const Word& y) { return x.text == y.text && !x.unknown && !y.unknown; });
  if (!begins || common.empty()) return {};
  Variable joined = shorter;
  joined.items.resize(common.size());
  Word& rest = joined.items.emplace_back(Word{"$_", shorter.where});
  rest.unknown = rest.may_split = true;
  return joined;
}

}  // namespace

std::string item_name(std::string_view map, std::string_view key) {
  return fmt::format("{}[{}]", map, key);
}

std::string_view Variables::target(std::string_view name) const {
  for (int i = 0; i < most_references_in_a_row; ++i) {
    const auto found = all_.find(name);
    if (found == all_.end() || found->second.refers_to.empty()) break;
    name = found->second.refers_to;
  }
  return name;
}

Variables::VariableLookup Variables::look_up(std::string_view name) const {
  const auto found = all_.find(target(name));
  if (found == all_.end())
    return {open_age_ > 0 || gave_up_ ? VariableState::unknown : VariableState::never_set, nullptr};
  const Variable& variable = found->second;
  if (gave_up_ || !variable.known || variable.age < open_age_)
    return {VariableState::unknown, &variable};
  return {variable.is_unset ? VariableState::unset : VariableState::known, &variable};
}

std::optional<std::map<std::string, std::string>> Variables::items_of(std::string_view map) const {
  const auto [state, variable] = look_up(map);
  if (state != VariableState::known || !variable->is_map) return std::nullopt;
  std::map<std::string, std::string> items;
  const std::string first = item_name(map, "");
  const std::string_view opening = std::string_view(first).substr(0, first.size() - 1);
  for (const auto& [name, item] : all_) {
    if (!name.starts_with(opening)) continue;
    const VariableState state_of_item = look_up(name).state;
    if (state_of_item == VariableState::unknown) return std::nullopt;
    if (state_of_item == VariableState::known)
      items.emplace(name.substr(opening.size(), name.size() - first.size()), item.value);
  }
  return items;
}

Variable& Variables::write(std::string_view name) {
  const auto found = all_.find(name);
  log_.push_back({std::string(name)});
  if (found != all_.end()) {
    logged_items_ += found->second.items.size();
    gave_up_ |= logged_items_ > most_logged_items;
    log_.back().before.emplace();
    if (!gave_up_) *log_.back().before = found->second;
  }
  Variable& variable = all_[std::string(name)];
  variable.age = age_;
  return variable;
}

void Variables::set(std::string_view name, std::string_view value, Span where, bool known) {
  if (name.empty()) return;
  known = known && value.size() <= longest_value;
  Variable& variable = write(target(name));
  // A value without a subscript sets the first item of an array.
  known = known && !variable.is_array;
  variable.value = known ? value : "";
  variable.is_default = false;
  if (known && variable.letters == 'l') variable.value = text::lower(variable.value);
  if (known && variable.letters == 'u') {
    for (char& c : variable.value) {
      if (ascii::is_lower(c)) c = static_cast<char>(c - 'a' + 'A');
    }
  }
  variable.where = where;
  variable.known = known;
  variable.is_unset = false;
}

void Variables::set_array(std::string_view name, std::vector<Word> items, Span where, bool known) {
  if (name.empty()) return;
  Variable& variable = write(target(name));
  known = known && (items.empty() || items[0].text.size() <= longest_value);
  variable.value = known && !items.empty() && !items[0].unknown ? items[0].text : "";
  variable.items = std::move(items);
  variable.where = where;
  variable.known = known;
  variable.is_unset = false;
  variable.is_array = true;
}

void Variables::set_unknown(std::string_view name, Span where) {
  if (name.empty()) return;
  Variable& variable = write(target(name));
  variable.value.clear();
  variable.items.clear();
  variable.where = where;
  variable.known = false;
  variable.is_unset = false;
}

void Variables::unset(std::string_view name, Span where) {
  if (name.empty()) return;
  Variable& variable = write(target(name));
  const unsigned age = variable.age;
  variable = {};
  variable.where = where;
  variable.is_unset = true;
  variable.age = age;
}

void Variables::mark_default(std::string_view name) {
  if (const auto found = all_.find(name); found != all_.end()) found->second.is_default = true;
}

void Variables::put(std::string_view name, std::optional<Variable> variable) {
  if (variable) {
    Variable& now = write(name);
    // A variable that was too old to be known stays unknown.
    const unsigned age = variable->age;
    now = std::move(*variable);
    now.age = age;
  } else if (const auto found = all_.find(name); found != all_.end()) {
    log_.push_back({std::string(name), found->second});
    all_.erase(found);
  }
}

void Variables::open_all() {
  log_.push_back({{}, {}, open_age_});
  open_age_ = ++age_;
}

void Variables::spare(std::span<const std::string_view> names, const std::function<void()>& act) {
  std::vector<std::pair<std::string_view, Variable>> known;
  for (std::string_view name : names) {
    if (knows(name)) known.emplace_back(name, all_.find(name)->second);
  }
  act();
  for (auto& [name, variable] : known) {
    Variable& now = write(name);
    const unsigned age = now.age;
    now = std::move(variable);
    now.age = age;
  }
}

void Variables::settle() {
  log_.clear();
  logged_items_ = 0;
}

void Variables::undo(Mark mark) {
  while (log_.size() > mark) {
    Write& last = log_.back();
    if (last.name.empty()) {
      open_age_ = last.open_age;
    } else if (last.before) {
      all_.insert_or_assign(std::move(last.name), std::move(*last.before));
    } else {
      all_.erase(last.name);
    }
    log_.pop_back();
  }
}

Variables::Writes Variables::since(Mark mark) const {
  Writes changes;
  for (std::size_t i = mark; i < log_.size(); ++i) {
    const std::string& name = log_[i].name;
    changes.opened |= name.empty();
    if (name.empty() || changes.of.contains(name)) continue;
    const auto found = all_.find(name);
    if (found == all_.end()) {
      changes.of.emplace(name, std::nullopt);
    } else {
      Variable now = found->second;
      now.known = now.known && now.age >= open_age_;
      changes.of.emplace(name, std::move(now));
    }
  }
  return changes;
}

Variables::VariableLookup Variables::state_of(const std::optional<Variable>& variable,
                                              bool opened) const {
  if (!variable) return {opened ? VariableState::unknown : VariableState::never_set, nullptr};
  if (!variable->known) return {VariableState::unknown, &*variable};
  return {variable->is_unset ? VariableState::unset : VariableState::known, &*variable};
}

void Variables::join(const std::vector<Writes>& ways) {
  std::set<std::string_view> names;
  bool opened = false;
  for (const Writes& way : ways) {
    opened |= way.opened;
    for (const auto& [name, value] : way.of) names.insert(name);
  }
  std::vector<std::pair<std::string_view, Variable>> joined;
  for (std::string_view name : names) {
    std::optional<Variable> first;
    bool same = true, lacks = false;
    for (const Writes& way : ways) {
      const auto changed = way.of.find(name);
      VariableLookup found;
      if (changed != way.of.end()) {
        found = state_of(changed->second, way.opened || is_open());
      } else {
        const auto before = all_.find(name);
        if (before != all_.end())
          found = {before->second.known && before->second.age >= open_age_ && !way.opened
                       ? VariableState::known
                       : VariableState::unknown,
                   &before->second};
      }
      const bool is_unset = found.variable == nullptr && found.state == VariableState::never_set;
      lacks |= is_unset;
      if ((found.variable == nullptr && !is_unset) || found.state == VariableState::unknown)
        same = false;
      if (found.variable != nullptr && first && !has_same_value(*first, *found.variable)) {
        auto common = same ? common_beginning(*first, *found.variable) : std::nullopt;
        same = common.has_value();
        if (common) first = std::move(common);
      }
      if (found.variable != nullptr && !first) first = *found.variable;
    }
    if (!first) continue;
    first->known = same && (!lacks || first->is_default);
    joined.emplace_back(name, std::move(*first));
  }
  if (opened) open_all();
  for (auto& [name, variable] : joined) {
    Variable& now = write(name);
    const unsigned age = now.age;
    now = std::move(variable);
    now.age = age;
  }
}

void Variables::forget(Mark mark) {
  const Writes changes = since(mark);
  if (changes.opened) open_all();
  for (const auto& [name, variable] : changes.of)
    if (changes.opened || !variable || !variable->is_default)
      set_unknown(name, variable ? variable->where : Span{});
}

}  // namespace flexslice::extract
