#include "driver.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "backend/gcloud/bash.hpp"
#include "backend/gcloud/flags.hpp"
#include "backend/gcloud/scripts.hpp"
#include "backend/kubernetes/apply.hpp"
#include "backend/kubernetes/canonical.hpp"
#include "backend/kubernetes/objects.hpp"
#include "backend/kubernetes/patch.hpp"
#include "backend/kubernetes/queues.hpp"
#include "diag/suppress.hpp"
#include "explain/plan/sheet.hpp"
#include "facts/facts.hpp"
#include "plan/build.hpp"
#include "plan/complete.hpp"
#include "rules/rules.hpp"
#include "schema/decode.hpp"
#include "spec/fields.hpp"
#include "spec/identity.hpp"
#include "spec/layers.hpp"
#include "yaml/emit.hpp"
#include "yaml/parse.hpp"

namespace flexslice {

using yaml::Value;

namespace {

void collect_scalars(const yaml::Node& node, std::uint32_t source, std::vector<Span>& spans) {
  if (node.kind == yaml::Kind::scalar && node.span.source == source) spans.push_back(node.span);
  for (const yaml::Node& item : node.items) collect_scalars(item, source, spans);
  for (const yaml::Member& member : node.members) {
    collect_scalars(member.key, source, spans);
    collect_scalars(member.value, source, spans);
  }
}

// parse, with the layers under and over the spec. `scalars` are those in which a `#` begins no
// comment.
std::optional<yaml::Node> read(const Input& input, std::vector<Span>& scalars, diag::Sink& sink) {
  std::optional<yaml::Node> tree;
  const auto lay = [&](std::optional<yaml::Node> layer) {
    if (layer) tree = tree ? spec::overlay(std::move(*tree), std::move(*layer)) : std::move(*layer);
    return layer.has_value();
  };
  bool good = true;
  for (std::uint32_t index : input.defaults)
    good = lay(yaml::parse(input.sources, index, sink)) && good;
  auto document = yaml::parse(input.sources, input.spec, sink);
  if (document && diag::may_suppress(input.sources[input.spec].text))
    collect_scalars(*document, input.spec, scalars);
  good = lay(std::move(document)) && good;
  for (std::uint32_t index : input.sets)
    good = lay(spec::set_value(input.sources, index, sink)) && good;
  if (!good) return std::nullopt;
  return tree;
}

// The part of a path after its last `/`: headers must not depend on where the compiler was started.
std::string_view base_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

const yaml::Node& longest_text(const yaml::Node& node) {
  const yaml::Node* longest = &node;
  const auto compare = [&](const yaml::Node& other) {
    const yaml::Node& below = longest_text(other);
    if (below.text.size() > longest->text.size()) longest = &below;
  };
  for (const yaml::Node& item : node.items) compare(item);
  for (const yaml::Member& member : node.members) compare(member.value);
  return *longest;
}

// The front end: from the text to the plan. Each pass says in the sink why it stops.
std::optional<plan::Plan> plan_of(const Input& input, const catalog::Catalog& catalog,
                                  std::vector<Span>& scalars, std::string& name, diag::Sink& sink) {
  const auto tree = read(input, scalars, sink);
  if (!tree || !spec::is_spec(*tree, sink)) return std::nullopt;
  const auto claims = schema::decode<claims::Claims>(*tree, sink);
  name = claims.name.value;
  if (claims.where.bad) return std::nullopt;
  const facts::Facts facts = facts::look_up(claims, catalog);
  rules::judge(facts, sink);
  const auto complete = plan::complete(claims, facts, catalog, sink);
  if (!complete) return std::nullopt;
  plan::Plan plan = plan::build(*complete, base_name(input.sources[input.spec].name));
  plan.longest_text = longest_text(*tree).span;
  return plan;
}

// What the back ends make of a plan.
struct Made {
  const plan::Plan& plan;
  const templates::Set& templates;
  bool comments;
  std::vector<Value> objects, queues;
  std::optional<kubernetes::QueueNeed> queue_need;
  gcloud::Scripts scripts;
};

void add_documents(std::span<const Value> objects, const yaml::Style& style, std::string& out) {
  for (const Value& object : objects) {
    out += "---\n";
    yaml::emit(object, style, out);
  }
}

std::string manifests(const Made& made) {
  std::string out;
  if (made.comments) {
    out += fmt::format("# {}, compiled by flexslice from {}.\n", made.plan.name,
                       yaml::one_line(made.plan.source));
    if (std::any_of(made.objects.begin(), made.objects.end(), kubernetes::is_changed_by_queue)) {
      out +=
          "# Use `kubectl apply --server-side`: Kueue changes the workload when it admits it, and "
          "client-side apply is refused after "
          "that.\n";
    }
  }
  add_documents(made.objects, {.comments = made.comments}, out);
  return out;
}

// Different words in the order in which they come; only the first few are kept.
class Words {
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
  Words queues, workloads, sources, versions;
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

std::string script(const Made& made, const Value& steps, std::string_view file) {
  return gcloud::to_bash(steps, {file, made.plan.summary, made.plan.source, made.comments},
                         made.templates);
}

// Every artifact once: its names, whether it needs the scripts, and what prints it.
struct ArtifactRow {
  EmitRow names;
  bool from_scripts;
  std::string (*print)(const Made& made);
};

constexpr ArtifactRow artifacts[] = {
    {{Emit::manifests, "manifests", "manifests.yaml"}, false, manifests},
    {{Emit::provision, "provision", "provision.sh"},
     true,
     [](const Made& made) { return script(made, made.scripts.provision, "provision.sh"); }},
    {{Emit::verify, "verify", "verify.sh"},
     true,
     [](const Made& made) { return script(made, made.scripts.verify, "verify.sh"); }},
    {{Emit::cleanup, "cleanup", "cleanup.sh"},
     true,
     [](const Made& made) { return script(made, made.scripts.cleanup, "cleanup.sh"); }},
    {{Emit::queues, "queues", "queues.yaml"},
     false,
     nullptr},  // of all specs of a run: see add_queues
    {{Emit::plan, "plan", "plan.json"},
     false,
     [](const Made& made) {
       return yaml::emit_json(plan::document(made.queue_need ? made.queue_need->plan : made.plan));
     }},
};

bool is_wanted(const CompileOptions& options, Emit emit) {
  return std::find(options.emit.begin(), options.emit.end(), emit) != options.emit.end();
}

// Scripts take longer than manifests. Those of the built-in knowledge have no findings, which a
// test keeps, so without one that is wanted they need not be made.
bool needs_scripts(const catalog::Catalog& catalog, const templates::Set& templates,
                   const CompileOptions& options) {
  if (options.emit.empty() || options.explain || catalog.overlaid || templates.is_overlaid())
    return true;
  return std::any_of(std::begin(artifacts), std::end(artifacts), [&](const ArtifactRow& row) {
    return row.from_scripts && is_wanted(options, row.names.emit);
  });
}

}  // namespace

std::span<const EmitRow> emit_rows() {
  static constexpr auto rows = [] {
    std::array<EmitRow, std::size(artifacts)> names;
    for (std::size_t i = 0; i < names.size(); ++i) names[i] = artifacts[i].names;
    return names;
  }();
  return rows;
}

Compiled compile(const Input& input, const catalog::Catalog& catalog,
                 const templates::Set& templates, const CompileOptions& options) {
  Compiled compiled;
  diag::Sink sink;
  std::vector<Span> scalars;
  if (const auto plan = plan_of(input, catalog, scalars, compiled.name, sink)) {
    Made made{*plan, templates, options.comments, kubernetes::objects(*plan, templates), {},
              {},    {}};
    if (plan->queue) {
      made.queue_need =
          kubernetes::queue_need(*plan, kubernetes::patched(made.objects, plan->patches));
      made.queues = kubernetes::queue_objects({&*made.queue_need}, templates, false);
    }
    // Four passes may report after the plan: the user's patches on the objects, objects that are
    // too large, the flags that the stated gcloud lacks, and, below, suppressions.
    kubernetes::apply_patches(plan->patches, {&made.objects, &made.queues}, sink);
    for (std::vector<Value>* list : {&made.objects, &made.queues})
      std::for_each(list->begin(), list->end(), kubernetes::make_canonical);
    kubernetes::check_sizes(made.objects, plan->longest_text, sink);
    if (needs_scripts(catalog, templates, options)) {
      made.scripts = gcloud::scripts(*plan, templates, made.objects);
      for (const Value* steps :
           {&made.scripts.provision, &made.scripts.verify, &made.scripts.cleanup})
        gcloud::check_flags(*steps, catalog, plan->where, sink);
    }
    compiled.ok = sink.hard_errors() == 0;
    for (const ArtifactRow& row : artifacts) {
      if (!compiled.ok || row.print == nullptr || !is_wanted(options, row.names.emit)) continue;
      compiled.artifacts.push_back({row.names.emit, row.print(made)});
    }
    if (compiled.ok && options.explain)
      compiled.explanation =
          explain::plan_text(*plan, catalog, {made.scripts.provision, made.queues, made.objects});
    if (compiled.ok && is_wanted(options, Emit::queues))
      compiled.queue_need = std::move(made.queue_need);
  }
  compiled.diagnostics = sink.take();
  if (!scalars.empty())
    compiled.diagnostics =
        diag::suppress(input.sources, input.spec, scalars, std::move(compiled.diagnostics));
  const auto is_hard = [](const diag::Diagnostic& each) {
    return each.level == diag::Level::error;
  };
  if (std::any_of(compiled.diagnostics.begin(), compiled.diagnostics.end(), is_hard)) {
    // A wrong suppression is found last.
    compiled.ok = false;
    compiled.artifacts.clear();
    compiled.queue_need.reset();
    compiled.explanation.clear();
  }
  return compiled;
}

std::string queues(const kubernetes::QueueNeeds& needs, const templates::Set& templates,
                   bool comments) {
  const std::vector<kubernetes::QueueNeeds> clusters = kubernetes::by_cluster(needs);
  std::string out;
  for (const kubernetes::QueueNeeds& each : clusters) {
    std::vector<Value> objects = kubernetes::queue_objects(each, templates);
    std::for_each(objects.begin(), objects.end(), kubernetes::make_canonical);
    const Value* api_version = objects.front().find("apiVersion");
    if (comments && clusters.size() > 1)
      out += fmt::format("# For cluster {}:\n", each.front()->cluster);
    if (comments)
      out += queue_header(each, api_version == nullptr ? std::string_view() : api_version->text);
    add_documents(objects, {.comments = comments}, out);
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
      const auto place = std::find_if(artifacts.begin(), artifacts.end(), [](const Artifact& each) {
        return each.emit > Emit::queues;
      });
      artifacts.insert(place, {Emit::queues, text});
    }
  }
}

}  // namespace flexslice
