// flexslice init: a commented spec to begin with. Asks when it is called with nothing on a
// terminal.
#include <fmt/core.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>

#include "base/lists.hpp"
#include "base/text.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/lookup.hpp"
#include "cli/commands/starter_spec.hpp"
#include "cli/files/output.hpp"
#include "cli/run/settings.hpp"
#include "driver/driver.hpp"
#include "schema/written.hpp"

namespace flexslice::cli {

namespace {

using starter::Wanted;

catalog::Topology look_up_topology(std::string_view text) {
  if (const auto topology = catalog::parse_topology(text)) return *topology;
  throw wrong_usage(fmt::format(
      "invalid topology `{}`: expected two or three numbers joined by `x`, such as 4x4 or 2x2x1",
      text));
}

void read_wanted(const CommandLine& line, const catalog::Catalog& catalog, Wanted& wanted) {
  if (line.words.size() > 1)
    throw wrong_usage(fmt::format("only one name; unexpected `{}`", line.words[1]));
  if (!line.words.empty()) wanted.name = line.words.front();
  if (catalog::find_generation(catalog, wanted.name) != nullptr)
    throw wrong_usage(fmt::format("`{0}` is a TPU generation: write `--type {0}`", wanted.name));
  const auto with = [&](std::string_view option, auto take) {
    if (const std::string value = line.value(option); !value.empty()) take(value);
  };
  with("type", [&](const auto& name) { wanted.generation = &look_up_type(catalog, name); });
  with("machine-type", [&](const auto& name) { wanted.machine = &look_up_machine(catalog, name); });
  with("topology", [&](const auto& text) { wanted.topology = look_up_topology(text); });
  with("model", [&](const auto& name) { wanted.model = &look_up_model(catalog, name); });
  with("mode", [&](const auto& mode) {
    check_choice("mode", mode, words_of<spec::ClusterMode>);
    wanted.mode = *find_word<spec::ClusterMode>(mode);
  });
  with("kind", [&](const auto& word) {
    wanted.kind = spec::find_kind(word);
    if (wanted.kind == nullptr) {
      const auto words = texts(spec::kinds, &spec::WorkloadKind::word);
      const auto help = schema::help_for_value("workload.kind", text::lower(word));
      throw wrong_usage(fmt::format("unknown workload kind `{}`; expected one of {}{}", word,
                                    text::join(words, ", "),
                                    help ? "; " + *help : did_you_mean(word, words)));
    }
  });
  wanted.zone = line.value("zone");
  wanted.location = line.value("location");
  wanted.project = line.value("project");
  wanted.cluster = line.value("cluster");
  wanted.image = line.value("image");
  wanted.schema = line.value("schema", "flexslice.schema.json");
}

bool is_about_zone(const diag::Diagnostic& finding) {
  return finding.code == diag::Code::ZoneNotListed ||
         finding.code == diag::Code::ZoneUnknownForModel;
}

// Names on the command line may be invalid in a spec, and a zone may lack what is asked for.
void check_spec(const Knowledge& knowledge, const std::string& text) {
  Sources sources;
  const Input input{sources, sources.add({"<init>", text, 1}), {}, {}};
  Compiled compiled = compile(input, knowledge.catalog, knowledge.templates, {});
  if (!compiled.ok)
    throw Failure(usage,
                  diag::render({.version = FLEXSLICE_VERSION}, sources, compiled.diagnostics));
  std::erase_if(compiled.diagnostics, std::not_fn(is_about_zone));
  if (!compiled.diagnostics.empty())
    print_error(diag::render({.format = diag::Format::brief, .version = FLEXSLICE_VERSION}, sources,
                             compiled.diagnostics));
}

void write_wanted(const Knowledge& knowledge, Wanted& wanted, const std::string& path) {
  if (const auto problem = starter::choose(knowledge.catalog, wanted)) throw wrong_usage(*problem);
  const std::string text = starter::spec_text(knowledge.catalog, wanted);
  check_spec(knowledge, text);
  if (path.empty() || path == "-") return print(text);
  std::error_code ignored;
  if (std::filesystem::exists(std::filesystem::symlink_status(path, ignored)))
    throw file_error(path + ": already exists, unchanged");
  OutputFile file(path);
  file.append(text);
  file.commit();
  print_error(fmt::format("wrote {}; next: flexslice check {}\n", path, path));
}

// A line of stdin, or nothing at its end.
std::optional<std::string> read_line() {
  std::string line;
  int c = 0;
  while ((c = std::getchar()) != EOF && c != '\n') line += static_cast<char>(c);
  if (c == EOF && line.empty()) return std::nullopt;
  return line;
}

// Asks until the answer is one that `take` accepts; an empty answer is the proposal.
template <class Take>
void ask_user(std::string_view question, std::string_view proposal, Take take) {
  for (;;) {
    print(fmt::format("{} [{}]: ", question, proposal));
    flush();
    const auto line = read_line();
    if (!line) {
      print("\n");
      throw wrong_usage("nothing was written");
    }
    const std::string answer(text::trim(*line));
    try {
      return take(answer.empty() ? std::string(proposal) : answer);
    } catch (const Failure& failure) {
      report(failure);
    }
  }
}

std::string shapes_of(const catalog::Generation& generation) {
  std::string listed;
  for (const auto& topology : catalog::topologies(generation, 64))
    listed += (listed.empty() ? "" : " ") + topology.text();
  return listed;
}

void converse(const Knowledge& knowledge, Wanted& wanted) {
  const catalog::Catalog& catalog = knowledge.catalog;
  Wanted proposal = wanted;
  starter::choose(catalog, proposal);
  const auto listed = [&](catalog::NameSet set) {
    return text::join(std::span<const std::string>(catalog::names(catalog, set)), " ");
  };
  ask_user("name of the workload", proposal.name, [&](auto answer) { wanted.name = answer; });
  ask_user(fmt::format("TPU type: {}", listed(catalog::NameSet::generations)),
           proposal.generation->id,
           [&](auto answer) { wanted.generation = &look_up_type(catalog, answer); });
  proposal = wanted;
  starter::choose(catalog, proposal);
  ask_user(fmt::format("topology: {}", shapes_of(*wanted.generation)), proposal.topology->text(),
           [&](auto answer) { wanted.topology = look_up_topology(answer); });
  ask_user(fmt::format("model: {}", listed(catalog::NameSet::models)), proposal.model->name,
           [&](auto answer) { wanted.model = &look_up_model(catalog, answer); });
  ask_user("cluster", proposal.cluster, [&](auto answer) { wanted.cluster = answer; });
  std::string path;
  ask_user("file", wanted.name + ".yaml", [&](auto answer) { path = answer; });
  write_wanted(knowledge, wanted, path);
}

}  // namespace

int run_init(const CommandLine& line) {
  Knowledge knowledge;
  read_catalog(line, knowledge);
  Wanted wanted;
  read_wanted(line, knowledge.catalog, wanted);
  const bool nothing_given = line.words.empty() && line.options.empty();
  if (nothing_given && ::isatty(STDIN_FILENO) != 0 && ::isatty(STDOUT_FILENO) != 0)
    converse(knowledge, wanted);
  else
    write_wanted(knowledge, wanted, line.value("output"));
  return fine;
}

}  // namespace flexslice::cli
