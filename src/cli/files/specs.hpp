// The files that a command line means: those it names, and the specs in the directories it names.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/files/streams.hpp"

namespace flexslice::cli {

// Looks for a line like `apiVersion: flexslice/…` in the first MiB of the file. False when it
// cannot be read.
bool looks_like_spec(const std::string& path);

struct SpecFile {
  std::string path;                // `-` for stdin
  std::optional<Failure> failure;  // why it cannot be read, if that is known already
};

struct SpecFiles {
  std::vector<SpecFile> specs;
  std::size_t skipped = 0;  // files that might be specs, but do not look like one
};

// The files in order. A directory means the specs below it: *.yaml, *.yml and *.json that look like
// one, sorted by path; hidden ones, and links to directories, are not looked at; one without any is
// a failure. With `only_specs`, named files that do not look like a spec are skipped too; those
// that cannot be read are not. Neither takes a file of `layers` for a spec.
SpecFiles find_specs(std::span<const std::string> words, bool only_specs,
                     std::span<const std::string> layers);

// Every file below a directory, and the directories themselves, sorted by path.
std::vector<std::string> tree_of(const std::string& directory);

}  // namespace flexslice::cli
