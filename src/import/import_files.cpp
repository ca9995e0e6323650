#include "import/import_files.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "base/lists.hpp"
#include "base/ordered_parallel.hpp"
#include "driver/lint_folders.hpp"
#include "driver/module_calls.hpp"
#include "import/autoscaler.hpp"
#include "import/capacity.hpp"
#include "import/input.hpp"
#include "import/match.hpp"
#include "import/report.hpp"
#include "import/synthesis.hpp"
#include "yaml/emit.hpp"

namespace flexslice::imports {

namespace {

using diag::Diagnostic;
using yaml::Value;

// The fault that lint finds where compile derives another value.
std::string reason(std::span<const Diagnostic> found_by_lint, const Diagnostic& change) {
  const auto fault = std::ranges::find_if(found_by_lint, [&](const Diagnostic& finding) {
    return finding.level <= diag::Level::soft && finding.where.source == change.where.source &&
           finding.where.begin < change.where.end && change.where.begin < finding.where.end;
  });
  if (change.code != diag::Code::ImportChanges || fault == found_by_lint.end()) return {};
  return fmt::format(" ({}: {})", diag::code_text(fault->code), yaml::one_line(fault->message));
}

bool has_spec(const Sources& sources) {
  const std::string key = "apiVersion: flexslice/";
  for (std::uint32_t i = 0; i < sources.size(); ++i) {
    const std::string_view text = sources[i].text;
    if (text.starts_with(key) || text.find("\n" + key) != std::string_view::npos) return true;
  }
  return false;
}

// The comment of a spec says what could not be kept. Findings from `from` on are of the spec.
std::string comments(const diag::Sink& sink, std::size_t found_by_lint, std::size_t from) {
  std::string text;
  for (const Diagnostic& finding : sink.found().subspan(from)) {
    if (finding.level == diag::Level::note) continue;
    if (finding.code == diag::Code::ImportRefuses) {
      text += fmt::format("# TODO: {} ({})\n", yaml::one_line(finding.message),
                          yaml::one_line(finding.notes.front()));
      continue;
    }
    text +=
        fmt::format("# {}: {}{}\n", diag::code_text(finding.code), yaml::one_line(finding.message),
                    reason(sink.found().first(found_by_lint), finding));
  }
  return text;
}

// A field that no type has can only be allowed for the whole spec: it may be a mapping.
std::string allowances(const Trial& trial) {
  const bool any = std::ranges::any_of(trial.diagnostics, may_be_newer);
  return any ? fmt::format("# flexslice: allow {} - the input has such fields\n",
                           diag::code_text(diag::Code::NoSuchField))
             : "";
}

void add_document(const std::string& comments, const Value& spec, std::string& specs) {
  if (!specs.empty()) specs += "---\n";
  specs += comments + yaml::emit(spec, {.width = 100});
}

// The items of a list, for ordered_parallel.
template <class Item>
auto each_of(std::vector<Item>& items) {
  return [&items, next = std::size_t(0)]() mutable -> std::optional<Item*> {
    if (next == items.size()) return std::nullopt;
    return &items[next++];
  };
}

// By their folders.
std::map<std::string_view, extract::Module> modules_of(const Sources& sources) {
  std::map<std::string_view, std::vector<Source>> files;
  lint::ModuleCalls calls;
  extract::GivenNames commands;
  std::vector<Source> values;
  for (std::uint32_t i = 0; i < sources.size(); ++i) {
    const Source& source = sources[i];
    if (lint::may_call_modules(source.name)) calls.add(source);
    if (extract::module_role(source.name) == extract::ModuleRole::named_values)
      values.push_back(source);
    commands.add_variables_of_terraform(source.text);
    if (extract::module_role(source.name) != extract::ModuleRole::none)
      files[folder_of(source.name)].push_back(source);
  }
  std::map<std::string_view, extract::Module> modules;
  for (auto& [folder, of_folder] : files) {
    extract::GivenVariables given = calls.given(folder);
    lint::add_given_by_commands(commands, values, given);
    modules.emplace(folder, lint::read_module(std::move(of_folder), given));
  }
  return modules;
}

Material read_files(const Sources& sources, const catalog::Catalog& catalog, unsigned jobs,
                    diag::Sink& sink) {
  struct Work {
    std::uint32_t file;
    const extract::Module* module;
    FileMaterial found;
  };
  const auto modules = modules_of(sources);
  std::vector<Work> files;
  for (std::uint32_t file = 0; file < sources.size(); ++file) {
    const std::string_view name = sources[file].name;
    const bool is_code = extract::module_role(name) == extract::ModuleRole::code;
    files.push_back({file, is_code ? &modules.at(folder_of(name)) : nullptr, {}});
  }
  Material input;
  const auto report = [&](lint::Folders::Findings found) {
    const auto place = [&](Span& span) {
      const auto is_its = [&](const Work& work) {
        return sources[work.file].name == found.sources[span.source].name;
      };
      span.source = find_where(files, is_its)->file;
    };
    for (Diagnostic& finding : found.diagnostics) {
      if (finding.level == diag::Level::note) continue;
      place(finding.where);
      for (diag::Related& related : finding.related) {
        if (related.file.empty()) place(related.where);
      }
      sink.add(std::move(finding));
    }
  };
  const auto report_folder = [&](std::optional<lint::Folders::Findings> found) {
    if (found) report(std::move(*found));
  };
  const InputFiles all(sources);
  lint::Folders run(catalog);
  ordered_parallel(
      jobs, each_of(files),
      [&](Work* work) { work->found = read_input(all, work->file, work->module, catalog); },
      [&](Work* work) {
        add_material(std::move(work->found.material), input);
        for (Diagnostic& finding : work->found.findings) sink.add(std::move(finding));
        run.has_file(sources[work->file].name);
        report_folder(run.add(sources[work->file], std::move(work->found.summary)));
        return true;
      });
  report_folder(run.end());
  report(run.end_of_run());
  return input;
}

struct SpecWork {
  Parts parts;
  Synthesis made;
};

// The workloads with TPUs that a spec can describe. What creates the nodes of several belongs to
// the first.
std::vector<SpecWork> find_workloads(Material& input, const catalog::Catalog& catalog,
                                     Report& report) {
  std::vector<SpecWork> workloads;
  for (std::size_t i = 0; i < input.objects.size(); ++i) {
    auto workload = workload_in(input.objects[i].value);
    if (!workload || workload->pod == nullptr) continue;
    count_scaled_slices(*workload, input.objects);
    input.objects[i].used = true;
    Parts parts{i, commands_of(*workload, input, catalog), services_of(*workload, input.objects)};
    if (report.refuse(*workload, parts, input)) continue;
    const NodeCommands& commands =
        workloads.emplace_back(SpecWork{std::move(parts), {}}).parts.commands;
    for (const auto* indices : {&commands.pools, &commands.clusters}) {
      for (const std::size_t index : *indices) input.commands[index].claimed = true;
    }
  }
  return workloads;
}

}  // namespace

Imported import_files(const Sources& sources, const catalog::Catalog& catalog,
                      const templates::Set& templates, unsigned jobs) {
  diag::Sink sink;
  Material input = read_files(sources, catalog, jobs, sink);
  drop_owned(input);
  Imported imported;
  const Compiler compiler(catalog, templates);
  const std::size_t found_by_lint = sink.found().size();
  Report report(catalog, sink);
  std::vector<SpecWork> workloads = find_workloads(input, catalog, report);
  const auto synthesize_one = [&](SpecWork* work) {
    work->made = synthesize(std::move(work->parts), input, catalog, compiler);
  };
  ordered_parallel(jobs, each_of(workloads), synthesize_one, [&](SpecWork* work) {
    const std::size_t before = sink.found().size();
    report.spec(work->made, input);
    report.name(work->made.spec, name_span(input.objects[work->made.parts.object]));
    add_document(comments(sink, found_by_lint, before) + allowances(work->made.trial),
                 work->made.spec, imported.specs);
    work->made = {};  // else all their trees are there at the end
    return true;
  });
  std::vector<Synthesis> capacity;
  if (workloads.empty()) capacity = synthesize_capacity(input, catalog, compiler);
  for (Synthesis& made : capacity) {
    const std::size_t before = sink.found().size();
    report.spec(made, input);
    add_document(comments(sink, found_by_lint, before), made.spec, imported.specs);
  }
  report.rest(input, workloads.size() + capacity.size());
  imported.equal = report.is_equal();
  imported.diagnostics = sink.take();
  for (Diagnostic& finding : imported.diagnostics) {
    if (finding.code == diag::Code::ImportNothing && has_spec(sources))
      finding.help(
          "it is a spec already: `flexslice check` checks it, `flexslice compile` compiles it");
  }
  std::ranges::stable_sort(imported.diagnostics, {}, [](const Diagnostic& finding) {
    return std::tuple(finding.level != diag::Level::note, finding.code == diag::Code::ImportNothing,
                      finding.where.source, finding.where.begin);
  });
  return imported;
}

}  // namespace flexslice::imports
