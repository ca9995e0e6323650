// The variables of a script where it branches, and in functions and subshells: what is set there
// may not hold after them. commands.cpp and loops.cpp set variables by it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "extract/shell.hpp"

namespace flexslice::extract {

class Branches {
 public:
  enum class Kind : std::uint8_t {
    condition,  // from `then` on
    cases,
    choice,  // `&& { … }`
    group,   // `{ … }`
    function,
    subshell,
  };

  explicit Branches(Variables& variables) : variables_(variables) {}

  // As set_variable.
  void set(std::string_view name, std::string_view value, Span where, bool known,
           std::shared_ptr<const HostText> host = {});
  const Variable* find(std::string_view name) const;
  // The variable is one of the function alone.
  void set_local(std::string_view name);

  void open(Kind kind, std::string_view function = {});
  // The arm ends, and another begins where it is said: `then`, or a pattern.
  void end_arm();
  // What `then` or a pattern does, where one is awaited.
  bool begin_arm();
  // The arm runs where no other does.
  void take_rest() { open_.back().has_rest = true; }
  // The script or the function ends here.
  void leave();
  // The innermost of these kinds, and all that is in it. Nothing where there is none.
  void close(std::initializer_list<Kind> kinds);
  void close_to(std::size_t depth);
  std::size_t depth() const { return open_.size(); }
  bool awaits_pattern() const { return is_in(Kind::cases) && open_.back().awaits; }
  bool is_within(Kind kind) const;
  bool is_in(Kind kind) const { return !open_.empty() && open_.back().kind == kind; }

  // What the function sets is as it leaves it, or not known where it was something else.
  void call(std::string_view function);

 private:
  using Values = std::map<std::string, std::optional<Variable>, std::less<>>;

  // What the arms that have set it make of a variable.
  struct AfterBranches {
    std::optional<Variable> before, after;
    std::size_t arms = 0;
  };

  struct Open {
    Kind kind = Kind::group;
    std::string function;
    Values before;  // of what this arm sets
    std::set<std::string, std::less<>> locals;
    std::map<std::string, AfterBranches, std::less<>> merged;
    std::size_t arms = 0;   // that come to the end
    bool has_rest = false;  // one of them always runs
    bool leaves = false;    // this arm does
    bool awaits = false;    // the beginning of an arm
  };

  void put(const std::string& name, std::optional<Variable> value);
  void restore(const Values& before);
  void merge_arm();
  void close_last();

  Variables& variables_;
  std::vector<Open> open_;
  std::size_t too_deep_ = 0;  // opened beyond those, which count as one with the last
  std::map<std::string, Values, std::less<>> functions_;
};

}  // namespace flexslice::extract
