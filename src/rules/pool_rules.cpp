// gcloud commands: flags that contradict each other, or that a pool of TPUs cannot do without or
// cannot have.
#include <fmt/core.h>

#include "rules/file_rules.hpp"
#include "schema/placeholder.hpp"

namespace flexslice::rules {

using extract::BrokenBy;
using view::FlagClaim;
using view::PoolClaims;

namespace {

// The flag that a rule names: `--spot`, or with its value, `--reservation-affinity=none`.
const FlagClaim* find_flag(const PoolClaims& pool, std::string_view words) {
  const std::size_t equals = words.find('=');
  const FlagClaim* flag = pool.find(words.substr(0, equals));
  // A value that only Terraform knows may be null, which leaves the argument out.
  if (flag != nullptr && flag->value.where.placeholder && !pool.block.open.empty()) return nullptr;
  if (flag == nullptr || equals == std::string_view::npos) return flag;
  return flag->value.usable() && flag->value.value == words.substr(equals + 1) ? flag : nullptr;
}

void judge_command(const PoolClaims& pool, Sink& sink) {
  const Mistake* mistake = pool.unknown_command;
  if (mistake == nullptr) return;
  Diagnostic& finding = sink.report<Code::UnknownGcloudCommand>(pool.where.span, mistake->name);
  finding.note(std::string(mistake->why)).help("write `{}`", mistake->instead);
}

void judge_continuation(const PoolClaims& pool, Sink& sink) {
  if (pool.broken == Span{} || pool.broken_by == BrokenBy::blank_in_flag) return;
  Diagnostic& finding = sink.report<Code::BrokenContinuation>(pool.broken, pool.lost);
  switch (pool.broken_by) {
    case BrokenBy::blanks:
      finding.help("remove the blanks after the `\\`").fix(pool.broken, "");
      return;
    case BrokenBy::comment:
      finding.note("a comment ends a command that the line above continues")
          .help("move the comment above the command");
      return;
    case BrokenBy::missing:
      finding.note("the line has no `\\` at its end, so that the next one is another command")
          .help("end the line with ` \\`")
          .fix({pool.broken.source, pool.broken.end, pool.broken.end}, " \\");
      return;
    case BrokenBy::missing_at_comment:
      finding.note("a comment goes on to the end of its line, so that no `\\` can be there")
          .help("move the comment above the command, and end the line with ` \\`");
      return;
    case BrokenBy::in_flag:
      finding.note("the line ends within a flag").help("join it with the next line");
      return;
    case BrokenBy::blank_in_flag:
      return;
  }
}

using Flags = std::vector<const FlagClaim*>;

bool is_for_node_pools(const FlagRule& rule, const PoolClaims& pool) {
  return rule.not_for_clusters && pool.command.starts_with("container clusters create");
}

// Flags of node pools that were given to a command that creates a cluster.
void judge_flags_of_pools(const PoolClaims& pool, const Catalog& catalog, Flags& reported,
                          Sink& sink) {
  if (!pool.release.empty()) return;  // of alpha and beta only one version is known
  for (const FlagRule& rule : catalog.gcloud.flag_rules) {
    const FlagClaim* flag = is_for_node_pools(rule, pool) ? pool.find(rule.flag) : nullptr;
    // A newer version may have it.
    if (flag == nullptr || gcloud_knows(catalog, pool.command, rule.flag, catalog.gcloud.newest))
      continue;
    reported.push_back(flag);
    Diagnostic& finding =
        sink.report<Code::FlagOfNodePools>(flag->name, pool.command, rule.flag)
            .judged(rule.evidence.confidence)
            .note("no version from {} to {} has it", catalog.gcloud.version, catalog.gcloud.newest);
    if (pool.command != extract::create_autopilot) {
      finding.help(
          "create the cluster without it, and then the TPU nodes with `gcloud container "
          "node-pools create NAME --cluster=CLUSTER`");
    } else if (rule.selector.empty()) {
      finding.help("remove it: Autopilot creates the nodes that the pods select by `{}` and `{}`",
                   resolve::accelerator_label, resolve::topology_label);
    } else {
      finding.help(
          "remove it: Autopilot creates the nodes that the pods select; add `{}` to their "
          "`nodeSelector`",
          rule.selector);
    }
  }
}

// Reports flags that exclude each other, and adds them: which of them is meant is not known.
void judge_exclusive_flags(const PoolClaims& pool, const Facts& facts, Flags& reported,
                           Sink& sink) {
  for (const FlagRule& rule : facts.catalog.gcloud.flag_rules) {
    const FlagClaim* flag = find_flag(pool, rule.flag);
    if (flag == nullptr || contains(reported, flag) || (rule.multi_host && !facts.multi_host()))
      continue;
    for (std::string_view words : text::split(rule.excludes, ' ')) {
      const FlagClaim* other = words.empty() ? nullptr : find_flag(pool, words);
      if (other == nullptr || contains(reported, other)) continue;
      Diagnostic& finding = sink.report<Code::ExclusiveFlags>(other->name, rule.flag, words);
      finding.also(flag->name.where.span, fmt::format("{} is here", rule.flag));
      finding.note(std::string(rule.why));
      note_source(finding, rule.evidence);
      reported.insert(reported.end(), {flag, other});
    }
  }
}

void judge_required_flag(const PoolClaims& pool, const FlagRule& rule, const FlagClaim& flag,
                         std::string_view needed, const Flags& reported, Sink& sink) {
  const auto is_given = [&](std::string_view each) { return pool.find(each) != nullptr; };
  const std::vector<std::string_view> choices = text::split(needed, '|');
  if (choices.size() > 1 && any_of(choices, is_given)) return;
  needed = choices.front();
  const FlagClaim* there = pool.find(needed.substr(0, needed.find('=')));
  const bool is_other = there != nullptr && there->value.usable() &&
                        find_flag(pool, needed) == nullptr && !contains(reported, there);
  if (!is_other && (there != nullptr || !pool.complete)) return;
  const Text& where = is_other ? there->value : flag.name;
  Diagnostic& finding = sink.report<Code::FlagRequired>(where, rule.flag, needed);
  finding.note(std::string(rule.why)).help("{} `{}`", is_other ? "write" : "add", needed);
  note_source(finding, rule.evidence);
}

void judge_required_flags(const PoolClaims& pool, const Catalog& catalog, const Flags& reported,
                          Sink& sink) {
  for (const FlagRule& rule : catalog.gcloud.flag_rules) {
    const FlagClaim* flag = find_flag(pool, rule.flag);
    // What a cluster with such a flag would need is not known.
    if (flag == nullptr || contains(reported, flag) || is_for_node_pools(rule, pool)) continue;
    for (std::string_view needed : text::split(rule.requires_flag, ' ')) {
      if (!needed.empty()) judge_required_flag(pool, rule, *flag, needed, reported, sink);
    }
  }
}

void judge_topology_flag(const PoolClaims& pool, const Facts& facts, Sink& sink) {
  const Text& topology = pool.claims.tpu.topology;
  if (!topology.usable() || facts.machine == nullptr || !facts.machine->refuses_topology_flag ||
      facts.hosts != 1)
    return;
  note_source(sink.report<Code::TopologyFlagRefused>(topology, facts.machine->name)
                  .help("remove `--tpu-topology`"),
              facts.machine->evidence);
}

void judge_policy(const PoolClaims& pool, const Facts& facts, Sink& sink) {
  const bool by_policy =
      facts.generation != nullptr && facts.generation->placement == catalog::Placement::policy;
  if (!by_policy || !facts.multi_host() || !pool.complete || pool.command != view::create_pool ||
      pool.find("--placement-policy") != nullptr)
    return;
  const auto topology = facts.topology->text();
  sink.report<Code::PlacementPolicyMissing>(pool.claims.tpu.topology, facts.generation->id)
      .note(resolve::hosts_sum(*facts.topology, *facts.machine))
      .help(
          "create a policy with `gcloud compute resource-policies create workload-policy NAME "
          "--type=HIGH_THROUGHPUT --accelerator-topology={} --region=REGION`, and add "
          "`--placement-policy=NAME`",
          topology);
}

// Another one's label, such as `cloud.google.com/gke-queued`, has to be given.
void judge_node_labels(const PoolClaims& pool, const Catalog& catalog, Sink& sink) {
  const FlagClaim* flag = pool.find("--node-labels");
  if (flag == nullptr) return;
  std::size_t index = 0;
  for (std::string_view pair : text::split(flag->value.value, ',')) {
    const Text key = flag->part(pair.substr(0, pair.find('=')), index++);
    const catalog::Reserved* row = find_reserved(catalog.reserved_node_labels, key.value);
    if (row == nullptr) continue;
    note_source(sink.report<Code::LabelOfGke>(key.where.span, key.value)
                    .note(std::string(row->why))
                    .help("remove the label"),
                row->evidence);
  }
}

void judge_choice(const Text& value, const FlagValues& row, Sink& sink) {
  const auto choices = text::split(row.values, ' ');
  if (value.value.empty() || schema::is_placeholder(value.value) || contains(choices, value.value))
    return;
  if (row.open && !text::nearest(value.value, choices)) return;
  Diagnostic& finding = sink.report<Code::UnknownChoice>(value, row.flag, value.value);
  if (row.open) {
    diag::did_you_mean(finding, value.value, choices);
  } else {
    finding.note("valid values: {}", text::quoted_list(choices));
  }
}

// Reports values that gcloud itself refuses.
void judge_choices(const PoolClaims& pool, const Catalog& catalog, Sink& sink) {
  for (const FlagValues& row : catalog.gcloud.flag_values) {
    const FlagClaim* flag = pool.find(row.flag);
    if (flag == nullptr || !flag->value.usable() || !pool.block.type.empty()) continue;
    if (row.values.empty()) {
      sink.report<Code::WrongForm>(flag->value, flag->value.value, row.flag)
          .note("the flag takes no value")
          .help("write `{}`", row.flag);
      continue;
    }
    std::size_t index = 0;
    for (std::string_view item : text::split(flag->value.value, ','))
      judge_choice(flag->part(item, index++), row, sink);
  }
}

void judge_values(const PoolClaims& pool, const Facts& facts, Sink& sink) {
  using schema::Pattern;
  constexpr std::pair<std::string_view, Pattern> forms[] = {
      {"--node-locations", Pattern::zone},    {"--reservation", Pattern::reservation},
      {"--node-taints", Pattern::node_taint}, {"--num-nodes", Pattern::whole_number},
      {"--min-nodes", Pattern::whole_number}, {"--max-nodes", Pattern::whole_number}};
  for (const auto& [name, pattern] : forms) {
    const FlagClaim* flag = pool.find(name);
    if (flag == nullptr || !flag->value.usable()) continue;
    std::size_t index = 0;
    for (std::string_view item : text::split(flag->value.value, ','))
      judge_form(flag->part(item, index++), name, pattern, sink);
  }
  if (const FlagClaim* flag = pool.find("--node-labels"); flag != nullptr && flag->value.usable()) {
    std::size_t index = 0;
    for (std::string_view pair : text::split(flag->value.value, ',')) {
      Text value = flag->part(pair, index++);
      value.value = pair.substr(std::min(pair.size(), pair.find('=') + 1));
      judge_form(value, "--node-labels", Pattern::label_value, sink);
    }
  }
  if (pool.command == view::create_pool && pool.name.usable())
    judge_form(pool.name, "node pool", Pattern::gke_name, sink);
  const FlagClaim* disk = pool.find("--disk-type");
  if (disk == nullptr || !disk->value.usable() || facts.claimed == nullptr) return;
  const auto& types = facts.claimed->boot_disk_types;
  if (types.empty() || contains(types, disk->value.value) ||
      schema::is_placeholder(disk->value.value))
    return;
  Diagnostic& finding =
      sink.report<Code::UnknownChoice>(disk->value, "--disk-type", disk->value.value);
  finding.note("{} takes {} alone", facts.claimed->name, text::join(types, ", "));
  note_source(finding, facts.claimed->evidence);
}

void judge_autoscaling(const PoolClaims& pool, Sink& sink) {
  for (const std::string prefix : {"--", "--total-"}) {
    const std::string least = prefix + "min-nodes", most = prefix + "max-nodes";
    const FlagClaim *low = pool.find(least), *high = pool.find(most);
    if (low == nullptr || high == nullptr) continue;
    const auto count = text::whole_number(low->value.value),
               limit = text::whole_number(high->value.value);
    if (count && limit && *count > *limit)
      sink.report<Code::CountAboveLimit>(low->value, least, *count, most, *limit);
  }
}

void judge_region(const PoolClaims& pool, Sink& sink) {
  const Text& location = pool.claims.cluster.location;
  if (pool.command != extract::create_autopilot || !location.usable() ||
      !schema::matches(schema::Pattern::zone, location.value))
    return;
  sink.report<Code::AutopilotNeedsRegion>(location, location.value)
      .help("write `--location={}`", resolve::region_of(location.value));
}

// Some flags add to what was given before.
void judge_repeated_flags(const PoolClaims& pool, Sink& sink) {
  for (const FlagClaim& flag : pool.flags) {
    const FlagClaim* last = pool.find(flag.name.value);
    if (last == &flag || !flag.value.usable() || !last->value.usable() ||
        flag.value.value == last->value.value || flag.name.value == "--accelerator" ||
        flag.name.value.starts_with("--additional-"))
      continue;
    if (!pool.block.type.empty()) {
      // Two arguments say the same as one flag. Terraform reads zero as none.
      const auto paths = texts(pool.block.arguments, &extract::ResourceBlock::Argument::path,
                               [&](const auto& each) { return each.flag == flag.name.value; });
      if (flag.value.value != "0" && last->value.value != "0" && paths.front() != paths.back())
        sink.report<Code::ExclusiveFlags>(last->name, paths.front(), paths.back())
            .also(flag.name.where.span, fmt::format("{} is here", paths.front()));
      continue;
    }
    Diagnostic& finding = sink.report<Code::FlagGivenTwice>(flag.name, flag.name.value);
    finding.also(last->name.where.span, "this one counts");
    if (last->value.value.find('=') != std::string::npos)
      finding.help("write `{}={},{}`", flag.name.value, flag.value.value, last->value.value);
  }
}

// Of no version: a newer one may have it, and gcloud takes the beginning of a flag for the whole.
void judge_unknown_flags(const PoolClaims& pool, const Catalog& catalog, const Flags& reported,
                         Sink& sink) {
  const std::string_view newest = catalog.gcloud.newest;
  const auto is_broken = [&](const FlagClaim& flag) {
    return pool.broken != Span{} && flag.name.where.span.begin == pool.broken.begin;
  };
  for (const FlagClaim& flag : pool.flags) {
    const std::string_view name = flag.name.value;
    if (!name.starts_with('-')) {
      sink.report<Code::FlagUnknown>(flag.name, pool.command, name)
          .note("a flag begins with hyphens, and this one with a longer dash")
          .help("write `--{}`", name.substr(name.find_first_not_of('-', 3)));
      continue;
    }
    if (!name.starts_with("--") || schema::is_placeholder(name.substr(2)) ||
        contains(reported, &flag) || gcloud_knows(catalog, pool.command, name, newest) ||
        (is_broken(flag) && pool.broken_by == BrokenBy::in_flag) ||
        gcloud_knows(catalog, pool.command,
                     fmt::format("--{}", name.substr(name.find("no-") == 2 ? 5 : 2)), newest))
      continue;
    Diagnostic& finding = sink.report<Code::FlagUnknown>(flag.name, pool.command, name);
    finding.note("no version from {} to {} has it", catalog.gcloud.version, newest);
    if (is_broken(flag)) {
      finding.help("remove the blank before `{}`", pool.lost);
    } else {
      explain_unknown_flag(catalog, pool.command, name, newest, finding);
    }
  }
}

void judge_release(const PoolClaims& pool, const Catalog& catalog, std::string_view version,
                   const Flags& reported, Sink& sink) {
  // Each argument of a resource that is read is known.
  if (!pool.release.empty() || !pool.block.type.empty()) return;
  if (version.empty()) return judge_unknown_flags(pool, catalog, reported, sink);
  for (const FlagClaim& flag : pool.flags) {
    if (!flag.name.value.starts_with("--") || contains(reported, &flag) ||
        gcloud_knows(catalog, pool.command, flag.name.value, version))
      continue;
    Diagnostic& finding =
        sink.report<Code::FlagUnknownToGcloud>(flag.name, version, flag.name.value, pool.command);
    explain_unknown_flag(catalog, pool.command, flag.name.value, version, finding);
  }
}

}  // namespace

void judge_pool(const PoolClaims& pool, const Facts& facts, std::string_view gcloud_version,
                Sink& sink) {
  judge_command(pool, sink);
  judge_continuation(pool, sink);
  // Of other commands the flags are not known.
  if (pool.command.empty()) return;
  judge_repeated_flags(pool, sink);
  Flags reported;
  judge_flags_of_pools(pool, facts.catalog, reported, sink);
  judge_exclusive_flags(pool, facts, reported, sink);
  judge_required_flags(pool, facts.catalog, reported, sink);
  judge_topology_flag(pool, facts, sink);
  judge_policy(pool, facts, sink);
  judge_node_labels(pool, facts.catalog, sink);
  judge_choices(pool, facts.catalog, sink);
  judge_values(pool, facts, sink);
  judge_autoscaling(pool, sink);
  judge_region(pool, sink);
  judge_release(pool, facts.catalog, gcloud_version, reported, sink);
}

}  // namespace flexslice::rules
