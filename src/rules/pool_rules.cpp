// gcloud commands: flags that contradict each other, or that a pool of TPUs cannot do without or
// cannot have.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/slip.hpp"
#include "catalog/flag_values.hpp"
#include "rules/command_rules.hpp"
#include "rules/references.hpp"
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
  const std::string_view wanted = words.substr(equals + 1);
  // An add-on may have a value: `GcsFuseCsiDriver=ENABLED`.
  const bool has = any_of(flag->items(), [&](const Text& each) {
    const std::string_view item = each.value;
    return item == wanted || (item.starts_with(wanted) && item.substr(wanted.size()) == "=ENABLED");
  });
  return flag->value.usable() && has ? flag : nullptr;
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

bool is_for_node_pools(const FlagRule& rule, const PoolClaims& pool) {
  return rule.not_for_clusters && pool.command.starts_with("container clusters create");
}

// Flags of node pools that were given to a command that creates a cluster.
void judge_flags_of_pools(const PoolClaims& pool, const Catalog& catalog, FlagsReported& reported,
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
void judge_exclusive_flags(const PoolClaims& pool, const Facts& facts, FlagsReported& reported,
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
      finding.help("remove {} or {}", words, rule.flag);
      reported.insert(reported.end(), {flag, other});
    }
  }
}

// A flag that a rule needs and the command lacks, or has with another value.
struct Lacking {
  std::string_view words;
  const FlagClaim* there;  // with another value; null: it is missing
};

std::optional<Lacking> lacking(const PoolClaims& pool, std::string_view needed,
                               const FlagsReported& reported) {
  const auto is_given = [&](std::string_view each) { return pool.find(each) != nullptr; };
  const std::vector<std::string_view> choices = text::split(needed, '|');
  if (choices.size() > 1 && any_of(choices, is_given)) return std::nullopt;
  needed = choices.front();
  const FlagClaim* there = pool.find(needed.substr(0, needed.find('=')));
  const bool is_other = there != nullptr && there->value.usable() &&
                        find_flag(pool, needed) == nullptr && !contains(reported, there);
  if (!is_other && (there != nullptr || !pool.complete)) return std::nullopt;
  return Lacking{needed, is_other ? there : nullptr};
}

// All that one flag lacks is one finding.
void report_lacking(const PoolClaims& pool, const FlagRule& rule, const FlagClaim& flag,
                    std::span<const Lacking> all, Sink& sink) {
  const Text* where = &flag.name;
  std::vector<std::string_view> words;
  for (const Lacking& each : all) {
    words.push_back(each.words);
    if (each.there != nullptr) where = &each.there->value;
  }
  Diagnostic& finding =
      sink.report<Code::FlagRequired>(*where, rule.flag, text::join(words, " and "));
  finding.note(std::string(rule.why));
  note_source(finding, rule.evidence);
  for (const Lacking& each : all) {
    if (each.there != nullptr && !rule.in_terraform.empty() && !pool.block.type.empty()) {
      const auto& helps = pool.block.helps;
      const auto own =
          std::ranges::find(helps, rule.flag, [](const auto& row) { return row.first; });
      finding.help(std::string(own == helps.end() ? rule.in_terraform : own->second));
    } else {
      finding.help("{} `{}`", each.there != nullptr ? "write" : "add", each.words);
    }
  }
}

bool is_of_tpus(const PoolClaims& pool, const Facts& facts) {
  return facts.claimed != nullptr || pool.claims.tpu.topology.where.given;
}

void judge_required_flags(const PoolClaims& pool, const Facts& facts, const FlagsReported& reported,
                          Sink& sink) {
  for (const FlagRule& rule : facts.catalog.gcloud.flag_rules) {
    const FlagClaim* flag = find_flag(pool, rule.flag);
    // It is not known what a cluster with such a flag would need.
    // Autopilot has the features for which its command has no flag.
    if (flag == nullptr || contains(reported, flag) || is_for_node_pools(rule, pool) ||
        (pool.command == extract::create_autopilot && flag->row == nullptr))
      continue;
    std::vector<Lacking> all;
    for (const auto& words :
         {rule.requires_flag, is_of_tpus(pool, facts) ? rule.with_tpus : catalog::Text()}) {
      for (std::string_view needed : text::split(words, ' ')) {
        if (needed.empty()) continue;
        if (const auto each = lacking(pool, needed, reported)) all.push_back(*each);
      }
    }
    if (!all.empty()) report_lacking(pool, rule, *flag, all, sink);
  }
}

