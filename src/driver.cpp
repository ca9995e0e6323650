#include "driver.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "backend/gcloud/bash.hpp"
#include "backend/gcloud/scripts.hpp"
#include "backend/kubernetes/apply.hpp"
#include "backend/kubernetes/objects.hpp"
#include "backend/kubernetes/patch.hpp"
#include "backend/kubernetes/queues.hpp"
#include "diag/suppress.hpp"
#include "explain/picture.hpp"
#include "explain/sheet.hpp"
#include "plan/build.hpp"
#include "plan/complete.hpp"
#include "plan/cost.hpp"
#include "plan/prerequisites.hpp"
#include "resolve/facts.hpp"
#include "rules/file_rules.hpp"
#include "rules/object_rules.hpp"
#include "schema/decode.hpp"
#include "spec/document.hpp"
#include "spec/spec_fields.hpp"
#include "yaml/emit.hpp"
#include "yaml/parse.hpp"

namespace flexslice {

using yaml::Value;

namespace {

// parse, with the layers under and over the spec. `scalars` are those in which a `#` begins no
// comment.
std::optional<yaml::Node> read(const Input& input, std::vector<Span>& scalars, diag::Sink& sink) {
  std::optional<yaml::Node> tree;
  bool good = true;
  const auto lay = [&](std::optional<yaml::Node> layer) {
    good = good && layer;
    if (layer) tree = tree ? spec::overlay(std::move(*tree), std::move(*layer)) : std::move(*layer);
  };
  for (std::uint32_t index : input.defaults) {
    auto layer = yaml::parse(input.sources, index, sink);
    // What a spec overrides would be a mistake in silence.
    if (layer) schema::judge_layer(*layer, schema::TableOf<spec::Claims>::table, sink);
    lay(std::move(layer));
  }
  auto document = yaml::parse(input.sources, input.spec, sink);
  if (document && diag::may_suppress(input.sources[input.spec].text))
    scalars = yaml::scalars_of(*document, input.spec);
  lay(std::move(document));
  for (std::uint32_t index : input.sets) lay(spec::set_value(input.sources, index, sink));
  if (!good) tree.reset();
  return tree;
}

// The part of a path after its last `/`: headers must not depend on where the compiler was started.
std::string_view base_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

Span longest_text(const yaml::Node& tree) {
  const yaml::Node* longest = &tree;
  yaml::for_scalars(tree, [&](const yaml::Node& scalar) {
    if (scalar.text.size() > longest->text.size()) longest = &scalar;
  });
  return longest->span;
}

// What the back ends make of a plan.
struct Outputs {
  const plan::Plan& plan;
  const templates::Set& templates;
  bool comments;
  std::vector<Value> objects, queues;
  std::optional<kubernetes::QueueNeed> queue_need;
  plan::Needed needed;
  gcloud::Scripts scripts;
};

std::string print_objects(const Outputs& outputs, std::span<const Value> objects) {
  std::string out;
  if (outputs.comments) {
    out += fmt::format("# {}, compiled by flexslice from {}.\n", outputs.plan.name,
                       yaml::one_line(outputs.plan.source));
    for (const Value& object : objects) out += kubernetes::apply_again(object);
  }
  yaml::emit_documents(objects, {.comments = outputs.comments}, out);
  return out;
}

std::string manifests(const Outputs& outputs, std::string_view) {
  return print_objects(outputs, outputs.objects);
}

std::string compute_class(const Outputs& outputs, std::string_view) {
  std::vector<Value> objects = outputs.objects;
  std::erase_if(objects,
                [](const Value& each) { return each.text_at({"kind"}) != "ComputeClass"; });
  return objects.empty() ? std::string() : print_objects(outputs, objects);
}

// Different words in the order in which they come; only the first few are kept.
class Mentions {
 public:
  void add(std::string word) {
    const auto [place, is_new] = all_.insert(std::move(word));
    if (is_new && first_.size() < most) first_.push_back(*place);
  }
  const std::vector<std::string>& first() const { return first_; }
  std::string text() const {
    const std::string named = text::join(first_, ", ");
    return first_.size() == all_.size()
               ? named
               : fmt::format("{} and {} more", named, all_.size() - first_.size());
  }

