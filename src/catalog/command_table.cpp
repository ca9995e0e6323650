#include "catalog/command_table.hpp"

#include <algorithm>
#include <utility>

#include "base/ascii.hpp"
#include "base/lists.hpp"
#include "base/text.hpp"
#include "yaml/embedded.hpp"

namespace flexslice::catalog {

namespace {

using std::string_view;

// Returns the text before the separator, and removes both.
string_view take_until(string_view& text, char separator) {
  const std::size_t end = text.find(separator);
  const string_view part = text.substr(0, end);
  text.remove_prefix(end == string_view::npos ? text.size() : end + 1);
  return part;
}

FlagRow read_row(string_view line) {
  FlagRow row;
  row.names = take_until(line, ' ');
  row.type = take_until(line, ' ');
  row.marks = line;
  return row;
}

// An item such as `text/gb` belongs to the tracks that its letters name, and to all without them.
std::optional<string_view> in_track(string_view item, char track) {
  const std::size_t slash = item.rfind('/');
  if (slash == string_view::npos) return item;
  const bool is_in = item.substr(slash + 1).find(track) != string_view::npos;
  return is_in ? std::optional(item.substr(0, slash)) : std::nullopt;
}

const FlagRow* row_of(const std::vector<FlagRow>& rows, string_view number) {
  std::size_t index = 0;
  for (const char c : number) {
    const int digit = ascii::is_digit(c) ? c - '0' : c - 'a' + 10;
    index = index * 36 + static_cast<std::size_t>(digit);
  }
  return index < rows.size() ? &rows[index] : nullptr;
}

}  // namespace

bool FlagRow::has_name(string_view name) const {
  string_view rest = names;
  while (!rest.empty()) {
    if (take_until(rest, ',') == name) return true;
  }
  return false;
}

char track_of(string_view release) { return release.empty() ? 'g' : release.front(); }

const FlagRow* CommandSyntax::find(string_view flag) const {
  for (const FlagRow* row : flags) {
    if (row->has_name(flag)) return row;
  }
  return nullptr;
}

CommandTable::CommandTable(string_view text) {
  std::vector<std::size_t> open;  // the rows of the groups that the next line may be in
  string_view part;
  while (!text.empty()) {
    const string_view line = take_until(text, '\n');
    if (line.starts_with('#') || line.empty()) {
      constexpr string_view first = "# Commands of gcloud ";
      if (version_.empty() && line.starts_with(first)) {
        string_view rest = line.substr(first.size());
        version_ = take_until(rest, ' ');
        take_until(rest, ' ');
        date_ = take_until(rest, '.');
      }
      continue;
    }
    if (line == "wide" || line == "flags" || line == "commands") {
      part = line;
    } else if (part == "wide") {
      wide_.push_back(read_row(line));
    } else if (part == "flags") {
      rows_.push_back(read_row(line));
    } else {
      CommandNode node;
      node.depth = line.find_first_not_of(' ');
      string_view rest = line.substr(node.depth);
      string_view name = take_until(rest, ' ');
      node.is_opaque = name.ends_with('*');
      if (node.is_opaque) name.remove_suffix(1);
      node.name = take_until(name, '/');
      node.tracks = name.empty() ? "gba" : name;
      node.syntax = rest;
      while (open.size() > node.depth) {
        nodes_[open.back()].end = nodes_.size();
        open.pop_back();
      }
      if (!open.empty()) nodes_[open.back()].is_group = true;
      open.push_back(nodes_.size());
      nodes_.push_back(node);
    }
  }
  for (const std::size_t index : open) nodes_[index].end = nodes_.size();
}

const CommandTable& CommandTable::built_in() {
  static const CommandTable table(embedded::root_of(embedded::gcloud, "commands.txt").text());
  return table;
}

const CommandNode* CommandTable::child(const CommandNode* group, string_view name) const {
  const std::size_t first =
      group == nullptr ? 0 : static_cast<std::size_t>(group - nodes_.data()) + 1;
  const std::size_t end = group == nullptr ? nodes_.size() : group->end;
  for (std::size_t i = first; i < end; i = nodes_[i].end) {
    if (nodes_[i].name == name) return &nodes_[i];
  }
  return nullptr;
}

std::vector<string_view> CommandTable::children(const CommandNode* group, char track) const {
  std::vector<string_view> names;
  const std::size_t first =
      group == nullptr ? 0 : static_cast<std::size_t>(group - nodes_.data()) + 1;
  const std::size_t end = group == nullptr ? nodes_.size() : group->end;
  for (std::size_t i = first; i < end; i = nodes_[i].end) {
    if (nodes_[i].is_in(track)) names.push_back(nodes_[i].name);
  }
  return names;
}

NamedCommand CommandTable::find(const std::vector<string_view>& words) const {
  NamedCommand found;
  for (const string_view word : words) {
    if (found.words == 0 && (word == "beta" || word == "alpha")) {
      found.track = track_of(word);
      ++found.words;
      continue;
    }
    if (found.node != nullptr && !found.node->is_group) break;
    // gcloud takes the underscores of older versions too.
    std::string name(word);
    std::replace(name.begin(), name.end(), '_', '-');
    const CommandNode* next = child(found.node, name);
    if (next == nullptr || !next->is_in(found.track)) break;
    found.node = next;
    ++found.words;
  }
  return found;
}

const FlagRow* CommandTable::row(string_view number) const { return row_of(rows_, number); }
const FlagRow* CommandTable::wide(string_view number) const { return row_of(wide_, number); }

CommandSyntax CommandTable::syntax(const NamedCommand& command) const {
  CommandSyntax syntax;
  for (const FlagRow& row : wide_) syntax.flags.push_back(&row);
  if (!command.is_command()) return syntax;
  string_view rest = command.node->syntax;
  string_view positionals = take_until(rest, ';'), flags = take_until(rest, ';');
  while (!positionals.empty()) {
    auto words = in_track(take_until(positionals, ','), command.track);
    while (words && !words->empty()) {
      const string_view word = take_until(*words, ' ');
      syntax.positionals.push_back({word.front(), word.substr(1)});
    }
  }
  while (!flags.empty()) {
    if (const auto number = in_track(take_until(flags, ' '), command.track)) {
      if (const FlagRow* flag = row(*number)) syntax.flags.push_back(flag);
    }
  }
  while (!rest.empty()) {
    if (const auto demands = in_track(take_until(rest, ','), command.track))
      syntax.demands = *demands;
  }
  return syntax;
}

const FlagRow* CommandTable::wide_flag(string_view name) const {
  return find_where(wide_, [&](const FlagRow& row) { return row.has_name(name); });
}

const FlagRow* CommandTable::any_flag(string_view name) const {
  const auto found = std::ranges::lower_bound(rows_, name, {}, &FlagRow::name);
  if (found != rows_.end() && found->name() == name) return &*found;
  return wide_flag(name);
}

// Judges a command's groups of flags as calliope does.
class DemandReader {
 public:
  DemandReader(const CommandTable& table, string_view text,
               const std::function<bool(string_view)>& is_given, std::size_t positionals)
      : table_(table), rest_(text), is_given_(is_given), positionals_(positionals) {}

