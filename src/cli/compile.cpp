// flexslice compile: the artifact alone on stdout, findings on stderr, as compilers do.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cxxopts.hpp>

#include "base/text.hpp"
#include "cli/batch.hpp"
#include "cli/cli.hpp"
#include "cli/command.hpp"
#include "cli/compile_outputs.hpp"
#include "cli/depfile.hpp"
#include "cli/io.hpp"
#include "cli/parse_options.hpp"

namespace flexslice::cli {

namespace {

struct Job {
  Run run;
  std::vector<SpecFile> files;
  BatchOptions batch;
  Destination to;
};

std::optional<int> read_emit(const cxxopts::ParseResult& parsed, Job& job) {
  std::vector<std::string_view> words;
  for (const EmitRow& row : emit_rows()) words.push_back(row.word);
  std::vector<Emit>& emit = job.to.emit;
  std::vector<std::string> chosen = {"manifests"};
  if (parsed.count("emit") > 0) chosen = parsed["emit"].as<std::vector<std::string>>();
  for (const std::string& word : chosen) {
    const auto row = std::find_if(emit_rows().begin(), emit_rows().end(),
                                  [&](const EmitRow& each) { return each.word == word; });
    if (row == emit_rows().end())
      return wrong_usage(fmt::format("--emit is {}, not `{}`", text::join(words, ", "), word));
    if (std::find(emit.begin(), emit.end(), row->emit) == emit.end()) emit.push_back(row->emit);
  }
  const bool everything = !job.to.directory.empty() && parsed.count("emit") == 0;
  if (everything) {
    emit.clear();
    for (const EmitRow& row : emit_rows()) emit.push_back(row.emit);
  }
  if (job.to.directory.empty() && emit.size() > 1)
    return wrong_usage("several artifacts need `--out-dir DIR`");
  job.batch.compile.emit = emit;
  return std::nullopt;
}

std::optional<int> read_destination(const cxxopts::ParseResult& parsed, Destination& to) {
  for (const char* option : {"output", "out-dir"}) {
    if (parsed.count(option) > 0 && value_of(parsed, option).empty())
      return wrong_usage(fmt::format("--{} is empty", option));
  }
  to.file = value_of(parsed, "output");
  to.directory = value_of(parsed, "out-dir");
  to.check = parsed.count("check") > 0;
  to.dep_file = value_of(parsed, "MF");
  to.dep = parsed.count("MD") > 0 || !to.dep_file.empty();
  if (!to.file.empty() && !to.directory.empty())
    return wrong_usage("-o and --out-dir exclude one another");
  if (to.file == "-" || to.file == "/dev/stdout") to.file.clear();
  if (to.dep_file == "-") to.dep_file = "/dev/stdout";
  while (to.directory.size() > 1 && to.directory.ends_with('/')) to.directory.pop_back();
  if (to.to_stdout() && to.check)
    return wrong_usage("--check compares files: say which, with -o FILE or --out-dir DIR");
  if (to.to_stdout() && to.dep)
    return wrong_usage(
        "make needs the name of the output: -MD and -MF go with -o FILE or --out-dir DIR");
  return std::nullopt;
}

// What outputs depend on beside their specs.
std::vector<std::string> prerequisites(const cxxopts::ParseResult& parsed) {
  std::vector<std::string> paths = values_of(parsed, "defaults");
  const std::vector<std::string> catalogs = values_of(parsed, "catalog");
  paths.insert(paths.end(), catalogs.begin(), catalogs.end());
  for (const std::string& directory : values_of(parsed, "templates")) {
    const std::vector<std::string> tree = tree_of(directory);
    paths.insert(paths.end(), tree.begin(), tree.end());
  }
  std::erase(paths, "-");
  return paths;
}

// No output may take the place of something that is read.
std::optional<int> protect(Job& job) {
  Destination& to = job.to;
  std::vector<FileId> ids;
  const auto add = [&](const std::string& path) {
    if (const auto id = file_id(path)) ids.push_back(*id);
  };
  for (const SpecFile& file : job.files) add(file.path);
  for (const std::string& path : to.prerequisites) add(path);
  std::sort(ids.begin(), ids.end());
  to.inputs = [ids](const FileId& id) { return std::binary_search(ids.begin(), ids.end(), id); };
  for (const auto& [name, path] : {std::pair("-o", to.file), std::pair("-MF", to.dep_file)}) {
    const auto id = file_id(path);
    if (!path.empty() && id && to.inputs(*id))
      return wrong_usage(
          fmt::format("{} {}: that file is read as well, and would be overwritten", name, path));
  }
  if (!to.file.empty() && to.file == to.dep_file)
    return wrong_usage("-o and -MF name the same file");
  return std::nullopt;
}

std::optional<int> check_names(const Job& job) {
  if (!job.to.dep || job.to.check) return std::nullopt;
  std::vector<std::string> names = job.to.prerequisites;
  names.push_back(job.to.file.empty() ? job.to.directory : job.to.file);
  for (const SpecFile& file : job.files) names.push_back(file.path);
  for (const std::string& name : names) {
    if (!make_can_name(name))
      return wrong_usage(fmt::format(
          "make cannot have a file called `{}`: -MD and -MF do not work with it", name));
  }
  return std::nullopt;
}

std::optional<int> read_job(const cxxopts::ParseResult& parsed, Job& job) {
  job.batch.compile.comments = parsed.count("no-comments") == 0;
  if (auto status = read_destination(parsed, job.to)) return status;
  if (auto status = read_emit(parsed, job)) return status;
  BatchWords batch;
  if (auto status = read_batch(parsed, batch)) return status;
  job.batch.jobs = batch.jobs;
  if (auto status = read_run(parsed, STDERR_FILENO, job.run)) return status;
  job.to.queues = [&job](const kubernetes::QueueNeeds& needs) {
    return queues(needs, job.run.knowledge.templates, job.batch.compile.comments);
  };
  job.files = find_specs(job.run.files, batch.only_specs);
  if (job.to.to_stdout()) return std::nullopt;
  job.to.prerequisites = prerequisites(parsed);
  if (auto status = protect(job)) return status;
  return check_names(job);
}

// Whether stderr is for a program, which other text would disturb.
bool for_programs(diag::Format format) {
  return format == diag::Format::json || format == diag::Format::sarif;
}

int compile_all(const Job& job) {
  // Who feeds a stream may wait for what comes out before going on.
  if (std::none_of(job.files.begin(), job.files.end(),
                   [](const SpecFile& file) { return file.path == "-"; }))
    buffer_stdout();
  Batch batch(job.run, job.to.to_stdout());
  Outputs outputs(job.to);
  print_error(batch.begin());
  Visitor visitor;
  visitor.document = [&](const Checked& checked) {
    print_error(checked.findings);
    return checked.compiled.ok ? outputs.add(checked) : fine;
  };
  int status = batch.files(job.files, job.batch, visitor);
  print_error(batch.end());
  status = std::max(status, outputs.finish(!batch.failed() && status <= findings));
  status = std::max(status, flush());
  if (!for_programs(job.run.render.format)) batch.summary();
  return std::max(status, batch.status());
}

// `-MD` and `-MF FILE` are two letters behind one hyphen, as gcc has them.
std::vector<std::string> spelt_out(std::span<char*> words) {
  std::vector<std::string> spelt(words.begin(), words.end());
  for (std::string& word : spelt) {
    if (word == "--") break;
    if (word == "-MD" || word == "-MF") word.insert(0, "-");
    if (word.size() > 3 && word.starts_with("-MF")) word = "--MF=" + word.substr(3);
  }
  return spelt;
}

}  // namespace

int run_compile(Arguments arguments) {
  const auto declare = [](cxxopts::Options& options) {
    add_sources(options);
    options.add_options()("emit", "manifests, provision, verify, cleanup, queues, plan",
                          cxxopts::value<std::vector<std::string>>()->default_value("manifests"),
                          "WHAT")("o,output", "write the artifact to a file",
                                  cxxopts::value<std::string>(), "FILE")(
        "out-dir", "write all artifacts, or those of --emit, to DIR/NAME/",
        cxxopts::value<std::string>(), "DIR")("check", "write nothing; show what is not current")(
        "MD", "write a dep file for make beside the output")("MF", "write the dep file to FILE",
                                                             cxxopts::value<std::string>(), "FILE")(
        "no-comments", "leave out the comments that explain derived values");
    add_batch(options);
    add_common(options);
  };
  std::vector<std::string> spelt = spelt_out(arguments.words);
  std::vector<char*> words;
  words.reserve(spelt.size());
  for (std::string& word : spelt) words.push_back(word.data());
  arguments.words = words;
  return with_options(arguments, declare, [](const cxxopts::ParseResult& parsed) {
    Job job;
    if (auto status = read_job(parsed, job)) return *status;
    return compile_all(job);
  });
}

}  // namespace flexslice::cli
