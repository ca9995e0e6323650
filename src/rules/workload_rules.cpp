// The pods: environment, ports, volumes, tolerations, and the rules that combine them.
#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "base/ascii.hpp"
#include "resolve/workload_names.hpp"
#include "rules/object_rules.hpp"
#include "rules/rules.hpp"
#include "schema/decode.hpp"
#include "schema/kubernetes_types.hpp"
#include "spec/spec_fields.hpp"
#include "yaml/parse.hpp"

namespace flexslice::rules {

namespace {

void judge_name(Sink& sink, std::vector<PlacedName>& earlier, const Text& name,
                std::string_view what) {
  if (name.usable()) judge_repeated(sink, earlier, name.where.span, name.value, what);
}

void judge_kind(const Facts& facts, Sink& sink) {
  using spec::Slices;
  if (facts.kind == nullptr || facts.machine == nullptr || facts.slices == 1) return;
  const Slices several = facts.kind->slices;
  if (several != Slices::one && (several != Slices::workers || !facts.multi_host())) return;
  sink.report<Code::JobWithSlices>(facts.claims.workload.kind, facts.slices)
      .note(resolve::hosts_sum(*facts.topology, *facts.machine))
      .help(facts.kind->scheduled
                ? std::string_view("remove `slices`: a schedule starts one slice, or single hosts")
                : "remove `kind`, or write `kind: jobset`");
}

bool is_for(const schema::Field& field, const spec::WorkloadKind& kind) {
  return field.kinds.empty() || contains(text::split(field.kinds, ' '), kind.word);
}

// A Job replaces the pods of several hosts one by one.
bool can_retry(const Facts& facts, const spec::WorkloadKind& kind) {
  return !facts.claims.workload.retries.where.given || !facts.multi_host() ||
         kind.reclaimed != spec::Reclaimed::pod;
}

bool is_for_slices(const Facts& facts, const spec::WorkloadKind& kind) {
  using spec::Hosts, spec::Slices;
  if (facts.machine == nullptr) return true;
  if (!can_retry(facts, kind)) return false;
  if (kind.hosts != Hosts::any && (kind.hosts == Hosts::one) == facts.multi_host()) return false;
  return facts.slices == 1 ||
         (kind.slices != Slices::one && (kind.slices != Slices::workers || !facts.multi_host()));
}

using Misfits = std::vector<const schema::Field*>;

void add_misfits(const schema::Table& table, const void* record, const spec::WorkloadKind& kind,
                 Misfits& found) {
  for (const schema::Field& field : table.fields) {
    if (!is_for(field, kind) && field.type->where(const_cast<void*>(field.of(record))).given)
      found.push_back(&field);
  }
}

// Returns the fields of the spec that the kind does not take; null means the slices.
Misfits misfits(const Facts& facts, const spec::WorkloadKind& kind) {
  const spec::Workload& workload = facts.claims.workload;
  Misfits found;
  if (!is_for_slices(facts, kind)) found.push_back(nullptr);
  add_misfits(schema::TableOf<spec::Workload>::table, &workload, kind, found);
  if (kind.ray) add_misfits(schema::TableOf<spec::Ray>::table, &workload.ray, kind, found);
  return found;
}

void judge_kind_for_hosts(const Facts& facts, Sink& sink) {
  if (facts.kind == nullptr || facts.machine == nullptr || facts.kind->hosts == spec::Hosts::any)
    return;
  const bool one = facts.kind->hosts == spec::Hosts::one;
  if (one != facts.multi_host()) return;
  // Fields that only the present kind takes would be the next errors.
  std::vector<std::string_view> others;
  const Misfits now = misfits(facts, *facts.kind);
  for (const schema::Field* field : misfits(facts, *spec::find_kind(facts.kind->instead))) {
    if (field != nullptr && !contains(now, field)) others.push_back(field->key);
  }
  Diagnostic& finding = sink.report<Code::KindForHosts>(
      facts.claims.workload.kind, facts.kind->word, text::count(facts.hosts, "host"));
  finding.note(resolve::hosts_sum(*facts.topology, *facts.machine));
  const std::string_view shape = one ? "one host" : "several hosts";
  if (others.empty())
    finding.help("write `kind: {}`, or choose a topology of {}", facts.kind->instead, shape);
  else
    finding.help("choose a topology of {}, or write `kind: {}`, and remove {}", shape,
                 facts.kind->instead, text::quoted_list(others));
}

// A kind whose own fields are missing, or that the cluster refuses, is the next error.
bool is_refused_anyway(const Facts& facts, const spec::WorkloadKind& kind) {
  const spec::Workload& workload = facts.claims.workload;
  const auto lacks = [](const auto& field) { return !field.where.given && !field.where.bad; };
  const bool lacks_program = lacks(workload.script) && lacks(workload.command);
  if (kind.ray) return lacks(workload.ray) || (kind.ends && lacks_program);
  const schema::Integer& elastic = workload.pathways.elastic_slices;
  return kind.pathways && (facts.autopilot() || lacks(workload.pathways) ||
                           (elastic.usable() && elastic.value > facts.slices));
}

// Says whether the spec has another error with that kind, which takes all of its fields.
bool leads_to_error(const Facts& facts, const Misfits& now, std::string_view kind) {
  spec::Claims before = facts.claims, after = facts.claims;
  for (const schema::Field* field : now) {
    if (field != nullptr && schema::TableOf<spec::Workload>::table.find(field->key) == field)
      field->type->where(const_cast<void*>(field->of(&before.workload))) = {};
  }
  after.workload.kind = {{.span = facts.claims.workload.kind.where.span, .given = true},
                         std::string(kind)};
  return !new_error(facts.catalog, before, after).empty();
}

// Returns the kind that fits the rest of the spec best; empty if none is better than the present
// one, or each is wrong in another way.
std::string_view better_kind(const Facts& facts, std::span<const std::string_view> words) {
  std::string_view best;
  const Misfits now = misfits(facts, *facts.kind);
  std::size_t fewest = now.size();
  // A spec without clients has no server.
  const bool may_serve = facts.claims.workload.ports.where.given ||
                         facts.claims.workload.ray.serve_config.where.given ||
                         facts.claims.workload.gateway.where.given ||
                         facts.claims.workload.autoscaling.where.given;
  for (std::string_view word : words) {
    const spec::WorkloadKind* kind = spec::find_kind(word);
    if (kind == nullptr || (!kind->ends && facts.kind->ends && !may_serve) ||
        is_refused_anyway(facts, *kind))
      continue;
    const Misfits then = misfits(facts, *kind);
    const auto is_known = [&](const schema::Field* field) { return contains(now, field); };
    if (then.size() >= fewest || !std::ranges::all_of(then, is_known)) continue;
    if (then.empty() && leads_to_error(facts, now, word)) continue;
    fewest = then.size();
    best = word;
  }
  return best;
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
    // The help for a schedule depends on the kind.
    if (field.kinds.empty() || field.key == "schedule") continue;
    const schema::Where& where = field.type->where(const_cast<void*>(field.of(record)));
    if (!where.given || is_for(field, *facts.kind)) continue;
    const auto kinds = text::split(field.kinds, ' ');
    const schema::Field* instead = table.find(field.instead);
    // `instead` is a field or a sentence.
    const bool is_sentence = field.instead.find(' ') != std::string_view::npos;
    std::string remedy = is_sentence ? std::string(field.instead)
                         : instead != nullptr && is_for(*instead, *facts.kind) &&
                                 !instead->type->where(const_cast<void*>(instead->of(record))).given
                             ? fmt::format("use `{}`", instead->key)
                             : "remove it";
    Diagnostic& finding = sink.report<Code::OnlyForKind>(
        where, fmt::format("{}.{}", path, field.key), alternatives(kinds));
    // `retries` excludes both a kind that has the field, and the field that others have instead.
    if (facts.claims.workload.retries.where.given && field.instead == "backoffLimit") {
      finding.help("remove it: `retries` says how often the workload starts again");
      continue;
    }
    // An autoscaler scales the pool as well.
    const spec::Provisioning& pool = facts.claims.provisioning;
    if (field.key == "autoscaling" && !pool.autoscale.where.given &&
        (pool.warm.where.given || pool.min_nodes.where.given))
      remedy +=
          fmt::format("; `{}` then needs `autoscale`", pool.warm.where.given ? "warm" : "minNodes");
    const std::string_view kind = better_kind(facts, kinds);
    if (kind.empty()) {
      finding.help(remedy);
    } else {
      finding.help("write `kind: {}`, or {}", kind, remedy);
    }
  }
}

void judge_kinds_of_fields(const Facts& facts, Sink& sink) {
  if (facts.kind == nullptr) return;
  const spec::Workload& workload = facts.claims.workload;
  judge_fields(schema::TableOf<spec::Workload>::table, &workload, "workload", facts, sink);
  if (facts.kind->ray)
    judge_fields(schema::TableOf<spec::Ray>::table, &workload.ray, "workload.ray", facts, sink);
}

constexpr std::string_view next_attempt = "remove `retries`: the next start is another attempt";

// `retries` counts every failure, and the others count some of them.
void judge_retries(const Facts& facts, Sink& sink) {
  const spec::Workload& workload = facts.claims.workload;
  if (!workload.retries.where.given) return;
  const auto exclude = [&](const schema::Where& where, std::string_view field) {
    if (where.given)
      sink.report<Code::RetriesExclude>(where, field)
          .help("remove `{}`, or `retries` to count as Kubernetes does", field);
  };
  exclude(workload.backoff_limit.where, "backoffLimit");
  if (facts.kind == nullptr || facts.kind->reclaimed == spec::Reclaimed::workload)
    exclude(workload.max_restarts.where, "maxRestarts");
  exclude(workload.pod_failure_policy.where, "podFailurePolicy");
  if (workload.restart_policy.usable() && workload.restart_policy.value == "OnFailure")
    exclude(workload.restart_policy.where, "restartPolicy: OnFailure");
  if (facts.kind != nullptr && !can_retry(facts, *facts.kind) && facts.slices == 1)
    sink.report<Code::RetriesOfHosts>(workload.kind, facts.hosts)
        .note(resolve::hosts_sum(*facts.topology, *facts.machine))
        .help(facts.kind->scheduled ? next_attempt : "write `kind: jobset`, or remove `kind`");
}

bool is_shell_word(std::string_view word) {
  return !word.empty() && std::ranges::all_of(word, [](char c) {
    return ascii::is_letter_or_digit(c) ||
           std::string_view("@%+=:,./_-").find(c) != std::string_view::npos;
  });
}

void judge_applications(const schema::Tree& config, const yaml::Node& node, Sink& sink) {
  const yaml::Node* applications = node.find("applications");
  if (applications == nullptr || applications->kind == yaml::Kind::null ||
      (applications->kind == yaml::Kind::sequence && applications->items.empty()))
    sink.report<Code::NoApplications>(config).help(
        "add one: `applications: [{name: NAME, import_path: \"MODULE:APP\"}]`");
}

void judge_serve_config(const schema::Tree& config, Sink& sink) {
  const yaml::Node& node = config.value;
  if (node.kind == yaml::Kind::sequence) return void(sink.report<Code::ServeConfigList>(config));
  if (node.kind == yaml::Kind::mapping) return judge_applications(config, node, sink);
  Sources sources;
  const std::uint32_t text = sources.add({"serveConfig", node.text});
  Sink own;
  const std::optional<yaml::Node> inside = yaml::parse(sources, text, own);
  if (inside && inside->kind == yaml::Kind::mapping)
    return judge_applications(config, *inside, sink);
  const auto* mistake = find_where(
      own.found(), [](const Diagnostic& finding) { return finding.code == Code::InvalidYaml; });
  // KubeRay may read what flexslice's YAML leaves out, such as tags.
  if (!inside && mistake == nullptr) return;
  Diagnostic& finding = sink.report<Code::ServeConfigText>(config);
  if (mistake == nullptr) return;
  finding.note("line {} of it: {}", sources.position(mistake->where).line, mistake->message);
}

// Servers that span several hosts mostly listen on the first one alone.
void judge_readiness(const Facts& facts, Sink& sink) {
  const spec::Workload& workload = facts.claims.workload;
  const schema::Tree& probe = workload.readiness_probe;
  if (facts.kind == nullptr || !facts.kind->leads || !facts.multi_host() || !probe.where.given ||
      workload.leader.where.given)
    return;
  sink.report<Code::EveryHostReady>(probe, facts.hosts)
      .help("if only the first host listens, move the probe and what it runs to `workload.leader`");
}

void judge_ray(const Facts& facts, Sink& sink) {
  const spec::Workload& workload = facts.claims.workload;
  if (facts.kind == nullptr || !facts.kind->ray || workload.ray.where.bad) return;
  const auto need = [&](std::string_view field, std::string_view example) {
    sink.report<Code::KindNeedsField>(workload.kind, facts.kind->word, field)
        .help("for example `{}`", example);
  };
  const schema::Tree& config = workload.ray.serve_config;
  const bool serves = is_for(*schema::TableOf<spec::Ray>::table.find("serveConfig"), *facts.kind);
  if (!workload.ray.where.given) {
    need("workload.ray", serves ? "ray: {version: \"2.51.0\", serveConfig: {applications: [{name: "
                                  "NAME, import_path: \"MODULE:APP\"}]}}"
                                : "ray: {version: \"2.51.0\"}");
  } else if (serves && !config.where.given && !config.where.bad) {
    need("workload.ray.serveConfig",
         "serveConfig: {applications: [{name: NAME, import_path: \"MODULE:APP\"}]}");
  }
  if (serves && config.usable()) judge_serve_config(config, sink);
  if (!facts.kind->ends) return;
  if (!workload.script.where.given && !workload.command.where.given && !workload.script.where.bad &&
      !workload.command.where.bad)
    need("workload.script", "script: python train.py");
  for (const auto* words : {&workload.command, &workload.args}) {
    for (const Text& word : words->items) {
      if (word.usable() && !is_shell_word(word.value))
        sink.report<Code::EntrypointWord>(word, word.value)
            .note("KubeRay joins the words of an entrypoint into one line, which a shell reads")
            .help("write it as `workload.script`");
    }
  }
}

// Only a container of the spec has these fields.
std::vector<std::string_view> stated_of_container(const spec::Workload& workload) {
  const std::pair<std::string_view, const schema::Where&> fields[] = {
      {"image", workload.image.where},
      {"imagePullPolicy", workload.image_pull_policy.where},
      {"script", workload.script.where},
      {"command", workload.command.where},
      {"args", workload.args.where},
      {"env", workload.env.where},
      {"envFrom", workload.env_from.where},
      {"ports", workload.ports.where},
      {"resources", workload.resources.where},
      {"privileged", workload.privileged.where},
      {"volumes", workload.volumes.where}};
  std::vector<std::string_view> stated;
  for (const auto& [name, where] : fields) {
    if (where.given) stated.push_back(name);
  }
  return stated;
}

void judge_pathways(const Facts& facts, Sink& sink) {
  const spec::Workload& workload = facts.claims.workload;
  const spec::Pathways& pathways = workload.pathways;
  if (!facts.has_pathways() || pathways.where.bad) return;
  if (!pathways.where.given)
    sink.report<Code::KindNeedsField>(workload.kind, facts.kind->word, "workload.pathways")
        .help("for example `pathways: {gcsLocation: gs://my-bucket/pathways}`");
  const auto stated = stated_of_container(workload);
  if (facts.is_headless()) {
    if (!stated.empty())
      sink.report<Code::HeadlessWithProgram>(pathways.headless,
                                             fmt::format("`{}`", text::join(stated, "`, `")))
          .help("remove {}, or `headless`", stated.size() == 1 ? "it" : "them");
  } else if (!workload.image.where.given && !workload.image.where.bad &&
             !pathways.headless.where.bad) {
    sink.report<Code::KindNeedsField>(workload.kind, facts.kind->word, "workload.image")
        .help(stated.empty()
                  ? "write the image of your program, or `pathways: {headless: true}` to run none"
                  : "write the image of your program");
  }
  const schema::Integer& elastic = pathways.elastic_slices;
  if (elastic.usable() && !facts.claims.tpu.slices.where.bad && elastic.value > facts.slices)
    sink.report<Code::ElasticSlices>(elastic, elastic.value, text::count(facts.slices, "slice"))
        .help("write at most {}", facts.slices);
}

void judge_head_pool(const Facts& facts, Sink& sink) {
  const Text& pool = facts.claims.workload.pathways.head_node_pool;
  if (facts.has_pathways()) judge_ordinary_pool(pool, "remove `headNodePool`", facts, sink);
}

void judge_pathways_machine(const Facts& facts, Sink& sink) {
  if (!facts.has_pathways() || facts.machine == nullptr || !facts.machine->pathways_type.empty())
    return;
  const spec::Tpu& tpu = facts.claims.tpu;
  std::vector<std::string_view> others;
  for (const MachineType& machine : facts.generation->machine_types) {
    if (!machine.pathways_type.empty()) others.push_back(machine.name);
  }
  Diagnostic& finding = sink.report<Code::PathwaysMachine>(
      tpu.machine_type.where.given ? tpu.machine_type.where : tpu.topology.where,
      facts.machine->name);
  if (others.empty())
    finding.help(
        "choose another generation, or kind `jobset` without `pathways`, in which JAX connects the "
        "hosts");
  else
    finding.note("of {} it runs on {}", facts.generation->id, text::join(others, " and "))
        .help("choose a topology of {}", others.front());
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

void judge_own_command(const Facts& facts, Sink& sink) {
  const spec::Workload& workload = facts.claims.workload;
  if (workload.script.where.given && workload.command.where.given)
    sink.report<Code::ScriptAndCommand>(workload.script).help("remove one of them");
  if (workload.leader.script.where.given && workload.leader.command.where.given)
    sink.report<Code::ScriptAndCommand>(workload.leader.script).help("remove one of them");
}

void judge_own_variables(const Facts& facts, Sink& sink) {
  for (const auto& [name, variable] : facts.claims.workload.env.entries) {
    const auto* derived = facts.has_pathways()
                              ? find_reserved(facts.catalog.pathways.reserved_env, name.value)
                              : nullptr;
    if (derived != nullptr)
      sink.report<Code::PathwaysVariable>(name, name.value)
          .note(std::string(derived->why))
          .help("remove it");
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

void judge_port_list(const Facts& facts, const schema::List<spec::Port>& ports, Sink& sink) {
  const bool serves = facts.kind != nullptr && !facts.kind->ends;
  std::vector<const schema::Integer*> numbers;
  for (const spec::Port& port : ports.items) {
    if (!port.port.usable()) continue;
    const auto first = std::ranges::find(numbers, port.port.value, &schema::Integer::value);
    if (first != numbers.end())
      sink.report<Code::RepeatedName>(port.port, "port", port.port.value)
          .also((*first)->where.span, "it is first here");
    numbers.push_back(&port.port);
    const auto is_named_so = [&](const spec::Port& other) {
      return !other.name.where.given && resolve::port_name(other.port.value) == port.name.value;
    };
    if (serves && port.name.usable() && any_of(ports.items, is_named_so))
      sink.report<Code::RepeatedName>(port.name, "port name", port.name.value)
          .note("the Service calls a port without a name so");
  }
}

void judge_ports(const Facts& facts, Sink& sink) {
  judge_port_list(facts, facts.claims.workload.ports, sink);
  judge_port_list(facts, facts.claims.workload.leader.ports, sink);
}

// A claim that is made: its class, and the nodes that mount it.
void judge_made_claim(const Facts& facts, const spec::ClaimVolume& claim, Sink& sink) {
  const Text &storage_class = claim.storage_class, &size = claim.size;
  if (storage_class.where.given && !size.where.given) {
    if (size.where.bad) return;
    sink.report<Code::ClaimWithoutSize>(storage_class, claim.name.value)
        .help("add `size`, with which volumes.yaml makes the claim, or remove `class`");
    return;
  }
  if (!size.where.given || facts.generation == nullptr) return;
  const auto* known = catalog::named(facts.catalog.storage_classes, &StorageClass::name,
                                     std::string_view(storage_class.value));
  // A class of the user's own may be called after its disks, which one node mounts.
  const bool is_of_disks =
      storage_class.value.starts_with("hyperdisk-") || storage_class.value.starts_with("pd-");
  if (storage_class.where.given && known == nullptr && !is_of_disks) return;
  const auto& attachable = facts.generation->attachable_disks;
  if (known != nullptr && !attachable.empty() && !contains(attachable, known->disk_type)) {
    sink.report<Code::DiskNotAttachable>(storage_class, facts.generation->id, claim.name.value,
                                         known->disk_type)
        .note("StorageClass `{}` makes {} disks", known->name, known->disk_type)
        .note("{} attaches {}", facts.generation->id, text::join(attachable, ", "))
        .help(facts.machine != nullptr && facts.mounting_pods() > 1
                  ? fmt::format("write `class: standard-rwx`, of Filestore, or mount a bucket: a "
                                "disk is attached to one of the {} nodes",
                                facts.mounting_pods())
                  : fmt::format("remove `class`: volumes.yaml then makes one of {}",
                                attachable.front()));
    return;
  }
  if (facts.machine == nullptr) return;
  const std::int64_t pods = facts.mounting_pods();
  const Text& policy = facts.claims.workload.schedule.concurrency_policy;
  // Runs for which there are no nodes are reported as such.
  const bool may_overlap = policy.usable() && policy.value == "Allow" &&
                           sink.find(Code::RunsShareNodes, policy.where.span) == nullptr;
  if (pods == 1 && !may_overlap) return;
  Diagnostic& finding =
      sink.report<Code::ClaimOfOneNode>(size, claim.name.value, pods * (may_overlap ? 2 : 1));
  if (may_overlap && pods == 1)
    finding.also(policy.where.span, "two runs may be there at once")
        .help("write `concurrencyPolicy: Forbid`");
  finding.help("{}name a StorageClass of shared storage, such as Filestore's, or mount a bucket",
               may_overlap && pods == 1 ? "or " : "");
}

void judge_volumes(const Facts& facts, Sink& sink) {
  const spec::Workload& workload = facts.claims.workload;
  const bool on_host_network = facts.on_host_network();
  bool has_bucket = false;
  for (const auto& volume : workload.volumes.items) {
    judge_made_claim(facts, volume.pvc, sink);
    if (!volume.gcs.where.given) continue;
    has_bucket = true;
    if (on_host_network && workload.host_network.where.given)
      sink.report<Code::HostNetworkConflict>(workload.host_network, "Cloud Storage FUSE");
    else if (on_host_network)
      sink.report<Code::HostNetworkConflict>(volume.gcs, "Cloud Storage FUSE")
          .note(
              "the pods of Pathways use the network of their nodes, unless the spec says otherwise")
          .help("add `hostNetwork: false` to `workload`");
    if (!workload.service_account.where.given && !workload.service_account.where.bad)
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

void judge_checkpoints(const Facts& facts, Sink& sink) {
  const spec::Checkpoints& said = facts.claims.workload.checkpoints;
  const schema::Where &bucket = said.bucket.where, &memory = said.memory.where;
  if (bucket.bad || memory.bad || bucket.given == memory.given) return;
  sink.report<Code::CheckpointsInPart>(bucket.given ? bucket : memory,
                                       bucket.given ? "bucket" : "memory",
                                       bucket.given ? "memory" : "bucket")
      .help(bucket.given ? "for example `memory: 200Gi`, of each host"
                         : "add the bucket that checkpoints are copied to, or remove `memory`");
}

void judge_pull_secrets(const Facts& facts, Sink& sink) {
  std::vector<PlacedName> names;
  for (const auto& secret : facts.claims.workload.image_pull_secrets.items)
    judge_name(sink, names, secret.name, "image pull secret");
}

void judge_patches(const Facts& facts, Sink& sink) {
  const auto& patches = facts.claims.patches.items;
  for (std::size_t i = 0; i < patches.size(); ++i) {
    const spec::Patch& patch = patches[i];
    const spec::Target& target = patch.target;
    if (patch.where.bad) continue;
    const std::string_view field = patch.strategic_merge.where.given ? "strategicMerge" : "merge";
    if (patch.body().value.kind != yaml::Kind::mapping) {
      sink.report<Code::PatchNotMapping>(patch.body(), field);
      continue;
    }
    const std::string_view type = target.container.where.given ? "Container"
                                  : target.pod.where.given     ? "PodTemplateSpec"
                                                           : std::string_view(target.kind.value);
    if (const schema::Table* table = schema::kubernetes::find(type))
      schema::judge_patch(patch.body().value, *table, {i, field}, sink);
  }
}

}  // namespace

std::string_view without_slashes(std::string_view path) {
  while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  return path;
}

void judge_mount_path(Sink& sink, Span where, std::string_view path, std::string_view on_node) {
  constexpr std::string_view needed[] = {"/",      "/bin",  "/dev",  "/etc", "/lib",
                                         "/lib64", "/proc", "/sbin", "/sys", "/usr"};
  const std::string_view mounted = without_slashes(path);
  if (contains(needed, mounted) && mounted != without_slashes(on_node))
    sink.report<Code::MountHides>(where, path).help("mount it at another path");
}

void judge_pull_policy(const Facts& facts, Span where, std::string_view policy, Sink& sink) {
  if (policy == "Never" && facts.gets_new_nodes())
    sink.report<Code::ImageNeverPulled>(where).help("write `IfNotPresent`, or remove it");
}

Rules workload_rules() {
  static constexpr Rule rules[] = {
      judge_kind,          judge_kind_for_hosts, judge_kinds_of_fields,
      judge_ray,           judge_own_command,    judge_labelled_pools,
      judge_pathways,      judge_head_pool,      judge_pathways_machine,
      judge_own_variables, judge_ports,          judge_volumes,
      judge_patches,       judge_pull_secrets,   judge_readiness,
      judge_retries,       judge_checkpoints};
  return rules;
}

}  // namespace flexslice::rules
