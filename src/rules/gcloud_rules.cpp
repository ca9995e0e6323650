// gcloud commands, by the table of its commands: what gcloud itself refuses.
#include <fmt/core.h>

#include "base/ascii.hpp"
#include "catalog/command_table.hpp"
#include "catalog/flag_values.hpp"
#include "rules/command_rules.hpp"
#include "schema/placeholder.hpp"

namespace flexslice::rules {

using catalog::CommandNode;
using catalog::CommandTable;
using catalog::Demand;
using catalog::FlagRow;
using extract::BrokenBy;
using view::FlagClaim;
using view::PoolClaims;

namespace {

constexpr std::size_t most_named_children = 16;

std::string joined_path(std::string_view path, std::string_view word) {
  return fmt::format("{}{}{}", path, path.empty() ? "" : " ", word);
}

std::string_view release_of(char track) {
  return track == 'b' ? "beta " : track == 'a' ? "alpha " : "";
}

// The row for a command, or for the group that it is said to be in.
const catalog::Mistake* mistake_in_pool(const Catalog& catalog, const PoolClaims& pool) {
  std::string name = pool.path;
  for (const Text& word : pool.operands) {
    name = joined_path(name, word.value);
    if (const auto* row = named(catalog.gcloud.unknown_commands, &catalog::Mistake::name, name))
      return row;
  }
  return nullptr;
}

// `container clusters`, where `clusters` is given for a group.
std::string path_with(std::string_view word) {
  const CommandTable& table = CommandTable::built_in();
  for (std::string_view group : {"container", "compute"}) {
    const CommandNode* found = table.child(table.child(nullptr, group), word);
    if (found != nullptr && !found->is_opaque) return joined_path(group, word);
  }
  return {};
}

void judge_command(const PoolClaims& pool, const Catalog& catalog, Sink& sink) {
  const CommandTable& table = CommandTable::built_in();
  const std::string_view word = pool.unknown_word.value;
  if (const catalog::Mistake* mistake = mistake_in_pool(catalog, pool)) {
    Diagnostic& finding = sink.report<Code::UnknownGcloudCommand>(pool.where.span, mistake->name);
    finding.note(std::string(mistake->why)).help("write `{}`", mistake->instead);
    return;
  }
  Diagnostic& finding =
      sink.report<Code::UnknownGcloudCommand>(pool.where.span, joined_path(pool.path, word));
  const CommandNode* group = pool.named.node;
  const CommandNode* elsewhere = table.child(group, word);
  if (elsewhere != nullptr) {
    for (const char track : std::string_view("gba")) {
      if (!elsewhere->is_in(track)) continue;
      finding.help("write `gcloud {}{}`", release_of(track), joined_path(pool.path, word));
      return;
    }
  }
  const auto names = table.children(group, pool.named.track);
  if (const std::string path = pool.path.empty() ? path_with(word) : ""; !path.empty()) {
    finding.help("write `gcloud {}{}`", release_of(pool.named.track), path);
  } else if (const auto near = text::nearest(word, names)) {
    finding.help("did you mean `{}`?", *near);
  } else {
    // A later version may have it.
    finding.level = diag::Level::warning;
    if (!pool.path.empty() && names.size() <= most_named_children)
      finding.note("`gcloud {}` has {}", pool.path, text::quoted_list(names));
    finding.note("gcloud {} of {} is the version that this is judged by", table.version(),
                 table.date());
  }
}

void judge_program(const PoolClaims& pool, Sink& sink) {
  if (!pool.program.where.given) return;
  sink.report<Code::ProgramMisspelled>(pool.program, pool.program.value).help("write `gcloud`");
}

bool is_break(const PoolClaims& pool, const FlagClaim& flag) {
  return pool.broken != Span{} && flag.name.where.span.begin == pool.broken.begin;
}

std::string_view group_of(std::string_view path) {
  const std::size_t first = path.find(' ');
  return path.substr(0, first == path.npos ? first : path.find(' ', first + 1));
}

// Later versions added the flag to a command of the group.
bool is_later_flag(const PoolClaims& pool, const Catalog& catalog, std::string_view name) {
  return any_of(catalog.gcloud.commands, [&](const catalog::GcloudCommand& command) {
    const auto* later = named(command.later, &catalog::GcloudFlag::name, name);
    return later != nullptr && group_of(command.name) == group_of(pool.path) &&
           (command.name != pool.path || !pool.release.empty() || !later->since.empty());
  });
}

// The track of gcloud in which the command has the flag, after `gcloud`; nothing: no track has it.
std::optional<std::string_view> track_with(const PoolClaims& pool, std::string_view name) {
  for (const char track : std::string_view("gba")) {
    if (track == pool.named.track || !pool.named.node->is_in(track)) continue;
    const auto syntax = CommandTable::built_in().syntax({pool.named.node, pool.named.words, track});
    if (syntax.find(name) != nullptr) return release_of(track);
  }
  return std::nullopt;
}

void judge_unknown_flag(const PoolClaims& pool, const FlagClaim& flag, const Catalog& catalog,
                        std::string_view version, Sink& sink) {
  const CommandTable& table = CommandTable::built_in();
  const std::string_view name = flag.name.value;
  if (!name.starts_with('-')) {
    sink.report<Code::FlagUnknown>(flag.name, pool.path, name)
        .note("a flag begins with hyphens, and this one with a longer dash")
        .help("write `--{}`", name.substr(name.find_first_not_of('-', 3)));
    return;
  }
  if (schema::is_placeholder(name.substr(name.find_first_not_of('-') == name.npos ? 0 : 2)) ||
      (!name.starts_with("--") && name.size() != 2) || name == "--" ||
      name.find_first_of("$<>[]{}()|`\"'…") != name.npos ||
      (is_break(pool, flag) && pool.broken_by == BrokenBy::in_flag))
    return;
  if (!version.empty()) {
    if (catalog::gcloud_knows(catalog, pool.path, name, version)) return;
    Diagnostic& finding =
        sink.report<Code::FlagUnknownToGcloud>(flag.name, version, name, pool.path);
    explain_unknown_flag(catalog, pool.path, name, version, finding);
    return;
  }
  // `--no-x` is there for each `--x`.
  const std::string positive = fmt::format(
      "--{}", name.substr(name.starts_with("--no-") ? 5 : std::min<std::size_t>(2, name.size())));
  if (is_later_flag(pool, catalog, name) || is_later_flag(pool, catalog, positive)) return;
  Diagnostic& finding = sink.report<Code::FlagUnknown>(
      flag.name, fmt::format("{}{}", release_of(pool.named.track), pool.path), name);
  if (const auto track = track_with(pool, name)) {
    finding.help("write `gcloud {}{}`", *track, pool.path);
    return;
  }
  if (catalog::knows_later_flags(catalog, pool.path)) {
    finding.note("no version from {} to {} has it", catalog.gcloud.version, catalog.gcloud.newest);
  } else {
    finding.note("gcloud {} of {} does not have it", table.version(), table.date());
  }
  if (is_break(pool, flag)) {
    finding.help("remove the blank before `{}`", pool.lost);
  } else {
    explain_unknown_flag(catalog, pool.path, name, catalog.gcloud.newest, finding);
  }
}

void judge_obsolete(const FlagClaim& flag, const Catalog& catalog, Sink& sink) {
  const auto* row =
      named(catalog.gcloud.obsolete_flags, &catalog::ObsoleteFlag::flag, flag.name.value);
  if (row == nullptr) return;
  note_source(sink.report<Code::FlagObsolete>(flag.name, row->flag)
                  .note(std::string(row->why))
                  .help("remove it"),
              row->evidence);
}

// A value that only reads as a placeholder: it is empty, or a word of the flag in capitals.
bool only_reads_as_placeholder(std::string_view value, const FlagRow& row) {
  if (value.empty()) return true;
  const auto problem = catalog::value_problem(row.type, value);
  if (!problem || problem->item != value) return false;
  std::vector<std::string> words;
  for (const std::string_view word : problem->words) words.push_back(text::lower(word));
  const std::vector<std::string_view> lower(words.begin(), words.end());
  return text::nearest(text::lower(value), lower).has_value();
}

// A list of words may have become longer since the version of the table: what is near one of them,
// or is one in other letters, is certain.
void judge_value(const PoolClaims& pool, const FlagClaim& flag, const Catalog& catalog,
                 Sink& sink) {
  const std::string_view name = flag.name.value;
  const Text& value = flag.value;
  if (!value.where.given) {
    const bool lacks = flag.row->takes_value() && !flag.row->may_omit_value() &&
                       flag.name.where.span.end > flag.name.where.span.begin;
    if (lacks && pool.broken == Span{} && pool.complete)
      sink.report<Code::FlagValueMissing>(flag.name, name);
    return;
  }
  if (value.value.empty() && flag.set_at != Span{}) return;
  if (value.where.placeholder && !only_reads_as_placeholder(value.value, *flag.row)) return;
  if (!flag.row->takes_value()) {
    sink.report<Code::WrongForm>(value, value.value, name)
        .note("the flag takes no value")
        .help("write `{}`", name);
    return;
  }
  const auto problem = catalog::value_problem(flag.row->type, value.value);
  if (!problem ||
      (schema::is_placeholder(problem->item) && !only_reads_as_placeholder(value.value, *flag.row)))
    return;
  if (catalog::find_later_flag(catalog, pool.path, fmt::format("{}={}", name, problem->item)) !=
      nullptr)
    return;
  Text where = value;
  if (!flag.parts.empty()) {
    for (Text& item : flag.items()) {
      if (item.value == problem->item) where = std::move(item);
    }
  }
  if (problem->words.empty()) {
    sink.report<Code::WrongForm>(where, problem->item, name).note("it {}", problem->why);
    return;
  }
  Diagnostic& finding = sink.report<Code::UnknownChoice>(where, name, problem->item);
  const bool is_long = problem->words.size() > most_named_children;
  if (text::nearest(problem->item, problem->words)) {
    diag::did_you_mean(finding, problem->item, problem->words);
    if (is_long) return;
  } else {
    finding.level = diag::Level::warning;
  }
  if (is_long) {
    finding.note("gcloud {} of {} takes others", CommandTable::built_in().version(),
                 CommandTable::built_in().date());
  } else {
    finding.note("valid values: {}", text::quoted_list(problem->words));
  }
}

// gcloud takes the name of the flag from the file and drops the `false`.
void judge_denied(const PoolClaims& pool, const FlagClaim& flag, Sink& sink) {
  if (!flag.is_denied || flag.row->takes_value()) return;
  const std::string_view name = flag.name.value;
  Diagnostic& finding = sink.report<Code::FlagDenied>(flag.name, name);
  const std::string other = name.starts_with("--no-") ? fmt::format("--{}", name.substr(5))
                                                      : fmt::format("--no-{}", name.substr(2));
  if (pool.syntax.find(other) != nullptr)
    finding.help("write `{}: true` in the file", other);
  else
    finding.help("remove it from the file");
}

void judge_twice(const PoolClaims& pool, const FlagClaim& flag, Sink& sink) {
  const FlagClaim* last = pool.find(flag.name.value);
  if (last == &flag || !flag.value.usable() || !last->value.usable() ||
      flag.value.value == last->value.value || flag.row->has('+') || flag.row->has('u'))
    return;
  // A function has its value for whoever says no other.
  const bool is_mapping = flag.row->type.starts_with("m(");
  if (last->is_passed_on && !flag.is_passed_on && !is_mapping) return;
  Diagnostic& finding = sink.report<Code::FlagGivenTwice>(flag.name, flag.name.value, "gcloud");
  finding.also(last->name.where.span, "this one counts");
  // A mapping whose keys are free.
  if (is_mapping)
    finding.help("write `{}={},{}`", flag.name.value, flag.value.value, last->value.value);
}

// A mapping has each key once. Keys that a flag of the same name has too are repeated if gcloud
// makes one mapping of both.
void judge_keys(const PoolClaims& pool, const FlagClaim& flag, Sink& sink) {
  if (!flag.row->type.starts_with('m') || !flag.value.usable()) return;
  const bool is_merged = flag.row->has('u');
  const auto key_of = [](const Text& item) { return item.value.substr(0, item.value.find('=')); };
  std::vector<std::string> seen;
  for (const FlagClaim& earlier : pool.flags) {
    if (&earlier == &flag) break;
    if (!is_merged || earlier.row != flag.row || !earlier.value.usable()) continue;
    for (const Text& item : earlier.items()) seen.push_back(key_of(item));
  }
  for (const Text& item : flag.items()) {
    const std::string key = key_of(item);
    if (key.empty()) continue;
    if (!contains(seen, key)) {
      seen.push_back(key);
      continue;
    }
    Diagnostic& finding = sink.report<Code::KeyGivenTwice>(
        item, flag.name.value, key, is_merged ? "" : ", and gcloud takes the last");
    if (is_merged) {
      finding.level = diag::Level::error;
      finding.note("gcloud refuses the command");
    }
    finding.help("write it once");
    return;
  }
}

void judge_removed(const PoolClaims& pool, const FlagClaim& flag, const Catalog& catalog,
                   Sink& sink) {
  if (!flag.row->has('x')) return;
  sink.report<Code::FlagRemoved>(flag.name, flag.name.value, pool.path)
      .note("gcloud {} knows it, to say so", catalog.gcloud.version)
      .help("remove it");
}

void judge_operands(const PoolClaims& pool, Sink& sink) {
  const auto& places = pool.syntax.positionals;
  std::size_t least = 0, most = 0;
  bool is_open = false;
  // One that flags can take the place of.
  const bool is_optional = pool.syntax.demands.find("x(") != std::string_view::npos &&
                           pool.syntax.demands.find('@') != std::string_view::npos;
  for (const auto& place : places) {
    if (place.count == '.') continue;
    least += !is_optional && (place.count == '1' || place.count == '+') ? 1 : 0;
    most += 1;
    is_open = is_open || place.count == '*' || place.count == '+';
  }
  const std::string command = fmt::format("{}{}", release_of(pool.named.track), pool.path);
  if (pool.operands.size() < least && pool.complete && pool.broken == Span{})
    sink.report<Code::ArgumentMissing>(pool.where.span, command);
  const bool is_known = std::ranges::all_of(
      pool.operands, [](const Text& word) { return word.value.find('$') == std::string::npos; });
  if (is_open || pool.operands.size() <= most || !is_known || pool.broken != Span{}) return;
  const Text& extra = pool.operands[most];
  // Other characters go on to the next line in other shells, or are text.
  const char first = extra.value.empty() ? ' ' : extra.value.front();
  if (extra.where.placeholder || !ascii::is_letter_or_digit(first)) return;
  Diagnostic& finding = sink.report<Code::ArgumentUnexpected>(extra, command, extra.value);
  if (pool.syntax.find("--" + extra.value) != nullptr) finding.help("write `--{}`", extra.value);
}

// gcloud requires or excludes combinations of flags.
void judge_demands(const PoolClaims& pool, FlagsReported& reported, Sink& sink) {
  const auto is_given = [&](std::string_view name) {
    const FlagClaim* flag = pool.find(name);
    // A value that only Terraform knows may be null, which leaves the argument out.
    return flag != nullptr && !(flag->value.where.placeholder && !pool.block.open.empty());
  };
  const auto demand = CommandTable::built_in().unmet(pool.syntax, is_given, pool.operands.size());
  if (!demand) return;
  if (demand->kind == Demand::Kind::exclusive) {
    const bool has_operand = demand->flags[0].empty() || demand->flags[1].empty();
    if (has_operand && !pool.operands.empty())
      sink.report<Code::ArgumentUnexpected>(pool.operands.front(), pool.path,
                                            pool.operands.front().value)
          .note("gcloud takes it or {}", demand->flags[demand->flags[0].empty() ? 1 : 0]);
    const FlagClaim *one = pool.find(demand->flags[0]), *other = pool.find(demand->flags[1]);
    if (one == nullptr || other == nullptr || contains(reported, one) || contains(reported, other))
      return;
    if (other->name.where.span.begin < one->name.where.span.begin) std::swap(one, other);
    sink.report<Code::ExclusiveFlags>(other->name, one->name.value, other->name.value)
        .also(one->name.where.span, fmt::format("{} is here", one->name.value))
        .note("gcloud takes one of them");
    reported.insert(reported.end(), {one, other});
    return;
  }
  // A flag that is not known may be the one that is missing.
  const bool is_known =
      std::ranges::all_of(pool.flags, [](const FlagClaim& flag) { return flag.row != nullptr; });
  if (!pool.complete || !is_known || !pool.block.type.empty() || pool.broken != Span{}) return;
  if (demand->kind == Demand::Kind::one_of) {
    // Settings of gcloud may say what flags of every command do.
    const auto is_wide = [](std::string_view flag) {
      return CommandTable::built_in().wide_flag(flag) != nullptr;
    };
    if (demand->flags.empty() || any_of(demand->flags, is_wide)) return;
    const bool is_long = demand->flags.size() > most_named_children;
    sink.report<Code::FlagRequired>(pool.where.span, fmt::format("`gcloud {}`", pool.path),
                                    is_long ? "one of its flags"
                                    : demand->flags.size() == 1
                                        ? std::string(demand->flags.front())
                                        : "one of " + text::join(demand->flags, ", "));
    return;
  }
  const FlagClaim* given = demand->given.empty() ? nullptr : pool.find(demand->given);
  if (given != nullptr && contains(reported, given)) return;
  const std::string by =
      given != nullptr ? given->name.value : fmt::format("`gcloud {}`", pool.path);
  const Span where = given != nullptr ? given->name.where.span : pool.where.span;
  sink.report<Code::FlagRequired>(where, by, demand->flags.front())
      .help("add `{}`", demand->flags.front());
}

// The name in `$X` or `${X}`; empty where the shell has a default for it or stops with an error.
std::string_view variable_of(std::string_view part) {
  if (!part.starts_with('$')) return {};
  part.remove_prefix(1);
  const bool has_braces = text::take_one_of(part, "{");
  const std::string_view name = part.substr(
      0, text::find_if(part, 0, [](char c) { return !ascii::is_letter_or_digit(c) && c != '_'; }));
  if (!name.empty() && ascii::is_digit(name.front())) return {};
  const std::string_view after = part.substr(name.size());
  return has_braces && after != "}" ? std::string_view() : name;
}

// The script may get variables from elsewhere than its own lines.
bool may_get_variables(std::string_view text) {
  constexpr std::string_view signs[] = {"source ", "\n. ", ";. ", "read ", "getopts", "$1", "${1",
                                        "$@",      "${@",  "$*",  "eval ", "set -a",  ":?"};
  return text.starts_with(". ") ||
         any_of(signs, [&](std::string_view sign) { return text.find(sign) != text.npos; });
}

// Programs and systems set these.
bool is_of_environment(std::string_view name) {
  constexpr std::string_view names[] = {"HOME",     "USER",   "PWD",    "PATH",    "TMPDIR",
                                        "HOSTNAME", "CI",     "RANDOM", "SECONDS", "UID",
                                        "LOGNAME",  "OLDPWD", "LINENO"};
  constexpr std::string_view prefixes[] = {"CLOUDSDK_", "GOOGLE_", "GITHUB_", "CI_",
                                           "BASH",      "BUILD_",  "RUNNER_"};
  return contains(names, name) ||
         any_of(prefixes, [&](std::string_view prefix) { return name.starts_with(prefix); });
}

}  // namespace

void note_unset_variables(const extract::Script& script, const extract::Variables& set,
                          std::string_view text, Sink& sink) {
  if (set.empty() || may_get_variables(text)) return;
  std::vector<std::string_view> names;
  for (const auto& [name, variable] : set.all()) names.push_back(name);
  std::vector<std::string_view> seen;
  for (const extract::Command& command : script.commands) {
    for (const extract::Word& word : command.words) {
      for (const extract::Unfilled& part : word.unfilled) {
        const std::string_view name = variable_of(part.text);
        const bool is_mark = name.find_first_not_of('X') == name.npos;  // of a template
        if (is_mark || set.contains(name) || is_of_environment(name) || contains(seen, name) ||
            text.find(fmt::format("export {}", name)) != text.npos)
          continue;
        seen.push_back(name);
        diag::did_you_mean(sink.report<Code::VariableNotSet>(part.where, name), name, names);
      }
    }
  }
}

bool judge_gcloud_command(const PoolClaims& pool, const Catalog& catalog, Sink& sink) {
  judge_program(pool, sink);
  if (pool.unknown_word.where.given) judge_command(pool, catalog, sink);
  return !pool.unknown_word.where.given;
}

void judge_gcloud_flags(const PoolClaims& pool, const Catalog& catalog, std::string_view version,
                        FlagsReported& reported, Sink& sink) {
  if (!pool.named.is_command()) return;
  judge_demands(pool, reported, sink);
  // Each argument of a resource that is read is known.
  if (!pool.block.type.empty()) return;
  for (const FlagClaim& flag : pool.flags) {
    const bool is_reported = contains(reported, &flag);
    const bool is_known = flag.row != nullptr &&
                          (version.empty() || !pool.release.empty() ||
                           catalog::gcloud_knows(catalog, pool.path, flag.name.value, version));
    if (!is_known && !is_reported) judge_unknown_flag(pool, flag, catalog, version, sink);
    if (flag.row == nullptr) continue;
    judge_obsolete(flag, catalog, sink);
    judge_removed(pool, flag, catalog, sink);
    judge_value(pool, flag, catalog, sink);
    judge_denied(pool, flag, sink);
    judge_twice(pool, flag, sink);
    judge_keys(pool, flag, sink);
  }
  judge_operands(pool, sink);
}

void judge_syntax(const PoolClaims& pool, const Catalog& catalog, std::string_view version,
                  Sink& sink) {
  FlagsReported reported;
  if (judge_gcloud_command(pool, catalog, sink))
    judge_gcloud_flags(pool, catalog, version, reported, sink);
}

}  // namespace flexslice::rules
