#include "driver.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "diag/suppress.hpp"
#include "explain/explain.hpp"
#include "lower/apply.hpp"
#include "lower/canonical.hpp"
#include "lower/lower.hpp"
#include "lower/patch.hpp"
#include "lower/profile.hpp"
#include "plan/resolve.hpp"
#include "record/decode.hpp"
#include "script/bash.hpp"
#include "spec/identity.hpp"
#include "spec/layers.hpp"
#include "yaml/emit.hpp"
#include "yaml/parse.hpp"

namespace flexslice {

using yaml::Value;

namespace {

constexpr EmitRow rows[] = {
    {Emit::manifests, "manifests", "manifests.yaml"}, {Emit::provision, "provision", "provision.sh"}, {Emit::verify, "verify", "verify.sh"},
    {Emit::cleanup, "cleanup", "cleanup.sh"},         {Emit::queues, "queues", "queues.yaml"},        {Emit::plan, "plan", "plan.json"},
};

void collect_scalars(const yaml::Node& node, std::uint32_t source, std::vector<Span>& spans) {
  if (node.kind == yaml::Kind::scalar && node.span.source == source) spans.push_back(node.span);
  for (const yaml::Node& item : node.items) collect_scalars(item, source, spans);
  for (const yaml::Member& member : node.members) {
    collect_scalars(member.key, source, spans);
    collect_scalars(member.value, source, spans);
  }
}

// parse, with the layers under and over the spec.
std::optional<yaml::Node> read(const Input& input, std::vector<Span>& scalars, diag::Sink& sink) {
  std::optional<yaml::Node> tree;
  const auto lay = [&](std::optional<yaml::Node> layer) {
    if (layer) tree = tree ? spec::overlay(std::move(*tree), std::move(*layer)) : std::move(*layer);
    return layer.has_value();
  };
  bool good = true;
  for (std::uint32_t index : input.defaults) good = lay(yaml::parse(input.sources, index, sink)) && good;
  auto document = yaml::parse(input.sources, input.spec, sink);
  if (document && diag::may_suppress(input.sources[input.spec].text)) collect_scalars(*document, input.spec, scalars);
  good = lay(std::move(document)) && good;
  for (std::uint32_t index : input.sets) good = lay(spec::set_value(input.sources, index, sink)) && good;
  if (!good) return std::nullopt;
  return tree;
}

void add_documents(std::span<const Value> objects, const yaml::Style& style, std::string& out) {
  for (const Value& object : objects) {
    out += "---\n";
    yaml::emit(object, style, out);
  }
}

std::string manifests(const plan::Plan& plan, std::span<const Value> objects, const yaml::Style& style) {
  std::string out;
  if (style.comments) out += text::format("# {}, compiled by flexslice from {}.\n", plan.name, yaml::one_line(plan.source));
  if (style.comments && std::any_of(objects.begin(), objects.end(), lower::is_changed_by_queue))
    out +=
        "# Use `kubectl apply --server-side`: Kueue changes the workload when it admits it, and client-side apply is refused after that.\n";
  add_documents(objects, style, out);
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
    return first_.size() == all_.size() ? named : text::format("{} and {} more", named, all_.size() - first_.size());
  }

