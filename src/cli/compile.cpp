// flexslice compile: the artifact alone on stdout, findings on stderr, as compilers do.
#include <unistd.h>

#include <algorithm>
#include <cxxopts.hpp>

#include "base/text.hpp"
#include "cli/batch.hpp"
#include "cli/cli.hpp"
#include "cli/command.hpp"
#include "cli/io.hpp"
#include "cli/parse_options.hpp"

namespace flexslice::cli {

namespace {

struct Job {
  Run run;
  CompileOptions options;
  std::string output;         // -o FILE; empty: stdout
  std::string out_directory;  // --out-dir DIR
};

std::optional<int> read_emit(const cxxopts::ParseResult& parsed, Job& job) {
  std::vector<std::string_view> words;
  for (const EmitRow& row : emit_rows()) words.push_back(row.word);
  for (const std::string& word : parsed["emit"].as<std::vector<std::string>>()) {
    const auto row = std::find_if(emit_rows().begin(), emit_rows().end(), [&](const EmitRow& each) { return each.word == word; });
    if (row == emit_rows().end()) return wrong_usage(text::format("--emit is {}, not `{}`", text::join(words, ", "), word));
    if (std::find(job.options.emit.begin(), job.options.emit.end(), row->emit) == job.options.emit.end())
      job.options.emit.push_back(row->emit);
  }
  const bool everything = !job.out_directory.empty() && parsed.count("emit") == 0;
  if (everything) {
    job.options.emit.clear();
    for (const EmitRow& row : emit_rows()) job.options.emit.push_back(row.emit);
  }
  if (job.out_directory.empty() && job.options.emit.size() > 1) return wrong_usage("several artifacts need `--out-dir DIR`");
  return std::nullopt;
}

std::optional<int> read_job(const cxxopts::ParseResult& parsed, Job& job) {
  job.options.comments = parsed.count("no-comments") == 0;
  job.output = parsed["output"].as<std::string>();
  job.out_directory = parsed["out-dir"].as<std::string>();
  if (!job.output.empty() && !job.out_directory.empty()) return wrong_usage("-o and --out-dir exclude one another");
  if (job.output == "-") job.output.clear();
  if (auto status = read_emit(parsed, job)) return status;
  return read_run(parsed, STDERR_FILENO, job.run);
}

std::string_view file_name(Emit emit) {
  return std::find_if(emit_rows().begin(), emit_rows().end(), [&](const EmitRow& row) { return row.emit == emit; })->file;
}

int write_directory(const Job& job, const Compiled& compiled) {
  // The name has the form of a DNS label: it can name nothing outside the directory.
  const std::string directory = job.out_directory + "/" + compiled.name;
  Failure failure;
  if (!make_directory(directory, failure)) return file_error(failure.message);
  for (const Artifact& artifact : compiled.artifacts) {
    if (!write_file(directory + "/" + std::string(file_name(artifact.emit)), artifact.text, failure)) return file_error(failure.message);
  }
  return fine;
}

bool is_script(Emit emit) { return file_name(emit).ends_with(".sh"); }

class Compiler {
 public:
  explicit Compiler(const Job& job) : job_(job), batch_(job.run) {}

  int run() {
    std::string text;
    diag::render_begin(batch_.rendering(), text);
    print_error(text);
    int status = fine;
    for (const std::string& file : job_.run.files) {
      status = std::max(status, batch_.file(file, job_.options, [&](const Checked& checked) { return document(checked); }));
    }
    text.clear();
    diag::render_end(batch_.rendering(), text);
    print_error(text);
    if (!job_.output.empty() && !batch_.failed() && status == fine) {
      Failure failure;
      if (!write_file(job_.output, collected_, failure)) status = file_error(failure.message);
    }
    status = std::max(status, flush());
    batch_.summary();
    return std::max(status, batch_.status());
  }

 private:
  int document(const Checked& checked) {
    if (!checked.findings.empty()) print_error(checked.findings);
    if (!checked.compiled.ok) return fine;
    if (!names_.insert(checked.compiled.name).second && !job_.out_directory.empty()) {
      return wrong_usage(
          text::format("two specs are called `{}`: the second would overwrite the files of the first", checked.compiled.name));
    }
    if (!job_.out_directory.empty()) return write_directory(job_, checked.compiled);
    const Artifact& artifact = checked.compiled.artifacts.front();
    if (is_script(artifact.emit) && names_.size() > 1) return wrong_usage("several specs give several scripts: use `--out-dir DIR`");
    if (!job_.output.empty()) {
      collected_ += artifact.text;
      return fine;
    }
    return print(artifact.text);
  }

  const Job& job_;
  Batch batch_;
  std::set<std::string> names_;
  std::string collected_;
};

}  // namespace

int run_compile(Arguments arguments) {
  cxxopts::Options options("flexslice compile");
  add_sources(options);
  options.add_options()("emit", "manifests, provision, verify, cleanup, queues, plan",
                        cxxopts::value<std::vector<std::string>>()->default_value("manifests"),
                        "WHAT")("o,output", "write the artifact to a file", cxxopts::value<std::string>()->default_value(""), "FILE")(
      "out-dir", "write all artifacts, or those of --emit, to DIR/NAME/", cxxopts::value<std::string>()->default_value(""), "DIR")(
      "no-comments", "leave out the comments that explain derived values");
  add_common(options);
  return with_options(options, arguments, [](const cxxopts::ParseResult& parsed) {
    Job job;
    if (auto status = read_job(parsed, job)) return *status;
    return Compiler(job).run();
  });
}

}  // namespace flexslice::cli
