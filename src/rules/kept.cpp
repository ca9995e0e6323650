// Keeps of a file what its other parts, or the other files of the run, are compared with.
#include <fmt/core.h>

#include <algorithm>
#include <string>

#include "resolve/labels.hpp"
#include "rules/command_rules.hpp"
#include "rules/file_judge.hpp"
#include "rules/manifest_rules.hpp"
#include "rules/object_rules.hpp"
#include "rules/pod_rules.hpp"
#include "schema/placeholder.hpp"
#include "view/read_commands.hpp"
#include "yaml/node.hpp"

namespace flexslice::rules {

namespace {
constexpr std::string_view identity_annotation = "iam.gke.io/gcp-service-account";
}

// Keeps objects and the names by which they refer to others. A part of an object may be of another
// one.
void FileJudge::keep_names(const view::Found& part) {
  for (const view::ObjectClaims& object : part.objects) {
    if (!stands_alone(object.completeness)) continue;
    std::vector<const Node*> pods;
    for (const view::PodClaims& pod : part.pods) {
      if (pod.object == object.tree && pod.spec != nullptr) pods.push_back(pod.spec);
      if (pod.object == object.tree && pod.metadata != nullptr && made_of_ == nullptr)
        judge_metadata_keys(*pod.metadata, sink_);
    }
    if (made_of_ == nullptr) names_.add(*object.tree);
    const Node* metadata = object.tree->find("metadata");
    if (metadata != nullptr && made_of_ == nullptr) {
      judge_metadata_keys(*metadata, sink_);
      judge_namespace_label(*metadata, object.kind.value, sink_);
    }
    if (metadata != nullptr) judge_counts_in(*metadata, sink_);
    add_names(*object.tree, object.kind.value, pods, summary_.names);
    if (object.kind.value == "ServiceAccount") keep_identity(*object.tree);
    if (object.kind.value.starts_with("IAMP")) keep_policy(*object.tree);
    if (object.kind.value == "ConfigMap") {
      keep_config(*object.tree);
      summary_.objects.kueue.add_map(*object.tree);
    }
    if (object.kind.value == "Configuration") summary_.objects.kueue.add_object(*object.tree);
    keep_selector(*object.tree, object.kind.value);
    if (object.kind.value == "Topology") keep_levels(*object.tree);
    if (object.kind.value == "CapacityBuffer") keep_buffer(*object.tree);
    if (object.kind.value == "ComputeClass") judge_class_buffers(*object.tree, sink_);
    if (object.kind.value == "ResourceQuota" || object.kind.value == "LimitRange")
      keep_quota(*object.tree, object.kind.value);
    const Node* requested =
        object.kind.value == "ProvisioningRequest" ? object.tree->at({"spec", "podSets"}) : nullptr;
    for (const Node& set : requested == nullptr ? std::span<const Node>() : requested->items) {
      const Node *name = set.at({"podTemplateRef", "name"}), *count = set.find("count");
      const auto number = count == nullptr ? std::nullopt : text::whole_number(count->text);
      if (name != nullptr && number)
        requested_.push_back(
            {name->text, {{.span = count->span, .given = true, .label = "count"}, *number}});
    }
  }
}

namespace {

// Adds a scope of the quota; false: it is not known which pods have it. Those with chips are never
// of the best effort.
bool add_scope(std::string_view scope, NewQuota& quota) {
  quota.is_of_endless |= scope == "NotTerminating";
  return scope == "NotTerminating" || scope == "NotBestEffort";
}

bool add_scopes(const Node& spec, NewQuota& quota) {
  bool is_known = true;
  for (const Node& scope : items(spec, "scopes")) is_known &= add_scope(scope.text, quota);
  const Node* selector = spec.find("scopeSelector");
  if (selector == nullptr) return is_known;
  for (const Node& term : items(*selector, "matchExpressions")) {
    const std::string_view scope = term.text_at({"scopeName"}), op = term.text_at({"operator"});
    if (scope == "PriorityClass" && op == "In" && quota.priorities.empty()) {
      for (const Node& value : items(term, "values")) quota.priorities.push_back(value.text);
      is_known &= !quota.priorities.empty();
    } else {
      is_known &= op == "Exists" && add_scope(scope, quota);
    }
  }
  return is_known;
}

}  // namespace

void FileJudge::keep_quota(const Node& object, std::string_view kind) {
  const Node* spec = object.find("spec");
  if (spec == nullptr) return;
  const auto claim = [](const Node* node) {
    Text text;
    if (node != nullptr) text = {{.span = node->span, .given = true}, node->text};
    return text;
  };
  NewQuota quota{fmt::format("{} `{}`", kind, object.text_at({"metadata", "name"})),
                 claim(object.at({"metadata", "namespace"}))};
  quota.is_of_pod = kind == "LimitRange";
  const auto add = [&](const Node* amounts) {
    if (amounts == nullptr) return;
    for (const yaml::Member& each : amounts->members)
      quota.most.emplace_back(each.key.text, claim(&each.value));
  };
  if (!add_scopes(*spec, quota)) return;
  add(spec->find("hard"));
  for (const Node& limit : items(*spec, "limits")) {
    const std::string_view type = limit.text_at({"type"});
    if (type == "Container" || type == "Pod") add(limit.find("max"));
  }
  if (!quota.most.empty()) summary_.world.quotas.push_back(std::move(quota));
}

void FileJudge::keep_identity(const Node& object) {
  const Node* metadata = object.find("metadata");
  if (metadata == nullptr) return;
  summary_.world.identities.push_back(
      {claimed_name(metadata->find("name")), claimed_name(metadata->find("namespace")),
       claimed_name(metadata->at({"annotations", identity_annotation}))});
}

// Keeps what `kubectl annotate serviceaccount NAME iam.gke.io/gcp-service-account=ACCOUNT` gives.
void FileJudge::keep_annotated(std::span<const Text> operands, const Text& name_space) {
  for (const Text& word : operands) {
    if (!word.value.starts_with(identity_annotation)) continue;
    NewIdentity identity{operands[2], name_space, word};
    identity.account.value.erase(
        0, std::min(identity_annotation.size() + 1, identity.account.value.size()));
    summary_.world.identities.push_back(std::move(identity));
  }
}

// `--member=serviceAccount:PROJECT.svc.id.goog[NAMESPACE/NAME]`.
void FileJudge::keep_created(const extract::Command& command) {
  constexpr std::pair<std::string_view, std::string_view> kinds[] = {
      {"secret", "Secret"},        {"secrets", "Secret"}, {"configmap", "ConfigMap"},
      {"configmaps", "ConfigMap"}, {"cm", "ConfigMap"},   {"serviceaccount", "ServiceAccount"},
      {"sa", "ServiceAccount"}};
  const auto text_of = [](const extract::Word& word) {
    Text text;
    text.where.span = word.where;
    text.where.given = true;
    text.value = word.text;
    text.where.placeholder = word.unknown || schema::is_placeholder(word.text);
    return text;
  };
  MadeObject made;
  made.has_all_keys = true;
  std::vector<Text> operands;
  NewQuota quota;
  Text context;
  bool is_of_some = false;
  const auto flag = [&](std::string_view name, const extract::Word& word, std::string_view value) {
    if (name == "-n" || name == "--namespace") {
      made.name_space = text_of(word);
      made.name_space.value = value;
    } else if (name == "--from-literal" || name == "--from-file") {
      std::string_view key = value.substr(0, value.find('='));
      if (key.size() == value.size()) key = key.substr(key.rfind('/') + 1);
      made.keys.emplace_back(key);
      // A folder has a key for each of its files.
      made.has_all_keys &= !key.empty() && key.find('$') == key.npos &&
                           (name == "--from-literal" || key.find('.') != key.npos);
    } else if (name == "--context") {
      context = text_of(word);
      context.value = value;
    } else if (name == "--from-env-file") {
      made.has_all_keys = false;
    } else if (name == "--hard") {
      for (const std::string_view each : text::split(value, ',')) {
        const std::size_t equals = std::min(each.find('='), each.size());
        Text amount = text_of(word);
        amount.value = each.substr(std::min(equals + 1, each.size()));
        quota.most.emplace_back(each.substr(0, equals), std::move(amount));
      }
    } else if (name == "--scopes") {
      for (const std::string_view scope : text::split(value, ',')) {
        if (!add_scope(scope, quota)) is_of_some = true;
      }
    }
  };
  constexpr std::string_view switches[] = {"--dry-run", "--save-config", "--append-hash",
                                           "--validate"};
  for (std::size_t i = 1; i < command.words.size(); ++i) {
    const extract::Word& word = command.words[i];
    const std::string_view text = word.text;
    if (!text.starts_with('-')) {
      made.has_all_keys &= !word.may_split;
      operands.push_back(text_of(word));
      continue;
    }
    const std::size_t equals = text.find('=');
    if (equals != text.npos) {
      flag(text.substr(0, equals), word, text.substr(equals + 1));
    } else if (!contains(switches, text) && i + 1 < command.words.size()) {
      const extract::Word& value = command.words[++i];
      flag(text, value, value.text);
    }
  }
  if (!command.words[0].text.ends_with("kubectl")) return;
  keep_context(context);
  if (operands.size() < 3) return;
  if (operands[0].value == "config" && operands[1].value == "use-context")
    keep_context(operands[2]);
  constexpr std::string_view accounts[] = {"serviceaccount", "serviceaccounts", "sa"};
  if (operands[0].value == "annotate" && contains(accounts, operands[1].value))
    keep_annotated(operands, made.name_space);
  if (operands[0].value != "create") return;
  constexpr std::string_view quotas[] = {"quota", "quotas", "resourcequota", "resourcequotas"};
  if (contains(quotas, operands[1].value) && !is_of_some && !quota.most.empty()) {
    quota.title = fmt::format("ResourceQuota `{}`", operands[2].value);
    quota.name_space = made.name_space;
    summary_.world.quotas.push_back(std::move(quota));
    return;
  }
  for (const auto& [word, kind] : kinds) {
    if (operands[1].value == word) made.kind = kind;
  }
  if (made.kind.empty()) return;
  const bool is_typed = made.kind == "Secret" && operands.size() > 3;
  if (made.kind == "Secret" && operands[2].value != "generic") made.has_all_keys = false;
  made.name = operands[is_typed ? 3 : 2];
  summary_.names.made.push_back(std::move(made));
}

// Keeps the cluster of a context. `gcloud` names one `gke_PROJECT_LOCATION_CLUSTER`.
void FileJudge::keep_context(const Text& context) {
  if (!context.usable()) return;
  NamedCluster cluster{context, true};
  const auto parts = text::split(context.value, '_');
  if (parts.size() == 4 && parts[0] == "gke") cluster = {context, false};
  if (!cluster.is_alias) cluster.name.value = std::string(parts[3]);
  summary_.world.named_clusters.push_back(std::move(cluster));
}

void FileJudge::keep_binding(const view::PoolClaims& pool) {
  const auto verb = std::ranges::find_if(
      pool.operands, [](const Text& word) { return word.value == "add-iam-policy-binding"; });
  if (!pool.path.starts_with("iam") ||
      value_of(pool, "--role").value != "roles/iam.workloadIdentityUser")
    return;
  const bool is_known = pool.path.ends_with("add-iam-policy-binding");
  const auto account = verb == pool.operands.end() ? pool.operands.begin() : verb + 1;
  if ((verb == pool.operands.end() && !is_known) || account == pool.operands.end()) return;
  const view::FlagClaim* members = pool.find("--member");
  if (members == nullptr) return;
  for (const Text& member : members->items()) keep_bound(*account, member);
}

// `member`: `serviceAccount:PROJECT.svc.id.goog[NAMESPACE/NAME]`.
void FileJudge::keep_bound(Text account, Text member) {
  // Terraform's name of it is `projects/PROJECT/serviceAccounts/ACCOUNT`.
  account.value.erase(0, account.value.rfind('/') + 1);
  std::string& name = member.value;
  const std::size_t open = name.find('['), close = name.find(']');
  if (open == name.npos || close == name.npos || close < open) {
    member.where.placeholder = true;
  } else {
    name = name.substr(open + 1, close - open - 1);
    member.where.placeholder = schema::is_placeholder(name);
  }
  summary_.world.bindings.push_back({std::move(account), std::move(member)});
}

// Keeps the members of a policy of Config Connector for an account of Google.
void FileJudge::keep_policy(const Node& object) {
  const Node* resource = object.at({"spec", "resourceRef"});
  if (resource == nullptr || resource->text_at({"kind"}) != "IAMServiceAccount" ||
      !object.text_at({"apiVersion"}).starts_with("iam.cnrm.cloud.google.com/"))
    return;
  const Node& spec = *object.find("spec");
  const auto keep = [&](const Node& binding, const Node* said) {
    if (binding.text_at({"role"}) != "roles/iam.workloadIdentityUser") return;
    // Another field says who it is.
    if (said == nullptr || said->kind != yaml::Kind::scalar) said = &binding;
    const Text member = claimed_name(said);
    keep_account(member);
    Text account = claimed_name(resource->find("external"));
    if (!account.where.given) {
      // The object of the name is an account of its own project, which that of the pods may be.
      account = claimed_name(resource->find("name"));
      const std::size_t from = member.value.find(':') + 1, to = member.value.find(".svc.id.goog[");
      account.where.placeholder |= to == member.value.npos || to < from;
      if (account.usable())
        account.value += fmt::format("@{}.iam.gserviceaccount.com",
                                     std::string_view(member.value).substr(from, to - from));
    }
    keep_bound(account, member);
  };
  if (object.text_at({"kind"}) == "IAMPolicyMember") return keep(spec, spec.find("member"));
  for (const Node& binding : items(spec, "bindings")) {
    for (const Node& member : items(binding, "members"))
      keep(binding, member.kind == yaml::Kind::scalar ? &member : member.find("member"));
  }
}

// Keeps `NAME@PROJECT.iam.gserviceaccount.com`, and the projects of accounts and of pools of
// identities, `PROJECT.svc.id.goog[NAMESPACE/NAME]`.
void FileJudge::keep_account(const Text& word) {
  constexpr std::string_view of_accounts = ".iam.gserviceaccount.com",
                             of_identities = ".svc.id.goog[";
  const std::string_view value = word.value;
  const std::size_t begin = value.find(':') + 1, at = value.find('@', begin);
  const auto part = [&](std::size_t from, std::size_t to) {
    Text text = word;
    text.value = value.substr(from, to - from);
    text.where.placeholder = schema::is_placeholder(text.value);
    Span& span = text.where.span;
    if (span.end - span.begin == value.size())
      span = {span.source, span.begin + from, span.begin + to};
    return ScopeName{"another command", std::move(text)};
  };
  if (at != value.npos && value.ends_with(of_accounts)) {
    accounts_.push_back(part(begin, value.size()));
    projects_.push_back(part(at + 1, value.size() - of_accounts.size()));
  } else if (const std::size_t end = value.find(of_identities, begin); end != value.npos) {
    projects_.push_back(part(begin, end));
  }
}

// `gcloud storage buckets create gs://NAME --no-uniform-bucket-level-access`.
void FileJudge::keep_bucket(const view::PoolClaims& pool) {
  if (pool.find("--no-uniform-bucket-level-access") == nullptr) return;
  for (Text word : pool.operands) {
    if (!word.value.starts_with("gs://")) continue;
    word.value.erase(0, 5);
    summary_.objects.legacy_buckets.push_back(std::move(word));
  }
}

void FileJudge::keep_mounts(const PodTree& pod) {
  for (const Node& volume : items(pod.spec, "volumes")) {
    const Node* bucket = volume.at({"csi", "volumeAttributes", "bucketName"});
    if (bucket == nullptr || is_on(volume.at({"csi", "readOnly"})) || pod.object == nullptr)
      continue;
    summary_.objects.mounts.push_back({bucket->text,
                                       fmt::format("{} `{}`", pod.object->text_at({"kind"}),
                                                   pod.object->text_at({"metadata", "name"})),
                                       bucket->span});
  }
}

namespace {

// Nodes have the labels of partitions where slices are formed of them.
void judge_partitions(std::span<const RunObjects::PartitionLevel> partitions,
                      std::span<const view::FlavorClaims> flavors, const Catalog& catalog,
                      Sink& sink) {
  for (const auto& level : partitions) {
    for (const view::FlavorClaims& flavor : flavors) {
      if (flavor.topology_name.value != level.topology) continue;
      const Generation* generation = resolve::look_up(flavor.claims, catalog).generation;
      if (generation == nullptr || generation->slicing.on_demand) continue;
      sink.report<Code::NoPartitions>(level.where, generation->id, level.label)
          .note("flavor `{}` has the topology", flavor.name.value)
          .help("use a topology of node pools: `nodeLabel: {}`", resolve::pool_label);
      break;
    }
  }
}

}  // namespace

void RunObjects::judge(std::span<const view::FlavorClaims> flavors, const Catalog& catalog,
                       Sink& sink) const {
  judge_partitions(partitions, flavors, catalog, sink);
  kueue.judge(queued_kinds, sink);
  for (const Text& bucket : legacy_buckets) {
    const BucketMount* mount =
        find_where(mounts, [&](const BucketMount& each) { return each.bucket == bucket.value; });
    if (mount == nullptr) continue;
    sink.report<Code::BucketOfObjects>(bucket, bucket.value)
        .also(mount->where, fmt::format("{} mounts it to write", mount->object))
        .help("remove `--no-uniform-bucket-level-access`");
  }
}

void FileJudge::keep_config(const Node& object) {
  ConfigMap& config = summary_.configs.emplace_back();
  config.name = object.text_at({"metadata", "name"});
  config.name_space = object.text_at({"metadata", "namespace"});
  const Node* data = object.find("data");
  if (data == nullptr) return;
  for (const yaml::Member& member : data->members)
    config.values[member.key.text] = {member.value.text, member.value.span};
}

// A priority of a ComputeClass.
void FileJudge::keep_class(const view::PodClaims& pod) {
  if (pod.kind.value != "ComputeClass") return;
  const Facts facts = resolve::look_up(pod.claims, catalog_);
  const bool is_open = facts.generation == nullptr || !facts.topology || !pod.requests_chips();
  summary_.world.classes.push_back(
      {pod.claims.name, {facts.generation, facts.topology, pod.chips.value}, is_open});
}

// Words that come from a ConfigMap are judged with it.
void FileJudge::keep_programs(const PodTree& pod) {
  for (const Node& container : items(pod.spec, "containers")) {
    auto program = program_in(pod, container);
    if (program && !program->config.empty()) summary_.programs.push_back(std::move(*program));
  }
}

bool FileJudge::keep_named(const view::PoolClaims& pool) {
  const Text project = value_of(pool, "--project");
  const bool is_group = pool.path == "compute resource-policies create group-placement";
  if (is_group || pool.command == extract::create_policy) {
    summary_.world.policies.push_back({pool.name, project, value_of(pool, "--region"),
                                       value_of(pool, "--accelerator-topology"), pool.where.span,
                                       is_group, pool.complete, pool.block,
                                       value_of(pool, "--accelerator-topology-mode")});
    return true;
  }
  const Text changed =
      pool.path == "container node-pools update" ? pool.name : value_of(pool, "--node-pool");
  if (pool.command.empty() && changed.where.given)
    summary_.world.changed_pools.push_back({changed.usable() ? changed.value : ""});
  if (pool.find("--enable-autoprovisioning") != nullptr)
    summary_.world.changed_pools.push_back({"", true});
  if (pool.command.empty() || pool.command == view::create_pool) return pool.command.empty();
  summary_.world.clusters.push_back(
      {pool.name, project, pool.claims.cluster.location, pool.claims.cluster.version,
       pool.where.span, value_of(pool, "--release-channel"), pool.complete,
       pool.command == extract::create_autopilot || pool.find("--autopilot") != nullptr,
       !pool.block.type.empty(), pool.find("--node-locations") != nullptr});
  return true;
}

void FileJudge::keep_disks(const view::PodClaims& pod, const Facts& facts) {
  if (!stands_alone(pod.completeness) || made_of_ != nullptr || facts.generation == nullptr ||
      !pod.chips.where.given || facts.generation->attachable_disks.empty())
    return;
  for (const view::DiskMount& disk : pod.disks) {
    if (disk.claim.usable())
      summary_.disks.push_back(
          {disk, pod.name_space, facts.generation, facts.multi_host() ? facts.hosts : 1});
  }
}

void FileJudge::keep_network(const view::PodClaims& pod, const Facts& facts) {
  if (!stands_alone(pod.completeness) || made_of_ != nullptr || pod.spec == nullptr ||
      !pod.chips.where.given)
    return;
  const Node* network = pod.spec->find("hostNetwork");
  if (network != nullptr && network->text != "false") return;
  NetworkedPods pods{fmt::format("{} `{}`", pod.kind.value, pod.claims.name.value),
                     pod.name_space.value,
                     pod.labels,
                     hosts_of(pod, facts) > 1,
                     pod.jobs.usable() && pod.jobs.value > 1,
                     pod.chips.where.span};
  if (!pods.has_hosts && !pods.has_slices) return;
  // The controllers of these kinds set a label.
  const bool is_set = pod.kind.value == "JobSet";
  if (is_set || pod.kind.value == "LeaderWorkerSet") {
    Text key;
    key.value = is_set ? "jobset.sigs.k8s.io/jobset-name" : "leaderworkerset.sigs.k8s.io/name";
    pods.labels.entries.push_back({key, pod.claims.name});
  }
  summary_.networked.push_back(std::move(pods));
}

}  // namespace flexslice::rules
