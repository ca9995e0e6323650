#include "driver/passes.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "backend/gcloud/scripts.hpp"
#include "backend/kubernetes/apply.hpp"
#include "backend/kubernetes/objects.hpp"
#include "backend/kubernetes/patch.hpp"
#include "backend/kubernetes/queues.hpp"
#include "base/credentials.hpp"
#include "driver/placement_table.hpp"
#include "explain/sheet.hpp"
#include "plan/build.hpp"
#include "plan/capacity.hpp"
#include "plan/complete.hpp"
#include "plan/cost.hpp"
#include "plan/prerequisites.hpp"
#include "resolve/facts.hpp"
#include "rules/command_rules.hpp"
#include "rules/file_judge.hpp"
#include "rules/object_rules.hpp"
#include "schema/decode.hpp"
#include "spec/document.hpp"
#include "spec/spec_fields.hpp"
#include "view/read_commands.hpp"
#include "view/read_objects.hpp"

namespace flexslice {

using resolve::Facts;
using yaml::Value;

namespace {

// The part of a path after its last `/`: headers must not depend on where the compiler was started.
std::string_view base_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

extract::Command as_command(const Value& argv, Span where) {
  extract::Command command;
  command.where = where;
  for (const Value& word : argv.items) {
    // The shell of the script fills in such a word, so its value is unknown.
    const bool unknown = word.text.find('$') != std::string::npos;
    command.words.push_back({word.text, where, unknown});
  }
  return command;
}

// Reports once, at `where`, what gcloud refuses of the commands of the scripts.
void check_commands(const gcloud::Scripts& scripts, const catalog::Catalog& catalog, Span where,
                    diag::Sink& sink) {
  std::set<std::string> reported;
  for (const Value* argv : gcloud::commands(scripts)) {
    view::Found found;
    view::read_command(as_command(*argv, where), catalog, found);
    diag::Sink own;
    for (const view::PoolClaims& pool : found.pools)
      rules::judge_syntax(pool, catalog, catalog.gcloud.version, own);
    for (diag::Diagnostic finding : own.found()) {
      if (finding.level == diag::Level::note || !reported.insert(finding.message).second) continue;
      finding.where = where;
      finding.related.clear();
      finding.fixes.clear();
      sink.add(std::move(finding));
    }
  }
}

Span longest_text(const yaml::Node& tree) {
  const yaml::Node* longest = &tree;
  yaml::for_scalars(tree, [&](const yaml::Node& scalar) {
    if (scalar.text.size() > longest->text.size()) longest = &scalar;
  });
  return longest->span;
}

bool wants_scripts(const CompileOptions& options) {
  return std::ranges::any_of(artifact_rows(), [&](const ArtifactRow& row) {
    return row.script != nullptr && is_wanted(options, row.names.emit);
  });
}

// Scripts take longer than manifests. Those of the built-in knowledge have no findings, which a
// test keeps, so without one that is wanted they need not be made.
bool needs_scripts(const catalog::Catalog& catalog, const templates::Set& templates,
                   const CompileOptions& options) {
  return options.explain || catalog.overlaid || templates.is_overlaid() || wants_scripts(options);
}

std::vector<yaml::Node> to_nodes(const std::vector<Value>& objects) {
  std::vector<yaml::Node> nodes;
  nodes.reserve(objects.size());
  for (const Value& object : objects) nodes.push_back(yaml::to_node(object));
  return nodes;
}

std::vector<yaml::Node> all_nodes(const Outputs& outputs) {
  std::vector<yaml::Node> made = to_nodes(outputs.objects);
  std::ranges::move(to_nodes(outputs.queues), std::back_inserter(made));
  return made;
}

// The run of a spec is what its scripts create, whoever else may create it, and its objects.
std::vector<diag::Diagnostic> placement_rows(const Outputs& outputs) {
  diag::Sink ignored, placed;
  rules::FileJudge judge(outputs.catalog, {}, ignored);
  judge.keep_all();
  gcloud::Scripts scripts = outputs.scripts;
  if (!outputs.plan.provisioning.by_scripts) {
    plan::Plan by_scripts = outputs.plan;
    by_scripts.provisioning.by_scripts = true;
    scripts = gcloud::scripts(by_scripts, outputs.needed, outputs.templates, outputs.objects);
  }
  for (const Value* argv : gcloud::commands(scripts)) {
    view::Found found;
    view::read_command(as_command(*argv, outputs.plan.where), outputs.catalog, found);
    judge.judge(std::move(found));
  }
  for (const yaml::Node& object : all_nodes(outputs)) {
    view::Found found;
    view::read_document(object, outputs.catalog, found);
    judge.judge(std::move(found));
  }
  judge.finish();
  rules::FileSummary summary = judge.summary();
  if (outputs.plan.cluster.autopilot && summary.world.clusters.empty()) {
    rules::NewCluster cluster{};
    cluster.is_autopilot = true;
    summary.world.clusters.push_back(std::move(cluster));
  }
  lint::list_placement(summary.world, summary.queues, outputs.catalog, placed);
  return std::vector<diag::Diagnostic>(placed.found().begin(), placed.found().end());
}

// Finds the places of a spec's names; those of another layer are at its beginning.
plan::NamePlaces names_of(const spec::Claims& claims, std::uint32_t spec) {
  const auto place = [&](const schema::Where& where, Span otherwise) {
    return where.given && where.span.source == spec ? where.span : otherwise;
  };
  const Span name = place(claims.name.where, {spec, 0, 0});
  return {name,
          place(claims.provisioning.node_pools.where, name),
          place(claims.provisioning.quota.where, name),
          place(claims.provisioning.queues.where.given ? claims.provisioning.queues.where
                                                       : claims.provisioning.queue.name.where,
                name),
          place(claims.provisioning.priority.value.where, name),
          place(claims.cluster.create.where, name),
          place(claims.provisioning.priority.name.where, name)};
}

// States the new releases in the claims, and returns the upgrades with the old ones.
std::vector<rules::Upgrade> upgrade(spec::Cluster& cluster,
                                    std::span<const rules::Upgrade> upgrades) {
  std::vector<rules::Upgrade> all(upgrades.begin(), upgrades.end());
  for (rules::Upgrade& each : all) {
    const auto set = [&](schema::Text& stated) {
      if (stated.usable() && each.from.empty()) each.from = stated.value;
      stated.value = each.release;
      if (!stated.where.given) stated.where = cluster.where;
      stated.where.given = true;
    };
    if (each.program == "gke") set(cluster.version);
    if (each.program == "kueue" && cluster.kueue.where.given) set(cluster.kueue);
    if (const schema::Text* stated = cluster.controllers.find(each.program))
      set(const_cast<schema::Text&>(*stated));
  }
  return all;
}

// Judges what the plan costs and needs by what the spec says of it.
void judge_plan(const Facts& facts, const plan::Plan& plan, const CompileOptions& options,
                diag::Sink& sink) {
  const auto cost_of = [&](const spec::Claims& other) -> std::optional<plan::Cost> {
    diag::Sink own;
    const Facts other_facts = resolve::look_up(other, facts.catalog);
    rules::judge(other_facts, own);
    const auto is_error = [](const diag::Diagnostic& each) {
      return each.level <= diag::Level::soft;
    };
    const auto complete = plan::complete(other_facts, wants_scripts(options), own);
    if (!complete || any_of(own.found(), is_error)) return std::nullopt;
    return plan::build(*complete, {}).cost;
  };
  plan::judge_budget(facts, plan, cost_of, sink);
  plan::judge_controllers(facts.catalog, facts.claims.cluster, plan, sink);
  plan::judge_capacity(facts, plan, options.notes, sink);
}

void make_queues(const plan::Plan& plan, Outputs& outputs) {
  if (plan.capacity)
    outputs.queue_needs = kubernetes::capacity_needs(plan);
  else
    outputs.queue_needs.push_back(kubernetes::queue_need(plan, outputs.objects));
  kubernetes::QueueNeeds needs;
  for (const kubernetes::QueueNeed& need : outputs.queue_needs) needs.push_back(&need);
  outputs.queues = kubernetes::queue_objects(needs, outputs.templates, false);
}

// Makes the objects, with the user's patches. False: nothing more can be said of them.
bool make_objects(const Facts& facts, Outputs& outputs, diag::Sink& sink) {
  const plan::Plan& plan = outputs.plan;
  kubernetes::Patches patches(plan.patches, sink);
  if (plan.patches.empty()) rules::judge_pods(outputs.objects, facts, Completeness::whole, sink);
  if (sink.hard_errors() > 0) return false;
  patches.apply(outputs.objects);
  if (plan.queue) {
    make_queues(plan, outputs);
    patches.apply(outputs.queues);
  }
  patches.report_misses();
  if (!plan.patches.empty()) rules::judge_made(all_nodes(outputs), facts, sink);
  return true;
}

// Fields that a wanted artifact, or the one that creates the node pools, cannot say.
void check_artifacts(const Outputs& outputs, const SpecTree& spec, const CompileOptions& options,
                     diag::Sink& sink) {
  const plan::Plan& plan = outputs.plan;
  for (const ArtifactRow& row : artifact_rows()) {
    if (row.lacking.empty() || (row.names.emit == Emit::gcluster && !plan.has_workload)) continue;
    // A user who states the provider has it judged in every command.
    const bool is_stated =
        row.names.emit == Emit::terraform && !outputs.catalog.terraform.version.empty();
    const bool is_owner = row.names.word == plan.provisioning.owner;
    if (is_stated || is_owner || is_wanted(options, row.names.emit))
      check_fields(outputs, row, spec.tree, sink);
  }
  if (!is_wanted(options, Emit::multikueue)) return;
  if (const std::string why = kubernetes::why_not_dispatched(plan); !why.empty())
    sink.report<diag::Code::NoMultiKueue>(plan.where, why);
}

void print_artifacts(const Outputs& outputs, const SpecTree& spec, const CompileOptions& options,
                     const spec::Provisioning& claims, Compiled& compiled, diag::Sink& sink) {
  for (const ArtifactRow& row : artifact_rows()) {
    const Emit emit = row.names.emit;
    if (!is_wanted(options, emit)) continue;
    check_owner(outputs, row, claims, sink);
    std::string text;
    if (row.print != nullptr)
      text = row.print(outputs);
    else if (row.is_shared() && spec.parts != nullptr)
      spec.parts->shared.push_back(shared_value(outputs, row));
    else if (row.is_shared())
      text = print_shared(row, shared_value(outputs, row), header_of(outputs), outputs.templates);
    if (!text.empty())
      compiled.artifacts.push_back({emit, std::move(text)});
    else if (row.why_empty != nullptr && spec.parts == nullptr)
      compiled.why_empty.emplace(emit, row.why_empty(outputs.plan));
  }
}

// Hands over what else was asked for.
void hand_over(Outputs outputs, const SpecTree& spec, const CompileOptions& options,
               Compiled& compiled) {
  const plan::Plan& plan = outputs.plan;
  if (spec.parts != nullptr && is_wanted(options, Emit::plan))
    spec.parts->document = plan_value(outputs);
  if (options.explain)
    compiled.explanation =
        masked(explain::plan_text(plan, outputs.catalog,
                                  {outputs.scripts.provision, outputs.queues, outputs.objects,
                                   outputs.needed, placement_rows(outputs)}));
  if (spec.of_place != nullptr)
    *spec.of_place = {
        plan, outputs.objects, outputs.queues,
        outputs.queue_needs.empty() ? std::nullopt : std::optional(outputs.queue_needs.front())};
  if (is_wanted(options, Emit::queues)) compiled.queue_needs = std::move(outputs.queue_needs);
  if (!options.objects) return;
  if (!plan.made_volumes.empty()) compiled.volumes = volume_objects(outputs);
  compiled.objects = std::move(outputs.objects);
  compiled.scripts = std::move(outputs.scripts);
  std::ranges::move(outputs.queues, std::back_inserter(compiled.objects));
}

}  // namespace

bool is_wanted(const CompileOptions& options, Emit emit) {
  return std::ranges::count(options.emit, emit) > 0;
}

void run_passes(const SpecTree& spec, const catalog::Catalog& catalog,
                const templates::Set& templates, const CompileOptions& options, Compiled& compiled,
                diag::Sink& sink) {
  if (!spec::is_spec(spec.tree, sink)) return;
  auto claims = schema::decode<spec::Claims>(spec.tree, sink);
  spec::fill_shared_memory(claims);
  if (spec.point != nullptr) claims.sweep = *spec.point;
  claims.place = spec.place;
  compiled.name = claims.name.value;
  const std::vector<rules::Upgrade> upgrades = upgrade(claims.cluster, options.upgrades);
  rules::explain_devices(spec.tree, catalog, sink);
  if (claims.where.bad) return;
  const Facts facts = resolve::look_up(claims, catalog);
  rules::judge(facts, sink);
  if (options.notes) rules::note_clock_changes(facts, sink);
  const auto complete = plan::complete(facts, wants_scripts(options), sink);
  if (!complete) {
    if (facts.is_capacity()) return;
    const auto pods = kubernetes::open_pods(plan::open_plan(facts), templates);
    rules::judge_pods(pods, facts,
                      claims.patches.where.given ? Completeness::fragment : Completeness::whole,
                      sink);
    return;
  }
  plan::Plan plan = plan::build(*complete, base_name(spec.name));
  judge_plan(facts, plan, options, sink);

  // Five passes may report after the plan: the user's patches on the objects, objects that are too
  // large, the flags that the stated gcloud lacks, the arguments that the stated provider of
  // Terraform lacks, and, in `compile`, suppressions.
  Outputs outputs(plan, templates, catalog, options.comments, kubernetes::objects(plan, templates));
  if (!make_objects(facts, outputs, sink)) return;
  if (!upgrades.empty())
    rules::judge_upgrades(all_nodes(outputs), catalog, upgrades,
                          names_of(claims, spec.source).workload, sink);
  std::ranges::for_each(outputs.objects, kubernetes::make_canonical);
  std::ranges::for_each(outputs.queues, kubernetes::make_canonical);
  kubernetes::check_sizes(
      outputs.objects, [&] { return longest_text(spec.tree); }, sink);
  if (needs_scripts(catalog, templates, options)) {
    outputs.needed = plan::needed(plan, catalog, outputs.objects, outputs.queues);
    outputs.scripts = gcloud::scripts(plan, outputs.needed, templates, outputs.objects);
    check_commands(outputs.scripts, catalog, plan.where, sink);
  }
  check_artifacts(outputs, spec, options, sink);
  if (sink.hard_errors() > 0) return;
  compiled.ok = true;
  compiled.resources = plan::resources(plan, outputs.objects, names_of(claims, spec.source));
  print_artifacts(outputs, spec, options, claims.provisioning, compiled, sink);
  hand_over(std::move(outputs), spec, options, compiled);
  if (spec.parts != nullptr) spec.parts->plan = std::move(plan);
}

}  // namespace flexslice
