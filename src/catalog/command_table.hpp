// The commands of the gcloud that the catalog describes: names, positionals and flags, in the table
// that tools/gcloud/write_table.py reads from an installed one. view/ finds the words of commands
// in it, and rules/ and backend/gcloud judge them by it.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace flexslice::catalog {

// A flag of one or more commands.
struct FlagRow {
  std::string_view names;  // `--quiet,-q`
  std::string_view type;   // as the table writes it
  std::string_view marks;

  std::string_view name() const { return names.substr(0, names.find(',')); }
  bool has_name(std::string_view name) const;
  bool takes_value() const { return type != "-"; }
  bool may_omit_value() const { return type.starts_with('?'); }
  // A list, or a mapping.
  bool has_items() const { return type.substr(may_omit_value() ? 1 : 0).find_first_of("lm") == 0; }
  bool has(char mark) const { return marks.find(mark) != std::string_view::npos; }
};

// A group, or a command.
struct CommandNode {
  std::string_view name;
  std::string_view tracks;  // of `gba`
  std::string_view syntax;  // of a command
  std::size_t depth = 0;
  std::size_t end = 0;     // of the rows below it
  bool is_opaque = false;  // nothing below it is described
  bool is_group = false;

  bool is_in(char track) const { return tracks.find(track) != std::string_view::npos; }
};

// `g`, `b` or `a`, for a command that begins with nothing, `beta` or `alpha`.
char track_of(std::string_view release);

// The words name this: a command, or the deepest group that exists.
struct NamedCommand {
  const CommandNode* node = nullptr;  // null: the root
  std::size_t words = 0;              // that it took
  char track = 'g';

  bool is_command() const { return node != nullptr && !node->is_group && !node->is_opaque; }
  bool is_opaque() const { return node != nullptr && node->is_opaque; }
};

// A command has these flags and positionals in one track.
struct CommandSyntax {
  struct Positional {
    char count = '1';  // or `?`, `*`, `+`, and `.` for what follows `--`
    std::string_view type;
  };
  std::vector<Positional> positionals;
  std::vector<const FlagRow*> flags;  // and those of every command
  std::string_view demands;

  const FlagRow* find(std::string_view flag) const;
};

// Flags of which gcloud wants others.
struct Demand {
  enum class Kind { exclusive, required, one_of } kind;
  // exclusive: two that are given, a positional is empty; else those that are missing
  std::vector<std::string_view> flags;
  std::string_view given = {};  // required: the flag that wants them; empty: the command does
};

class CommandTable {
 public:
  static const CommandTable& built_in();

  std::string_view version() const { return version_; }
  std::string_view date() const { return date_; }

  // A first `beta` or `alpha` is the track.
  NamedCommand find(const std::vector<std::string_view>& words) const;
  // `child` of a group, or null. `group`: null is the root.
  const CommandNode* child(const CommandNode* group, std::string_view name) const;
  std::vector<std::string_view> children(const CommandNode* group, char track) const;
  CommandSyntax syntax(const NamedCommand& command) const;
  // Null where no command has it; of several, those that take a value come last.
  const FlagRow* any_flag(std::string_view name) const;
  const FlagRow* wide_flag(std::string_view name) const;
  // `is_given`: of a flag's name; `positionals`: how many are given.
  std::optional<Demand> unmet(const CommandSyntax& syntax,
                              const std::function<bool(std::string_view)>& is_given,
                              std::size_t positionals) const;

 private:
  explicit CommandTable(std::string_view text);
  const FlagRow* row(std::string_view number) const;
  const FlagRow* wide(std::string_view number) const;

  std::string_view version_, date_;
  std::vector<FlagRow> wide_, rows_;  // rows_: in the order of their names
  std::vector<CommandNode> nodes_;
  friend class DemandReader;
};

}  // namespace flexslice::catalog
