#include "driver/artifacts.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <set>

#include "backend/gcloud/bash.hpp"
#include "backend/kubernetes/apply.hpp"
#include "backend/kubernetes/multikueue.hpp"
#include "backend/kubernetes/objects.hpp"
#include "backend/picture/picture.hpp"
#include "backend/terraform/arguments.hpp"
#include "driver/submit_line.hpp"
#include "yaml/emit.hpp"

namespace flexslice {

using yaml::Value;

namespace {

std::string print_objects(const ArtifactHeader& header, std::span<const Value> objects) {
  std::string out;
  if (header.comments) {
    out += fmt::format("# {}, compiled by flexslice from {}.\n", header.name,
                       yaml::one_line(header.source));
    for (const Value& object : objects) out += kubernetes::apply_again(object);
  }
  yaml::emit_documents(objects, {.comments = header.comments}, out);
  return out;
}

std::string manifests(const Outputs& outputs) {
  return outputs.objects.empty() ? std::string()
                                 : print_objects(header_of(outputs), outputs.objects);
}

std::string compute_class(const Outputs& outputs) {
  std::vector<Value> objects;
  std::ranges::copy_if(outputs.objects, std::back_inserter(objects),
                       [](const Value& each) { return each.text_at({"kind"}) == "ComputeClass"; });
  return objects.empty() ? std::string() : print_objects(header_of(outputs), objects);
}

// Prints the objects of a worker; those of the manager are of all places together.
std::string worker(const Outputs& outputs) {
  if (!kubernetes::why_not_dispatched(outputs.plan).empty()) return {};
  return print_multikueue(
      fmt::format("of worker {}, which is cluster {}", outputs.plan.place,
                  outputs.queue_needs.front().cluster),
      header_of(outputs),
      kubernetes::worker_objects(outputs.plan, outputs.objects, outputs.queues));
}

std::string_view why_no_run(const plan::Plan& plan) {
  return plan.place.empty() ? "the spec has no `places`"
                            : "places with a queue are workers of MultiKueue: `--emit multikueue`";
}

std::string queue_header(const kubernetes::QueueNeeds& needs, std::string_view api_version) {
  Mentions queues, workloads, sources, versions;
  const bool has_nodes = any_of(
      needs, [](const kubernetes::QueueNeed* need) { return need->plan.provisioning.create; });
  for (const kubernetes::QueueNeed* need : needs) {
    queues.add(need->queue());
    workloads.add(need->plan.name);
    sources.add(yaml::one_line(need->plan.source));
    for (const plan::ControllerNeed& each : need->plan.controllers) {
      if (!api_version.starts_with(each.controller->group)) continue;
      versions.add(fmt::format("# Needs {} {} for {}.\n", each.controller->name,
                               catalog::versions_text(*each.minimum), each.minimum->title));
    }
  }
  std::string out = fmt::format("# {} {} for {}, compiled by flexslice from {}.\n",
                                queues.first().size() == 1 ? "queue" : "queues", queues.text(),
                                workloads.text(), sources.text());
  out +=
      "# Compile all specs of a queue in one run: these objects replace those of an earlier one.\n";
  if (!has_nodes)
    out += fmt::format(
        "# The nodes are somebody else's. If {} too, leave this file out: it would replace the "
        "quota.\n",
        queues.first().size() == 1 ? "the queue is" : "the queues are");
  return out + text::join(versions.first(), "");
}

std::string plan_document(const Outputs& outputs) { return yaml::emit_json(plan_value(outputs)); }

std::string picture_svg(const Outputs& outputs) {
  return picture::svg(outputs.plan, outputs.objects);
}

std::string_view why_no_pools(const plan::Plan& plan) {
  return plan.compute_class       ? "with `provisioning.fallback` GKE creates the node pools"
         : plan.cluster.autopilot ? "GKE creates the nodes on Autopilot clusters"
         : !plan.provisioning.create
             ? "`provisioning.create: false` says that the node pools are somebody else's"
             : "";
}

std::string_view why_no_class(const plan::Plan& /*plan*/) {
  return "only `provisioning.fallback` makes a ComputeClass";
}

std::string_view why_no_queues(const plan::Plan& plan) {
  return plan.capacity                   ? "`provisioning.queues` is empty"
         : plan.provisioning.their_queue ? "`topology: none` says that somebody else made its queue"
                                         : "it has no `provisioning.queue`";
}

std::string_view why_no_workload(const plan::Plan& /*plan*/) { return "it has no `workload`"; }

std::string submit(const Outputs& outputs) {
  return outputs.plan.has_workload ? submit_script(outputs) : std::string();
}

std::string_view why_no_volumes(const plan::Plan& /*plan*/) {
  return "no volume has a `pvc` with a size or a `profile`";
}

constexpr std::string_view terraform_word = "terraform";

constexpr ArtifactRow all_rows[] = {
    {.names = {Emit::manifests, "manifests", "manifests.yaml"},
     .print = manifests,
     .why_empty = why_no_workload},
    {{Emit::preflight, "preflight", "preflight.sh"}, &gcloud::Scripts::preflight},
    {{Emit::provision, "provision", "provision.sh"}, &gcloud::Scripts::provision},
    {{Emit::verify, "verify", "verify.sh"}, &gcloud::Scripts::verify},
    {{Emit::status, "status", "status.sh"}, &gcloud::Scripts::status},
    {{Emit::cleanup, "cleanup", "cleanup.sh"}, &gcloud::Scripts::cleanup},
    // All specs of a run share this one: see add_queues.
    {.names = {Emit::queues, "queues", "queues.yaml"}, .why_empty = why_no_queues},
    {{Emit::plan, "plan", "plan.json"}, nullptr, plan_document},
    {{Emit::terraform, terraform_word, "NAME.tf.json", true},
     nullptr,
     nullptr,
     "terraform/main",
     "terraform/lacking",
     why_no_pools},
    {{Emit::config_connector, "config-connector", "config-connector.yaml", true},
     nullptr,
     nullptr,
     "config-connector/main",
     "config-connector/lacking",
     why_no_pools},
    {.names = {Emit::compute_class, "computeclass", "computeclass.yaml", true},
     .print = compute_class,
     .why_empty = why_no_class},
    {{Emit::picture, "picture", "picture.svg", true}, nullptr, picture_svg},
    {{Emit::gcluster, "gcluster", "submit.sh", true},
     nullptr,
     submit,
     {},
     "gcluster/lacking",
     why_no_workload},
    {{Emit::blueprint, "blueprint", "blueprint.yaml", true},
     nullptr,
     nullptr,
     "blueprint/main",
     "blueprint/lacking"},
    {{Emit::volumes, "volumes", "volumes.yaml"},
     nullptr,
     nullptr,
     "kubernetes/volumes",
     {},
     why_no_volumes},
    // All places share this one: see compile_places.
    {.names = {Emit::run, "run", "run.sh"}, .why_empty = why_no_run},
    {.names = {Emit::multikueue, "multikueue", "multikueue.yaml", true}, .print = worker},
};

Value expand_document(const Outputs& outputs, std::string_view name) {
  return templates::expand(outputs.templates, name, {{}, schema::ref(outputs.plan)});
}

}  // namespace

std::string print_multikueue(std::string_view whose, const ArtifactHeader& header,
                             std::span<const Value> objects) {
  std::string out;
  if (header.comments)
    out = fmt::format(
        "# Objects {}, for {}, compiled by flexslice from {}.\n"
        "# Apply them with kubectl apply --server-side --force-conflicts.\n",
        whose, header.name, yaml::one_line(header.source));
  yaml::emit_documents(objects, {.comments = header.comments}, out);
  return out;
}

ArtifactHeader header_of(const Outputs& outputs) {
  return {outputs.plan.name, outputs.plan.summary, outputs.plan.source, outputs.comments};
}

std::span<const ArtifactRow> artifact_rows() { return all_rows; }

std::span<const EmitRow> emit_rows() {
  static constexpr auto all = [] {
    std::array<EmitRow, std::size(all_rows)> names;
    for (std::size_t i = 0; i < names.size(); ++i) names[i] = all_rows[i].names;
    return names;
  }();
  return all;
}

void check_templates(const templates::Set& templates, diag::Sink& sink) {
  kubernetes::check_templates(templates, sink);
  kubernetes::check_multikueue_template(templates, sink);
  gcloud::check_templates(templates, sink);
  for (const ArtifactRow& row : all_rows) {
    for (std::string_view name : {row.document, row.lacking}) {
      if (!name.empty())
        templates::check(templates, name, {{}, schema::type_of<plan::Plan>()}, sink);
    }
  }
  for (std::string_view name : submit_templates)
    templates::check(templates, name, {{}, schema::type_of<plan::Plan>()}, sink);
}

std::vector<Emit> usual_artifacts() {
  std::vector<Emit> usual;
  for (const EmitRow& row : emit_rows()) {
    if (!row.if_asked) usual.push_back(row.emit);
  }
  return usual;
}

Value shared_value(const Outputs& outputs, const ArtifactRow& row) {
  if (row.script != nullptr) return outputs.scripts.*row.script;
  Value document = expand_document(outputs, row.document);
  if (row.names.emit == Emit::terraform && !outputs.catalog.terraform.version.empty())
    terraform::require_provider(outputs.catalog.terraform.version, document);
  return document;
}

std::vector<Value> volume_objects(const Outputs& outputs) {
  std::vector<Value> objects = expand_document(outputs, "kubernetes/volumes").items;
  std::ranges::for_each(objects, kubernetes::make_canonical);
  return objects;
}

std::string print_shared(const ArtifactRow& row, Value value, const ArtifactHeader& header,
                         const templates::Set& templates) {
  if (row.script != nullptr)
    return gcloud::to_bash(value, {row.names.file, header.summary, header.source, header.comments},
                           templates);
  if (value.is_empty()) return {};
  if (value.is_sequence()) return print_objects(header, value.items);
  if (row.names.emit == Emit::blueprint) return print_objects(header, {&value, 1});
  if (!header.comments) value.erase("//");
  return yaml::emit_json(value);
}

Value plan_value(const Outputs& outputs) {
  const bool is_of_workload = !outputs.plan.capacity && !outputs.queue_needs.empty();
  return plan::document(is_of_workload ? outputs.queue_needs.front().plan : outputs.plan);
}

void check_owner(const Outputs& outputs, const ArtifactRow& row, const spec::Provisioning& claims,
                 diag::Sink& sink) {
  const std::string_view owner = outputs.plan.provisioning.owner;
  const bool is_blueprint = row.names.emit == Emit::blueprint;
  // gcluster deploys a blueprint with Terraform.
  const std::string_view own = is_blueprint ? terraform_word : row.names.word;
  if ((row.why_empty != why_no_pools && !is_blueprint) || owner.empty() || owner == own) return;
  const schema::Where& where = claims.owner.where.given ? claims.owner.where : claims.where;
  sink.report<diag::Code::OutputOfOtherOwner>(where.given ? where.span : outputs.plan.where,
                                              row.names.word, owner)
      .help(
          "write `provisioning.owner: {}`: then the scripts wait for the node pools and check "
          "them, and never create or delete them",
          own);
}

namespace {

// The artifacts that can say it.
std::string_view help_of(const Outputs& outputs, const ArtifactRow& row) {
  if (row.names.emit == Emit::gcluster) return manifests_can;
  return outputs.plan.placement.mode.empty() ? "`--emit provision` and `--emit terraform` can"
                                             : "`--emit provision` can";
}

}  // namespace

void check_fields(const Outputs& outputs, const ArtifactRow& row, const yaml::Node& spec,
                  diag::Sink& sink) {
  std::set<std::string_view> reported;
  const Value lacking = expand_document(outputs, row.lacking);
  for (const Value& each : lacking.items) {
    const auto longest = text::whole_number(each.text_at({"longest"}));
    if (longest && std::ssize(each.text_at({"value"})) <= *longest) continue;
    const std::string_view field = each.text_at({"field"});
    // The field that asks for it, or what it is derived in.
    Span where = outputs.plan.where;
    const yaml::Node* node = &spec;
    for (std::string_view key : text::split(each.text_at({"of"}), '.')) {
      node = node->find(key);
      if (node == nullptr) break;
      where = node->span;
    }
    if (reported.insert(field).second)
      sink.report<diag::Code::FieldUnknownToOutput>(
              where, row.names.word, each.text_at({"says"}),
              each.find("why") != nullptr
                  ? std::string(each.text_at({"why"}))
                  : fmt::format("{} has no field `{}`", each.text_at({"kind"}), field))
          .help(help_of(outputs, row));
  }
  if (row.names.emit == Emit::gcluster && outputs.plan.has_workload)
    check_submit(outputs, spec, sink);
  if (row.names.emit == Emit::terraform && !outputs.catalog.terraform.version.empty())
    terraform::check_arguments(expand_document(outputs, row.document), outputs.catalog.terraform,
                               outputs.plan.where, sink);
}

std::string queues(const kubernetes::QueueNeeds& needs, const templates::Set& templates,
                   bool comments) {
  const std::vector<kubernetes::QueueNeeds> clusters =
      kubernetes::by_cluster(kubernetes::without_guests(needs));
  std::string out;
  for (const kubernetes::QueueNeeds& cluster : clusters) {
    std::vector<Value> objects = kubernetes::queue_objects(cluster, templates);
    std::ranges::for_each(objects, kubernetes::make_canonical);
    const Value* api_version = objects.front().find("apiVersion");
    if (comments && clusters.size() > 1)
      out += fmt::format("# For cluster {}:\n", cluster.front()->cluster);
    if (comments)
      out += queue_header(cluster, api_version == nullptr ? std::string_view() : api_version->text);
    yaml::emit_documents(objects, {.comments = comments}, out);
  }
  return out;
}

}  // namespace flexslice
