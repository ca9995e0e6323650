#include "cli/run/defaults_hint.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/lists.hpp"
#include "cli/files/files.hpp"
#include "cli/files/specs.hpp"
#include "driver/run.hpp"
#include "schema/decode.hpp"
#include "spec/spec_fields.hpp"
#include "yaml/parse.hpp"

namespace flexslice::cli {

namespace {

using diag::Code, diag::Diagnostic;

// Folders of clones may be large, and defaults are short.
constexpr std::size_t max_candidates = 20;
constexpr std::uintmax_t largest_layer = 64 << 10;

bool is_missing(const Diagnostic& finding) {
  constexpr Code codes[] = {Code::MissingField, Code::ClusterFieldMissing, Code::ZonesMissing,
                            Code::ReservationMissing, Code::ProjectNeeded};
  return contains(codes, finding.code);
}

// A layer below specs is a mapping of fields, without what makes it a spec.
bool is_layer(const Source& file) {
  Sources sources;
  diag::Sink sink;
  const auto tree = yaml::parse(sources, sources.add(file), sink);
  if (!tree || tree->kind != yaml::Kind::mapping || tree->members.empty()) return false;
  schema::judge_layer(*tree, schema::TableOf<spec::Claims>::table, sink);
  return sink.errors() == 0;
}

bool has_suffix(const std::filesystem::path& path) {
  return contains(std::array<std::string_view, 3>{".yaml", ".yml", ".json"},
                  path.extension().string());
}

}  // namespace

std::vector<DefaultsHint::NearFile>& DefaultsHint::beside(const std::string& folder) {
  const auto [place, is_new] = folders_.try_emplace(folder);
  if (!is_new) return place->second;
  std::error_code error;
  std::vector<std::string> paths;
  const std::filesystem::directory_iterator entries(folder.empty() ? "." : folder, error), end;
  for (auto entry = entries; !error && entry != end; entry.increment(error)) {
    std::error_code ignored;
    const auto& file = entry->path();
    if (has_suffix(file) && entry->is_regular_file(ignored) &&
        entry->file_size(ignored) <= largest_layer)
      paths.push_back(folder + file.filename().string());
  }
  std::ranges::sort(paths);
  for (const std::string& path : paths) {
    const bool is_given =
        any_of(run_.defaults, [&](const Source& each) { return each.name == path; });
    if (is_given || looks_like_spec(path) || place->second.size() == max_candidates) continue;
    try {
      Source layer{path, read_file(path), 1};
      if (is_layer(layer)) place->second.push_back({std::move(layer)});
    } catch (const Failure&) {
      continue;  // it was not asked for
    }
  }
  return place->second;
}

std::vector<Diagnostic> DefaultsHint::findings_with(const Source& layer, const Source& spec) const {
  std::vector<Source> defaults = run_.defaults;
  defaults.push_back(layer);
  Setting setting = run_.setting();
  setting.defaults = defaults;
  auto compiled = compile_document(setting, layered(setting, spec), {});
  return take_findings(compiled);
}

void DefaultsHint::add_to(std::vector<Diagnostic>& findings, std::string_view path,
                          const Source& spec) {
  if (said_ || path == "-" || !any_of(findings, is_missing)) return;
  const std::string_view folder = folder_of(path);
  add_from(folder, findings, spec);
  if (folder.size() > 1) add_from(folder_of(folder.substr(0, folder.size() - 1)), findings, spec);
}

void DefaultsHint::add_from(std::string_view folder, std::vector<Diagnostic>& findings,
                            const Source& spec) {
  for (NearFile& candidate : beside(std::string(folder))) {
    const auto left = findings_with(candidate.layer, spec);
    for (Diagnostic& finding : findings) {
      const auto is_same = [&](const Diagnostic& other) {
        return other.code == finding.code && other.message == finding.message;
      };
      if (said_ || !is_missing(finding) || any_of(left, is_same) || ++candidate.answered < 2)
        continue;
      finding.help("`{}` has what is missing here and above: add `--defaults {}`",
                   candidate.layer.name, candidate.layer.name);
      said_ = true;
    }
  }
}

}  // namespace flexslice::cli
