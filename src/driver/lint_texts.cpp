#include "driver/lint_texts.hpp"

#include <map>
#include <optional>
#include <string>

#include "base/lists.hpp"
#include "driver/kustomize.hpp"
#include "driver/lint_folders.hpp"
#include "driver/module_calls.hpp"
#include "rules/read_for.hpp"

namespace flexslice::lint {

namespace {

// Finds each folder that has several files of Terraform, or that others call. One alone is judged
// without a module.
std::map<std::string_view, extract::Module> modules_of(std::span<const Source> texts) {
  std::map<std::string_view, std::vector<Source>> files;
  ModuleCalls calls;
  for (const Source& text : texts) {
    if (may_call_modules(text.name)) calls.add(text);
    if (extract::module_role(text.name) != extract::ModuleRole::none)
      files[folder_of(text.name)].push_back(text);
  }
  std::map<std::string_view, extract::Module> modules;
  for (auto& [folder, of_folder] : files) {
    const extract::GivenVariables given = calls.given(folder);
    if (of_folder.size() > 1 || !given.names.empty())
      modules.emplace(folder, lint::read_module(std::move(of_folder), given));
  }
  return modules;
}

}  // namespace

LintedTexts lint_texts(
    std::span<const Source> texts, const catalog::Catalog& catalog, const RuleOptions& options,
    const std::function<void(const Sources&, std::vector<diag::Diagnostic>)>& report) {
  LintedTexts result;
  const auto modules = modules_of(texts);
  const auto module_of = [&](std::string_view name) {
    const auto module = modules.find(folder_of(name));
    return module != modules.end() && extract::module_role(name) == extract::ModuleRole::code
               ? &module->second
               : nullptr;
  };
  Folders folders(catalog, [&](const std::string& name) -> std::optional<AddedFile> {
    const Source* text = find_where(texts, [&](const Source& each) { return each.name == name; });
    if (text == nullptr || !rules::is_read_for(rules::ReadFor::creates, text->text))
      return std::nullopt;
    return AddedFile{*text, summarize(*text, catalog, module_of(name))};
  });
  const auto report_folder = [&](std::optional<Folders::Findings> found) {
    if (!found) return;
    std::erase_if(found->diagnostics, [&](const diag::Diagnostic& finding) {
      return finding.level == diag::Level::note && !options.notes;
    });
    if (!found->diagnostics.empty()) report(found->sources, std::move(found->diagnostics));
  };
  const ReadFile read_text = [&](const std::string& path) -> std::optional<std::string> {
    const Source* found = find_where(texts, [&](const Source& each) { return each.name == path; });
    return found == nullptr ? std::nullopt : std::optional(found->text);
  };
  const ListFiles list_below = [&](const std::string& folder) {
    std::vector<std::string> names;
    for (const Source& each : texts) {
      if (each.name.starts_with(folder + "/") && is_manifest(each.name)) names.push_back(each.name);
    }
    return names;
  };
  std::vector<const Source*> belonging;   // without TPUs, but with objects
  std::vector<std::string> with_tpus;     // folders
  std::vector<const Source*> completing;  // without TPUs, but may have what the others lack
  for (const Source& text : texts) {
    Sources sources;
    sources.add(text);
    folders.has_file(text.name);
    if (may_state_release(text.text)) {
      for (StatedRelease& stated : stated_releases(catalog, text.name, text.text, false))
        folders.has_release(std::move(stated));
    }
    // Settings of a script are read, and nothing else: a text that is at hand may be a part of a
    // run.
    const Near all = near_of(text.name, read_text);
    Near near;
    near.beside = all.beside;
    near.values = all.values;
    if (extract::may_be_blueprint(text.text)) {
      for (const Source& other : texts) {
        if (text.name.starts_with(folder_of(other.name)))
          add_neighbour(near, other, text.name, read_text);
      }
    }
    Linted linted = lint(sources, catalog, options, module_of(text.name), {}, near);
    const bool has_tpus = linted.mentions == Mentioned::tpus;
    if (has_tpus) ++result.with_tpus;
    if (has_tpus) with_tpus.emplace_back(folder_of(text.name));
    if (!has_tpus && (rules::is_read_for(rules::ReadFor::completes, text.text) ||
                      rules::is_read_for(rules::ReadFor::makes, text.text)))
      completing.push_back(&text);
    if (linted.mentions == Mentioned::nothing && may_belong(text.name, text.text))
      belonging.push_back(&text);
    result.unread += linted.unread;
    if (may_kustomize(text.name, text.text))
      judge_kustomization(sources, catalog, read_text, list_below, linted.diagnostics);
    if (!linted.summary.empty()) report_folder(folders.add(text, std::move(linted.summary)));
    if (texts.size() > 1) folders.hold(sources, linted.diagnostics);
    if (!linted.diagnostics.empty()) report(sources, std::move(linted.diagnostics));
  }
  // A file next to files with TPUs, or below, is about their cluster.
  Near near;
  near.has_tpus = true;
  for (const Source* text : belonging) {
    const auto has_text = [&](std::string_view folder) { return text->name.starts_with(folder); };
    if (!any_of(with_tpus, has_text)) continue;
    Sources sources;
    sources.add(*text);
    Linted linted = lint(sources, catalog, options, module_of(text->name), {}, near);
    if (!linted.diagnostics.empty()) report(sources, std::move(linted.diagnostics));
  }
  if (texts.size() > 1) report_folder(folders.end());
  if (!folders.is_open()) return result;
  for (const Source* text : completing)
    report_folder(folders.add(*text, summarize(*text, catalog)));
  report_folder(folders.end_of_run());
  return result;
}

}  // namespace flexslice::lint
