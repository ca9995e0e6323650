// flexslice diff: what becomes of the resources when specs change.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>

#include "cli/commands/commands.hpp"
#include "cli/commands/migrate.hpp"
#include "cli/files/documents.hpp"
#include "cli/files/revision.hpp"
#include "cli/run/settings.hpp"
#include "diag/policy.hpp"
#include "diag/render.hpp"
#include "driver/run.hpp"
#include "driver/spec_side.hpp"

namespace flexslice::cli {

namespace {

constexpr std::string_view diff_formats[] = {"text", "json", "markdown"};
constexpr std::string_view diff_outputs[] = {"migrate"};

// One side of the comparison: the specs that a word names, and the defaults under them.
struct NamedSide {
  std::string word;
  std::vector<std::string> defaults;
  bool is_exact = false;  // the defaults are read where they are named
};

std::vector<Source> read_defaults(const NamedSide& side) {
  std::vector<Source> layers;
  const auto revision = side.word == "-" ? std::nullopt : revision_path(side.word);
  for (const std::string& file : side.defaults) {
    auto place = revision_path(file);
    if (place) {
      RevisionFile found = file_at(*place);
      layers.push_back({std::move(found.name), std::move(found.text), 1});
      continue;
    }
    if (revision && !side.is_exact) place = in_revision(revision->revision, file);
    if (!place) {
      layers.push_back({file, read_file(file), 1});
    } else if (auto found = find_file_at(*place)) {
      layers.push_back({std::move(found->name), std::move(found->text), 1});
    } else {
      print_error(fmt::format("flexslice: note: {} has no {}; {} is compiled without it\n",
                              place->revision, place->path, side.word));
    }
  }
  return layers;
}

std::vector<DocumentReader> readers_of(const NamedSide& side, std::span<const Source> layers) {
  std::vector<DocumentReader> readers;
  std::vector<std::string> names;
  for (const Source& layer : layers) names.push_back(layer.name);
  if (const auto revision = side.word == "-" ? std::nullopt : revision_path(side.word)) {
    for (RevisionFile& file : specs_at(*revision, names))
      readers.emplace_back(std::move(file.name), std::move(file.text));
    return readers;
  }
  for (const SpecFile& file : find_specs({&side.word, 1}, false, names).specs) {
    if (file.failure) throw Failure(*file.failure);
    readers.emplace_back(file.path);
  }
  return readers;
}

// Throws Failure where a spec has an error.
SpecSide read_side(const NamedSide& named, bool scripts, const Run& run) {
  SpecSide side;
  const std::vector<Source> defaults = read_defaults(named);
  Setting setting = run.setting();
  setting.defaults = defaults;
  bool good = true;
  CompileOptions options = side_options();
  if (scripts) options.emit.push_back(Emit::cleanup);
  for (DocumentReader& reader : readers_of(named, defaults)) {
    while (auto part = reader.next()) {
      const std::string name = part->source.name;
      const Sources sources = layered(setting, std::move(part->source));
      const yaml::Value spec = merged(setting, sources);
      auto specs = compile_document(setting, sources, options);
      const auto diagnostics = take_findings(specs);
      const bool bad = !specs.front().ok;
      if (bad) print_error(diag::render(run.render, sources, diagnostics));
      good = good && !bad;
      if (!good) continue;
      if (scripts && specs.size() > 1)
        throw wrong_usage(fmt::format(
            "{}: a sweep cannot be migrated: run its cleanup.sh, then provision.sh of the new one",
            name));
      add_specs(side, std::move(specs), spec, name);
    }
  }
  if (!good)
    throw Failure(findings, fmt::format("flexslice: {}: errors; nothing compared\n", named.word));
  add_queue_objects(side, run.knowledge.templates);
  return side;
}

}  // namespace

int run_diff(const CommandLine& line) {
  if (line.words.size() != 2)
    throw wrong_usage("diff compares two: OLD and NEW, each a spec, a directory, `-` or REV:PATH");
  if (line.words[0] == "-" && line.words[1] == "-") throw wrong_usage("only one side can be stdin");
  std::signal(SIGCHLD, SIG_DFL);
  Run run;
  read_rules(line, STDERR_FILENO, false, run, false);
  read_overrides(line, run);
  NamedSide old_side{line.words[0], line.values("defaults")};
  const NamedSide new_side{line.words[1], line.values("defaults")};
  if (line.has("old-defaults")) old_side = {line.words[0], line.values("old-defaults"), true};
  const std::string format = read_choice(line, "format", diff_formats);
  const bool migrates = line.has("emit");
  if (migrates) read_choice(line, "emit", diff_outputs);
  if (line.has("delete-first") && !migrates)
    throw wrong_usage("--delete-first is for `--emit migrate`");
  const SpecSide before = read_side(old_side, migrates, run);
  SpecSide after = read_side(new_side, migrates, run);
  const auto changes = change::compare(before.compared, after.compared, run.knowledge.catalog);
  const bool all = line.has("all");
  if (migrates)
    print(migration_script({changes, before.compiled, after.compiled, std::move(after.queues),
                            line.words[0], line.words[1], line.has("delete-first")},
                           run.knowledge.templates));
  else
    print(format == "json"       ? change::json(changes, all)
          : format == "markdown" ? change::markdown(changes, all)
                                 : change::text(changes, all));
  return std::ranges::any_of(changes, change::differs) ? findings : fine;
}

}  // namespace flexslice::cli
