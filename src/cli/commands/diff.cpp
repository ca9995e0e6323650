// flexslice diff: what becomes of the resources when specs change.
#include <fcntl.h>
#include <fmt/core.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <filesystem>

#include "base/text.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/migrate.hpp"
#include "cli/files/documents.hpp"
#include "cli/files/git.hpp"
#include "cli/run/settings.hpp"
#include "diag/policy.hpp"
#include "diag/render.hpp"
#include "driver/spec_side.hpp"
#include "spec/document.hpp"

namespace flexslice::cli {

namespace {

constexpr std::string_view diff_formats[] = {"text", "json", "markdown"};
constexpr std::string_view diff_outputs[] = {"migrate"};

// A file as it is read, and as messages call it.
struct SpecText {
  std::string path, name;
  Descriptor memory;  // that holds it, if no file does
};

// The specs below PATH in a revision, by their blobs, which no filter of the repository changes.
std::vector<SpecText> in_git(const std::string& word) {
  const std::size_t colon = word.find(':');
  const std::string revision = word.substr(0, colon);
  std::string path = word.substr(colon + 1);
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  const auto ask = [](const std::vector<std::string>& words) { return ask_git(".", words); };
  if (ask({"rev-parse", "--git-dir"}).empty())
    throw file_error(fmt::format("{}: not in a git repository, or git is missing", word));
  std::string commit =
      ask({"rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{tree}"});
  if (commit.empty()) throw file_error(fmt::format("{}: no revision `{}`", word, revision));
  commit.pop_back();
  // As git reads it: from the root of the repository, unless it begins with a dot.
  const bool is_relative = path == "." || path.starts_with("./") || path.starts_with("../");
  std::vector<std::string> words = {"ls-tree", "-r", "-z"};
  if (!is_relative) words.push_back("--full-tree");
  words.insert(words.end(), {commit, "--"});
  if (!path.empty() && path != ".") words.push_back(path);
  const std::string listed = ask(words);
  if (listed.empty()) throw file_error(fmt::format("{}: no file `{}` in {}", word, path, revision));
  std::vector<SpecText> places;
  for (std::string_view entry : text::split(listed, '\0')) {
    const std::size_t tab = entry.find('\t');
    if (tab == std::string_view::npos || !entry.starts_with("100")) continue;
    const std::string_view name = entry.substr(tab + 1);
    const bool named = name == path;
    if (!named && !name.ends_with(".yaml") && !name.ends_with(".yml") && !name.ends_with(".json"))
      continue;
    const std::vector<std::string_view> parts = text::split(entry.substr(0, tab), ' ');
    if (parts.size() != 3) continue;
    const std::string blob = ask({"cat-file", "blob", std::string(parts[2])});
    if (!named && !spec::has_spec_line(blob)) continue;
    Descriptor memory(::memfd_create("spec", MFD_CLOEXEC));
    if (!memory || ::write(*memory, blob.data(), blob.size()) != std::ssize(blob))
      throw file_error(word, errno);
    ::lseek(*memory, 0, SEEK_SET);
    std::string at = fmt::format("/proc/self/fd/{}", *memory);
    places.push_back({std::move(at), fmt::format("{}:{}", revision, name), std::move(memory)});
  }
  if (places.empty()) throw file_error(word + ": no specs there");
  return places;
}

std::vector<SpecText> places_of(const std::string& word) {
  std::error_code ignored;
  if (word != "-" && !std::filesystem::exists(word, ignored) && word.find(':') != std::string::npos)
    return in_git(word);
  std::vector<SpecText> places;
  for (const SpecFile& file : find_specs({&word, 1}, false, {}).specs) {
    if (file.failure) throw Failure(*file.failure);
    places.push_back({file.path, file.path == "-" ? "<stdin>" : file.path, Descriptor()});
  }
  return places;
}

// Throws Failure where a spec has an error.
SpecSide read_side(const std::string& word, bool scripts, const Run& run) {
  SpecSide side;
  bool good = true;
  CompileOptions options = side_options();
  if (scripts) options.emit.push_back(Emit::cleanup);
  for (const SpecText& place : places_of(word)) {
    DocumentReader reader(place.path);
    while (auto part = reader.next()) {
      part->source.name = place.name;
      const yaml::Value spec = tree_of(part->source);
      const Sources sources = layered(run.setting(), std::move(part->source));
      auto specs = compile_document(run.setting(), sources, options);
      const auto diagnostics = take_findings(specs);
      const bool bad = !specs.front().ok;
      if (bad) print_error(diag::render(run.render, sources, diagnostics));
      good = good && !bad;
      if (!good) continue;
      if (scripts && specs.size() > 1)
        throw wrong_usage(fmt::format(
            "{}: a sweep cannot be migrated: run its cleanup.sh, then provision.sh of the new one",
            place.name));
      add_specs(side, std::move(specs), spec, place.name);
    }
  }
  if (!good)
    throw Failure(findings, fmt::format("flexslice: {}: errors; nothing compared\n", word));
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
  read_run(line, STDERR_FILENO, run, false);
  const std::string format = read_choice(line, "format", diff_formats);
  const bool migrates = line.has("emit");
  if (migrates) read_choice(line, "emit", diff_outputs);
  const SpecSide before = read_side(line.words[0], migrates, run);
  SpecSide after = read_side(line.words[1], migrates, run);
  const auto changes = change::compare(before.compared, after.compared, run.knowledge.catalog);
  const bool all = line.has("all");
  if (migrates)
    print(migration_script({changes, before.compiled, after.compiled, std::move(after.queues),
                            line.words[0], line.words[1]},
                           run.knowledge.templates));
  else
    print(format == "json"       ? change::json(changes, all)
          : format == "markdown" ? change::markdown(changes, all)
                                 : change::text(changes, all));
  return std::ranges::any_of(changes, change::differs) ? findings : fine;
}

}  // namespace flexslice::cli