// GKE knows the TPUs of a node by its machine type.
void judge_accelerator_flag(const PoolClaims& pool, const Facts& facts, Sink& sink) {
  const FlagClaim* flag = pool.find("--accelerator");
  if (flag == nullptr) return;
  const bool names_tpu = flag->value.usable() && flag->value.value.find("tpu") != std::string::npos;
  if (!names_tpu && !is_of_tpus(pool, facts)) return;
  Diagnostic& finding = sink.report<Code::AcceleratorFlag>(flag->name, "--accelerator");
  if (facts.claimed != nullptr) {
    finding.note("{} has {}", facts.claimed->name, text::count(facts.claimed->chips, "TPU chip"))
        .help("remove it");
  } else {
    finding.help("remove it, and name a TPU machine type by `--machine-type`");
  }
}

// `type=tpu-v6e-slice,count=64` of gcloud, or the name alone of Terraform.
std::string limited_type(const FlagClaim& flag) {
  for (const Text& part : flag.items()) {
    if (part.value.starts_with("type=")) return part.value.substr(5);
  }
  return flag.value.value.find('=') == std::string::npos ? flag.value.value : std::string();
}

// The limits of auto-provisioning count chips, by the value of the label that nodes have.
void judge_provisioning_limits(const PoolClaims& pool, const Catalog& catalog, Sink& sink) {
  for (const FlagClaim& flag : pool.flags) {
    if (flag.name.value != "--max-accelerator" && flag.name.value != "--min-accelerator") continue;
    const std::string type = limited_type(flag);
    if (!flag.value.usable() || type.empty()) continue;
    for (const Generation& generation : catalog.generations) {
      const MachineType* machine = find_machine_type(generation, type);
      if (machine == nullptr && generation.id == type && generation.machine_types.size() > 0)
        machine = &*generation.machine_types.begin();
      if (machine == nullptr || machine->accelerator == type) continue;
      sink.report<Code::UnknownLimit>(flag.value, type)
          .note("the limit counts TPU chips of the whole cluster")
          .help("write `{}`", machine->accelerator);
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
  Diagnostic& finding =
      sink.report<Code::PlacementPolicyMissing>(pool.claims.tpu.topology, facts.generation->id);
  finding.note(resolve::hosts_sum(*facts.topology, *facts.machine))
      .help(
          "create a policy with `gcloud compute resource-policies create workload-policy NAME "
          "--type=HIGH_THROUGHPUT --accelerator-topology={} --region=REGION`, and add "
          "`--placement-policy=NAME`",
          topology);
  if (pool.find("--placement-type") != nullptr && !pool.block.type.empty())
    finding.help("write `type = \"\"` then: GKE says no type of a pool with a policy");
}

// GKE says no type of a pool with a policy, so that Terraform sees another value than this for
// ever.
void judge_placement_block(const PoolClaims& pool, Sink& sink) {
  const FlagClaim *type = pool.find("--placement-type"), *policy = pool.find("--placement-policy");
  // In capitals it looks like a placeholder.
  if (pool.block.type.empty() || type == nullptr || policy == nullptr ||
      type->value.value != "COMPACT")
    return;
  sink.report<Code::PlacementReplaced>(type->value, type->value.value)
      .help("write `type = \"\"`, which the provider requires, beside `policy_name`");
}

// A pool that forms no slice, of a name that says the shape of one.
void judge_shape_in_name(const PoolClaims& pool, const Facts& facts, Sink& sink) {
  const MachineType* machine = facts.claimed;
  if (machine == nullptr || !pool.complete || !pool.block.open.empty() || !pool.name.usable() ||
      pool.find("--tpu-topology") != nullptr || pool.find("--placement-policy") != nullptr)
    return;
  const FlagClaim* type = pool.find("--placement-type");
  const auto& counts = pool.claims.provisioning.node_counts.items;
  for (std::string_view word : text::split(pool.name.value, '-')) {
    const auto shape = parse_topology(word);
    if (!shape || shape->chips() <= machine->chips ||
        !contains(topologies_of_type(*facts.generation, machine->accelerator), *shape))
      continue;
    const std::int64_t hosts = shape->chips() / machine->chips;
    const bool is_compact = type != nullptr && text::lower(type->value.value) == "compact";
    if (!is_compact && !any_of(counts, [&](const auto& each) { return each.value == hosts; }))
      continue;
    const std::string argument =
        pool.block.type.empty()
            ? "--tpu-topology=" + shape->text()
            : fmt::format("placement_policy {{ type = \"COMPACT\", tpu_topology = \"{}\" }}",
                          shape->text());
    sink.report<Code::ShapeOnlyInName>(pool.name, pool.name.value,
                                       text::count(machine->chips, "chip"), shape->text())
        .help("add `{}`", argument);
    return;
  }
}

void judge_channel(const PoolClaims& pool, Sink& sink) {
  const FlagClaim* channel = pool.find("--release-channel");
  if (channel == nullptr) return;
  const std::string value = text::lower(channel->value.value);
  if (value != "none" && value != "unspecified") return;
  sink.report<Code::NoReleaseChannel>(channel->value)
      .note("new customers get no such clusters since 2026-08-21, and nobody from 2027-06-14 on")
      .help("name a channel, such as `regular`; a maintenance exclusion delays upgrades");
}

// Another one's label, such as `cloud.google.com/gke-queued`, has to be given.
// A cluster of the channel Extended has versions for longer.
void judge_release(const PoolClaims& pool, const Catalog& catalog, Sink& sink) {
  const FlagClaim *version = pool.find("--cluster-version"),
                  *channel = pool.find("--release-channel");
  const bool creates = pool.command.starts_with("container clusters create");
  if (!creates || version == nullptr || !version->value.usable() ||
      (channel != nullptr && text::lower(channel->value.value) == "extended"))
    return;
  for (const catalog::Mistake& past : catalog.past_releases) {
    const std::string& said = version->value.value;
    if (said != past.name && !said.starts_with(fmt::format("{}.", past.name))) continue;
    Diagnostic& finding = sink.report<Code::ReleasePast>(version->value, past.name);
    finding.note("{}", past.why);
    note_source(finding, past.evidence);
    finding.help("name a later version, or none");
    return;
  }
}

void judge_node_labels(const PoolClaims& pool, const Facts& facts, Sink& sink) {
  const FlagClaim* flag = pool.find("--node-labels");
  if (flag == nullptr) return;
  // Nodes without TPUs may pretend to have some, for tests.
  const bool may_pretend = facts.claimed == nullptr && value_of(pool, "--machine-type").usable();
  for (Text& key : flag->items()) {
    key.value.resize(std::min(key.value.size(), key.value.find('=')));
    judge_spelling_of_key(key, sink);
    const catalog::Reserved* row = find_reserved(facts.catalog.reserved_node_labels, key.value);
    if (row == nullptr || (may_pretend && (key.value == resolve::accelerator_label ||
                                           key.value == resolve::topology_label)))
      continue;
    note_source(sink.report<Code::LabelOfGke>(key.where.span, key.value)
                    .note(std::string(row->why))
                    .help("remove the label"),
                row->evidence);
  }
}

// gcloud itself refuses it, after it has read all flags.
void judge_whole_size(const PoolClaims& pool, Sink& sink) {
  const FlagClaim* size = pool.find("--disk-size");
  if (size == nullptr || size->row == nullptr || !size->value.usable() || !pool.block.type.empty())
    return;
  const auto gigabytes = catalog::size_in_gigabytes(size->row->type, size->value.value);
  if (!gigabytes || *gigabytes == std::floor(*gigabytes)) return;
  sink.report<Code::WrongForm>(size->value, size->value.value, "--disk-size")
      .note("it must be a multiple of 1GB")
      .help("write `{}GB`", static_cast<std::int64_t>(std::ceil(*gigabytes)));
}

// gcloud has names for some scopes, and sends others as they are: GKE takes an address.
void judge_scopes_of_nodes(const PoolClaims& pool, Sink& sink) {
  constexpr std::string_view start = "https://www.googleapis.com/auth/";
  constexpr std::string_view names[] = {"bigquery",
                                        "cloud-platform",
                                        "cloud-source-repos",
                                        "cloud-source-repos-ro",
                                        "compute-ro",
                                        "compute-rw",
                                        "datastore",
                                        "default",
                                        "gke-default",
                                        "logging-write",
                                        "monitoring",
                                        "monitoring-read",
                                        "monitoring-write",
                                        "pubsub",
                                        "service-control",
                                        "service-management",
                                        "sql",
                                        "sql-admin",
                                        "storage-full",
                                        "storage-ro",
                                        "storage-rw",
                                        "taskqueue",
                                        "trace",
                                        "userinfo-email"};
  const FlagClaim* flag = pool.find("--scopes");
  if (flag == nullptr || !flag->value.usable()) return;
  for (const Text& scope : flag->items()) {
    if (contains(names, scope.value) || scope.value.empty()) continue;
    // A later gcloud may know another name.
    const std::string_view begin = std::string_view(scope.value).substr(0, start.size());
    const bool is_near = text::nearest(scope.value, names) || text::is_slip(begin, start);
    if (begin == start || !is_near) continue;
    Diagnostic& finding = sink.report<Code::WrongForm>(scope, scope.value, "--scopes");
    finding.note("GKE takes `{}…`, and gcloud knows names of some", start);
    diag::did_you_mean(finding, scope.value, names);
  }
}

// The pool of identities of a project has its name.
void judge_identity_pool(const PoolClaims& pool, Sink& sink) {
  constexpr std::string_view ending = ".svc.id.goog";
  const FlagClaim* flag = pool.find("--workload-pool");
  if (flag == nullptr || !flag->value.usable() || flag->value.value.ends_with(ending)) return;
  sink.report<Code::WrongForm>(flag->value, flag->value.value, "--workload-pool")
      .note("the only pool is that of the cluster's project")
      .help("write `PROJECT{}`", ending);
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
    for (const Text& item : flag->items()) judge_form(item, name, pattern, sink);
  }
  if (const FlagClaim* flag = pool.find("--node-labels"); flag != nullptr && flag->value.usable()) {
    for (Text& value : flag->items()) {
      value.value.erase(0, std::min(value.value.size(), value.value.find('=') + 1));
      judge_form(value, "--node-labels", Pattern::label_value, sink);
    }
  }
  if (pool.command == view::create_pool && pool.name.usable())
    judge_form(pool.name, "node pool", Pattern::gke_name, sink);
  judge_identity_pool(pool, sink);
  judge_scopes_of_nodes(pool, sink);
  judge_whole_size(pool, sink);
  const FlagClaim* disk = pool.find("--disk-type");
  if (disk != nullptr && disk->value.usable() && facts.claimed != nullptr)
    judge_boot_disk_type(disk->value, "--disk-type", *facts.claimed, false, sink);
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

// A slice of several hosts has as many nodes as they are, which its own rules judge.
void judge_first_nodes(const PoolClaims& pool, const Facts& facts, Sink& sink) {
  constexpr int by_default = 3;  // `gcloud container node-pools create --help`
  const FlagClaim *scales = pool.find("--enable-autoscaling"), *least = pool.find("--min-nodes");
  if (least == nullptr) least = pool.find("--total-min-nodes");
  const bool is_slice =
      facts.topology && facts.claimed != nullptr && facts.topology->chips() > facts.claimed->chips;
  // The model may demand the flag.
  const bool is_judged = facts.model != nullptr && facts.model->nodes == catalog::FirstNodes::none;
  if (!pool.block.type.empty() || !pool.complete || pool.command != view::create_pool ||
      facts.claimed == nullptr || is_slice || is_judged || scales == nullptr || scales->is_denied ||
      pool.find("--num-nodes") != nullptr || least == nullptr || least->value.value != "0")
    return;
  sink.report<Code::FirstNodesByDefault>(scales->name, pool.name.value, by_default)
      .help("add `--num-nodes=0`");
}

void judge_region(const PoolClaims& pool, Sink& sink) {
  const Text& location = pool.claims.cluster.location;
  if (pool.command != extract::create_autopilot || !location.usable() ||
      !schema::matches(schema::Pattern::zone, location.value))
    return;
  sink.report<Code::AutopilotNeedsRegion>(location, location.value)
      .help("write `--location={}`", resolve::region_of(location.value));
}

// Two arguments of Terraform say the same as one flag, and it reads zero as none.
void judge_repeated_arguments(const PoolClaims& pool, Sink& sink) {
  if (pool.block.type.empty()) return;
  for (const FlagClaim& flag : pool.flags) {
    const FlagClaim* last = pool.find(flag.name.value);
    if (last == &flag || !flag.value.usable() || !last->value.usable() ||
        flag.value.value == last->value.value || flag.value.value == "0" ||
        last->value.value == "0")
      continue;
    const auto paths = texts(pool.block.arguments, &extract::ResourceBlock::Argument::path,
                             [&](const auto& each) { return each.flag == flag.name.value; });
    if (paths.front() != paths.back())
      sink.report<Code::ExclusiveFlags>(last->name, paths.front(), paths.back())
          .also(flag.name.where.span, fmt::format("{} is here", paths.front()))
          .help("remove one of them");
  }
}

}  // namespace

void judge_pool(const PoolClaims& pool, const Facts& facts, std::string_view gcloud_version,
                Sink& sink) {
  const bool exists = judge_gcloud_command(pool, facts.catalog, sink);
  judge_continuation(pool, sink);
  if (!exists) return;
  FlagsReported reported;
  if (!pool.command.empty()) {
    judge_repeated_arguments(pool, sink);
    judge_flags_of_pools(pool, facts.catalog, reported, sink);
    judge_exclusive_flags(pool, facts, reported, sink);
    judge_required_flags(pool, facts, reported, sink);
    judge_accelerator_flag(pool, facts, sink);
    judge_provisioning_limits(pool, facts.catalog, sink);
    judge_topology_flag(pool, facts, sink);
    judge_policy(pool, facts, sink);
    judge_placement_block(pool, sink);
    judge_channel(pool, sink);
    judge_release(pool, facts.catalog, sink);
    judge_node_labels(pool, facts, sink);
    if (pool.command == view::create_pool) judge_shape_in_name(pool, facts, sink);
    judge_values(pool, facts, sink);
    judge_autoscaling(pool, sink);
    judge_first_nodes(pool, facts, sink);
    judge_region(pool, sink);
  }
  judge_gcloud_flags(pool, facts.catalog, gcloud_version, reported, sink);
}

}  // namespace flexslice::rules
