#include "rules/manifest_rules.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "resolve/labels.hpp"
#include "rules/object_rules.hpp"
#include "rules/references.hpp"
#include "schema/combinations.hpp"
#include "schema/decode.hpp"
#include "schema/kubernetes_types.hpp"
#include "schema/placeholder.hpp"
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
  if (version.find('/') != version.rfind('/')) return false;
  const auto major = major_of(version);
  std::int64_t most = 1;
  for (const std::string_view known : schema::kubernetes::versions_of(kind))
    most = std::max(most, major_of(known).value_or(1));
  return major && *major <= most + 1;
}

// No group of Kubernetes itself has a kind that is not in its table.

bool is_builtin_group(std::string_view group) { return schema::kubernetes::is_own_group(group); }

// The kind of the version that is meant by a word that is none, or empty.
std::string_view meant_kind(std::string_view version, std::string_view kind) {
  const std::string_view like = schema::kubernetes::kind_like(kind);
  if (!like.empty()) return like;
  const auto kinds = schema::kubernetes::kinds_of(version);
  const std::string_view nearest = text::nearest(kind, kinds).value_or("");
  // `Config` is kubectl's own, and no ConfigMap.
  const auto difference = std::ssize(nearest) - std::ssize(kind);
  return difference < -2 || difference > 2 ? std::string_view() : nearest;
}

void judge_group(const Text& version, const Text& kind, const Catalog& catalog, Sink& sink) {
  const ServedApi* served = find_served_api(catalog, version.value);
  if (served != nullptr && contains(served->kinds, kind.value)) return;
  if (!version.usable() || schema::is_placeholder(version.value)) return;
  if (schema::kubernetes::find(kind.value, version.value) != nullptr) return;
  const std::string_view known = schema::kubernetes::api_version(kind.value);
  if (known.empty()) {
    if (const std::string_view meant = meant_kind(version.value, kind.value); !meant.empty())
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

// `twice`: findings that other rules may have.

// The API server rejects these in any object: fields that exclude each other, or an object with

// none of the fields of which it needs one. The latter counts only if the rest is whole.

// `patches`: those of a spec, which compile has applied; else empty.

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

}  // namespace

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

void judge_document_keys(const view::Found& found, Sink& sink) {
  if (found.document == nullptr || !found.is_for_kubectl || found.objects.empty()) return;
  judge_plain_keys(*found.document, sink);
}

void judge_versions(const view::Found& found, const Catalog& catalog,
                    std::vector<ReleaseNeed>& needs, Sink& sink) {
  if (found.has_target) return;
  for (const view::ObjectClaims& object : found.without_version) {
    const Text& kind = object.kind;
    const std::string_view version = schema::kubernetes::api_version(kind.value);
    if (version.empty() || !says_all(object.completeness) || has_misspelt_version(*object.tree))
      continue;
    Diagnostic& finding = sink.report<Code::ApiVersionMissing>(kind, kind.value);
    finding.help("add `apiVersion: {}`", version);
    if (found.is_shown) finding.level = diag::Level::warning;
  }
  for (const auto& [version, kind, tree, completeness] : found.objects) {
    const OldVersion* old = find_old_version(catalog, version.value, kind.value);
    const bool depends = says_all(completeness) && depends_on_release(version.value, catalog);
    if (depends) needs.push_back({version, kind.value, {}, old});
    // `clusterqueue` and `ClusterQuue` are no kinds that a release has removed.
    const bool is_misspelt = schema::kubernetes::api_version(kind.value).empty() &&
                             !meant_kind(version.value, kind.value).empty();
    if (old == nullptr || is_misspelt) {
      judge_group(version, kind, catalog, sink);
    } else if (!depends) {
      report_old(version, kind.value, *old, catalog, sink);
    }
    if (says_all(completeness)) add_field_needs(*tree, version.value, kind.value, needs);
  }
}

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
    if (kind.value == "CheckpointConfiguration")
      judge_checkpoint_configuration(*tree, catalog, sink);
    const Node* gateway_class = tree->at({"spec", "gatewayClassName"});
    if (kind.value == "Gateway" && is_literal(gateway_class))
      judge_gateway_class(gateway_class->span, gateway_class->text, catalog, sink);
    // A patch that changes a selector breaks the plan, and is reported as that.
    judge_selector(*tree, kind.value, completeness, sink);
  }
}

}  // namespace flexslice::rules
