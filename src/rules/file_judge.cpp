#include "rules/file_judge.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "resolve/labels.hpp"
#include "resolve/workload_names.hpp"
#include "rules/command_rules.hpp"
#include "rules/manifest_rules.hpp"
#include "rules/object_rules.hpp"
#include "rules/pod_rules.hpp"
#include "schema/combinations.hpp"
#include "schema/decode.hpp"
#include "schema/kubernetes_types.hpp"
#include "schema/placeholder.hpp"
#include "view/launch.hpp"
#include "view/read_commands.hpp"
#include "view/read_objects.hpp"
#include "yaml/node.hpp"
#include "yaml/path.hpp"
#include "yaml/value.hpp"

namespace flexslice::rules {

namespace {

bool is_owned(const Node& object) {
  const Node* owners = object.at({"metadata", "ownerReferences"});
  return owners != nullptr && any_of(owners->items, [](const Node& owner) {
           const Node* controls = owner.find("controller");
           return controls != nullptr && controls->text == "true";
         });
}

// The rules that specs have too. What is doubtful is no reason to change what may be running.
void judge_shared(const Facts& facts, Sink& sink) {
  Sink own;
  for (const Rules rules : {found_tpu_rules(), found_provisioning_rules()}) {
    for (const Rule rule : rules) rule(facts, own);
  }
  for (Diagnostic& finding : own.take()) {
    if (finding.code == Code::DoubtfulSize || finding.code == Code::DoubtfulMachineType)
      finding.level = diag::Level::note;
    sink.add(std::move(finding));
  }
}

// Values that Terraform alone knows, of a pool of TPUs.
void note_open_values(const view::PoolClaims& pool, Sink& sink) {
  const extract::ResourceBlock& block = pool.block;
  if (block.open.empty()) return;
  const std::vector<std::string_view> open(block.open.begin(), block.open.end());
  Diagnostic& finding = sink.report<Code::ValuesNotKnown>(pool.where.span, text::quoted_list(open));
  if (block.names.empty()) return;
  finding.note("nothing that was read sets {}", text::join(block.names, ", "))
      .help("name the folder, or the .tfvars file that sets them, too");
}

// A flag of a file is at the place where the file is named.
bool note_flags_file(const view::PoolClaims& pool, Diagnostic& finding) {
  const auto is_its = [&](const view::FlagClaim& flag) {
    return flag.flags_file != Span{} && finding.where.begin >= flag.flags_file.begin &&
           finding.where.end <= flag.flags_file.end;
  };
  if (!any_of(pool.flags, is_its)) return false;
  if (finding.code != Code::FlagDenied) finding.note("the flag is in the file that is named here");
  finding.fixes.clear();
  return true;
}

// A value that comes from a variable is used here and set elsewhere: nothing is certain to fix.
// Says where it is set; empty: it is no such value.
Span note_variable(const view::PoolClaims& pool, Diagnostic& finding) {
  Span set_at;
  if (note_flags_file(pool, finding)) return set_at;
  const auto is_said = [&](const view::FlagClaim& flag) {
    return finding.message.find(flag.value.value) != std::string::npos;
  };
  const auto is_here = [&](const view::FlagClaim& flag) {
    return flag.set_at != Span{} && flag.value.where.span == finding.where;
  };
  // All of a block that is set elsewhere are at one place.
  const bool has_said = any_of(
      pool.flags, [&](const view::FlagClaim& each) { return is_here(each) && is_said(each); });
  for (const view::FlagClaim& flag : pool.flags) {
    if (!is_here(flag) || (has_said && !is_said(flag))) continue;
    set_at = flag.set_at;
    if (flag.set_at != finding.where)
      finding.also(flag.set_at, fmt::format("the value {} is set here", flag.value.value));
    finding.fixes.clear();
  }
  return set_at;
}

// A slice or a Job has so many pods at once.
std::int64_t pods_at_once(const view::PodClaims& pod) {
  if (pod.role == view::PodRole::job) return std::max<std::int64_t>(pods_in(pod), 1);
  for (const schema::Integer* count : {&pod.size, &pod.hosts}) {
    if (count->usable()) return std::max<std::int64_t>(count->value, 1);
  }
  return 1;
}

}  // namespace

std::int64_t pods_in(const view::PodClaims& pod) {
  const auto count_of = [](const schema::Integer& count) {
    return count.usable() ? std::max<std::int64_t>(count.value, 0) : 1;
  };
  switch (pod.role) {
    case view::PodRole::job: {
      const auto pods = count_of(pod.parallelism);
      return (pod.completions.usable() ? std::min(pods, count_of(pod.completions)) : pods) *
             count_of(pod.jobs);
    }
    case view::PodRole::lws_worker:
      return std::max<std::int64_t>(1, count_of(pod.size) - (pod.leader_apart ? 1 : 0));
    case view::PodRole::ray_worker:
      return count_of(pod.hosts);
    default:
      return 1;
  }
}

void FileJudge::judge(view::Found part) {
  ++part_;
  judge_frames(part, sink_);
  if (part.document != nullptr)
    summary_.uses_tpus |= judge_sky_task(*part.document, catalog_, sink_);
  std::vector<Diagnostic> twice;
  judge_object_fields(part, catalog_, twice, sink_);
  // The owner of an object that a controller made is judged instead.
  std::erase_if(part.pods, [](const view::PodClaims& pod) {
    return pod.object != nullptr && is_owned(*pod.object);
  });
  for (view::PodClaims& pod : part.pods) {
    for (auto& [key, value] : pod.claims.workload.node_selector.entries) {
      const auto is_its = [&, &value = value](const auto& each) {
        return each.value.where.span == value.where.span;
      };
      if (any_of(part.not_strings, is_its)) value.where.bad = true;
    }
    pod.claims.is_found = true;
    pod.is_made = made_of_ != nullptr;
  }
  judge_slices_of_objects(part.pods, catalog_, sink_);
  if (made_of_ == nullptr) judge_heads(part.pods, sink_);
  judge_pod_sets(part.pods, sink_);
  keep_names(part);
  for (view::PodClaims& pod : part.pods) {
    if (pod.metadata != nullptr && pod.object != nullptr &&
        pod.metadata != pod.object->find("metadata"))
      judge_counts_in(*pod.metadata, sink_);
    if (pod.spec != nullptr) judge_tree(pod);
    keep_class(pod);
    judge_pod_claims(std::move(pod));
  }
  for (const view::PoolClaims& pool : part.pools) judge_pool_claims(pool);
  for (const view::LaunchClaims& launch : part.launches) judge_launch_claims(launch);
  judge_strings(part, catalog_, sink_);
  judge_document_keys(part, sink_);
  std::vector<ReleaseNeed> needs;
  judge_versions(part, catalog_, needs, sink_);
  if (made_of_ != nullptr) {
    judge_release_needs(needs, made_of_->claims.cluster, catalog_, sink_);
  } else {
    std::ranges::move(needs, std::back_inserter(summary_.release_needs));
  }
  judge_upgrades(part.objects, catalog_, upgrades_, sink_);
  judge_combinations(part, patches(), sink_);
  judge_objects(part, catalog_, made_of_ != nullptr, sink_);
  for (Diagnostic& finding : twice) {
    const auto is_in = [&](const Diagnostic& other) {
      return other.where.source == finding.where.source &&
             other.where.begin >= finding.where.begin && other.where.end <= finding.where.end &&
             other.level <= diag::Level::soft;
    };
    if (!any_of(sink_.found(), is_in)) sink_.add(std::move(finding));
  }
  const auto keep = [](auto& all, auto& more) {
    all.insert(all.end(), std::make_move_iterator(more.begin()),
               std::make_move_iterator(more.end()));
  };
  if (part.has_lost) {
    for (view::ServiceClaims& service : part.services) service.name.where.placeholder = true;
    keep(summary_.services, part.services);
  }
  if (!stands_alone(part.completeness)) return;
  keep(summary_.services, part.services);
  for (view::AutoscalerClaims& scaler : part.autoscalers)
    summary_.world.autoscalers.push_back({std::move(scaler)});
  keep(train_jobs_, part.train_jobs);
  keep(claimed_chips_, part.claimed_chips);
  keep(summary_.disk_claims, part.disk_claims);
  keep(summary_.disk_classes, part.disk_classes);
  keep(summary_.policies, part.policies);
  keep(summary_.namespaces, part.namespaces);
  keep(summary_.queues.flavors, part.flavors);
  keep(summary_.queues.local_queues, part.local_queues);
  keep(summary_.queues.cluster_queues, part.cluster_queues);
  keep(summary_.queues.admission_checks, part.admission_checks);
  keep(summary_.queues.request_configs, part.request_configs);
}

// A ProvisioningRequest asks for whole slices.
void FileJudge::judge_requests() {
  for (const auto& [name, count] : requested_) {
    for (view::PodClaims pod : templates_) {
      if (pod.claims.name.value != name) continue;
      pod.role = view::PodRole::trainer;
      pod.hosts = count;
      judge_counts(pod, resolve::look_up(pod.claims, catalog_), sink_);
    }
  }
}

void FileJudge::judge_pod_claims(view::PodClaims pod) {
  const Facts facts = resolve::look_up(pod.claims, catalog_);
  judge_shared(facts, sink_);
  judge_pod(pod, facts, sink_);
  if (stands_alone(pod.completeness) && made_of_ == nullptr)
    judge_partition(pod, pods_in(pod), sink_);
  const bool counts = pod.requests_chips();
  const std::string object = fmt::format("{} `{}`", pod.kind.value, pod.claims.name.value);
  PodNodes nodes = pod_nodes(pod, facts);
  const NodeShape wanted = nodes.wanted;
  if (!pod.makes_pools) summary_.world.pods.push_back(std::move(nodes));
  if (pod.queue.usable())
    judge_form(pod.queue, pod.queue.where.label, schema::Pattern::dns_subdomain, sink_);
  // Kueue may not manage servers, and then nobody reads the label.
  if (Diagnostic* finding = sink_.find(Code::WrongForm, pod.queue.where.span)) {
    if (finding->notes.size() < 2) finding->note("no LocalQueue has such a name");
    if (pod.kind.value == "Deployment" || pod.kind.value == "StatefulSet")
      finding->level = diag::Level::warning;
  }
  if (pod.queue.usable() && stands_alone(pod.completeness)) {
    summary_.objects.queued_kinds.push_back({pod.kind.value, object});
    summary_.queues.pods[pod.queue.value].add({true, pod.tolerates_tpus});
    const bool has_none = pod.lacks_chips() && says_all(pod.completeness);
    if ((counts && !pod.slice_topology.where.given) || has_none)
      queued_.push_back(
          {pod.queue, pod.name_space, object, wanted,
           counts ? pod.chips.value * pods_at_once(pod) : 0,
           pod.spec == nullptr ? resolve::Requests{} : resolve::pod_requests(*pod.spec),
           pod.requests_topology, pods_in(pod), part_,
           view::taint_claims(pod.spec == nullptr ? nullptr : pod.spec->find("tolerations")),
           pod.claims.workload.node_selector,
           counts ? requested_levels(pod, pod.chips.value * pods_at_once(pod))
                  : std::vector<RequestedLevel>()});
  }
  PodLabels labels;
  for (const auto& [key, value] : pod.labels.entries)
    labels.emplace(key.value, value.usable() ? value.value : "");
  if (!labels.empty()) summary_.labels.push_back(std::move(labels));
  if (stands_alone(pod.completeness) && pod.spec != nullptr) ports_.push_back(pod_ports(pod));
  if (!pod.runtime.empty()) runtimes_.push_back(pod);
  if (pod.kind.value == "PodTemplate") templates_.push_back(pod);
  if (pod.spec != nullptr && stands_alone(pod.completeness))
    units_.push_back({pod.kind.value, pod.claims.name.value, pod.name_space.value,
                      std::string(pod.spec->text_at({"nodeSelector", resolve::class_label})),
                      pod.requests_chips(), pod.lacks_chips() && says_all(pod.completeness)});
  if (!pod.resource_claims.empty() && !pod.chips.where.given && stands_alone(pod.completeness))
    claiming_.push_back(pod);
  keep_disks(pod, facts);
  keep_network(pod, facts);
  keep_counted(pod);
  judge_hosts(pod, facts);
  judge_selectors(pod, facts);
  summary_.uses_tpus |= pod.is_on_tpus() || pod.claims.tpu.topology.where.given;
}

void FileJudge::judge_tree(const view::PodClaims& pod) {
  const Facts facts = resolve::look_up(pod.claims, catalog_);
  const bool on_tpus = pod.is_on_tpus();
  PodTree tree{.spec = *pod.spec,
               .facts = made_of_ == nullptr ? facts : *made_of_,
               .object = pod.object,
               .metadata = pod.metadata,
               .name_space = pod.name_space.value,
               .on_tpus = on_tpus,
               .completeness = pod.completeness};
  if (pod.role == view::PodRole::job) tree.job = pod.holder;
  if (made_of_ != nullptr) {
    tree.field = "workload";
    if (on_tpus) tree.nodes = {made_of_->machine};
  } else {
    for (const Candidate& node : candidates(pod, facts)) tree.nodes.push_back(node.machine);
  }
  judge_pod_tree(tree, sink_);
  if (made_of_ == nullptr) keep_programs(tree);
  keep_mounts(tree);
  if (made_of_ != nullptr) return;
  Sink refused;
  if (on_tpus)
    rules::judge_on_autopilot(tree, refused);
  else if (pod.lacks_chips() && pod.resource_claims.empty())
    judge_tpu_toleration(tree, refused);
  if (on_tpus && pod.claims.provisioning.model.usable()) {
    spec::Claims there = pod.claims;
    there.cluster.mode.value = spec::ClusterMode::autopilot;
    judge_mode_of_model(resolve::look_up(there, catalog_), refused);
  }
  for (Diagnostic& finding : refused.take()) summary_.world.refused.push_back({std::move(finding)});
}

namespace {

// A patch may select other nodes than those of the plan.
void judge_selected_pool(const view::PodClaims& pod, const Facts& facts, Sink& sink) {
  if (pod.lacks_chips()) return judge_ordinary_pool(pod.pool, "remove it", facts, sink);
  if (pod.spec == nullptr || facts.nodes_by_gke() || facts.machine == nullptr ||
      (!facts.creates_pools && !facts.claims.provisioning.node_pools.where.usable()))
    return;
  // A change of the selector that compile makes is reported as such.
  const Node* selected = pod.spec->at({"nodeSelector", resolve::pool_label});
  if (!pod.pool.usable() || contains(resolve::pool_names(facts), pod.pool.value) ||
      (selected != nullptr && selected->span == pod.pool.where.span))
    return;
  sink.report<Code::SelectorWithoutNodes>(
          pod.pool, fmt::format("{}: {}", resolve::pool_label, pod.pool.value))
      .note("the plan has node pool {}", text::join(resolve::pool_names(facts), ", "))
      .help("remove it, or write `provisioning.nodePool`");
}

// Labels of nodes that follow from the model or the reservation, which a patch may select too.
void judge_selected_labels(const view::PodClaims& pod, const Facts& facts, Sink& sink) {
  constexpr std::string_view reservation_label = "cloud.google.com/reservation-name";
  if (pod.lacks_chips() || facts.model == nullptr ||
      (!facts.gets_new_nodes() && !facts.claims.provisioning.model.where.given))
    return;
  const auto models = facts.models();
  const Text& reservation = facts.claims.provisioning.reservation;
  for (const auto& [key, value] : pod.claims.workload.node_selector.entries) {
    if (!value.usable()) continue;
    std::string_view of_model;
    bool has_it = false;
    for (const catalog::Model& model : facts.catalog.models) {
      const catalog::Label* label =
          catalog::named(model.node_selector, &catalog::Label::key, std::string_view(key.value));
      if (label == nullptr || label->value != value.value) continue;
      of_model = model.name;
      has_it = has_it || any_of(models, [&](const catalog::Model* own) {
                 return own == &model || (own->flex_start && model.flex_start);
               });
    }
    const bool is_reservation =
        key.value == reservation_label && facts.creates_pools && !reservation.where.bad &&
        value.value != std::string_view(reservation.value).substr(reservation.value.rfind('/') + 1);
    if (!is_reservation && (of_model.empty() || has_it)) continue;
    Diagnostic& finding = sink.report<Code::SelectorWithoutNodes>(
        value, fmt::format("{}: {}", key.value, value.value));
    if (is_reservation)
      finding.help(
          "remove it, or write `provisioning.model: reservation` and `provisioning.reservation: "
          "{}`",
          value.value);
    else
      finding.note("the nodes are those of model {}", facts.model->name)
          .help("remove it, or write `provisioning.model: {}`", of_model);
  }
}

}  // namespace

void judge_made(std::span<const yaml::Node> objects, const Facts& facts, Sink& sink) {
  Sink own;
  FileJudge judge(facts.catalog, {}, own, &facts);
  for (const yaml::Node& object : objects) {
    view::Found found;
    view::read_document(object, facts.catalog, found);
    for (const view::PodClaims& pod : found.pods) {
      judge_selected_pool(pod, facts, own);
      judge_selected_labels(pod, facts, own);
    }
    judge.judge(std::move(found));
  }
  judge.finish();
  const FileSummary rest = judge.summary();
  rest.objects.judge(rest.queues.all_flavors, facts.catalog, own);
  for (const NamedHosts& hosts : rest.hosts) {
    std::vector<std::string_view> names;
    for (const auto& service : rest.services) names.push_back(service.name.value);
    const Span where = hosts.service.where.span;
    report_no_service(hosts, names, where == Span{} ? facts.claims.patches.where.span : where, own);
  }
  const Span patches = facts.claims.patches.where.span;
  const bool good_patches = !any_of(sink.found(), [&](const Diagnostic& earlier) {
    return earlier.where.source == patches.source && earlier.where.begin >= patches.begin &&
           earlier.where.end <= patches.end;
  });
  for (Diagnostic& finding : own.take()) {
    // compile makes no mistake: where nothing was written, a patch has taken something out.
    if (finding.where == Span{} && good_patches) finding.where = patches;
    if (finding.where != Span{} && finding.level != diag::Level::note &&
        sink.find(finding.code, finding.where) == nullptr)
      sink.add(std::move(finding));
  }
}

void FileJudge::judge_launch_claims(const view::LaunchClaims& launch) {
  const view::DeviceAnswer answer = launch.device.answer;
  summary_.uses_tpus |= answer != view::DeviceAnswer::none && answer != view::DeviceAnswer::other;
  judge_launch(launch, catalog_, sink_);
  launches_.push_back(launch);
  const view::LaunchFlag* queue = launch.find_as("queue");
  if (queue != nullptr && queue->value.usable())
    summary_.names.references.push_back({"LocalQueue", queue->value, {}});
  if (answer != view::DeviceAnswer::known) return;
  judge_shared(resolve::look_up(launch.claims, catalog_), sink_);
  judge_launched_programs(launch);
}

// Judges what the command runs, in the pods of the object that it creates.
void FileJudge::judge_launched_programs(const view::LaunchClaims& launch) {
  if (launch.is_pathways()) return;
  const Node object = view::launched_object(launch);
  view::Found found;
  if (object.kind == yaml::Kind::mapping) view::read_document(object, catalog_, found);
  for (const view::PodClaims& pod : found.pods) {
    if (pod.spec == nullptr || !pod.is_on_tpus()) continue;
    const Facts facts = resolve::look_up(pod.claims, catalog_);
    const PodTree tree{.spec = *pod.spec,
                       .facts = facts,
                       .job = pod.role == view::PodRole::job ? pod.holder : nullptr,
                       .object = pod.object,
                       .metadata = pod.metadata,
                       .completeness = pod.completeness};
    for (const Node& container : items(*pod.spec, "containers")) {
      if (const auto program = program_in(tree, container)) judge_devices(*program, sink_);
    }
  }
}

void FileJudge::judge_pool_claims(const view::PoolClaims& pool) {
  const Facts facts = resolve::look_up(pool.claims, catalog_);
  const spec::Tpu& tpu = pool.claims.tpu;
  const bool on_tpus = tpu.type.where.given || tpu.topology.where.given || facts.claimed != nullptr;
  summary_.uses_tpus |= on_tpus;
  if (on_tpus) note_open_values(pool, sink_);
  Sink own;
  judge_shared(facts, own);
  judge_pool(pool, facts, gcloud_version_, own);
  for (Diagnostic& finding : own.take()) {
    const Span set_at = note_variable(pool, finding);
    view::name_arguments(pool.block, finding);
    // A variable of Terraform is one fault, however many resources have it.
    if (set_at != Span{} && !pool.block.type.empty()) {
      const auto [first, is_new] =
          of_variables_.try_emplace({set_at, finding.message}, finding.where);
      Diagnostic* earlier = is_new ? nullptr : sink_.find(finding.code, first->second);
      if (earlier != nullptr) {
        earlier->also(finding.where, "and used here");
        continue;
      }
    }
    sink_.add(std::move(finding));
  }
  keep_binding(pool);
  keep_bucket(pool);
  const bool is_cluster = pool.path.starts_with("container clusters");
  const Text cluster = is_cluster ? pool.name : value_of(pool, "--cluster");
  if (cluster.where.given) clusters_.push_back({"another command", cluster});
  if (pool.path == "container clusters get-credentials")
    summary_.world.named_clusters.push_back({pool.name});
  projects_.push_back({"another command", value_of(pool, "--project")});
  const auto keep_word = [&](const Text& word) {
    names_.add(word);
    keep_account(word);
  };
  for (const Text& operand : pool.operands) keep_word(operand);
  for (const view::FlagClaim& flag : pool.flags) {
    for (const Text& item : flag.items()) keep_word(item);
  }
  if (pool.path == "compute reservations create" && pool.name.usable())
    summary_.world.reservations.push_back({pool.name, pool.where.span});
  if (keep_named(pool)) return;
  summary_.world.pools.push_back(pool_nodes(pool, facts));
}

}  // namespace flexslice::rules
