// Options that several commands share. options.cpp and the commands' files are the only places that
// know cxxopts.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.hpp"
#include "diag/policy.hpp"
#include "diag/render.hpp"
#include "driver.hpp"
#include "template/template.hpp"

namespace cxxopts {
class Options;
class ParseResult;
}  // namespace cxxopts

namespace flexslice::cli {

// Facts and templates: built in, with what `--catalog` and `--templates` put on top.
struct Knowledge {
  catalog::Catalog catalog = catalog::built_in();
  templates::Set templates;
  std::vector<std::unique_ptr<yaml::Frozen>> overlays;  // that the catalog's texts point into
  std::string gcloud_version;                           // stated by the user
};

// What a command that reads specs is told.
struct Run {
  std::vector<std::string> files;
  std::vector<Source> defaults, sets;
  diag::Policy policy;
  diag::RenderOptions render;
  Knowledge knowledge;
};

// Every value of an option that may be given several times, in order. As they were written: cxxopts
// cuts lists at commas, which names of files may have.
std::vector<std::string> values_of(const cxxopts::ParseResult& parsed, std::string_view option);
// The last value of an option.
std::string value_of(const cxxopts::ParseResult& parsed, const std::string& option,
                     std::string_view otherwise = {});

void add_common(cxxopts::Options& options);
void add_sources(cxxopts::Options& options);
// For commands that ask nothing but the catalog: `--catalog` and help.
void add_catalog(cxxopts::Options& options);
std::optional<int> read_catalog(const cxxopts::ParseResult& parsed, Knowledge& knowledge);
// Fills the run from the options of add_common and add_sources. A status that comes back is the
// exit status: something is wrong, and said. `to` is the stream that findings go to, for its
// colour.
std::optional<int> read_run(const cxxopts::ParseResult& parsed, int to, Run& run);

}  // namespace flexslice::cli
