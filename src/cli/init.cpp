// flexslice init: a commented spec to begin with. Asks when it is called with nothing on a
// terminal.
#include <fmt/core.h>
#include <unistd.h>

#include <cxxopts.hpp>
#include <filesystem>
#include <iostream>

#include "base/text.hpp"
#include "cli/cli.hpp"
#include "cli/command.hpp"
#include "cli/io.hpp"
#include "cli/io_write.hpp"
#include "cli/lookup.hpp"
#include "cli/parse_options.hpp"
#include "driver.hpp"
#include "starter/starter.hpp"

namespace flexslice::cli {

namespace {

using starter::Wanted;

constexpr std::string_view modes[] = {"standard", "autopilot"};

std::optional<catalog::Topology> look_up_topology(std::string_view text) {
  auto topology = catalog::parse_topology(text);
  if (!topology)
    wrong_usage(fmt::format(
        "`{}` is no topology; write two or three numbers joined by `x`, such as 4x4 or 2x2x1",
        text));
  return topology;
}

std::optional<int> read_wanted(const cxxopts::ParseResult& parsed, const catalog::Catalog& catalog,
                               Wanted& wanted) {
  const auto given = [&](const char* option) { return value_of(parsed, option); };
  if (parsed.count("words") > 0) {
    const auto names = values_of(parsed, "words");
    if (names.size() > 1) return wrong_usage(fmt::format("one name: `{}` is too much", names[1]));
    wanted.name = names.front();
  }
  if (const std::string type = given("type");
      !type.empty() && (wanted.generation = look_up_type(catalog, type)) == nullptr)
    return usage;
  if (const std::string machine = given("machine-type");
      !machine.empty() && (wanted.machine = look_up_machine(catalog, machine)) == nullptr) {
    return usage;
  }
  if (const std::string topology = given("topology");
      !topology.empty() && !(wanted.topology = look_up_topology(topology)))
    return usage;
  if (const std::string model = given("model");
      !model.empty() && (wanted.model = look_up_model(catalog, model)) == nullptr)
    return usage;
  const std::string mode = given("mode");
  if (!mode.empty() && mode != modes[0] && mode != modes[1]) {
    return wrong_usage(fmt::format("--mode is standard or autopilot, not `{}`", mode));
  }
  wanted.autopilot = mode == modes[1];
  wanted.zone = given("zone");
  wanted.location = given("location");
  wanted.project = given("project");
  wanted.cluster = given("cluster");
  wanted.image = given("image");
  wanted.schema = value_of(parsed, "schema", "flexslice.schema.json");
  return std::nullopt;
}

// The mistakes of what init is about to write: names that the command line gave and that have not
// the form they need.
bool compiles(const Knowledge& knowledge, const std::string& text) {
  Sources sources;
  const Input input{sources, sources.add({"<init>", text, 1}), {}, {}};
  const Compiled compiled = compile(input, knowledge.catalog, knowledge.templates, {});
  if (!compiled.ok)
    print_error(diag::render({.version = FLEXSLICE_VERSION}, sources, compiled.diagnostics));
  return compiled.ok;
}

int write(const Knowledge& knowledge, Wanted& wanted, const std::string& path) {
  if (const auto problem = starter::choose(knowledge.catalog, wanted)) return wrong_usage(*problem);
  const std::string text = starter::spec_text(knowledge.catalog, wanted);
  if (!compiles(knowledge, text)) return usage;
  if (path.empty() || path == "-") return print(text);
  std::error_code ignored;
  if (std::filesystem::exists(std::filesystem::symlink_status(path, ignored)))
    return file_error(path + ": exists already, left as it is");
  Failure failure;
  if (!write_file(path, text, failure)) return file_error(failure.message);
  print_error(fmt::format("wrote {}; next: flexslice check {}\n", path, path));
  return fine;
}

// One line from the terminal; the proposal when it is empty, nothing at the end of input.
std::optional<std::string> ask(std::string_view question, std::string_view proposal) {
  print(fmt::format("{} [{}]: ", question, proposal));
  flush();
  std::string line;
  if (!std::getline(std::cin, line)) return std::nullopt;
  const std::string_view answer = text::trim(line);
  return std::string(answer.empty() ? proposal : answer);
}

// Asks until the answer is one that `take` takes, which says what was wrong with the others.
template <class Take>
bool ask_for(std::string_view question, std::string_view proposal, Take take) {
  for (;;) {
    const auto answer = ask(question, proposal);
    if (!answer) return false;
    if (take(*answer)) return true;
  }
}

std::string shapes_of(const catalog::Generation& generation) {
  std::string listed;
  for (const auto& topology : catalog::topologies(generation, 64))
    listed += (listed.empty() ? "" : " ") + topology.text();
  return listed;
}

int converse(const Knowledge& knowledge, Wanted& wanted) {
  const catalog::Catalog& catalog = knowledge.catalog;
  Wanted proposal = wanted;
  starter::choose(catalog, proposal);
  const auto listed = [&](std::string_view set) {
    return text::join(std::span<const std::string>(catalog::names(catalog, set)), " ");
  };
  const auto not_empty = [](std::string& to) {
    return [&to](const std::string& answer) { return !(to = answer).empty(); };
  };
  bool on = ask_for("name of the workload", proposal.name, not_empty(wanted.name));
  on = on && ask_for(fmt::format("TPU type: {}", listed("generations")), proposal.generation->id,
                     [&](const std::string& answer) {
                       return (wanted.generation = look_up_type(catalog, answer)) != nullptr;
                     });
  proposal = wanted;
  if (on) starter::choose(catalog, proposal);
  on = on && ask_for(fmt::format("topology: {}", shapes_of(*wanted.generation)),
                     proposal.topology->text(), [&](const std::string& answer) {
                       return (wanted.topology = look_up_topology(answer)).has_value();
                     });
  on = on && ask_for(fmt::format("model: {}", listed("models")), proposal.model->name,
                     [&](const std::string& answer) {
                       return (wanted.model = look_up_model(catalog, answer)) != nullptr;
                     });
  on = on && ask_for("cluster", proposal.cluster, not_empty(wanted.cluster));
  std::string path;
  on = on && ask_for("file", wanted.name + ".yaml", not_empty(path));
  if (on) return write(knowledge, wanted, path);
  print("\n");
  return wrong_usage("nothing was written");
}

}  // namespace

int run_init(Arguments arguments) {
  const auto declare = [](cxxopts::Options& options) {
    const auto text = [] { return cxxopts::value<std::string>(); };
    options.add_options()("type", "TPU generation", text(), "TYPE")("topology", "shape of a slice",
                                                                    text(), "TOPOLOGY")(
        "machine-type", "machine type of the nodes", text(), "MACHINE")(
        "model", "how the nodes are had", text(), "MODEL")(
        "mode", "kind of cluster", text(), "standard|autopilot")("cluster", "name of the cluster",
                                                                 text(), "NAME")(
        "location", "region or zone of its control plane", text(), "REGION")(
        "zone", "zone of the nodes", text(), "ZONE")("project", "Google Cloud project", text(),
                                                     "PROJECT")(
        "image", "container image", text(), "IMAGE")("schema", "where editors find the JSON Schema",
                                                     text()->default_value("flexslice.schema.json"),
                                                     "FILE")(
        "o,output", "write a file, which must not exist yet", text(), "FILE");
    add_catalog(options);
  };
  return with_options(arguments, declare, [](const cxxopts::ParseResult& parsed) {
    Knowledge knowledge;
    if (auto status = read_catalog(parsed, knowledge)) return *status;
    Wanted wanted;
    if (auto status = read_wanted(parsed, knowledge.catalog, wanted)) return *status;
    const bool nothing_given = parsed.arguments().empty();
    const bool conversation =
        nothing_given && ::isatty(STDIN_FILENO) != 0 && ::isatty(STDOUT_FILENO) != 0;
    return std::max(conversation ? converse(knowledge, wanted)
                                 : write(knowledge, wanted, value_of(parsed, "output")),
                    flush());
  });
}

}  // namespace flexslice::cli
