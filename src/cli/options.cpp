#include "cli/options.hpp"

#include <dirent.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cxxopts.hpp>
#include <filesystem>

#include "backend/gcloud/scripts.hpp"
#include "backend/kubernetes/objects.hpp"
#include "base/text.hpp"
#include "cli/cli.hpp"
#include "cli/io.hpp"
#include "yaml/parse.hpp"

namespace flexslice::cli {

namespace {

bool wants_color(const std::string& when, int to) {
  if (when != "auto") return when == "always";
  const char* no_color = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  const bool dumb = terminal != nullptr && std::string_view(terminal) == "dumb";
  return (no_color == nullptr || *no_color == '\0') && !dumb && ::isatty(to) != 0;
}

// Overlays are files of ours in the user's hands: their mistakes are findings like those in specs.
bool report(const diag::RenderOptions& options, const Sources& sources, diag::Sink& sink) {
  const bool bad = sink.errors() > 0;
  print_error(diag::render(options, sources, sink.take()));
  return !bad;
}

std::optional<int> load_catalog(const std::string& path, const diag::RenderOptions& render,
                                Knowledge& knowledge) {
  Failure failure;
  auto text = read_file(path, failure);
  if (!text) return file_error(failure.message);
  Sources sources;
  const std::uint32_t index = sources.add({path, std::move(*text), 1});
  diag::Sink sink;
  if (auto tree = yaml::parse(sources, index, sink)) {
    knowledge.overlays.push_back(std::make_unique<yaml::Frozen>(std::move(*tree)));
    catalog::load(knowledge.overlays.back()->root(), knowledge.catalog, sink);
    if (sink.errors() == 0) catalog::verify(knowledge.catalog, sink);
  }
  if (sink.found().empty() || report(render, sources, sink)) return std::nullopt;
  return findings;
}

// A template of another name would be skipped in silence.
void check_template_name(const templates::Set& templates, const std::string& name,
                         std::uint32_t source, diag::Sink& sink) {
  const std::vector<std::string_view> names = templates.names("");
  if (std::find(names.begin(), names.end(), name) != names.end()) return;
  auto& found = sink.report<diag::Code::TemplateSyntax>(
      Span{source, 0, 0}, fmt::format("there is no template `{}`", name));
  diag::did_you_mean(found, name, names);
}

std::optional<int> load_templates(const std::string& directory, const diag::RenderOptions& render,
                                  Knowledge& knowledge) {
  std::error_code error;
  std::vector<std::string> files;
  for (std::filesystem::recursive_directory_iterator entry(directory, error), end;
       !error && entry != end; entry.increment(error)) {
    if (entry->path().extension() == ".yaml")
      files.push_back(std::filesystem::relative(entry->path(), directory).string());
  }
  if (error) return file_error(failure_of(directory, error.value()).message);
  std::sort(files.begin(), files.end());
  Sources sources;
  diag::Sink sink;
  for (const std::string& file : files) {
    const std::string path = directory + "/" + file;
    Failure failure;
    auto text = read_file(path, failure);
    if (!text) return file_error(failure.message);
    const std::uint32_t index = sources.add({path, std::move(*text), 1});
    const std::string name = file.substr(0, file.size() - 5);
    const auto tree = yaml::parse(sources, index, sink);
    if (!tree) continue;
    check_template_name(knowledge.templates, name, index, sink);
    knowledge.templates.override_with(name, *tree);
  }
  kubernetes::check_templates(knowledge.templates, sink);
  gcloud::check_templates(knowledge.templates, sink);
  if (sink.found().empty() || report(render, sources, sink)) return std::nullopt;
  return findings;
}

std::optional<int> read_policy(const cxxopts::ParseResult& parsed, diag::Policy& policy) {
  // In the order of the command line, since the last word counts.
  for (const auto& argument : parsed.arguments()) {
    const bool deny = argument.key() == "deny";
    if (!deny && argument.key() != "allow") continue;
    const auto refused =
        deny ? diag::deny(policy, argument.value()) : diag::allow(policy, argument.value());
    if (refused) return wrong_usage(*refused);
  }
  return std::nullopt;
}

std::optional<int> read_gcloud_version(const std::string& stated, Knowledge& knowledge) {
  if (stated.empty()) return std::nullopt;
  const auto version = catalog::parse_version(stated);
  if (!version)
    return wrong_usage(fmt::format("--gcloud-version is a version such as {}, not `{}`",
                                   knowledge.catalog.gcloud_version, stated));
  if (*version < catalog::parse_version(knowledge.catalog.gcloud_version)) {
    return wrong_usage(
        fmt::format("the catalog describes gcloud {} to {}; the flags of {} are not known",
                    knowledge.catalog.gcloud_version, knowledge.catalog.gcloud_newest, stated));
  }
  knowledge.gcloud_version = stated;
  knowledge.catalog.gcloud_version = knowledge.gcloud_version;
  return std::nullopt;
}

std::optional<int> read_layers(const cxxopts::ParseResult& parsed, Run& run) {
  for (const std::string& path : values_of(parsed, "defaults")) {
    Failure failure;
    auto text = read_file(path, failure);
    if (!text) return file_error(failure.message);
    run.defaults.push_back({path, std::move(*text), 1});
  }
  for (const auto& argument : parsed.arguments()) {
    if (argument.key() == "set") run.sets.push_back({"--set", argument.value(), 1});
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::string> values_of(const cxxopts::ParseResult& parsed, std::string_view option) {
  std::vector<std::string> values;
  for (const auto& argument : parsed.arguments()) {
    if (argument.key() == option) values.push_back(argument.value());
  }
  return values;
}

std::string value_of(const cxxopts::ParseResult& parsed, const std::string& option,
                     std::string_view otherwise) {
  return parsed.count(option) == 0 ? std::string(otherwise) : parsed[option].as<std::string>();
}

void add_common(cxxopts::Options& options) {
  options.add_options("Findings")("format", "text, short, json, sarif or github",
                                  cxxopts::value<std::string>()->default_value("text"), "FORMAT")(
      "color", "auto, always or never; NO_COLOR is heeded",
      cxxopts::value<std::string>()->default_value("auto"),
      "WHEN")("deny", "make a warning an error", cxxopts::value<std::vector<std::string>>(),
              "CODE|warnings")("allow", "drop a warning, or lower an error that is not certain",
                               cxxopts::value<std::vector<std::string>>(), "CODE");
  options.add_options("Knowledge")("catalog", "facts that add to or override the built-in ones",
                                   cxxopts::value<std::vector<std::string>>(), "FILE")(
      "templates", "templates that override built-in ones by name",
      cxxopts::value<std::vector<std::string>>(),
      "DIR")("gcloud-version", "the gcloud that will run the scripts",
             cxxopts::value<std::string>(), "VERSION");
  options.add_options()("h,help", "show this");
}

void add_sources(cxxopts::Options& options) {
  options.add_options()("defaults", "a partial spec underneath each spec",
                        cxxopts::value<std::vector<std::string>>(),
                        "FILE")("set", "put one value on top, such as tpu.topology=4x4",
                                cxxopts::value<std::vector<std::string>>(), "PATH=VALUE");
}

void add_catalog(cxxopts::Options& options) {
  options.add_options()("catalog", "facts that add to or override the built-in ones",
                        cxxopts::value<std::vector<std::string>>(), "FILE")("h,help", "show this");
}

std::optional<int> read_catalog(const cxxopts::ParseResult& parsed, Knowledge& knowledge) {
  const diag::RenderOptions render{.color = wants_color("auto", STDERR_FILENO),
                                   .version = FLEXSLICE_VERSION};
  for (const std::string& path : values_of(parsed, "catalog")) {
    if (auto status = load_catalog(path, render, knowledge)) return status;
  }
  return std::nullopt;
}

std::optional<int> read_run(const cxxopts::ParseResult& parsed, int to, Run& run) {
  const std::string color = value_of(parsed, "color", "auto");
  if (color != "auto" && color != "always" && color != "never")
    return wrong_usage(fmt::format("--color is auto, always or never, not `{}`", color));
  const std::string format = value_of(parsed, "format", "text");
  const auto known = diag::format_named(format);
  if (!known)
    return wrong_usage(
        fmt::format("--format is {}, not `{}`", text::join(diag::format_names(), ", "), format));
  run.render = {.format = *known, .color = wants_color(color, to), .version = FLEXSLICE_VERSION};
  if (auto status = read_policy(parsed, run.policy)) return status;
  for (const std::string& path : values_of(parsed, "catalog")) {
    if (auto status = load_catalog(path, run.render, run.knowledge)) return status;
  }
  for (const std::string& path : values_of(parsed, "templates")) {
    if (auto status = load_templates(path, run.render, run.knowledge)) return status;
  }
  // The build has seen to it that the built-in ones have theirs.
  if (parsed.count("catalog") > 0) {
  }
  if (auto status = read_gcloud_version(value_of(parsed, "gcloud-version"), run.knowledge))
    return status;
  if (parsed.count("words") == 0) return wrong_usage("which spec? give files, or `-` for stdin");
  run.files = values_of(parsed, "words");
  return read_layers(parsed, run);
}

}  // namespace flexslice::cli