 private:
  static constexpr std::size_t most = 8;
  std::set<std::string> all_;
  std::vector<std::string> first_;
};

std::string queue_header(const lower::QueueNeeds& needs, std::string_view api_version) {
  Words queues, workloads, sources, versions;
  for (const lower::QueueNeed* need : needs) {
    queues.add(need->queue);
    workloads.add(need->workload);
    sources.add(yaml::one_line(need->source));
    for (const plan::ControllerNeed& each : need->controllers) {
      if (!api_version.starts_with(each.controller->group)) continue;
      versions.add(
          text::format("# Needs {} {} for {}.\n", each.controller->name, catalog::versions_text(*each.minimum), each.minimum->title));
    }
  }
  std::string out = text::format("# {} {} for {}, compiled by flexslice from {}.\n", queues.first().size() == 1 ? "queue" : "queues",
                                 queues.text(), workloads.text(), sources.text());
  out += "# Compile all specs of a queue in one run: these objects replace those of an earlier one.\n";
  return out + text::join(versions.first(), "");
}

bool wanted(const CompileOptions& options, Emit emit) {
  return std::find(options.emit.begin(), options.emit.end(), emit) != options.emit.end();
}

// Scripts take longer than manifests. Those of the built-in knowledge have no findings, which a test keeps, so without one that is wanted
// they need not be made.
bool needs_scripts(const catalog::Catalog& catalog, const templates::Set& templates, const CompileOptions& options) {
  if (options.emit.empty() || options.explain || catalog.overlaid || templates.is_overlaid()) return true;
  return wanted(options, Emit::provision) || wanted(options, Emit::verify) || wanted(options, Emit::cleanup);
}

// What lower makes of a plan, with the user's patches applied.
struct Lowered {
  lower::Inputs inputs;
  std::vector<Value> objects, queues;
  std::optional<lower::QueueNeed> queue_need;
  lower::Scripts scripts;
};

Lowered lower_all(const plan::Plan& plan, const templates::Set& templates, bool with_scripts, diag::Sink& sink) {
  lower::Inputs inputs = lower::inputs_of(plan, templates);
  std::vector<Value> objects = lower::objects(inputs), queues;
  std::optional<lower::QueueNeed> queue_need;
  if (!plan.provisioning.queue.empty()) {
    queue_need = lower::queue_need(inputs, objects);
    queues = lower::queue_objects({&*queue_need}, templates);
    queue_need->patches = plan.patches;
  }
  lower::apply_patches(plan.patches, {&objects, &queues}, sink);
  for (std::vector<Value>* list : {&objects, &queues}) std::for_each(list->begin(), list->end(), lower::make_canonical);
  lower::Scripts scripts;
  if (with_scripts) scripts = lower::scripts(inputs, objects);
  return {std::move(inputs), std::move(objects), std::move(queues), std::move(queue_need), std::move(scripts)};
}

void emit(const plan::Plan& plan, const Lowered& lowered, const templates::Set& templates, const CompileOptions& options,
          std::vector<Artifact>& artifacts) {
  const std::string summary = lowered.inputs.document.find("summary")->text;
  const auto add = [&](Emit emit, std::string text) { artifacts.push_back({emit, std::move(text)}); };
  const auto add_script = [&](Emit emit, const Value& script, std::string_view file) {
    if (wanted(options, emit)) add(emit, script::to_bash(script, {file, summary, plan.source, options.comments}, templates));
  };

  const yaml::Style style{.comments = options.comments};
  if (wanted(options, Emit::manifests)) add(Emit::manifests, manifests(plan, lowered.objects, style));
  add_script(Emit::provision, lowered.scripts.provision, "provision.sh");
  add_script(Emit::verify, lowered.scripts.verify, "verify.sh");
  add_script(Emit::cleanup, lowered.scripts.cleanup, "cleanup.sh");
  if (wanted(options, Emit::plan)) {
    Value document = plan::document(plan);
    if (lowered.queue_need) document["queue"] = *lowered.queue_need->document.find("queue");
    add(Emit::plan, yaml::emit_json(document));
  }
}

// A model that an overlay of the catalog adds needs a template, or its pools would be made without flags.
bool has_template(const plan::Plan& plan, const templates::Set& templates, Span where, diag::Sink& sink) {
  const std::string name = text::format("models/{}", plan.provisioning.model->name);
  if (templates.find(name)) return true;
  sink.report<diag::Code::TemplateSyntax>(where, text::format("the model {} has no template `{}`", plan.provisioning.model->name, name))
      .help(text::format("write {}.yaml for `--templates`", name));
  return false;
}

// The part of a path behind its last `/`: headers must not depend on where the compiler was started.
std::string_view base_name(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

}  // namespace

std::span<const EmitRow> emit_rows() { return rows; }

Compiled compile(const Input& input, const catalog::Catalog& catalog, const templates::Set& templates, const CompileOptions& options) {
  Compiled compiled;
  diag::Sink sink;
  std::vector<Span> scalars;
  if (const auto tree = read(input, scalars, sink); tree && spec::is_spec(*tree, sink)) {
    const auto spec = record::decode<spec::Spec>(*tree, sink);
    compiled.name = spec.name.value;
    const auto plan = plan::resolve(spec, catalog, base_name(input.sources[input.spec].name), sink);
    if (plan && has_template(*plan, templates, spec.provisioning.model.where.span, sink)) {
      Lowered lowered = lower_all(*plan, templates, needs_scripts(catalog, templates, options), sink);
      for (const Value* script : {&lowered.scripts.provision, &lowered.scripts.verify, &lowered.scripts.cleanup}) {
        lower::check_profile(*script, catalog, spec.where.span, sink);
      }
      lower::check_sizes(lowered.objects, *tree, sink);
      compiled.ok = sink.hard_errors() == 0;
      if (compiled.ok) emit(*plan, lowered, templates, options, compiled.artifacts);
      if (compiled.ok && wanted(options, Emit::queues)) compiled.queue_need = std::move(lowered.queue_need);
      if (compiled.ok && options.explain) {
        compiled.explanation = explain::plan_text(*plan, catalog, {lowered.scripts.provision, lowered.queues, lowered.objects});
      }
    }
  }
  compiled.diagnostics = sink.take();
  if (!scalars.empty()) compiled.diagnostics = diag::suppress(input.sources, input.spec, scalars, std::move(compiled.diagnostics));
  const auto is_hard = [](const diag::Diagnostic& each) { return each.level == diag::Level::error; };
  if (std::any_of(compiled.diagnostics.begin(), compiled.diagnostics.end(), is_hard)) {
    // A wrong suppression is found last.
    compiled.ok = false;
    compiled.artifacts.clear();
    compiled.queue_need.reset();
    compiled.explanation.clear();
  }
  return compiled;
}

std::string queues(const lower::QueueNeeds& needs, const templates::Set& templates, bool comments) {
  std::vector<std::pair<std::string_view, lower::QueueNeeds>> clusters;
  for (const lower::QueueNeed* need : needs) {
    auto cluster = std::find_if(clusters.begin(), clusters.end(), [&](const auto& each) { return each.first == need->cluster; });
    if (cluster == clusters.end()) cluster = clusters.insert(cluster, {need->cluster, {}});
    cluster->second.push_back(need);
  }
  std::string out;
  for (const auto& [cluster, each] : clusters) {
    std::vector<Value> objects = lower::queue_objects(each, templates);
    std::for_each(objects.begin(), objects.end(), lower::make_canonical);
    const Value* api_version = objects.front().find("apiVersion");
    if (comments && clusters.size() > 1) out += text::format("# For cluster {}:\n", cluster);
    if (comments) out += queue_header(each, api_version == nullptr ? std::string_view() : api_version->text);
    add_documents(objects, {.comments = comments}, out);
  }
  return out;
}

void add_queues(std::span<Compiled> run, const templates::Set& templates, bool comments) {
  lower::QueueNeeds all;
  std::map<const lower::QueueNeed*, Compiled*> owners;
  for (Compiled& compiled : run) {
    if (!compiled.queue_need) continue;
    all.push_back(&*compiled.queue_need);
    owners[all.back()] = &compiled;
  }
  for (const lower::QueueNeeds& needs : lower::by_queue(all)) {
    const std::string text = queues(needs, templates, comments);
    for (const lower::QueueNeed* need : needs) {
      auto& artifacts = owners[need]->artifacts;
      const auto place = std::find_if(artifacts.begin(), artifacts.end(), [](const Artifact& each) { return each.emit > Emit::queues; });
      artifacts.insert(place, {Emit::queues, text});
    }
  }
}

}  // namespace flexslice
