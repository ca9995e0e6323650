#include "extract/branches.hpp"

#include <algorithm>
#include <utility>

#include "base/lists.hpp"
#include "extract/parameters.hpp"

namespace flexslice::extract {

namespace {

// Both keep time linear.
constexpr std::size_t deepest_branch = 16;
constexpr std::size_t most_set_values = 64;  // that a function sets

std::optional<Variable> either(std::optional<Variable> one, const std::optional<Variable>& other) {
  if (!one || !other) return one ? std::move(one) : other;
  if (!one->known || !other->known || one->value != other->value) {
    const bool is_same = one->host && other->host && one->host->text == other->host->text;
    one->value.clear();
    one->known = false;
    if (!is_same) one->host.reset();
  }
  return one;
}

}  // namespace

void Branches::put(const std::string& name, std::optional<Variable> value) {
  const auto place = variables_.find(name);
  const bool is_set = place != variables_.end();
  if (!open_.empty())
    open_.back().before.try_emplace(name, is_set ? std::optional(place->second) : std::nullopt);
  if (value) {
    variables_.insert_or_assign(name, std::move(*value));
  } else if (is_set) {
    variables_.erase(place);
  }
}

const Variable* Branches::find(std::string_view name) const {
  const auto place = variables_.find(name);
  return place == variables_.end() ? nullptr : &place->second;
}

bool Branches::is_within(Kind kind) const {
  return any_of(open_, [&](const Open& each) { return each.kind == kind; });
}

void Branches::set(std::string_view name, std::string_view value, Span where, bool known,
                   std::shared_ptr<const HostText> host) {
  if (name.empty()) return;
  if (!open_.empty()) {
    const auto place = variables_.find(name);
    open_.back().before.try_emplace(
        std::string(name), place != variables_.end() ? std::optional(place->second) : std::nullopt);
  }
  set_variable(variables_, name, value, where, known, std::move(host));
}

void Branches::set_local(std::string_view name) {
  const auto function =
      std::ranges::find(open_.rbegin(), open_.rend(), Kind::function, &Open::kind);
  if (function != open_.rend()) function->locals.emplace(name);
}

void Branches::restore(const Values& before) {
  for (const auto& [name, value] : before) {
    if (value) {
      variables_.insert_or_assign(name, *value);
    } else {
      variables_.erase(name);
    }
  }
}

void Branches::open(Kind kind, std::string_view function) {
  if (open_.size() == deepest_branch) {
    ++too_deep_;
    return;
  }
  Open& opened = open_.emplace_back();
  opened.kind = kind;
  opened.awaits = kind == Kind::cases;
  opened.function = function;
}

void Branches::merge_arm() {
  Open& now = open_.back();
  const Values before = std::exchange(now.before, {});
  if (!std::exchange(now.leaves, false)) {
    ++now.arms;
    for (const auto& [name, value] : before) {
      const auto place = variables_.find(name);
      AfterBranches& merged = now.merged[name];
      merged.before = value;
      if (place != variables_.end()) merged.after = either(std::move(merged.after), place->second);
      ++merged.arms;
    }
  }
  restore(before);
}

void Branches::end_arm() {
  merge_arm();
  open_.back().awaits = true;
}

bool Branches::begin_arm() { return std::exchange(open_.back().awaits, false); }

void Branches::leave() {
  if (!open_.empty()) open_.back().leaves = true;
}

void Branches::close_last() {
  const Kind kind = open_.back().kind;
  // After the last `;;` no arm begins.
  if (kind == Kind::choice ||
      ((kind == Kind::condition || kind == Kind::cases) && !open_.back().awaits))
    merge_arm();
  const Open closed = std::move(open_.back());
  open_.pop_back();
  switch (closed.kind) {
    case Kind::condition:
    case Kind::cases:
    case Kind::choice: {
      const std::size_t arms = closed.arms + (closed.has_rest ? 0 : 1);
      if (arms == 0) leave();
      for (const auto& [name, merged] : closed.merged)
        put(name, merged.arms < arms ? either(merged.after, merged.before) : merged.after);
      return;
    }
    case Kind::group:
      if (closed.leaves) leave();
      if (open_.empty()) return;
      for (const auto& [name, value] : closed.before) open_.back().before.try_emplace(name, value);
      return;
    case Kind::function: {
      Values& sets = functions_[closed.function];
      sets.clear();
      for (const auto& [name, value] : closed.before) {
        const auto place = variables_.find(name);
        if (sets.size() < most_set_values && place != variables_.end() &&
            !closed.locals.contains(name))
          sets.emplace(name, place->second);
      }
      return restore(closed.before);
    }
    case Kind::subshell:
      return restore(closed.before);
  }
}

void Branches::close_to(std::size_t depth) {
  too_deep_ = 0;
  while (open_.size() > depth) close_last();
}

void Branches::close(std::initializer_list<Kind> kinds) {
  if (too_deep_ > 0) {
    --too_deep_;
    return;
  }
  for (std::size_t i = open_.size(); i > 0; --i) {
    if (contains(kinds, open_[i - 1].kind)) return close_to(i - 1);
    // A subshell is closed by its own parenthesis.
    if (open_[i - 1].kind == Kind::subshell) return;
  }
}

void Branches::call(std::string_view function) {
  const auto found = functions_.find(function);
  if (found == functions_.end()) return;
  for (const auto& [name, value] : found->second) {
    const auto place = variables_.find(name);
    put(name, place == variables_.end() ? value : either(place->second, value));
  }
}

}  // namespace flexslice::extract
