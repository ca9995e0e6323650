// The pods: command, environment, ports, volumes, selectors, tolerations, and the rules that
// combine them.
#include <fmt/core.h>

#include <algorithm>

#include "base/ascii.hpp"
#include "facts/names.hpp"
#include "rules/rules.hpp"
#include "schema/decode.hpp"
#include "schema/kubernetes.hpp"
#include "spec/fields.hpp"

namespace flexslice::rules {

namespace {

void judge_name(Sink& sink, std::vector<std::string_view>& earlier, const Text& name,
                std::string_view what) {
  if (name.usable()) judge_repeated(sink, earlier, name.where.span, name.value, what);
}

void judge_kind(const Facts& facts, Sink& sink) {
  using claims::Slices;
  if (facts.kind == nullptr || facts.machine == nullptr || facts.slices == 1) return;
  const Slices several = facts.kind->slices;
  if (several != Slices::one && (several != Slices::workers || !facts.multi_host())) return;
  sink.report<Code::JobWithSlices>(facts.claims.workload.kind, facts.slices)
      .note(facts::hosts_sum(*facts.topology, *facts.machine))
      .help("remove `kind`, or write `kind: jobset`");
}

void judge_hosts(const Facts& facts, Sink& sink) {
  if (facts.kind == nullptr || facts.machine == nullptr || facts.kind->hosts == claims::Hosts::any)
    return;
  const bool one = facts.kind->hosts == claims::Hosts::one;
  if (one != facts.multi_host()) return;
  sink.report<Code::KindForHosts>(facts.claims.workload.kind, facts.kind->word,
                                  text::count(facts.hosts, "host"))
      .note(facts::hosts_sum(*facts.topology, *facts.machine))
      .help("write `kind: {}`, or choose a topology of {}", facts.kind->instead,
            one ? "one host" : "several hosts");
}

bool is_for(const schema::Field& field, const claims::WorkloadKind& kind) {
  return field.kinds.empty() || contains(text::split(field.kinds, ' '), kind.word);
}

// `job, jobset or rayjob`.
std::string alternatives(std::span<const std::string_view> words) {
  const std::string first = text::join(words.first(words.size() - 1), ", ");
  return fmt::format("{}{}{}", first, first.empty() ? "" : " or ", words.back());
}

// The kinds of a field are a column of its row.
void judge_fields(const schema::Table& table, const void* record, std::string_view path,
                  const Facts& facts, Sink& sink) {
  for (const schema::Field& field : table.fields) {
    if (field.kinds.empty()) continue;
    const schema::Where& where = field.type->where(const_cast<void*>(field.of(record)));
    if (!where.given || is_for(field, *facts.kind)) continue;
    const auto kinds = text::split(field.kinds, ' ');
    const schema::Field* instead = table.find(field.instead);
    sink.report<Code::OnlyForKind>(where, fmt::format("{}.{}", path, field.key),
                                   alternatives(kinds))
        .help("write `kind: {}`, or {}", kinds.front(),
              instead != nullptr && is_for(*instead, *facts.kind)
                  ? fmt::format("use `{}`", instead->key)
                  : "remove it");
  }
}

void judge_kinds_of_fields(const Facts& facts, Sink& sink) {
  if (facts.kind == nullptr) return;
  const claims::Workload& workload = facts.claims.workload;
  judge_fields(schema::TableOf<claims::Workload>::table, &workload, "workload", facts, sink);
  if (facts.kind->ray)
    judge_fields(schema::TableOf<claims::Ray>::table, &workload.ray, "workload.ray", facts, sink);
}

bool is_shell_word(std::string_view word) {
  return !word.empty() && std::ranges::all_of(word, [](char c) {
    return ascii::is_letter_or_digit(c) ||
           std::string_view("@%+=:,./_-").find(c) != std::string_view::npos;
  });
}

void judge_ray(const Facts& facts, Sink& sink) {
  const claims::Workload& workload = facts.claims.workload;
  if (facts.kind == nullptr || !facts.kind->ray || workload.ray.where.bad) return;
  const auto need = [&](std::string_view field) {
    sink.report<Code::KindNeedsField>(workload.kind, facts.kind->word, field);
  };
  if (!workload.ray.where.given) return need("workload.ray");
  const schema::Tree& config = workload.ray.serve_config;
  const bool serves = is_for(*schema::TableOf<claims::Ray>::table.find("serveConfig"), *facts.kind);
  if (serves && !config.where.given && !config.where.bad) need("workload.ray.serveConfig");
  if (config.usable() && config.value.kind == yaml::Kind::sequence)
    sink.report<Code::ServeConfigList>(config);
  if (!facts.kind->ends) return;
  if (!workload.script.where.given && !workload.command.where.given && !workload.script.where.bad &&
      !workload.command.where.bad)
    need("workload.script");
  for (const auto* words : {&workload.command, &workload.args}) {
    for (const Text& word : words->items) {
      if (word.usable() && !is_shell_word(word.value))
        sink.report<Code::EntrypointWord>(word, word.value)
            .note("KubeRay joins the words of an entrypoint into one line, which a shell reads")
            .help("write it as `workload.script`");
    }
  }
}

void judge_labelled_pools(const Facts& facts, Sink& sink) {
  const auto& pools = facts.claims.provisioning.node_pools;
  if (facts.kind == nullptr || !facts.kind->ray || facts.creates_pools || facts.pools() == 1 ||
      !pools.where.usable())
    return;
  sink.report<Code::PoolsWithoutLabel>(pools, facts.kind->word, pools.items.size())
      .note("the TPU webhook of KubeRay replaces the affinity that would list them")
      .help("remove `nodePool`, and select a label of these pools with `workload.nodeSelector`");
}

void judge_command(const Facts& facts, Sink& sink) {
  const claims::Workload& workload = facts.claims.workload;
  if (workload.script.where.given && workload.command.where.given)
    sink.report<Code::ScriptAndCommand>(workload.script).help("remove one of them");
  if (workload.leader.script.where.given && workload.leader.command.where.given)
    sink.report<Code::ScriptAndCommand>(workload.leader.script).help("remove one of them");
}

void judge_variables(const Facts& facts, Sink& sink) {
  for (const auto& [name, variable] : facts.claims.workload.env.entries) {
    if (const auto* reserved = find_reserved(facts.catalog.reserved_env, name.value))
      sink.report<Code::ReservedVariable>(name, name.value).note(std::string(reserved->why));
    if (variable.where.bad) continue;
    const schema::Where& key = variable.key.where;
    if (key.given && (variable.value.where.given || variable.field.where.given)) {
      sink.report<Code::EnvKey>(key, fmt::format("applies to `secret` or `configMap`, not to `{}`",
                                                 variable.value.where.given ? "value" : "field"));
    } else if ((variable.secret.where.given || variable.config_map.where.given) && !key.given &&
               !key.bad) {
      sink.report<Code::EnvKey>(variable, "is missing: name the key in the Secret or ConfigMap");
    }
  }
}

void judge_ports(const Facts& facts, Sink& sink) {
  const bool serves = facts.kind != nullptr && !facts.kind->ends;
  std::vector<std::int64_t> numbers;
  std::vector<std::string_view> names;
  for (const claims::Port& port : facts.claims.workload.ports.items) {
    if (!port.port.usable()) continue;
    if (contains(numbers, port.port.value))
      sink.report<Code::RepeatedName>(port.port, "port", port.port.value);
    numbers.push_back(port.port.value);
    judge_name(sink, names, port.name, "port name");
    const auto is_named_so = [&](const claims::Port& other) {
      return !other.name.where.given && facts::port_name(other.port.value) == port.name.value;
    };
    if (serves && port.name.usable() && any_of(facts.claims.workload.ports.items, is_named_so))
      sink.report<Code::RepeatedName>(port.name, "port name", port.name.value)
          .note("the Service calls a port without a name so");
  }
}

void judge_volumes(const Facts& facts, Sink& sink) {
  const claims::Workload& workload = facts.claims.workload;
  const bool on_host_network = workload.host_network.usable() && workload.host_network.value;
  bool has_bucket = false;
  std::vector<std::string_view> names, paths;
  for (const auto& volume : workload.volumes.items) {
    judge_name(sink, names, volume.name, "volume");
    judge_name(sink, paths, volume.mount_path, "mountPath");
    if (!volume.gcs.where.given) continue;
    has_bucket = true;
    if (on_host_network)
      sink.report<Code::HostNetworkConflict>(workload.host_network, "Cloud Storage FUSE");
    if (!workload.service_account.where.given)
      sink.report<Code::BucketWithoutAccount>(volume.gcs)
          .help("add `serviceAccount: NAME` to `workload`, of an account that may read {}",
                volume.gcs.bucket.usable() ? fmt::format("`{}`", volume.gcs.bucket.value)
                                           : "the bucket");
  }
  // With a bucket that is an error already.
  const Text& account = workload.service_account;
  if (on_host_network && !has_bucket && account.usable())
    sink.report<Code::IdentityNeedsPodNetwork>(account, account.value);
}

Diagnostic& report_selector(const schema::Entry<Text>& entry, Sink& sink) {
  return sink.report<Code::SelectorWithoutNodes>(
      entry.value, fmt::format("{}: {}", entry.key.value, entry.value.value));
}

// Labels that GKE sets, with other values than it sets for the machine type.
void judge_machine_selectors(const Facts& facts, Sink& sink) {
  if (facts.machine == nullptr) return;
  const std::string_view machine = facts.machine->name;
  for (const auto& entry : facts.claims.workload.node_selector.entries) {
    const auto& [key, value] = entry;
    if (!value.usable()) continue;
    if (key.value == "cloud.google.com/gke-accelerator") {
      report_selector(entry, sink)
          .note("only nodes with GPUs have it; the label of TPUs follows from `tpu`")
          .help("remove it");
    } else if (key.value.starts_with("cloud.google.com/gke-tpu-") &&
               find_reserved(facts.catalog.reserved_selectors, key.value) == nullptr) {
      report_selector(entry, sink)
          .note("GKE sets accelerator and topology, which follow from `tpu`")
          .help("remove it");
    }
    const bool family = key.value == "cloud.google.com/machine-family";
    if (!family && key.value != "node.kubernetes.io/instance-type") continue;
    if (value.value != (family ? machine.substr(0, machine.find('-')) : machine))
      report_selector(entry, sink).note("the nodes are {}", machine).help("remove it");
  }
}

void judge_selectors(const Facts& facts, Sink& sink) {
  const auto& selectors = facts.claims.workload.node_selector;
  refuse_reserved(selectors, facts.catalog.reserved_selectors, sink);
  judge_machine_selectors(facts, sink);
  // Nodes are in the zones of the pool, and pods that select another one stay Pending.
  for (const auto& entry : selectors.entries) {
    const bool zone = entry.key.value == "topology.kubernetes.io/zone";
    const bool region = entry.key.value == "topology.kubernetes.io/region";
    if (facts.zones.empty() || (!zone && !region) || entry.value.where.bad) continue;
    const auto is_selected = [&](std::string_view of_pool) {
      return (zone ? of_pool : facts::region_of(of_pool)) == entry.value.value;
    };
    if (!any_of(facts.zones, is_selected))
      report_selector(entry, sink)
          .note("the nodes are in {}", text::join(facts.zones, ", "))
          .help("remove it, or change `provisioning.zones`");
  }
}

void judge_deprecated_labels(const Facts& facts, Sink& sink) {
  const auto& selectors = facts.claims.workload.node_selector.entries;
  for (const auto& [key, value] : selectors) {
    const Mistake* old = find_deprecated_label(facts.catalog, key.value);
    if (old == nullptr) continue;
    Diagnostic& finding = sink.report<Code::DeprecatedLabel>(key, key.value)
                              .note(std::string(old->why))
                              .help("write `{}`", old->instead);
    if (!any_of(selectors, [&](const auto& other) { return other.key.value == old->instead; }))
      finding.fix(key.where.span, std::string(old->instead));
  }
}

void judge_tolerations(const Facts& facts, Sink& sink) {
  const auto& tolerations = facts.claims.workload.tolerations;
  if (!tolerations.where.usable()) return;
  for (const auto& [where, key, op, value, effect, seconds] : tolerations.items) {
    if (op.where.bad) continue;
    const bool exists = op.value == "Exists";
    if (exists && value.usable())
      sink.report<Code::ImpossibleToleration>(value, "with `value`", "operator: Equal")
          .help("delete `value`: `Exists` compares none");
    if (!exists && !key.where.given && !key.where.bad)
      sink.report<Code::ImpossibleToleration>(where, "without `key`", "operator: Exists")
          .note("it tolerates every taint");
    if (seconds.usable() && !effect.where.bad && effect.value != "NoExecute")
      sink.report<Code::ImpossibleToleration>(seconds, "with `tolerationSeconds`",
                                              "effect: NoExecute");
  }
}

void judge_pull_secrets(const Facts& facts, Sink& sink) {
  std::vector<std::string_view> names;
  for (const auto& secret : facts.claims.workload.image_pull_secrets.items)
    judge_name(sink, names, secret.name, "image pull secret");
}

void judge_patches(const Facts& facts, Sink& sink) {
  const auto& patches = facts.claims.patches.items;
  for (std::size_t i = 0; i < patches.size(); ++i) {
    const auto& [where, target, merge] = patches[i];
    if (where.bad) continue;
    if (merge.value.kind != yaml::Kind::mapping) {
      sink.report<Code::PatchNotMapping>(merge);
      continue;
    }
    const std::string_view type = target.container.where.given ? "Container"
                                  : target.pod.where.given     ? "PodTemplateSpec"
                                                           : std::string_view(target.kind.value);
    if (const schema::Table* table = schema::kubernetes::find(type))
      schema::judge_patch(merge.value, *table, i, sink);
  }
}

}  // namespace

Rules workload_rules() {
  static constexpr Rule rules[] = {judge_kind,      judge_hosts,          judge_kinds_of_fields,
                                   judge_ray,       judge_labelled_pools, judge_command,
                                   judge_variables, judge_ports,          judge_volumes,
                                   judge_selectors, judge_tolerations,    judge_deprecated_labels,
                                   judge_patches,   judge_pull_secrets};
  return rules;
}

}  // namespace flexslice::rules
