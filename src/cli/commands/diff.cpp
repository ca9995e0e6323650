// flexslice diff: what becomes of the resources when specs change.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>

#include "base/text.hpp"
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

// One side of the comparison: the specs that words name, and the defaults under them.
struct NamedSide {
  std::vector<std::string> words;
  std::vector<std::string> defaults;
  bool is_exact = false;      // the defaults are read where they are named
  bool may_be_empty = false;  // its directories may have no specs
};

// All words of a side are of one revision.
std::optional<RevisionPath> revision_of(const NamedSide& side) {
  if (side.words.empty() || side.words.front() == "-") return std::nullopt;
  return revision_path(side.words.front());
}

std::vector<Source> read_defaults(const NamedSide& side) {
  std::vector<Source> layers;
  const auto revision = revision_of(side);
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
                              place->revision, place->path, text::join(side.words, " and ")));
    }
  }
  return layers;
}

std::vector<DocumentReader> readers_of(const NamedSide& side, std::span<const Source> layers) {
  std::vector<DocumentReader> readers;
  std::vector<std::string> names;
  for (const Source& layer : layers) names.push_back(layer.name);
  if (revision_of(side)) {
    for (const std::string& word : side.words) {
      auto files = specs_at(*revision_path(word), names);
      if (files.empty() && !side.may_be_empty)
        throw file_error(fmt::format("{}: no specs there", word));
      for (RevisionFile& file : files)
        readers.emplace_back(std::move(file.name), std::move(file.text));
    }
    return readers;
  }
  for (const std::string& word : side.words) {
    std::error_code ignored;
    const bool is_quiet = side.may_be_empty && std::filesystem::is_directory(word, ignored);
    for (const SpecFile& file : find_specs({&word, 1}, is_quiet, names).specs) {
      if (file.failure) throw Failure(*file.failure);
      readers.emplace_back(file.path);
    }
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
        throw wrong_usage(
            fmt::format("{}: {} cannot be migrated: run its cleanup.sh, then {} of the new one",
                        name, specs.front().of_places ? "a spec with places" : "a sweep",
                        specs.front().of_places ? "run.sh" : "provision.sh"));
      add_specs(side, std::move(specs), spec, name);
    }
  }
  if (!good)
    throw Failure(findings, fmt::format("flexslice: {}: errors; nothing compared\n",
                                        text::join(named.words, " and ")));
  add_queue_objects(side, run.knowledge.templates);
  return side;
}

struct NamedSides {
  NamedSide before, after;
};

// The paths in the revision and in the work tree, each where it has them.
NamedSides sides_since(const std::string& revision, const std::vector<std::string>& paths) {
  if (paths.empty()) throw wrong_usage("--since needs a path of the work tree");
  NamedSides sides;
  sides.before.may_be_empty = sides.after.may_be_empty = true;
  for (const std::string& path : paths) {
    RevisionPath place = in_revision(revision, path).value_or(RevisionPath{revision, path});
    if (place.path == ".") place.path.clear();
    const bool was_there = is_at(place);
    std::error_code ignored;
    const bool is_there = std::filesystem::exists(path, ignored);
    if (!was_there && !is_there)
      throw file_error(fmt::format("{}: neither in {} nor in the work tree", path, revision));
    if (was_there) sides.before.words.push_back(fmt::format("{}:{}", revision, place.path));
    if (is_there) sides.after.words.push_back(path);
  }
  return sides;
}

NamedSides read_words(const CommandLine& line) {
  if (line.has("since")) return sides_since(line.value("since"), line.words);
  if (line.words.size() != 2)
    throw wrong_usage("diff compares two: OLD and NEW, each a spec, a directory, `-` or REV:PATH");
  if (line.words[0] == "-" && line.words[1] == "-") throw wrong_usage("only one side can be stdin");
  NamedSides sides;
  sides.before.words = {line.words[0]};
  sides.after.words = {line.words[1]};
  return sides;
}

}  // namespace

int run_diff(const CommandLine& line) {
  std::signal(SIGCHLD, SIG_DFL);
  Run run;
  read_rules(line, STDERR_FILENO, false, run, false);
  read_overrides(line, run);
  auto [old_side, new_side] = read_words(line);
  old_side.is_exact = line.has("old-defaults");
  old_side.defaults = line.values(old_side.is_exact ? "old-defaults" : "defaults");
  new_side.defaults = line.values("defaults");
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
    print(
        migration_script({changes, before.compiled, after.compiled, std::move(after.queues),
                          text::join(old_side.words, " and "), text::join(new_side.words, " and "),
                          run.knowledge.catalog, line.has("delete-first")},
                         run.knowledge.templates));
  else
    print(format == "json"       ? change::json(changes, all)
          : format == "markdown" ? change::markdown(changes, all)
                                 : change::text(changes, all));
  return std::ranges::any_of(changes, change::differs) ? findings : fine;
}

}  // namespace flexslice::cli
