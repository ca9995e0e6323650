// The variables of a shell as far as a reader knows them: each value with the place that sets it.
// Writes are logged, so that those of a subshell can be undone and those of branches compared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/source.hpp"

namespace flexslice::extract {

// A part of a word that only the shell which runs the script knows.
struct Unfilled {
  std::string text;  // `$X`, `$(…)`, as it is written
  Span where;
};

struct Word {
  // Without quotes, with the values of variables that are set to literals above, and the rest as it
  // is written.
  std::string text;
  Span where;
  // A variable that is not known, `$(…)`, or a placeholder such as `<zone>` or ZONE_NAME.
  bool unknown = false;
  bool unfinished = false;  // a quote in it has no end
  Span set_at = {};  // where the variable that it takes a value from is set; empty: from none
  std::vector<Unfilled> unfilled = {};  // each once
  std::vector<Span> parts = {};         // of a list whose items are apart: where each is
  bool is_passed_on = false;            // by `"$@"` of a function
  bool may_split = false;  // a part that is not known has no quotes: it may be several words
  Span flags_file = {};    // where the file of flags is named that has it; empty: it is in none
  bool is_denied = false;  // the file says `false`, which gcloud does not read
};

struct Variable {
  std::string value;  // of an array, its first item
  Span where;
  bool known = true;      // false: set to something that is not literal, or that may not be run
  bool is_unset = false;  // by `unset`, or a `local` without a value
  bool is_array = false;
  std::vector<Word> items = {};  // of an array
  // `declare -A`: the item of a key is a variable of its own, which `item_name` names.
  bool is_map = false;
  bool is_integer = false;     // what is assigned is arithmetic
  bool is_fixed = false;       // `readonly`
  bool is_default = false;     // set because it was empty, and nothing else had set it
  char letters = '\0';         // `l`, `u`: what is assigned becomes lower or upper case
  std::string refers_to = {};  // `declare -n`: the variable that is meant
  unsigned age = 0;
};

std::string item_name(std::string_view map, std::string_view key);

class Variables {
 public:
  using Map = std::map<std::string, Variable, std::less<>>;
  using Mark = std::size_t;

  enum class VariableState : std::uint8_t { never_set, unset, known, unknown };
  struct VariableLookup {
    VariableState state = VariableState::never_set;
    const Variable* variable = nullptr;  // null: never set here
  };
  // With references followed.
  VariableLookup look_up(std::string_view name) const;
  // The items of a map by their keys; nothing where one is not known.
  std::optional<std::map<std::string, std::string>> items_of(std::string_view map) const;
  bool knows(std::string_view name) const { return look_up(name).state == VariableState::known; }

  bool empty() const { return all_.empty(); }
  bool contains(std::string_view name) const { return all_.contains(name); }
  const Map& all() const { return all_; }

  // Without a name, nothing is set. Attributes of the variable stay.
  void set(std::string_view name, std::string_view value, Span where, bool known);
  void set_array(std::string_view name, std::vector<Word> items, Span where, bool known);
  void set_unknown(std::string_view name, Span where);
  void unset(std::string_view name, Span where);
  void mark_default(std::string_view name);
  void put(std::string_view name, std::optional<Variable> variable);  // as it is
  // Anything may have been set.
  void open_all();
  // Makes `act`, after which what is known of these names now is known again.
  void spare(std::span<const std::string_view> names, const std::function<void()>& act);
  bool is_open() const { return open_age_ > 0; }
  // Nothing is known any longer, whatever is set later.
  void give_up() { gave_up_ = true; }

  // Values that are set after a mark can be undone.
  Mark mark() const { return log_.size(); }
  void undo(Mark mark);
  // No mark is in use.
  void settle();

  // `join` needs the differences since a mark, with their present values.
  struct Writes {
    std::map<std::string, std::optional<Variable>, std::less<>> of;
    bool opened = false;
  };
  Writes since(Mark mark) const;
  // The values after one of several ways, each of which began with the present values.
  void join(const std::vector<Writes>& ways);
  // Changes since the mark may not have happened, so these variables are unknown.
  void forget(Mark mark);

 private:
  struct Write {
    std::string name;  // empty: all were opened
    std::optional<Variable> before = {};
    unsigned open_age = 0;
  };

  std::string_view target(std::string_view name) const;
  Variable& write(std::string_view name);
  VariableLookup state_of(const std::optional<Variable>& variable, bool opened) const;

  Map all_;
  std::vector<Write> log_;
  unsigned age_ = 0;
  unsigned open_age_ = 0;  // what is older is not known
  bool gave_up_ = false;
  std::size_t logged_items_ = 0;
};

}  // namespace flexslice::extract
