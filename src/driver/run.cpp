#include "driver/run.hpp"

#include <algorithm>
#include <map>

#include "yaml/parse.hpp"

namespace flexslice {

Sources layered(const Setting& setting, Source spec) {
  Sources sources;
  for (const Source& layer : setting.defaults) sources.add(layer);
  sources.add(std::move(spec));
  for (const Source& layer : setting.sets) sources.add(layer);
  return sources;
}

namespace {

Input input_of(const Setting& setting, const Sources& sources) {
  Input input{sources, static_cast<std::uint32_t>(setting.defaults.size()), {}, {}};
  for (std::uint32_t i = 0; i < input.spec; ++i) input.defaults.push_back(i);
  for (std::uint32_t i = input.spec + 1; i < sources.size(); ++i) input.sets.push_back(i);
  return input;
}

}  // namespace

yaml::Value merged(const Setting& setting, const Sources& sources) {
  diag::Sink ignored;
  const auto tree = merge_layers(input_of(setting, sources), ignored);
  return tree ? yaml::to_value(*tree) : yaml::Value();
}

std::vector<Compiled> compile_document(const Setting& setting, const Sources& sources,
                                       const CompileOptions& options, unsigned jobs) {
  const Input input = input_of(setting, sources);
  std::vector<Compiled> specs =
      compile_all(input, setting.catalog, setting.templates, options, jobs);
  if (setting.policy == nullptr) return specs;
  for (Compiled& each : specs) {
    diag::apply_policy(*setting.policy, each.diagnostics);
    each.ok = each.ok && diag::errors(each.diagnostics) == 0;
  }
  return specs;
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

void add_queues(std::span<Compiled> run, const templates::Set& templates, bool comments) {
  kubernetes::QueueNeeds all;
  std::map<const kubernetes::QueueNeed*, Compiled*> owners;
  for (Compiled& compiled : run) {
    for (const kubernetes::QueueNeed& need : compiled.queue_needs) {
      all.push_back(&need);
      owners[&need] = &compiled;
    }
  }
  for (const kubernetes::QueueNeeds& needs : kubernetes::by_file(all)) {
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

TextRun compile_texts(const Setting& setting, std::span<const Source> texts,
                      const CompileOptions& options,
                      const std::function<void(const Sources&, std::vector<diag::Diagnostic>)>& say,
                      std::size_t most) {
  TextRun result;
  plan::Defined run;
  for (const Source& text : texts) {
    for (const yaml::Document& document : yaml::split_documents(text.text)) {
      if (++result.documents > most) continue;
      const Sources sources =
          layered(setting, {text.name, std::string(document.text), document.first_line});
      std::vector<Compiled> specs = compile_document(setting, sources, options);
      for (Compiled& each : specs) {
        // Without a policy, an error that one might allow leaves it whole.
        if (each.ok && diag::errors(each.diagnostics) == 0)
          add_to_run(run, text.name, sources[setting.defaults.size()], each);
      }
      say(sources, take_findings(specs));
      for (Compiled& each : specs) {
        if (each.ok) result.good.push_back(std::move(each));
      }
    }
  }
  for (auto& [source, finding] : run.late_findings()) {
    std::vector<diag::Diagnostic> found{std::move(finding)};
    if (setting.policy != nullptr) diag::apply_policy(*setting.policy, found);
    say(layered(setting, std::move(source)), std::move(found));
  }
  add_queues(result.good, setting.templates, options.comments);
  return result;
}

TextRun compile_text(const Setting& setting, std::string_view file, std::string_view text,
                     const CompileOptions& options,
                     const std::function<void(const Sources&, std::vector<diag::Diagnostic>)>& say,
                     std::size_t most) {
  const Source source{std::string(file), std::string(text), 1};
  return compile_texts(setting, {&source, 1}, options, say, most);
}

}  // namespace flexslice
