// The pods: command, environment, ports, volumes, selectors, tolerations, and the rules that
// combine them.
#include <fmt/core.h>

#include <algorithm>

#include "base/text.hpp"
#include "rules/rules.hpp"

namespace flexslice::rules {

using diag::Code;

namespace {

// Reports a name that was seen before.
void judge_repeated(const Subject& subject, std::vector<std::string_view>& seen,
                    const schema::Text& name, std::string_view what) {
  if (!name.where.usable()) return;
  if (std::find(seen.begin(), seen.end(), name.value) != seen.end())
    subject.sink.report<Code::RepeatedName>(name.where.span, what, name.value);
  seen.push_back(name.value);
}

bool on_host_network(const claims::Workload& workload) {
  return workload.host_network.where.usable() && workload.host_network.value;
}

bool is_bucket(const claims::Volume& volume) { return volume.gcs.where.given; }

void judge_toleration(const Subject& subject, const claims::Toleration& toleration) {
  if (toleration.op.where.bad) return;
  const auto refuse = [&](const schema::Where& where, std::string_view why, std::string_view help) {
    subject.sink.report<Code::ImpossibleToleration>(where.span, why).help(std::string(help));
  };
  const bool exists = toleration.op.value == "Exists";
  if (exists && toleration.value.where.usable())
    refuse(toleration.value.where, "`Exists` compares no value", "leave `value` out");
  if (!exists && !toleration.key.where.given && !toleration.key.where.bad)
    refuse(toleration.where, "a toleration without a key is for all taints",
           "write `operator: Exists`, without a value");
  if (toleration.toleration_seconds.where.usable() && !toleration.effect.where.bad &&
      toleration.effect.value != "NoExecute")
    refuse(toleration.toleration_seconds.where, "`tolerationSeconds` counts for NoExecute only",
           "write `effect: NoExecute`");
}

}  // namespace

void judge_kind(const Subject& subject) {
  const claims::Workload& workload = subject.claims.workload;
  const claims::Kind* kind = subject.facts.kind;
  if (kind == nullptr) return;
  if (!kind->several_slices && subject.facts.machine != nullptr && subject.facts.slices > 1) {
    subject.sink.report<Code::JobWithSlices>(workload.kind.where.span, subject.facts.slices)
        .help("leave `kind` out, or write `kind: jobset`");
  }
  if (workload.max_restarts.where.given && !kind->several_slices) {
    subject.sink
        .report<Code::OnlyForKind>(workload.max_restarts.where.span, "workload.maxRestarts",
                                   "jobset")
        .help("write `kind: jobset`, or use `backoffLimit`");
  }
}

void judge_command(const Subject& subject) {
  const claims::Workload& workload = subject.claims.workload;
  if (workload.script.where.given && workload.command.where.given)
    subject.sink.report<Code::ScriptAndCommand>(workload.script.where.span)
        .help("keep one of them");
}

void judge_variables(const Subject& subject) {
  for (const auto& [key, value] : subject.claims.workload.env.entries) {
    if (const catalog::Reserved* reserved =
            catalog::find_reserved(subject.catalog.reserved_env, key.value))
      subject.sink.report<Code::ReservedVariable>(key.where.span, key.value)
          .note(std::string(reserved->why));
    if (value.where.bad) continue;
    if (value.value.where.given && value.key.where.given) {
      subject.sink.report<Code::EnvKey>(value.key.where.span,
                                        "belongs to `secret` or `configMap`, not to `value`");
    } else if ((value.secret.where.given || value.config_map.where.given) &&
               !value.key.where.given && !value.key.where.bad) {
      subject.sink.report<Code::EnvKey>(value.where.span,
                                        "is missing: say which key of the Secret or ConfigMap");
    }
  }
}

void judge_ports(const Subject& subject) {
  std::vector<std::int64_t> numbers;
  std::vector<std::string_view> names;
  for (const claims::Port& port : subject.claims.workload.ports.items) {
    if (!port.port.where.usable()) continue;
    if (std::find(numbers.begin(), numbers.end(), port.port.value) != numbers.end())
      subject.sink.report<Code::RepeatedName>(port.port.where.span, "port", port.port.value);
    numbers.push_back(port.port.value);
    judge_repeated(subject, names, port.name, "port name");
  }
}

void judge_volumes(const Subject& subject) {
  const claims::Workload& workload = subject.claims.workload;
  std::vector<std::string_view> names, paths;
  for (const claims::Volume& volume : workload.volumes.items) {
    judge_repeated(subject, names, volume.name, "volume");
    judge_repeated(subject, paths, volume.mount_path, "mountPath");
    if (!is_bucket(volume)) continue;
    if (on_host_network(workload))
      subject.sink.report<Code::HostNetworkConflict>(workload.host_network.where.span,
                                                     "Cloud Storage FUSE");
    if (!workload.service_account.where.given)
      subject.sink.report<Code::BucketWithoutAccount>(volume.gcs.where.span);
  }
}

void judge_host_network(const Subject& subject) {
  const claims::Workload& workload = subject.claims.workload;
  const auto& volumes = workload.volumes.items;
  // With a bucket that is an error already.
  if (!on_host_network(workload) || std::any_of(volumes.begin(), volumes.end(), is_bucket)) return;
  const schema::Text& account = workload.service_account;
  if (account.where.usable())
    subject.sink.report<Code::IdentityNeedsPodNetwork>(account.where.span, account.value);
}

void judge_selectors(const Subject& subject) {
  const auto& selectors = subject.claims.workload.node_selector;
  refuse_reserved(subject, selectors, subject.catalog.reserved_selectors);
  const auto& zones = subject.facts.zones;
  // Nodes are in the zones of the pool, and pods that ask for another one wait for ever.
  for (const auto& [key, value] : selectors.entries) {
    const bool zone = key.value == "topology.kubernetes.io/zone";
    const bool region = key.value == "topology.kubernetes.io/region";
    if (zones.empty() || (!zone && !region) || value.where.bad) continue;
    const auto is_there = [&](std::string_view each) {
      return (zone ? each : facts::region_of(each)) == value.value;
    };
    if (std::any_of(zones.begin(), zones.end(), is_there)) continue;
    subject.sink.report<Code::SelectorWithoutNodes>(value.where.span, value.value)
        .note(fmt::format("the nodes are in {}", text::join(zones, ", ")))
        .help("leave it out, or change `provisioning.zones`");
  }
}

void judge_tolerations(const Subject& subject) {
  const auto& tolerations = subject.claims.workload.tolerations;
  if (!tolerations.where.usable()) return;
  for (const claims::Toleration& toleration : tolerations.items)
    judge_toleration(subject, toleration);
}

void judge_pull_secrets(const Subject& subject) {
  std::vector<std::string_view> names;
  for (const claims::LocalName& secret : subject.claims.workload.image_pull_secrets.items)
    judge_repeated(subject, names, secret.name, "image pull secret");
}

void judge_patches(const Subject& subject) {
  for (const claims::Patch& patch : subject.claims.patches.items) {
    if (!patch.where.bad && patch.merge.value.kind != yaml::Kind::mapping)
      subject.sink.report<Code::PatchNotMapping>(patch.merge.where.span);
  }
}

}  // namespace flexslice::rules
