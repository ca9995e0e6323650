// Files that Terraform reads together.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/source.hpp"
#include "catalog/catalog.hpp"
#include "diag/diag.hpp"
#include "driver/module_calls.hpp"
#include "driver/near.hpp"
#include "extract/terraform.hpp"

namespace flexslice::cli {

constexpr std::size_t max_bytes = 1u << 20;  // of a file that was not named

// The files of a module of Terraform: those of the folder among `named`, and, if `whole`, all that
// Terraform reads by itself. Files that cannot be read are left out.
std::vector<Source> files_of_module(const std::string& folder, std::span<const std::string> named,
                                    bool whole);

// Reads the kustomizations of the folder of a file, and of those above it.
lint::Near near_of(const std::string& path);
// Adds those about the kustomization, which is source 0.
void add_findings_of_kustomization(Sources& sources, const catalog::Catalog& catalog,
                                   std::vector<diag::Diagnostic>& findings);

// Files of a folder may answer findings about each other. Each folder is read once, however many
// of its files have such findings, and only files that may answer are kept. Any thread may ask.
class Neighbours {
 public:
  // Adds what the others of its folder say of the file.
  void add_to(lint::Near& near, const std::string& path);
  // Adds the variables that they, and workflows, set where they call programs that read such a
  // file.
  void add_given(lint::Near& near, const std::string& path);
  // Adds the variables and arguments that they give a script where they call it.
  void add_calls(lint::Near& near, const std::string& path);
  // Drops findings about a file of a base that its overlays, in folders near it, take away.
  void drop_mended(const std::string& path, const catalog::Catalog& catalog,
                   std::vector<diag::Diagnostic>& findings);

 private:
  // Reads the folder once for each `what`; `is_it` takes the name of a file and its text.
  const std::vector<std::string>& files_that(const std::string& what, const std::string& folder,
                                             const auto& is_it);

  std::mutex mutex_;  // guards what is below it
  std::map<std::string, std::vector<Source>, std::less<>> known_;
  struct GivenBy {
    extract::GivenNames by_commands;
    std::map<std::string, extract::GivenNames> exported;  // by each file, to others
  };
  std::map<std::string, GivenBy, std::less<>> given_;
  // Names of files, by what they do and their folder.
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> files_;
};

// The modules of a run. Those of the last folders are kept, since their files follow each other.
// Any thread may ask.
class Modules {
 public:
  std::shared_ptr<const extract::Module> of(const std::string& folder,
                                            std::span<const std::string> named, bool whole);

 private:
  // Files of a folder and below it that may call modules, or have values of their variables.
  struct Callers {
    lint::ModuleCalls calls;
    std::vector<Source> values;
    bool is_whole = true;  // there are no others
  };
  const Callers& callers_below(const std::string& root);
  extract::GivenVariables given(const std::string& name);
  extract::Module read_with_callers(std::vector<Source> files, const std::string& folder);

  std::mutex mutex_;  // guards what is below it
  std::map<std::string, Callers, std::less<>> callers_;
  std::map<std::pair<std::string, bool>, std::shared_ptr<const extract::Module>> known_;
};

// All that is named, `-` for stdin: files, and of a directory those that lint reads, with those
// that Terraform reads with them.
Sources read_paths(std::span<const std::string> named);

}  // namespace flexslice::cli
