#include "rules/file_rules.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "resolve/labels.hpp"
#include "rules/object_rules.hpp"
#include "schema/combinations.hpp"
#include "schema/decode.hpp"
#include "schema/kubernetes_types.hpp"
#include "schema/placeholder.hpp"
#include "view/read_commands.hpp"
#include "view/read_objects.hpp"
#include "yaml/node.hpp"
#include "yaml/path.hpp"
#include "yaml/value.hpp"

namespace flexslice::rules {

bool has_required(const yaml::Node& node, const schema::Type& type) {
  using schema::Category;
  if (type.category == Category::list || type.category == Category::map)
    return std::ranges::all_of(
               node.items,
               [&](const yaml::Node& item) { return has_required(item, *type.element); }) &&
           std::ranges::all_of(node.members, [&](const yaml::Member& member) {
             return has_required(member.value, *type.element);
           });
  if (type.category != Category::record || node.kind != yaml::Kind::mapping) return true;
  const schema::Table& table = *type.table;
  return std::ranges::all_of(table.fields, [&](const schema::Field& field) {
    const yaml::Node* value = node.find(field.key);
    return value == nullptr ? field.presence != schema::Presence::required
                            : has_required(*value, *field.type);
  });
}

namespace {

// GKE gives nodes one fixed value of some labels; empty: not of this one.
std::string_view value_of_label(const Catalog& catalog, std::string_view key) {
  for (const Model& model : catalog.models) {
    if (const Label* label = named(model.node_selector, &Label::key, key)) return label->value;
  }
  return {};
}

bool is_yes(std::string_view text) {
  constexpr std::string_view words[] = {"true", "yes", "on", "y"};
  return contains(words, text::lower(text));
}

void judge_strings(const view::Found& found, const Catalog& catalog, Sink& sink) {
  for (const auto& [key, value] : found.not_strings) {
    const yaml::Node& node = value.value;
    const yaml::ScalarType type = yaml::kubectl_type_of(node);
    const std::string read_as = yaml::describe(node, type);
    Diagnostic& finding = sink.report<Code::NotAString>(value, key.value, read_as);
    if (type != yaml::type_of(node))
      finding.note("kubectl reads YAML 1.1, where `{}` is a {}", node.text,
                   type == yaml::ScalarType::boolean ? "boolean" : "number");
    const std::string_view only = value_of_label(catalog, key.value);
    const std::string quoted =
        fmt::format("\"{}\"", only == "true" && is_yes(node.text) ? only : node.text);
    finding.help("write {}", quoted).fix(value.where.span, quoted);
  }
}

void judge_plain_keys(const yaml::Node& node, Sink& sink) {
  for (const yaml::Node& item : node.items) judge_plain_keys(item, sink);
  for (const auto& [key, value] : node.members) {
    judge_plain_keys(value, sink);
    const auto type = yaml::kubectl_type_of(key);
    if (type != yaml::ScalarType::boolean && type != yaml::ScalarType::integer) continue;
    yaml::Node read = key;
    yaml::read_old_scalar(read);
    if (read.text == key.text) continue;
    sink.report<Code::KeyOfAnotherType>(key.span, key.text, read.text)
        .help("write `\"{}\"`", key.text);
  }
}

void judge_document_keys(const view::Found& found, Sink& sink) {
  if (found.document == nullptr || !found.is_for_kubectl || found.objects.empty()) return;
  judge_plain_keys(*found.document, sink);
}

std::string_view api_group(std::string_view version) {
  return version.substr(0, version.find('/') == version.npos ? 0 : version.find('/'));
}

// `v1`, `v2beta1`: the number, or nothing where it is no version.
std::optional<std::int64_t> major_of(std::string_view api_version) {
  std::string_view version = api_version.substr(api_version.rfind('/') + 1);
  if (!text::take_one_of(version, "v")) return std::nullopt;
  const std::size_t end = std::min(version.find_first_not_of("0123456789"), version.size());
  const auto number = text::whole_number(version.substr(0, end));
  std::string_view rest = version.substr(end);
  for (const std::string_view word : {"alpha", "beta"}) {
    if (rest.starts_with(word))
      return text::whole_number(rest.substr(word.size())) ? number : std::nullopt;
  }
  return rest.empty() ? number : std::nullopt;
}

// A later release of the controller may have it.
bool may_be_served_later(std::string_view version, std::string_view kind) {
  const auto major = major_of(version);
  std::int64_t most = 1;
  for (const std::string_view known : schema::kubernetes::versions_of(kind))
    most = std::max(most, major_of(known).value_or(1));
  return major && *major <= most + 1;
}

// No group of Kubernetes itself has a kind that is not in its table.
bool is_builtin_group(std::string_view group) { return schema::kubernetes::is_own_group(group); }

void judge_group(const Text& version, const Text& kind, const Catalog& catalog, Sink& sink) {
  const ServedApi* served = find_served_api(catalog, version.value);
  if (served != nullptr && contains(served->kinds, kind.value)) return;
  if (!version.usable() || schema::is_placeholder(version.value)) return;
  if (schema::kubernetes::find(kind.value, version.value) != nullptr) return;
  const std::string_view known = schema::kubernetes::api_version(kind.value);
  if (known.empty()) {
    std::string_view meant = schema::kubernetes::kind_like(kind.value);
    if (meant.empty()) {
      const auto kinds = schema::kubernetes::kinds_of(version.value);
      meant = text::nearest(kind.value, kinds).value_or("");
      // `Config` is kubectl's own, and no ConfigMap.
      const auto difference = std::ssize(meant) - std::ssize(kind.value);
      if (difference < -2 || difference > 2) meant = {};
    }
    if (!meant.empty())
      sink.report<Code::WrongApiVersion>(kind, version.value, kind.value).help("write {}", meant);
    return;
  }
  const std::string_view group = api_group(version.value), own = api_group(known);
  // `jobset` of `jobset.x-k8s.io`: other controllers have Jobs, and none a JobSet.
  const std::string_view controller = own.substr(0, own.find('.'));
  const auto is_like = [&](std::string_view one, std::string_view other) {
    return !other.empty() && text::nearest(one, std::span(&other, 1)).has_value();
  };
  const bool is_meant = group == own || is_builtin_group(group) || is_like(version.value, known) ||
                        (!is_builtin_group(own) && group.find(controller) != group.npos);
  if (!is_meant) return;
  Diagnostic& finding = sink.report<Code::WrongApiVersion>(version, version.value, kind.value);
  finding.help("write {}", known);
  if (group == own && !is_builtin_group(own) && may_be_served_later(version.value, kind.value)) {
    finding.level = diag::Level::warning;
    if (const schema::Table* table = schema::kubernetes::find(kind.value, known);
        table != nullptr && !table->release.empty())
      finding.note("{} is the newest release known here", table->release);
  }
}

void judge_versions(const view::Found& found, const Catalog& catalog,
                    std::vector<ReleaseNeed>& needs, Sink& sink) {
  if (found.has_target) return;
  for (const view::ObjectClaims& object : found.without_version) {
    const Text& kind = object.kind;
    const std::string_view version = schema::kubernetes::api_version(kind.value);
    if (version.empty() || !says_all(object.completeness) || has_misspelt_version(*object.tree))
      continue;
    sink.report<Code::ApiVersionMissing>(kind, kind.value).help("add `apiVersion: {}`", version);
  }
  for (const auto& [version, kind, tree, completeness] : found.objects) {
    const OldVersion* old = find_old_version(catalog, version.value, kind.value);
    const bool depends = says_all(completeness) && depends_on_release(version.value, catalog);
    if (depends) needs.push_back({version, kind.value, {}, old});
    // `clusterqueue` is not a kind that a release has removed.
    const std::string_view meant = schema::kubernetes::kind_like(kind.value);
    if (old == nullptr || (!meant.empty() && meant != kind.value)) {
      judge_group(version, kind, catalog, sink);
    } else if (!depends) {
      report_old(version, kind.value, *old, catalog, sink);
    }
    if (says_all(completeness)) add_field_needs(*tree, version.value, kind.value, needs);
  }
}

// `twice`: findings that other rules may have.
void judge_object_fields(const view::Found& found, const Catalog& catalog,
                         std::vector<Diagnostic>& twice, Sink& sink) {
  for (const auto& [version, kind, tree, completeness] : found.objects) {
    const schema::Table* table = schema::kubernetes::find(kind.value, version.value);
    const yaml::Node* metadata = tree->find("metadata");
    // Without it, the object is named and not described.
    if (table == nullptr || metadata == nullptr || metadata->kind != yaml::Kind::mapping) continue;
    Sink own;
    schema::judge_manifest(
        *tree, *table, {version.value, completeness, added_fields(catalog, version.value)}, own);
    for (Diagnostic& finding : own.take()) {
      const auto is_reported = [&](const auto& each) {
        return each.value.where.span == finding.where;
      };
      if (finding.code == Code::ItemTwice)
        twice.push_back(std::move(finding));
      else if (finding.code != Code::NotAString || !any_of(found.not_strings, is_reported))
        sink.add(std::move(finding));
    }
  }
}

// The API server rejects these in any object: fields that exclude each other, or an object with
// none of the fields of which it needs one. The latter counts only if the rest is whole.
// `patches`: those of a spec, which compile has applied; else empty.
void judge_combinations(const view::Found& found, Span patches, Sink& sink) {
  const auto is_set = [&](Span key) {
    return patches == Span{} ||
           (key.source == patches.source && key.begin >= patches.begin && key.end <= patches.end);
  };
  for (const auto& [version, kind, tree, completeness] : found.objects) {
    const schema::Table* table = schema::kubernetes::find(kind.value, version.value);
    if (table == nullptr || !stands_alone(completeness)) continue;
    std::optional<bool> whole;
    const auto has_all = [&, &tree = tree, completeness = completeness] {
      if (!whole)
        whole = says_all(completeness) &&
                has_required(*tree, {.category = schema::Category::record, .table = table});
      return *whole;
    };
    for (const schema::JudgedPart& part : schema::parts_with_combinations(*tree, *table)) {
      judge_field_rules(part, has_all, sink);
      const auto given = schema::wrong_fields(part);
      if (!given) continue;
      if (!given->empty()) {
        const yaml::Node* last = nullptr;
        std::vector<std::string> to_remove;
        for (const yaml::Member& member : part.node->members) {
          if (!contains(*given, member.key.text)) continue;
          if (is_set(member.key.span)) {
            last = &member.key;
          } else {
            to_remove.push_back(fmt::format("`{}: null`", member.key.text));
          }
        }
        if (last == nullptr) continue;
        Diagnostic& finding = sink.report<Code::FieldsExclude>(
            *last, fmt::format("`{}`", text::join(*given, "` and `")), yaml::path_text(part.path));
        if (to_remove.empty()) {
          finding.help("remove one of them");
        } else {
          finding.help("add {}", text::join(to_remove, " and "));
        }
        continue;
      }
      if (has_all())
        sink.report<Code::NoneOfFields>(part.where, yaml::path_text(part.path),
                                        text::quoted_list(part.type->one_of));
    }
  }
}

std::string names_in(const Node& list) {
  std::vector<std::string_view> names;
  for (const Node& item : list.items) {
    const Node* name = item.find("name");
    names.push_back(name == nullptr ? item.text : name->text);
  }
  return names.empty() ? "none" : text::join(names, ", ");
}

void judge_covered_resources(const Node& queue, Sink& sink) {
  const Node* groups = queue.at({"spec", "resourceGroups"});
  if (groups == nullptr) return;
  for (const Node& group : groups->items) {
    const Node *covered = group.find("coveredResources"), *flavors = group.find("flavors");
    if (covered == nullptr || flavors == nullptr) continue;
    for (const Node& flavor : flavors->items) {
      const Node *name = flavor.find("name"), *resources = flavor.find("resources");
      if (name == nullptr || resources == nullptr || resources->items.empty() ||
          names_in(*resources) == names_in(*covered))
        continue;
      sink.report<Code::ResourcesNotCovered>(name->span, name->text, names_in(*resources),
                                             names_in(*covered))
          .help("list the resources of the flavor as `coveredResources` does, in the same order");
    }
  }
}

// Kueue reads a requested topology from templates of pods alone.
void judge_places_of_annotations(const Node& node, std::string_view kind, Sink& sink) {
  const Node* metadata = node.find("metadata");
  const Node* annotations = metadata == nullptr ? nullptr : metadata->find("annotations");
  const bool is_pod = kind == "Pod" || kind == "PodTemplate" || node.at({"spec", "containers"});
  if (annotations != nullptr && !is_pod) {
    for (const yaml::Member& member : annotations->members) {
      if (member.key.text.starts_with("kueue.x-k8s.io/podset-"))
        sink.report<Code::AnnotationOfOtherKind>(
                member.key, member.key.text, kind.empty() ? "Job template" : kind, "pod template")
            .help("write it into `metadata` of the pod template");
    }
  }
  for (const yaml::Member& member : node.members) {
    if (member.key.text != "metadata") judge_places_of_annotations(member.value, {}, sink);
  }
  for (const Node& item : node.items) judge_places_of_annotations(item, {}, sink);
}

// A controller also sets them on what it makes.
void judge_annotations(const yaml::Node& object, std::string_view kind, Sink& sink) {
  if (kind == "Pod" || object.at({"metadata", "ownerReferences"}) != nullptr) return;
  const Node& job = spec::job_of(object);
  const Node* of_job = &job == &object ? nullptr : job.at({"metadata", "annotations"});
  const Node* of_pods = job.at({"spec", "template", "metadata", "annotations"});
  judge_places_of_annotations(object, kind, sink);
  for (const Node* annotations : {object.at({"metadata", "annotations"}), of_job, of_pods}) {
    if (annotations == nullptr) continue;
    for (const yaml::Member& member : annotations->members)
      judge_annotation(member.key.span, member.key.text, kind, sink);
  }
}

// Kueue reads labels of the object, or of the Job that a CronJob makes.
void judge_mistaken_labels(const Node& object, const Catalog& catalog, Sink& sink) {
  for (const Node* labels : {object.at({"metadata", "labels"}),
                             object.at({"spec", "jobTemplate", "metadata", "labels"})}) {
    if (labels == nullptr) continue;
    for (const yaml::Member& member : labels->members) {
      const Mistake* row =
          named(catalog.mistaken_labels, &Mistake::name, std::string_view(member.key.text));
      if (row == nullptr || labels->find(row->instead) != nullptr) continue;
      sink.report<Code::LabelUnread>(member.key, member.key.text)
          .note(std::string(row->why))
          .help("write {}", row->instead)
          .fix(member.key.span, std::string(row->instead));
    }
  }
}

bool is_owned(const Node& object) {
  const Node* owners = object.at({"metadata", "ownerReferences"});
  return owners != nullptr && any_of(owners->items, [](const Node& owner) {
           const Node* controls = owner.find("controller");
           return controls != nullptr && controls->text == "true";
         });
}

void judge_objects(const view::Found& found, const Catalog& catalog, bool is_made, Sink& sink) {
  for (const auto& [version, kind, tree, completeness] : found.objects) {
    if (kind.value == "ClusterQueue" && stands_alone(completeness))
      judge_covered_resources(*tree, sink);
    judge_annotations(*tree, kind.value, sink);
    if (kind.value != "Pod") judge_mistaken_labels(*tree, catalog, sink);
    if (!stands_alone(completeness)) continue;
    judge_relations(*tree, kind.value, is_made, sink);
    judge_spelling_of_keys(*tree, sink);
    if (is_made) continue;
    if (kind.value == "HorizontalPodAutoscaler") judge_autoscaler(*tree, catalog, sink);
    const Node* gateway_class = tree->at({"spec", "gatewayClassName"});
    if (kind.value == "Gateway" && is_literal(gateway_class))
      judge_gateway_class(gateway_class->span, gateway_class->text, catalog, sink);
    // A patch that changes a selector breaks the plan, and is reported as that.
    judge_selector(*tree, kind.value, completeness, sink);
  }
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
  if (pod.kind.value == "JobSet") return std::max<std::int64_t>(pods_in(pod), 1);
  for (const schema::Integer* count : {&pod.parallelism, &pod.size, &pod.hosts}) {
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

Diagnostic& report_old(const Text& version, std::string_view kind, const OldVersion& old,
                       const Catalog& catalog, Sink& sink) {
  Diagnostic& finding =
      old.removed_in.empty()
          ? sink.report<Code::OldApiVersion>(version, version.value, kind)
          : sink.report<Code::RemovedApiVersion>(version, kind, version.value, old.removed_in);
  if (old.gone) finding.level = diag::Level::warning;
  if (const std::string since = served_since(old.instead, catalog); !since.empty()) {
    finding.help("the present one is {}, which {}", old.instead, since);
  } else if (!old.instead.empty()) {
    finding.help("the present one is {}", old.instead);
  }
  if (!old.help.empty() && old.instead.empty()) finding.help(std::string(old.help));
  if (!old.help.empty() && !old.instead.empty()) finding.note(std::string(old.help));
  return finding;
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
    const Node* metadata = object.tree->find("metadata");
    if (metadata != nullptr && made_of_ == nullptr) judge_metadata_keys(*metadata, sink_);
    if (metadata != nullptr) judge_counts_in(*metadata, sink_);
    add_names(*object.tree, object.kind.value, pods, summary_.names);
    if (object.kind.value == "ConfigMap") {
      keep_config(*object.tree);
      summary_.objects.kueue.add_map(*object.tree);
    }
    if (object.kind.value == "Configuration") summary_.objects.kueue.add_object(*object.tree);
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

// A quota with scopes is for some pods only.
void FileJudge::keep_quota(const Node& object, std::string_view kind) {
  const Node* spec = object.find("spec");
  if (spec == nullptr || spec->find("scopes") != nullptr || spec->find("scopeSelector") != nullptr)
    return;
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
  add(spec->find("hard"));
  for (const Node& limit : items(*spec, "limits")) {
    const std::string_view type = limit.text_at({"type"});
    if (type == "Container" || type == "Pod") add(limit.find("max"));
  }
  if (!quota.most.empty()) summary_.world.quotas.push_back(std::move(quota));
}

// `--member=serviceAccount:PROJECT.svc.id.goog[NAMESPACE/NAME]`.
void FileJudge::keep_binding(const view::PoolClaims& pool) {
  const auto verb = std::ranges::find_if(
      pool.operands, [](const Text& word) { return word.value == "add-iam-policy-binding"; });
  if (!pool.path.starts_with("iam") ||
      value_of(pool, "--role").value != "roles/iam.workloadIdentityUser")
    return;
  const bool is_known = pool.path.ends_with("add-iam-policy-binding");
  const auto account = verb == pool.operands.end() ? pool.operands.begin() : verb + 1;
  if ((verb == pool.operands.end() && !is_known) || account == pool.operands.end()) return;
  IdentityBinding binding{*account, value_of(pool, "--member")};
  std::string& member = binding.member.value;
  const std::size_t open = member.find('['), close = member.find(']');
  if (open == member.npos || close == member.npos || close < open) {
    binding.member.where.placeholder = true;
  } else {
    member = member.substr(open + 1, close - open - 1);
    binding.member.where.placeholder = schema::is_placeholder(member);
  }
  summary_.names.bindings.push_back(std::move(binding));
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
           view::taint_claims(pod.spec == nullptr ? nullptr : pod.spec->find("tolerations"))});
  }
  if (stands_alone(pod.completeness) && pod.spec != nullptr)
    ports_.push_back({pod.labels, pod.ports, pod.spec->find("containers") == nullptr,
                      pod.claims.name.value, pod.port_numbers,
                      pod.lists_ports && pod.requests_chips()});
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
  if (made_of_ != nullptr || !on_tpus) return;
  Sink refused;
  rules::judge_on_autopilot(tree, refused);
  if (pod.claims.provisioning.model.usable()) {
    spec::Claims there = pod.claims;
    there.cluster.mode.value = spec::ClusterMode::autopilot;
    judge_mode_of_model(resolve::look_up(there, catalog_), refused);
  }
  for (Diagnostic& finding : refused.take()) summary_.world.refused.push_back({std::move(finding)});
}

// Words that come from a ConfigMap are judged with it.
void FileJudge::keep_programs(const PodTree& pod) {
  for (const Node& container : items(pod.spec, "containers")) {
    auto program = program_in(pod, container);
    if (program && !program->config.empty()) summary_.programs.push_back(std::move(*program));
  }
}

void judge_made(std::span<const yaml::Node> objects, const Facts& facts, Sink& sink) {
  Sink own;
  FileJudge judge(facts.catalog, {}, own, &facts);
  for (const yaml::Node& object : objects) {
    view::Found found;
    view::read_document(object, facts.catalog, found);
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
  const Text cluster = is_cluster ? pool.name : pool.claims.cluster.name;
  if (cluster.where.given) clusters_.push_back({"another command", cluster});
  projects_.push_back({"another command", value_of(pool, "--project")});
  if (pool.path == "compute reservations create" && pool.name.usable())
    summary_.world.reservations.push_back({pool.name, pool.where.span});
  if (keep_named(pool)) return;
  summary_.world.pools.push_back(pool_nodes(pool, facts));
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
    if (disk.claim.usable()) summary_.disks.push_back({disk, pod.name_space, facts.generation});
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
