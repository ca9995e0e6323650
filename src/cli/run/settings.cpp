#include "cli/run/settings.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "base/text.hpp"
#include "cli/files/files.hpp"
#include "driver/driver.hpp"
#include "yaml/parse.hpp"

namespace flexslice::cli {

namespace {

bool wants_color(Color when, int to) {
  if (when != Color::automatic) return when == Color::always;
  const char* no_color = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  const bool dumb = terminal != nullptr && std::string_view(terminal) == "dumb";
  return (no_color == nullptr || *no_color == '\0') && !dumb && ::isatty(to) != 0;
}

// Overlays are files of ours in the user's hands: their mistakes are findings like those in specs.
void report_findings(const diag::RenderOptions& options, const Sources& sources, diag::Sink& sink) {
  const bool bad = sink.errors() > 0;
  const std::string text = sink.found().empty() ? "" : diag::render(options, sources, sink.take());
  if (bad) throw Failure(findings, text);
  print_error(text);
}

std::optional<yaml::Node> read_tree(const std::string& path, Sources& sources, diag::Sink& sink) {
  return yaml::parse(sources, sources.add({path, read_file(path), 1}), sink);
}

void load_catalogs(const CommandLine& line, const diag::RenderOptions& render,
                   Knowledge& knowledge) {
  for (const std::string& path : line.values("catalog")) {
    Sources sources;
    diag::Sink sink;
    if (auto tree = read_tree(path, sources, sink)) {
      catalog::load(*tree, knowledge.catalog, sink);
      if (sink.errors() == 0) catalog::verify(knowledge.catalog, sink);
    }
    report_findings(render, sources, sink);
  }
}

// A template of another name would be skipped in silence.
void check_template_name(const templates::Set& templates, const std::string& name,
                         std::uint32_t source, diag::Sink& sink) {
  const std::vector<std::string_view> names = templates.names("");
  if (std::find(names.begin(), names.end(), name) != names.end()) return;
  auto& found = sink.report<diag::Code::TemplateSyntax>(Span{source, 0, 0},
                                                        fmt::format("unknown template `{}`", name));
  diag::did_you_mean(found, name, names);
}

void load_templates(const std::string& directory, const diag::RenderOptions& render,
                    Knowledge& knowledge) {
  Sources sources;
  diag::Sink sink;
  for (const std::string& path : tree_of(directory)) {
    if (!path.ends_with(".yaml") || std::filesystem::is_directory(path)) continue;
    const auto tree = read_tree(path, sources, sink);
    if (!tree) continue;
    const std::string name =
        std::filesystem::relative(path, directory).replace_extension().string();
    check_template_name(knowledge.templates, name, static_cast<std::uint32_t>(sources.size() - 1),
                        sink);
    knowledge.templates.override_with(name, *tree);
  }
  check_templates(knowledge.templates, sink);
  report_findings(render, sources, sink);
}

void read_policy(const CommandLine& line, bool every_code, diag::Policy& policy) {
  // In the order of the command line, since the last word counts.
  for (const auto& [option, value] : line.options) {
    std::optional<std::string> refusal;
    if (option == "deny") refusal = diag::add_rule(policy, diag::Action::deny, value);
    if (option == "allow") refusal = diag::add_rule(policy, diag::Action::allow, value, every_code);
    if (refusal) throw wrong_usage(*refusal);
  }
}

// A version of a program that the catalog describes from `oldest` on. A newer one may have changed.
void check_version(std::string_view option, const std::string& stated, std::string_view oldest,
                   std::string_view newest, std::string_view program, std::string_view parts) {
  const auto version = catalog::parse_version(stated);
  if (!version) throw invalid_value(option, stated, fmt::format("a version such as {}", oldest));
  if (*version < catalog::parse_version(oldest))
    throw wrong_usage(fmt::format("the catalog describes {} {} to {}; the {} of {} are not known",
                                  program, oldest, newest, parts, stated));
  if (*version > catalog::parse_version(newest))
    print_error(
        fmt::format("flexslice: note: the catalog describes {} {} to {}; the {} of {} are judged "
                    "as those of {}\n",
                    program, oldest, newest, parts, stated, newest));
}

void read_gcloud_version(const std::string& stated, Knowledge& knowledge) {
  if (stated.empty()) return;
  catalog::Gcloud& gcloud = knowledge.catalog.gcloud;
  check_version("gcloud-version", stated, gcloud.version, gcloud.newest, "gcloud", "flags");
  knowledge.gcloud_version = stated;
  gcloud.version = knowledge.gcloud_version;
}

void read_provider_version(const std::string& stated, Knowledge& knowledge) {
  if (stated.empty()) return;
  catalog::Provider& provider = knowledge.catalog.terraform;
  check_version("terraform-google-version", stated, provider.oldest, provider.newest,
                "hashicorp/google", "arguments");
  knowledge.provider_version = stated;
  provider.version = knowledge.provider_version;
}

}  // namespace

void read_catalog(const CommandLine& line, Knowledge& knowledge) {
  load_catalogs(
      line, {.color = wants_color(Color::automatic, STDERR_FILENO), .version = FLEXSLICE_VERSION},
      knowledge);
}

void read_rules(const CommandLine& line, int to, bool every_code, Run& run, bool formats_findings) {
  run.render = {
      .format = formats_findings ? read_choice<diag::Format>(line, "format") : diag::Format::text,
      .color = wants_color(read_choice<Color>(line, "color"), to),
      .version = FLEXSLICE_VERSION};
  read_policy(line, every_code, run.policy);
  load_catalogs(line, run.render, run.knowledge);
  read_gcloud_version(line.value("gcloud-version"), run.knowledge);
  read_provider_version(line.value("terraform-google-version"), run.knowledge);
}

void read_run(const CommandLine& line, int to, Run& run, bool formats_findings) {
  read_rules(line, to, false, run, formats_findings);
  if (line.words.empty()) throw wrong_usage("missing SPEC: name files, or `-` for stdin");
  read_layers(line, run);
}

void read_layers(const CommandLine& line, Run& run) {
  read_overrides(line, run);
  for (const std::string& path : line.values("defaults"))
    run.defaults.push_back({path, read_file(path), 1});
}

void read_overrides(const CommandLine& line, Run& run) {
  for (const std::string& path : line.values("templates"))
    load_templates(path, run.render, run.knowledge);
  for (const std::string& set : line.values("set")) run.sets.push_back({"--set", set, 1});
}

Failure invalid_value(std::string_view option, std::string_view value, std::string_view expected) {
  return wrong_usage(
      fmt::format("invalid value `{}` for --{}: expected {}", value, option, expected));
}

std::string read_choice(const CommandLine& line, std::string_view option,
                        std::span<const std::string_view> choices) {
  std::string value = line.value(option, choices.front());
  check_choice(option, value, choices);
  return value;
}

void check_choice(std::string_view option, std::string_view value,
                  std::span<const std::string_view> choices) {
  if (std::find(choices.begin(), choices.end(), value) == choices.end())
    throw invalid_value(option, value, "one of " + text::join(choices, ", "));
}

std::int64_t read_number(const CommandLine& line, std::string_view option, std::int64_t least,
                         std::int64_t otherwise) {
  if (!line.has(option)) return otherwise;
  const std::string value = line.value(option);
  const auto number = text::whole_number(value);
  if (!number || *number < least)
    throw invalid_value(option, value, fmt::format("a whole number of at least {}", least));
  return *number;
}

unsigned read_jobs(const CommandLine& line) {
  const std::string jobs = line.value("jobs");
  const auto number = text::whole_number(jobs);
  if (!jobs.empty() && (!number || *number < 1 || *number > 1024))
    throw invalid_value("jobs", jobs, "1 to 1024");
#ifdef __EMSCRIPTEN__
  return 1;  // it has no threads
#else
  return number ? static_cast<unsigned>(*number)
                : std::max(1u, std::thread::hardware_concurrency());
#endif
}

SpecFiles read_specs(const CommandLine& line) {
  return find_specs(line.words, line.has("only-specs"), line.values("defaults"));
}

}  // namespace flexslice::cli
