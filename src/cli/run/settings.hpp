// Reads the options that several commands share.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "backend/template/template.hpp"
#include "base/source.hpp"
#include "catalog/catalog.hpp"
#include "cli/files/specs.hpp"
#include "cli/help/command.hpp"
#include "diag/policy.hpp"
#include "diag/render.hpp"
#include "driver/run.hpp"
#include "yaml/frozen.hpp"

namespace flexslice::cli {

// Facts and templates: built in, with `--catalog` and `--templates` on top.
struct Knowledge {
  catalog::Catalog catalog = catalog::built_in();
  templates::Set templates;
  std::string gcloud_version, provider_version;  // stated by the user

  Knowledge() = default;
  Knowledge(const Knowledge&) = delete;  // the catalog points into it
};

// The settings of a command that reads specs.
struct Run {
  std::vector<Source> defaults, sets;
  diag::Policy policy;
  diag::RenderOptions render;
  Knowledge knowledge;

  Setting setting() const {
    return {knowledge.catalog, knowledge.templates, defaults, sets, &policy};
  }
};

// These throw Failure for wrong usage, unreadable files, and overlays with errors.

// `--catalog` alone.
void read_catalog(const CommandLine& line, Knowledge& knowledge);
// Reads what is found and how it is shown: `--catalog`, `--gcloud-version`, `--deny`, `--format` ….
// `to` is the stream that findings go to, for its colour; `every_code` can be allowed, see
// add_rule.
void read_rules(const CommandLine& line, int to, bool every_code, Run& run,
                bool formats_findings = true);
// The same, and the layers and templates of specs.
// `--format` of a command may be one for its answer and not for findings.
void read_run(const CommandLine& line, int to, Run& run, bool formats_findings = true);
// The layers and templates alone.
void read_layers(const CommandLine& line, Run& run);
// `--templates` and `--set` without `--defaults`, which diff reads for each side.
void read_overrides(const CommandLine& line, Run& run);

// Wrong usage: `invalid value `foo` for --emit: expected …`.
Failure invalid_value(std::string_view option, std::string_view value, std::string_view expected);
// The value of an option that has a few choices, the first of which is the default.
std::string read_choice(const CommandLine& line, std::string_view option,
                        std::span<const std::string_view> choices);
template <Worded Choice>
Choice read_choice(const CommandLine& line, std::string_view option) {
  return FromWord{read_choice(line, option, words_of<Choice>)};
}
void check_choice(std::string_view option, std::string_view value,
                  std::span<const std::string_view> choices);
// The number that an option gives, or `otherwise`.
std::int64_t read_number(const CommandLine& line, std::string_view option, std::int64_t least,
                         std::int64_t otherwise);
// `--jobs`: threads; all cores unless given.
unsigned read_jobs(const CommandLine& line);
// The specs that the command line names, with `--only-specs`. Files of `--defaults` are no specs.
SpecFiles read_specs(const CommandLine& line);

}  // namespace flexslice::cli
