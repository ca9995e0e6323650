#include "lsp/desk.hpp"

#include <algorithm>
#include <iterator>

#include "diag/fix.hpp"
#include "driver/lint_texts.hpp"
#include "driver/run.hpp"
#include "extract/file.hpp"
#include "extract/shell.hpp"
#include "lsp/keys.hpp"
#include "spec/document.hpp"
#include "yaml/parse.hpp"

namespace flexslice::lsp {

namespace {

using diag::Diagnostic;
using std::size_t;

// Editors stand still over more symbols of one text.
constexpr size_t max_symbols = 10'000, max_depth = 64;

// Moves what is in the spec to the whole text, where the spec begins at `begin`. Other sources are
// no open texts: a finding there is shown at the beginning of the spec, and names its place.
Diagnostic in_text(Diagnostic finding, const Sources& sources, std::uint32_t spec, size_t begin) {
  const auto is_outside = [&](const auto& place) { return place.where.source != spec; };
  const auto move = [&](Span& where) { where = {0, where.begin + begin, where.end + begin}; };
  if (is_outside(finding)) {
    finding.notes.push_back("in " + sources[finding.where.source].name);
    finding.where = {spec, 0, 0};
  }
  if (std::ranges::any_of(finding.fixes, is_outside)) finding.fixes.clear();
  std::erase_if(finding.choices, is_outside);
  for (diag::Edit& choice : finding.choices) move(choice.where);
  move(finding.where);
  for (diag::Edit& edit : finding.fixes) move(edit.where);
  for (diag::Related& related : finding.related) {
    if (!related.file.empty()) continue;
    if (is_outside(related)) {
      related.file = sources[related.where.source].name;
      related.position = sources.position(related.where);
    } else {
      move(related.where);
    }
  }
  return finding;
}

std::vector<Diagnostic> findings_of_specs(const Settings& settings, const OpenFile& named) {
  std::vector<Diagnostic> all;
  const Setting setting{settings.catalog, settings.templates, settings.defaults, settings.sets,
                        &settings.policy};
  const auto spec = static_cast<std::uint32_t>(settings.defaults.size());
  const std::vector<yaml::Document> documents = yaml::split_documents(named.text);
  compile_text(setting, named.name, named.text, {},
               [&](const Sources& sources, std::vector<Diagnostic> found) {
                 const auto document = std::ranges::lower_bound(documents, sources[spec].first_line,
                                                                {}, &yaml::Document::first_line);
                 const auto begin = static_cast<size_t>(document->text.data() - named.text.data());
                 for (Diagnostic& finding : found)
                   all.push_back(in_text(std::move(finding), sources, spec, begin));
               });
  return all;
}

bool are_specs(const OpenFile& named) {
  return extract::file_type(named.name, named.text) == extract::FileType::yaml &&
         spec::has_spec_line(named.text);
}

Symbol command_symbol(const extract::Command& command, const extract::Excerpt& part) {
  Symbol symbol;
  symbol.is_command = true;
  size_t end = command.where.end;
  for (const extract::Word& word : command.words) {
    if (word.where.end > end) end = word.where.end;
    if (!symbol.detail.empty() || word.text.starts_with('-')) {
      symbol.detail += (symbol.detail.empty() ? "" : " ") + word.text;
    } else {
      symbol.name += (symbol.name.empty() ? "" : " ") + word.text;
    }
  }
  symbol.begin = part.host(command.where.begin);
  symbol.name_end = part.host(command.where.end);
  symbol.end = std::max(symbol.name_end, part.host(end));
  return symbol;
}

// Adds the key below its parents: `last` is the symbol added last at each depth.
void add_key(const KeyEntry& entry, const extract::Excerpt& part, Symbol& root) {
  Symbol* parent = &root;
  const size_t end = part.host(std::max(entry.key_end, entry.value_end));
  const auto keys = static_cast<size_t>(
      std::ranges::count_if(entry.path, [](const std::string& key) { return key != item; }));
  for (size_t depth = 1; depth < keys && !parent->inner.empty(); ++depth) {
    parent->end = std::max(parent->end, end);
    parent = &parent->inner.back();
  }
  parent->end = std::max(parent->end, end);
  root.end = std::max(root.end, end);
  if (entry.key_begin == entry.key_end) return;  // an item
  Symbol symbol;
  symbol.name = entry.path.back();
  symbol.detail = entry.value;
  symbol.begin = part.host(entry.key_begin);
  symbol.name_end = part.host(entry.key_end);
  symbol.end = std::max(end, symbol.name_end);
  parent->inner.push_back(std::move(symbol));
}

}  // namespace

Contents contents_of(const OpenFile& named) {
  Contents parts;
  parts.are_specs = are_specs(named);
  if (!parts.are_specs) {
    parts.all = extract::excerpts(named.text, extract::file_type(named.name, named.text));
    return parts;
  }
  for (const yaml::Document& document : yaml::split_documents(named.text)) {
    extract::Excerpt& part = parts.all.emplace_back();
    extract::append_bytes(part, document.text,
                          static_cast<size_t>(document.text.data() - named.text.data()));
  }
  return parts;
}

std::vector<Diagnostic> findings(const Settings& settings, const OpenFile& named) {
  if (are_specs(named)) return findings_of_specs(settings, named);
  const Source source{std::string(named.name), std::string(named.text), 1};
  std::vector<Diagnostic> found;
  lint::lint_texts({&source, 1}, settings.catalog, settings.rules,
                   [&](const Sources&, std::vector<Diagnostic> more) {
                     found.insert(found.end(), std::make_move_iterator(more.begin()),
                                  std::make_move_iterator(more.end()));
                   });
  std::ranges::stable_sort(found, {}, [](const Diagnostic& each) { return each.where.begin; });
  diag::apply_policy(settings.policy, found, false);
  return found;
}

std::string fixed(const Settings& settings, const OpenFile& named,
                  std::span<const diag::Diagnostic> found) {
  diag::Fixed result = diag::apply_fixes(named.text, 0, found);
  for (int round = 1; result.applied > 0 && round < diag::max_fix_rounds; ++round)
    result = diag::apply_fixes(result.text, 0, findings(settings, {named.name, result.text}));
  return std::move(result.text);
}

std::vector<Symbol> symbols(const OpenFile& named) {
  std::vector<Symbol> all;
  const Contents parts = contents_of(named);
  extract::Variables variables;
  size_t count = 0;
  for (const extract::Excerpt& part : parts.all) {
    if (count >= max_symbols) break;
    if (part.language == extract::Language::shell) {
      const auto script = extract::read_shell(part, 0, variables, {"gcloud", "kubectl"});
      for (const extract::Command& command : script.commands)
        all.push_back(command_symbol(command, part));
      continue;
    }
    if (part.language != extract::Language::yaml) continue;
    const Keys keys = find_keys(part.text, part.text.size());
    if (keys.entries.empty()) continue;
    Symbol root;
    root.is_object = true;
    root.begin = part.host(keys.entries.front().key_begin);
    root.end = root.name_end = part.host(keys.entries.front().key_end);
    for (const KeyEntry& entry : keys.entries) {
      if (entry.path.size() <= max_depth && ++count < max_symbols) add_key(entry, part, root);
    }
    const std::string_view kind = keys.value("kind");
    const std::string_view name = keys.value(parts.are_specs ? "name" : "metadata.name");
    root.name = std::string(kind) + (kind.empty() || name.empty() ? "" : "/") + std::string(name);
    if (root.name.empty()) root.name = keys.entries.front().path.back();
    all.push_back(std::move(root));
  }
  return all;
}

}  // namespace flexslice::lsp
