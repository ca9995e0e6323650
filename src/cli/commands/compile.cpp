// flexslice compile: the artifact alone on stdout, findings on stderr, as compilers do.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "backend/gcloud/shell_quote.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/outputs.hpp"
#include "cli/files/depfile.hpp"
#include "cli/run/batch.hpp"

namespace flexslice::cli {

namespace {

std::vector<Emit> read_emit(const CommandLine& line, const Destination& to) {
  std::vector<std::string_view> words;
  for (const EmitRow& row : emit_rows()) words.push_back(row.word);
  std::vector<std::string> chosen = line.lists("emit");
  if (chosen.empty())
    return to.directory.empty() ? std::vector{Emit::manifests} : usual_artifacts();
  std::vector<Emit> emit;
  for (const std::string& word : chosen) {
    check_choice("emit", word, words);
    const auto row = std::find(words.begin(), words.end(), word) - words.begin();
    const Emit artifact = emit_rows()[static_cast<std::size_t>(row)].emit;
    if (std::find(emit.begin(), emit.end(), artifact) == emit.end()) emit.push_back(artifact);
  }
  if (to.directory.empty() && emit.size() > 1)
    throw wrong_usage("several artifacts need `--out-dir DIR`");
  return emit;
}

Destination read_destination(const CommandLine& line) {
  for (const char* option : {"output", "out-dir"}) {
    if (line.has(option) && line.value(option).empty())
      throw wrong_usage(fmt::format("--{} is empty", option));
  }
  Destination to;
  to.file = line.value("output");
  to.directory = line.value("out-dir");
  to.check = line.has("check");
  to.diff = line.has("diff");
  to.prune = line.has("prune");
  to.forget = line.has("forget");
  to.dep_file = line.value("MF");
  to.dep = line.has("MD") || !to.dep_file.empty();
  if (!to.file.empty() && !to.directory.empty())
    throw wrong_usage("-o and --out-dir are mutually exclusive");
  if (to.file == "-" || to.file == "/dev/stdout") to.file.clear();
  if (to.dep_file == "-") to.dep_file = "/dev/stdout";
  while (to.directory.size() > 1 && to.directory.ends_with('/')) to.directory.pop_back();
  if (to.to_stdout() && to.check)
    throw wrong_usage("--check compares files: add -o FILE or --out-dir DIR");
  if (to.diff && !to.check) throw wrong_usage("--diff shows what --check compares: add --check");
  if (to.prune && (to.check || to.directory.empty()))
    throw wrong_usage(to.check ? "--prune deletes files and --check writes nothing: use one of them"
                               : "--prune deletes files in the directory of --out-dir DIR");
  if (to.forget && !to.prune)
    throw wrong_usage("--forget goes with --prune: it deletes what cleanup.sh is still needed for");
  if (to.to_stdout() && to.dep)
    throw wrong_usage("a dep file names its output: add -o FILE or --out-dir DIR");
  to.emit = read_emit(line, to);
  return to;
}

// Outputs depend on these files besides their specs.
std::vector<std::string> prerequisites(const CommandLine& line) {
  std::vector<std::string> paths = line.values("defaults");
  for (const std::string& path : line.values("catalog")) paths.push_back(path);
  for (const std::string& directory : line.values("templates")) {
    for (std::string& path : tree_of(directory)) paths.push_back(std::move(path));
  }
  std::erase(paths, "-");
  return paths;
}

// No output may take the place of something that is read.
void protect_inputs(const std::vector<SpecFile>& files, Destination& to) {
  std::vector<FileId> ids;
  const auto add = [&](const std::string& path) {
    if (const auto id = file_id(path)) ids.push_back(*id);
  };
  for (const SpecFile& file : files) add(file.path);
  for (const std::string& path : to.prerequisites) add(path);
  std::sort(ids.begin(), ids.end());
  to.inputs = [ids](const FileId& id) { return std::binary_search(ids.begin(), ids.end(), id); };
  for (const auto& [name, path] : {std::pair("-o", to.file), std::pair("-MF", to.dep_file)}) {
    const auto id = file_id(path);
    if (!path.empty() && id && to.inputs(*id))
      throw wrong_usage(
          fmt::format("{} {}: is also an input, and would be overwritten", name, path));
  }
  if (!to.file.empty() && to.file == to.dep_file)
    throw wrong_usage("-o and -MF name the same file");
}

void check_names(const std::vector<SpecFile>& files, const Destination& to) {
  if (!to.dep || to.check) return;
  std::vector<std::string> names = to.prerequisites;
  names.push_back(to.file.empty() ? to.directory : to.file);
  for (const SpecFile& file : files) names.push_back(file.path);
  for (const std::string& name : names) {
    if (!make_can_name(name))
      throw wrong_usage(fmt::format(
          "make does not support the file name `{}`: -MD and -MF cannot be used", name));
  }
}

// Repeats the command line without `--check`, and without options that only change what is printed.
std::string other_arguments(const CommandLine& line) {
  std::string text;
  const std::vector<Option> options = options_of("compile");
  for (const auto& [name, value] : line.options) {
    if (name == "check" || name == "diff" || name == "format" || name == "color") continue;
    const Option& option = *std::ranges::find(options, name, &Option::name);
    text += " " + dashed(option);
    if (!option.argument.empty())
      text += (has_one_dash(option) ? " " : "=") + gcloud::shell_quote(value);
  }
  for (const std::string& word : line.words) text += " " + gcloud::shell_quote(word);
  return text;
}

// A program reads stderr in these formats, and other text would disturb it.
bool for_programs(diag::Format format) {
  return format == diag::Format::json || format == diag::Format::sarif;
}

}  // namespace

int run_compile(const CommandLine& line) {
  Destination to = read_destination(line);
  BatchOptions options;
  options.compile = {.emit = to.emit, .comments = !line.has("no-comments")};
  options.jobs = read_jobs(line);
  options.conflicts = true;
  options.ends_at_conflict = to.to_stdout();
  Run run;
  read_run(line, STDERR_FILENO, run);
  to.queues = [&](const kubernetes::QueueNeeds& needs) {
    return queues(needs, run.knowledge.templates, options.compile.comments);
  };
  const auto [files, skipped] = read_specs(line);
  if (to.check) to.update = other_arguments(line);
  to.whole = std::any_of(line.words.begin(), line.words.end(), [](const std::string& word) {
    std::error_code ignored;
    return std::filesystem::is_directory(word, ignored);
  });
  if (!to.to_stdout()) {
    to.prerequisites = prerequisites(line);
    protect_inputs(files, to);
    check_names(files, to);
  }
  // The producer of a stream may wait for results before going on.
  if (std::none_of(files.begin(), files.end(),
                   [](const SpecFile& file) { return file.path == "-"; }))
    buffer_stdout();
  Batch batch(run, print_error, to.to_stdout());
  OutputFiles outputs(to);
  options.document = [&](const Checked& checked) {
    if (checked.compiled.ok) outputs.add(checked);
  };
  batch.begin();
  batch.files(files, options);
  batch.end();
  const int status = outputs.finish(batch.status() == fine);
  if (!for_programs(run.render.format)) {
    print_error(outputs.summary());
    batch.summary(skipped);
  }
  return std::max(status, batch.status());
}

}  // namespace flexslice::cli
