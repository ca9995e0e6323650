#include "driver/lint_texts.hpp"

#include <map>

#include "driver/lint_folders.hpp"

namespace flexslice::lint {

namespace {

// Of each folder that has several files of Terraform. One alone is judged without a module.
std::map<std::string_view, extract::Module> modules_of(std::span<const Source> texts) {
  std::map<std::string_view, std::vector<Source>> files;
  for (const Source& text : texts) {
    if (extract::module_role(text.name) != extract::ModuleRole::none)
      files[folder_of(text.name)].push_back(text);
  }
  std::map<std::string_view, extract::Module> modules;
  for (auto& [folder, of_folder] : files) {
    if (of_folder.size() > 1) modules.emplace(folder, read_module(std::move(of_folder)));
  }
  return modules;
}

}  // namespace

LintedTexts lint_texts(
    std::span<const Source> texts, const catalog::Catalog& catalog, const RuleOptions& options,
    const std::function<void(const Sources&, std::vector<diag::Diagnostic>)>& report) {
  LintedTexts result;
  Folders folders;
  const auto report_folder = [&](std::optional<Folders::Findings> found) {
    if (!found) return;
    std::erase_if(found->diagnostics, [&](const diag::Diagnostic& finding) {
      return finding.level == diag::Level::note && !options.notes;
    });
    if (!found->diagnostics.empty()) report(found->sources, std::move(found->diagnostics));
  };
  const auto modules = modules_of(texts);
  std::vector<const Source*> completing;  // without TPUs, but may have what the others lack
  for (const Source& text : texts) {
    Sources sources;
    sources.add(text);
    folders.has_file(text.name);
    const auto module = modules.find(folder_of(text.name));
    const bool in_module =
        module != modules.end() && extract::module_role(text.name) == extract::ModuleRole::code;
    Linted linted = lint(sources, catalog, options, in_module ? &module->second : nullptr);
    if (linted.mentions_tpus) ++result.with_tpus;
    if (!linted.mentions_tpus && may_complete(text.text)) completing.push_back(&text);
    result.unread += linted.unread;
    if (!linted.diagnostics.empty()) report(sources, std::move(linted.diagnostics));
    if (!linted.summary.empty()) report_folder(folders.add(text, std::move(linted.summary)));
  }
  if (texts.size() > 1) report_folder(folders.end());
  if (!folders.is_open()) return result;
  for (const Source* text : completing)
    report_folder(folders.add(*text, summarize(*text, catalog)));
  report_folder(folders.end_of_run(catalog));
  return result;
}

}  // namespace flexslice::lint
