#include "driver.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

#include "backend/gcloud/bash.hpp"
#include "backend/gcloud/scripts.hpp"
#include "backend/kubernetes/apply.hpp"
#include "backend/kubernetes/objects.hpp"
#include "backend/kubernetes/patch.hpp"
#include "backend/kubernetes/queues.hpp"
#include "base/ordered_parallel.hpp"
#include "diag/suppress.hpp"
#include "explain/picture.hpp"
#include "explain/sheet.hpp"
#include "explain/sweep.hpp"
#include "plan/build.hpp"
#include "plan/complete.hpp"
#include "plan/cost.hpp"
#include "plan/prerequisites.hpp"
#include "resolve/facts.hpp"
#include "rules/file_rules.hpp"
#include "rules/object_rules.hpp"
#include "schema/decode.hpp"
#include "spec/document.hpp"
#include "spec/matrix.hpp"
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

// The header of an artifact names its workload, or the sweep that it is for.
struct ArtifactHeader {
  std::string_view name, summary, source;
  bool comments;
};

ArtifactHeader header_of(const Outputs& outputs) {
  return {outputs.plan.name, outputs.plan.summary, outputs.plan.source, outputs.comments};
}

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
  return print_objects(header_of(outputs), outputs.objects);
}

std::string compute_class(const Outputs& outputs) {
  std::vector<Value> objects;
  std::ranges::copy_if(outputs.objects, std::back_inserter(objects),
                       [](const Value& each) { return each.text_at({"kind"}) == "ComputeClass"; });
  return objects.empty() ? std::string() : print_objects(header_of(outputs), objects);
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

Value plan_value(const Outputs& outputs) {
  return plan::document(outputs.queue_need ? outputs.queue_need->plan : outputs.plan);
}

std::string plan_document(const Outputs& outputs) { return yaml::emit_json(plan_value(outputs)); }

std::string picture(const Outputs& outputs) {
  return explain::picture(outputs.plan, outputs.objects);
}

// Every artifact once: its names, and what it is made of: a script, what a function prints, or a
// template of the whole document, with one that lists the fields that its format lacks. Points of a
// sweep share scripts and documents.
struct ArtifactRow {
  EmitRow names;
  Value gcloud::Scripts::*script = nullptr;
  std::string (*print)(const Outputs& outputs) = nullptr;
  std::string_view document = {}, lacking = {};

  bool is_shared() const { return script != nullptr || !document.empty(); }
};

constexpr ArtifactRow artifact_rows[] = {
    {{Emit::manifests, "manifests", "manifests.yaml"}, nullptr, manifests},
    {{Emit::preflight, "preflight", "preflight.sh"}, &gcloud::Scripts::preflight},
    {{Emit::provision, "provision", "provision.sh"}, &gcloud::Scripts::provision},
    {{Emit::verify, "verify", "verify.sh"}, &gcloud::Scripts::verify},
    {{Emit::cleanup, "cleanup", "cleanup.sh"}, &gcloud::Scripts::cleanup},
    // Of all specs of a run: see add_queues.
    {{Emit::queues, "queues", "queues.yaml"}},
    {{Emit::plan, "plan", "plan.json"}, nullptr, plan_document},
    {{Emit::terraform, "terraform", "NAME.tf.json", true}, nullptr, nullptr, "terraform/main"},
    {{Emit::config_connector, "config-connector", "config-connector.yaml", true},
     nullptr,
     nullptr,
     "config-connector/main",
     "config-connector/lacking"},
    {{Emit::compute_class, "computeclass", "computeclass.yaml", true}, nullptr, compute_class},
    {{Emit::picture, "picture", "picture.svg", true}, nullptr, picture},
};

Value expand_document(const Outputs& outputs, std::string_view name) {
  return templates::expand(outputs.templates, name, {{}, schema::ref(outputs.plan)});
}

// Points of a sweep unite this value before it is printed.
Value shared_value(const Outputs& outputs, const ArtifactRow& row) {
  return row.script != nullptr ? outputs.scripts.*row.script
                               : expand_document(outputs, row.document);
}

// Empty where the template has nothing to say of the plan.
std::string print_shared(const ArtifactRow& row, Value value, const ArtifactHeader& header,
                         const templates::Set& templates) {
  if (row.script != nullptr)
    return gcloud::to_bash(value, {row.names.file, header.summary, header.source, header.comments},
                           templates);
  if (value.is_empty()) return {};
  if (value.is_sequence()) return print_objects(header, value.items);
  if (!header.comments) value.erase("//");
  return yaml::emit_json(value);
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
    return row.script != nullptr && is_wanted(options, row.names.emit);
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

// A point leaves these parts to its sweep, which prints them once.
struct PointParts {
  plan::Plan plan;
  std::vector<Value> shared;  // by artifact
  Value document;             // the plan
};

// What the passes begin with.
struct SpecTree {
  const yaml::Node& tree;
  std::uint32_t source;                     // in which a name is shown
  std::string_view name;                    // of the file
  const spec::SweepPoint* point = nullptr;  // with `parts`
  PointParts* parts = nullptr;
};

// The passes in order, as far as the spec allows; each says in the sink why it stops.
void run_passes(const SpecTree& spec, const catalog::Catalog& catalog,
                const templates::Set& templates, const CompileOptions& options, Compiled& compiled,
                diag::Sink& sink) {
  if (!spec::is_spec(spec.tree, sink)) return;
  auto claims = schema::decode<spec::Claims>(spec.tree, sink);
  if (spec.point != nullptr) claims.sweep = *spec.point;
  compiled.name = claims.name.value;
  if (claims.where.bad) return;
  const resolve::Facts facts = resolve::look_up(claims, catalog);
  rules::judge(facts, sink);
  const auto complete = plan::complete(facts, wants_scripts(options), sink);
  if (!complete) {
    if (claims.patches.where.given) rules::judge_claimed_pods(facts, false, sink);
    return;
  }
  plan::Plan plan = plan::build(*complete, base_name(spec.name));
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
    if (!is_wanted(options, emit)) continue;
    std::string text;
    if (row.print != nullptr)
      text = row.print(outputs);
    else if (row.is_shared() && spec.parts != nullptr)
      spec.parts->shared.push_back(shared_value(outputs, row));
    else if (row.is_shared())
      text = print_shared(row, shared_value(outputs, row), header_of(outputs), templates);
    if (!text.empty()) compiled.artifacts.push_back({emit, std::move(text)});
  }
  if (spec.parts != nullptr && is_wanted(options, Emit::plan))
    spec.parts->document = plan_value(outputs);
  if (options.explain)
    compiled.explanation = explain::plan_text(
        plan, catalog,
        {outputs.scripts.provision, outputs.queues, outputs.objects, outputs.needed});
  if (is_wanted(options, Emit::queues) && outputs.queue_need)
    compiled.queue_needs.push_back(std::move(*outputs.queue_need));
  if (options.objects) {
    compiled.objects = std::move(outputs.objects);
    compiled.scripts = std::move(outputs.scripts);
    std::ranges::move(outputs.queues, std::back_inserter(compiled.objects));
  }
  if (spec.parts != nullptr) spec.parts->plan = std::move(plan);
}

// Leaves only the names that say which spec it is.
void drop_results(Compiled& compiled) {
  compiled = {.name = std::move(compiled.name),
              .sweep = std::move(compiled.sweep),
              .values = std::move(compiled.values)};
}

// With all findings of it. A wrong suppression is found last, so errors are counted here.
Compiled finished(Compiled compiled, std::vector<diag::Diagnostic> diagnostics) {
  if (std::ranges::count(diagnostics, diag::Level::error, &diag::Diagnostic::level) > 0)
    drop_results(compiled);
  compiled.diagnostics = std::move(diagnostics);
  return compiled;
}

// The sweep has each thing that its points share once.
Compiled shared_by(const std::string& name, std::vector<Compiled>& points,
                   std::vector<PointParts>& parts, const templates::Set& templates,
                   const CompileOptions& options) {
  Compiled sweep{.name = name, .sweep = name, .ok = true};
  Mentions summaries;
  for (PointParts& each : parts) {
    summaries.add(each.plan.summary);
    if (&each == &parts.front()) continue;
    for (std::size_t i = 0; i < each.shared.size(); ++i)
      yaml::unite(parts.front().shared[i], std::move(each.shared[i]));
    for (std::string_view key : {"pools", "policies"}) {
      if (Value* more = each.document.find(key))
        yaml::unite(parts.front().document[key], std::move(*more));
    }
  }
  PointParts& all = parts.front();
  const std::string summary =
      fmt::format("{}: {}", text::count(std::ssize(points), "point"), summaries.text());
  const ArtifactHeader header{name, summary, all.plan.source, options.comments};
  auto value = all.shared.begin();
  for (const ArtifactRow& row : artifact_rows) {
    if (!is_wanted(options, row.names.emit)) continue;
    std::string text;
    if (row.is_shared()) {
      text = print_shared(row, std::move(*value++), header, templates);
    } else if (row.names.emit == Emit::plan) {
      all.document["name"] = Value::string(name);
      all.document.erase("sweep");
      text = yaml::emit_json(all.document);
    } else if (row.names.emit == Emit::manifests) {
      for (const Compiled& point : points) text += point.artifacts.front().text;
    }
    if (!text.empty()) sweep.artifacts.push_back({row.names.emit, std::move(text)});
  }
  for (Compiled& point : points) {
    std::ranges::move(point.queue_needs, std::back_inserter(sweep.queue_needs));
    point.queue_needs.clear();
  }
  if (options.explain) {
    std::vector<explain::SweepRow> rows;
    for (std::size_t i = 0; i < points.size(); ++i)
      rows.push_back({parts[i].plan, points[i].values});
    sweep.explanation = explain::sweep_text(name, rows) + std::move(points.front().explanation);
    points.front().explanation.clear();
  }
  return sweep;
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

std::vector<Compiled> compile_all(const Input& input, const catalog::Catalog& catalog,
                                  const templates::Set& templates, const CompileOptions& options,
                                  unsigned jobs) {
  diag::Sink sink;
  std::vector<Span> scalars;
  auto tree = read(input, scalars, sink);
  const std::string_view file = input.sources[input.spec].name;
  const auto finish = [&](Compiled& compiled, std::vector<diag::Diagnostic> diagnostics) {
    if (!scalars.empty())
      diagnostics = diag::suppress(input.sources, input.spec, scalars, std::move(diagnostics));
    compiled = finished(std::move(compiled), std::move(diagnostics));
  };
  std::vector<Compiled> all(1);
  if (!tree || tree->find("matrix") == nullptr) {
    if (tree) run_passes({*tree, input.spec, file}, catalog, templates, options, all[0], sink);
    finish(all[0], sink.take());
    return all;
  }
  const spec::Sweep sweep(std::move(*tree), sink);
  const std::vector<diag::Diagnostic> of_all = sink.take();
  if (sweep.size() == 0) {
    finish(all[0], of_all);
    return all;
  }
  all.resize(sweep.size());
  std::vector<PointParts> parts(sweep.size());
  std::size_t next = 0;
  ordered_parallel(
      jobs, [&] { return next < sweep.size() ? std::optional(next++) : std::nullopt; },
      [&](std::size_t index) {
        const spec::PointSpec point = sweep.point(index);
        Compiled& compiled = all[index];
        std::tie(compiled.sweep, compiled.values) = std::tie(sweep.name(), point.values);
        diag::Sink found;
        for (const diag::Diagnostic& each : of_all) found.add(each);
        CompileOptions own = options;
        own.explain = options.explain && index == 0;
        run_passes({point.tree, input.spec, file, &point.claim, &parts[index]}, catalog, templates,
                   own, compiled, found);
        finish(compiled, found.take());
      },
      [](std::size_t) { return true; });
  if (std::ranges::all_of(all, &Compiled::ok))
    all.push_back(shared_by(sweep.name(), all, parts, templates, options));
  return all;
}

std::vector<diag::Diagnostic> take_findings(std::vector<Compiled>& specs) {
  std::vector<diag::Diagnostic> findings;
  std::map<std::tuple<Span, diag::Code, std::string>,
           std::pair<std::size_t, std::vector<std::string>>>
      places;
  std::ptrdiff_t points = 0;
  for (Compiled& spec : specs) {
    points += spec.values.empty() ? 0 : 1;
    for (diag::Diagnostic& finding : spec.diagnostics) {
      const auto [place, is_new] =
          places.try_emplace({finding.where, finding.code, finding.message}, findings.size(),
                             std::vector<std::string>());
      place->second.second.push_back(spec.values);
      if (is_new) findings.push_back(std::move(finding));
    }
    spec.diagnostics.clear();
  }
  std::vector<std::size_t> unused;
  for (const auto& [key, about] : places) {
    const auto& [index, of] = about;
    diag::Diagnostic& finding = findings[index];
    if (std::ssize(of) >= points) continue;
    // A comment that allows nothing in one point may allow something in another.
    if (finding.code == diag::Code::SuppressionUnused) unused.push_back(index);
    finding.note("in {} of {} points: {}{}", of.size(), points,
                 text::join(std::span(of).first(std::min<std::size_t>(3, of.size())), "; "),
                 of.size() > 3 ? "; …" : "");
  }
  std::ranges::sort(unused, std::greater());
  for (std::size_t index : unused) findings.erase(findings.begin() + std::ptrdiff_t(index));
  std::ranges::stable_sort(findings, {}, &diag::Diagnostic::where);
  if (!std::ranges::all_of(specs, &Compiled::ok)) {
    std::erase_if(specs, [](const Compiled& spec) { return spec.ok && spec.values.empty(); });
    for (Compiled& spec : specs) spec.ok = false;
  }
  return findings;
}

Compiled compile(const Input& input, const catalog::Catalog& catalog,
                 const templates::Set& templates, const CompileOptions& options) {
  std::vector<Compiled> all = compile_all(input, catalog, templates, options);
  std::vector<diag::Diagnostic> findings = take_findings(all);
  all.front().diagnostics = std::move(findings);
  return std::move(all.front());
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
  drop_results(compiled);
  compiled.diagnostics = std::move(diagnostics);
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
    for (const kubernetes::QueueNeed& need : compiled.queue_needs) {
      all.push_back(&need);
      owners[&need] = &compiled;
    }
  }
  for (const kubernetes::QueueNeeds& needs : kubernetes::by_queue(all)) {
    const std::string text = queues(needs, templates, comments);
    for (const kubernetes::QueueNeed* need : needs) {
      auto& artifacts = owners[need]->artifacts;
      if (std::ranges::count(artifacts, Emit::queues, &Artifact::emit) > 0) continue;
      // In the order of Emit.
      artifacts.insert(std::ranges::upper_bound(artifacts, Emit::queues, {}, &Artifact::emit),
                       {Emit::queues, text});
    }
  }
}

}  // namespace flexslice