  std::optional<Demand> read() {
    read_group({.is_required = true, .is_mutex = false}, true);
    return std::move(unmet_);
  }

 private:
  struct DemandGroup {
    bool is_required = false;  // and all around it
    bool is_mutex = false;
    bool own_required = true;
  };
  struct DemandMember {
    bool is_given = false, is_required = false;
    bool is_old = false;  // gcloud hides the flag, or warns of it
    string_view name;  // of a flag that is given, or else of one that it has; empty: a positional
  };

  void report(Demand demand) {
    if (!unmet_) unmet_ = std::move(demand);
  }

  DemandMember read_member(bool is_required) {
    DemandMember member;
    member.is_required = text::take_one_of(rest_, "!");
    const bool is_mutex = rest_.starts_with("x(");
    if (is_mutex || rest_.starts_with('(')) {
      rest_.remove_prefix(is_mutex ? 2 : 1);
      const DemandMember inner = read_group({.is_required = is_required && member.is_required,
                                             .is_mutex = is_mutex,
                                             .own_required = member.is_required},
                                            false);
      member.is_given = inner.is_given;
      member.is_old = inner.is_old;
      member.name = inner.name;
      return member;
    }
    const std::size_t end = std::min(rest_.find_first_of(" )"), rest_.size());
    string_view word = rest_.substr(0, end);
    rest_.remove_prefix(end);
    const FlagRow* wide = nullptr;
    if (text::take_one_of(word, "~")) wide = table_.wide(word);
    if (text::take_one_of(word, "@")) {
      member.is_given = positionals_ > static_cast<std::size_t>(word.front() - '0');
    } else if (const FlagRow* row = wide == nullptr ? table_.row(word) : wide) {
      member.name = row->name();
      member.is_old = row->has('h') || row->has('d');
      string_view names = row->names;
      while (!names.empty() && !member.is_given) {
        const string_view name = take_until(names, ',');
        member.is_given = is_given_(name);
        if (member.is_given) member.name = name;
      }
    }
    return member;
  }

  DemandMember read_group(DemandGroup group, bool is_top) {
    DemandMember result;
    std::vector<DemandMember> members;
    while (!rest_.empty() && !rest_.starts_with(')')) {
      if (text::take_one_of(rest_, " ")) continue;
      members.push_back(read_member(group.is_required));
    }
    if (!rest_.empty()) rest_.remove_prefix(1);
    std::vector<string_view> given, missing;
    std::size_t have_required = 0, have_optional = 0, also_optional = 0, count = 0;
    for (const DemandMember& member : members) {
      if (result.name.empty() || (result.is_old && !member.is_old && !member.name.empty())) {
        result.name = member.name;
        result.is_old = member.is_old;
      }
      if (member.is_given) {
        ++count;
        given.push_back(member.name);
        ++(member.is_required ? have_required : have_optional);
      } else if (member.is_required) {
        missing.push_back(member.name);
      } else {
        ++also_optional;
      }
    }
    result.is_given = count > 0;
    if (!given.empty()) result.name = given.front();
    std::erase(missing, string_view());
    if (!missing.empty() && (is_top || have_required + have_optional > 0))
      report({Demand::Kind::required, missing, given.empty() || is_top ? "" : given.front()});
    if (group.is_mutex && count > 1 && given.size() > 1)
      report({Demand::Kind::exclusive, {given[0], given[1]}});
    if (group.is_mutex && count == 0 && group.is_required && group.own_required)
      report({Demand::Kind::one_of, texts(members, &DemandMember::name)});
    return result;
  }

  const CommandTable& table_;
  string_view rest_;
  const std::function<bool(string_view)>& is_given_;
  std::size_t positionals_;
  std::optional<Demand> unmet_;
};

std::optional<Demand> CommandTable::unmet(const CommandSyntax& syntax,
                                          const std::function<bool(string_view)>& is_given,
                                          std::size_t positionals) const {
  if (syntax.demands.empty()) return std::nullopt;
  return DemandReader(*this, syntax.demands, is_given, positionals).read();
}

}  // namespace flexslice::catalog