 private:
  static constexpr std::size_t most = 8;
  std::set<std::string> all_;
  std::vector<std::string> first_;
};

std::string queue_header(const kubernetes::QueueNeeds& needs, std::string_view api_version) {
  Mentions queues, workloads, sources, versions;
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
  return out + text::join(versions.first(), "");
}

template <yaml::Value gcloud::Scripts::*steps>
std::string script(const Outputs& outputs, std::string_view file) {
  const plan::Plan& plan = outputs.plan;
  return gcloud::to_bash(outputs.scripts.*steps,
                         {file, plan.summary, plan.source, outputs.comments}, outputs.templates);
}

std::string plan_document(const Outputs& outputs, std::string_view) {
  return yaml::emit_json(
      plan::document(outputs.queue_need ? outputs.queue_need->plan : outputs.plan));
}

std::string picture(const Outputs& outputs, std::string_view) {
  return explain::picture(outputs.plan, outputs.objects);
}

// Every artifact once: its names, whether it needs the scripts, and what prints it: a function, or
// a template of the whole document, with one that lists the fields that its format lacks.
struct ArtifactRow {
  EmitRow names;
  bool from_scripts;
  std::string (*print)(const Outputs& outputs, std::string_view file);
  std::string_view document = {}, lacking = {};
};

constexpr ArtifactRow artifact_rows[] = {
    {{Emit::manifests, "manifests", "manifests.yaml"}, false, manifests},
    {{Emit::preflight, "preflight", "preflight.sh"}, true, script<&gcloud::Scripts::preflight>},
    {{Emit::provision, "provision", "provision.sh"}, true, script<&gcloud::Scripts::provision>},
    {{Emit::verify, "verify", "verify.sh"}, true, script<&gcloud::Scripts::verify>},
    {{Emit::cleanup, "cleanup", "cleanup.sh"}, true, script<&gcloud::Scripts::cleanup>},
    // Of all specs of a run: see add_queues.
    {{Emit::queues, "queues", "queues.yaml"}, false, nullptr},
    {{Emit::plan, "plan", "plan.json"}, false, plan_document},
    {{Emit::terraform, "terraform", "NAME.tf.json", true}, false, nullptr, "terraform/main"},
    {{Emit::config_connector, "config-connector", "config-connector.yaml", true},
     false,
     nullptr,
     "config-connector/main",
     "config-connector/lacking"},
    {{Emit::compute_class, "computeclass", "computeclass.yaml", true}, false, compute_class},
    {{Emit::picture, "picture", "picture.svg", true}, false, picture},
};

Value expand_document(const Outputs& outputs, std::string_view name) {
  return templates::expand(outputs.templates, name, {{}, schema::ref(outputs.plan)});
}

// Empty where the template has nothing to say of the plan.
std::string print_document(const Outputs& outputs, std::string_view name) {
  Value document = expand_document(outputs, name);
  if (document.is_empty()) return {};
  if (document.is_sequence()) return print_objects(outputs, document.items);
  if (!outputs.comments) document.erase("//");
  return yaml::emit_json(document);
}

// Reports what the plan has and the artifact's format lacks, each field once.
void check_fields(const Outputs& outputs, const ArtifactRow& row, const yaml::Node& spec,
                  diag::Sink& sink) {
  std::set<std::string_view> reported;
  const Value lacking = expand_document(outputs, row.lacking);
  for (const Value& each : lacking.items) {
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
      sink.report<diag::Code::FieldUnknownToOutput>(where, row.names.word, each.text_at({"says"}),
                                                    each.text_at({"kind"}), field)
          .help("`--emit provision` and `--emit terraform` can");
  }
}

bool is_wanted(const CompileOptions& options, Emit emit) {
  return std::ranges::count(options.emit, emit) > 0;
}

bool wants_scripts(const CompileOptions& options) {
  return std::ranges::any_of(artifact_rows, [&](const ArtifactRow& row) {
    return row.from_scripts && is_wanted(options, row.names.emit);
  });
}

// Scripts take longer than manifests. Those of the built-in knowledge have no findings, which a
// test keeps, so without one that is wanted they need not be made.
bool needs_scripts(const catalog::Catalog& catalog, const templates::Set& templates,
                   const CompileOptions& options) {
  return (options.emit.empty() && !options.objects) || options.explain || catalog.overlaid ||
         templates.is_overlaid() || wants_scripts(options);
}

// Where a spec has its names; its beginning for those of another layer.
plan::NamePlaces names_of(const spec::Claims& claims, std::uint32_t spec) {
  const auto place = [&](const schema::Where& where, Span otherwise) {
    return where.given && where.span.source == spec ? where.span : otherwise;
  };
  const Span name = place(claims.name.where, {spec, 0, 0});
  return {name, place(claims.provisioning.node_pools.where, name),
          place(claims.provisioning.quota.where, name)};
}

// What the passes begin with.
struct SpecTree {
  const yaml::Node& tree;
  std::uint32_t source;   // in which a name is shown
  std::string_view name;  // of the file
};

// The passes in order, as far as the spec allows; each says in the sink why it stops.
void run_passes(const SpecTree& spec, const catalog::Catalog& catalog,
                const templates::Set& templates, const CompileOptions& options, Compiled& compiled,
                diag::Sink& sink) {
  if (!spec::is_spec(spec.tree, sink)) return;
  const auto claims = schema::decode<spec::Claims>(spec.tree, sink);
  compiled.name = claims.name.value;
  if (claims.where.bad) return;
  const resolve::Facts facts = resolve::look_up(claims, catalog);
  rules::judge(facts, sink);
  const auto complete = plan::complete(facts, wants_scripts(options), sink);
  if (!complete) {
    if (claims.patches.where.given) rules::judge_claimed_pods(facts, false, sink);
    return;
  }
  const plan::Plan plan = plan::build(*complete, base_name(spec.name));
  plan::judge_budget(facts, plan, sink);

  // Four passes may report after the plan: the user's patches on the objects, objects that are too
  // large, the flags that the stated gcloud lacks, and, in `compile`, suppressions.
  Outputs outputs{plan, templates, options.comments, kubernetes::objects(plan, templates), {}, {},
                  {},   {}};
  kubernetes::Patches patches(plan.patches, sink);
  if (!plan.patches.empty())
    kubernetes::set_origins(outputs.objects, rules::claimed_pod(facts, false),
                            rules::claimed_pod(facts, true));
  patches.apply(outputs.objects);
  if (plan.queue) {
    outputs.queue_need = kubernetes::queue_need(plan, outputs.objects);
    outputs.queues = kubernetes::queue_objects({&*outputs.queue_need}, templates, false);
    patches.apply(outputs.queues);
  }
  patches.report_misses();
  if (!plan.patches.empty()) {
    std::vector<yaml::Node> made;
    for (const auto* list : {&outputs.objects, &outputs.queues}) {
      for (const Value& object : *list) made.push_back(yaml::to_node(object));
    }
    rules::judge_made(made, facts, sink);
  }
  std::ranges::for_each(outputs.objects, kubernetes::make_canonical);
  std::ranges::for_each(outputs.queues, kubernetes::make_canonical);
  kubernetes::check_sizes(
      outputs.objects, [&] { return longest_text(spec.tree); }, sink);
  if (needs_scripts(catalog, templates, options)) {
    outputs.needed = plan::needed(plan, catalog, outputs.objects, outputs.queues);
    outputs.scripts = gcloud::scripts(plan, outputs.needed, templates, outputs.objects);
    gcloud::check_flags(outputs.scripts, catalog, plan.where, sink);
  }
  for (const ArtifactRow& row : artifact_rows) {
    if (!row.lacking.empty() && is_wanted(options, row.names.emit))
      check_fields(outputs, row, spec.tree, sink);
  }
  if (sink.hard_errors() > 0) return;
  compiled.ok = true;
  compiled.resources = plan::resources(plan, outputs.objects, names_of(claims, spec.source));
  for (const ArtifactRow& row : artifact_rows) {
    const Emit emit = row.names.emit;
    if (!is_wanted(options, emit) || (row.print == nullptr && row.document.empty())) continue;
    std::string text = row.print != nullptr ? row.print(outputs, row.names.file)
                                            : print_document(outputs, row.document);
    if (!text.empty()) compiled.artifacts.push_back({emit, std::move(text)});
  }
  if (options.explain)
    compiled.explanation = explain::plan_text(
        plan, catalog,
        {outputs.scripts.provision, outputs.queues, outputs.objects, outputs.needed});
  if (is_wanted(options, Emit::queues)) compiled.queue_need = std::move(outputs.queue_need);
  if (!options.objects) return;
  compiled.objects = std::move(outputs.objects);
  compiled.scripts = std::move(outputs.scripts);
  std::ranges::move(outputs.queues, std::back_inserter(compiled.objects));
}

// With all findings of it. A wrong suppression is found last, so errors are counted here.
Compiled finished(Compiled compiled, std::vector<diag::Diagnostic> diagnostics) {
  if (std::ranges::count(diagnostics, diag::Level::error, &diag::Diagnostic::level) > 0)
    compiled = {.name = std::move(compiled.name)};
  compiled.diagnostics = std::move(diagnostics);
  return compiled;
}

}  // namespace

std::span<const EmitRow> emit_rows() {
  static constexpr auto rows = [] {
    std::array<EmitRow, std::size(artifact_rows)> names;
    for (std::size_t i = 0; i < names.size(); ++i) names[i] = artifact_rows[i].names;
    return names;
  }();
  return rows;
}

void check_templates(const templates::Set& templates, diag::Sink& sink) {
  kubernetes::check_templates(templates, sink);
  gcloud::check_templates(templates, sink);
  for (const ArtifactRow& row : artifact_rows) {
    for (std::string_view name : {row.document, row.lacking}) {
      if (!name.empty())
        templates::check(templates, name, {{}, schema::type_of<plan::Plan>()}, sink);
    }
  }
}

std::vector<Emit> usual_artifacts() {
  std::vector<Emit> usual;
  for (const EmitRow& row : emit_rows()) {
    if (!row.if_asked) usual.push_back(row.emit);
  }
  return usual;
}

Compiled compile(const Input& input, const catalog::Catalog& catalog,
                 const templates::Set& templates, const CompileOptions& options) {
  Compiled compiled;
  diag::Sink sink;
  std::vector<Span> scalars;
  if (const auto tree = read(input, scalars, sink))
    run_passes({*tree, input.spec, input.sources[input.spec].name}, catalog, templates, options,
               compiled, sink);
  std::vector<diag::Diagnostic> diagnostics = sink.take();
  if (!scalars.empty())
    diagnostics = diag::suppress(input.sources, input.spec, scalars, std::move(diagnostics));
  return finished(std::move(compiled), std::move(diagnostics));
}

Compiled compile(const yaml::Node& spec, std::string_view name, const catalog::Catalog& catalog,
                 const templates::Set& templates, const CompileOptions& options) {
  Compiled compiled;
  diag::Sink sink;
  run_passes({spec, spec.span.source, name}, catalog, templates, options, compiled, sink);
  return finished(std::move(compiled), sink.take());
}

void add_to_run(plan::Defined& run, std::string_view file, const Source& source,
                Compiled& compiled) {
  auto conflict = run.add(compiled.resources, file, source);
  compiled.resources.clear();
  if (!conflict) return;
  std::vector<diag::Diagnostic> diagnostics = std::move(compiled.diagnostics);
  const auto after =
      std::ranges::upper_bound(diagnostics, conflict->where, {}, &diag::Diagnostic::where);
  diagnostics.insert(after, std::move(*conflict));
  compiled = {.name = std::move(compiled.name), .diagnostics = std::move(diagnostics)};
}

std::string queues(const kubernetes::QueueNeeds& needs, const templates::Set& templates,
                   bool comments) {
  const std::vector<kubernetes::QueueNeeds> clusters = kubernetes::by_cluster(needs);
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

void add_queues(std::span<Compiled> run, const templates::Set& templates, bool comments) {
  kubernetes::QueueNeeds all;
  std::map<const kubernetes::QueueNeed*, Compiled*> owners;
  for (Compiled& compiled : run) {
    if (!compiled.queue_need) continue;
    all.push_back(&*compiled.queue_need);
    owners[all.back()] = &compiled;
  }
  for (const kubernetes::QueueNeeds& needs : kubernetes::by_queue(all)) {
    const std::string text = queues(needs, templates, comments);
    for (const kubernetes::QueueNeed* need : needs) {
      auto& artifacts = owners[need]->artifacts;
      // In the order of Emit.
      artifacts.insert(std::ranges::upper_bound(artifacts, Emit::queues, {}, &Artifact::emit),
                       {Emit::queues, text});
    }
  }
}

}  // namespace flexslice
