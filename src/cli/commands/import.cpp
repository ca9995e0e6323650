// flexslice import: the spec on stdout or in a file, findings on stderr.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <limits>

#include "base/lists.hpp"
#include "cli/commands/commands.hpp"
#include "cli/files/output.hpp"
#include "cli/run/module.hpp"
#include "cli/run/settings.hpp"
#include "import/import_files.hpp"

namespace flexslice::cli {

namespace {

void write_imported(const std::string& text, const CommandLine& line) {
  const std::string path = line.value("output");
  if (path.empty() || path == "-") return print(text);
  std::error_code ignored;
  if (!line.has("force") && std::filesystem::exists(std::filesystem::symlink_status(path, ignored)))
    throw file_error(path + ": already exists, unchanged; --force replaces it");
  OutputFile file(path, [&](const FileId& id) {
    return std::ranges::any_of(line.words,
                               [&](const std::string& word) { return file_id(word) == id; });
  });
  file.append(text);
  file.commit();
}

// How far the specs are from the input, or nothing.
std::string import_summary(const imports::Imported& imported) {
  const auto count = [&](std::initializer_list<diag::Code> codes) {
    return std::ranges::count_if(imported.diagnostics, [&](const diag::Diagnostic& finding) {
      return contains(codes, finding.code);
    });
  };
  using diag::Code;
  const auto lost = count({Code::ImportLoses}),
             changed = count({Code::ImportChanges, Code::ImportRenames, Code::ImportMakesSidecar}),
             added = count({Code::ImportAdds});
  if (lost + changed + added == 0) return {};
  return fmt::format("Compared with the input: {} not kept, {} changed, {} added by compile.\n",
                     lost, changed, added);
}

}  // namespace

int run_import(const CommandLine& line) {
  const bool check = line.has("check");
  if (line.words.empty())
    throw wrong_usage("missing PATH: name files or directories, or `-` for stdin");
  if (check && line.has("output")) throw wrong_usage("--check writes no spec; leave out --output");
  Run run;
  read_rules(line, check ? STDOUT_FILENO : STDERR_FILENO, true, run);
  // Nothing is lost silently, however much it is.
  run.render.limit = std::numeric_limits<std::size_t>::max();
  run.render.short_notes = true;
  const Sources sources = read_paths(line.words);
  imports::Imported imported = imports::import_files(sources, run.knowledge.catalog,
                                                     run.knowledge.templates, read_jobs(line));
  // How to allow a fault of the input is lint's to say.
  diag::apply_policy(run.policy, imported.diagnostics, false);
  if (!check && !imported.specs.empty()) write_imported(imported.specs, line);
  const std::string findings_text =
      imported.diagnostics.empty() && run.render.format == diag::Format::text
          ? ""
          : diag::render(run.render, sources, imported.diagnostics);
  (check ? print : print_error)(findings_text);
  const bool is_text = run.render.format == diag::Format::text;
  if (const std::string text = import_summary(imported); !text.empty() && (check || is_text))
    print_error((check ? "" : "\n") + text);
  if (check)
    print_error(imported.equal ? "The specs keep the objects and commands of the input.\n"
                               : "The specs do not keep all of the input.\n");
  const bool faulty = std::ranges::any_of(
      imported.diagnostics, [](const auto& finding) { return finding.level != diag::Level::note; });
  return faulty || (check && !imported.equal) ? findings : fine;
}

}  // namespace flexslice::cli
