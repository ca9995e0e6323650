#include "cli/run/baseline.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "base/lines.hpp"
#include "base/text.hpp"
#include "cli/files/documents.hpp"
#include "cli/files/output.hpp"
#include "diag/visible.hpp"
#include "yaml/emit.hpp"
#include "yaml/parse.hpp"

namespace flexslice::cli {

namespace {

constexpr std::string_view head =
    "# Findings that `flexslice lint --baseline` hides. --write-baseline writes this file.\n";
constexpr std::size_t line_bytes = 160;  // of a longer line only the beginning counts

std::string line_text(std::string_view text, std::size_t offset) {
  offset = std::min(offset, text.size());
  const std::size_t begin = text::line_begin(text, offset);
  const std::string_view line = text.substr(begin, text::line_end(text, offset) - begin);
  return diag::visible(text::trim(line.substr(0, line_bytes)));
}

std::size_t total(const KnownFindings& findings) {
  std::size_t sum = 0;
  for (const auto& [finding, count] : findings) sum += count;
  return sum;
}

// Returns the text of the member; null where it has none.
const std::string* member_text(const yaml::Node& node, std::string_view key) {
  const yaml::Node* value = node.find(key);
  return value != nullptr && value->kind == yaml::Kind::scalar ? &value->text : nullptr;
}

}  // namespace

KnownFinding::KnownFinding(const Source& source, const diag::Diagnostic& finding)
    : KnownFinding(diag::code_text(finding.code), diag::visible(finding.message),
                   line_text(source.text, finding.where.begin)) {}

KnownFinding::KnownFinding(std::string its_code, std::string its_message, std::string its_line)
    : code(std::move(its_code)), message(std::move(its_message)), line(std::move(its_line)) {}

bool take_one(KnownFindings& known, KnownFinding finding) {
  auto match = known.find(finding);
  if (match == known.end()) {
    finding.message.clear();
    match = known.find(finding);
  }
  if (match == known.end()) return false;
  if (--match->second == 0) known.erase(match);
  return true;
}

Baseline::Baseline(const std::string& path)
    : path_(path), directory_(std::filesystem::absolute(path).lexically_normal().parent_path()) {}

void Baseline::read(bool may_be_missing) {
  if (!std::filesystem::exists(path_)) {
    if (may_be_missing) return;
    throw file_error(
        fmt::format("{}: no such file; `flexslice lint --baseline {} --write-baseline` writes it",
                    path_, path_));
  }
  DocumentReader reader(path_);
  while (auto part = reader.next()) {
    Sources sources;
    diag::Sink sink;
    const int line = part->source.first_line;
    sources.add(std::move(part->source));
    const auto tree = yaml::parse(sources, 0, sink);
    if (!tree || sink.errors() > 0)
      throw file_error(fmt::format("{}: {}", path_, sink.found().front().message));
    if (tree->kind != yaml::Kind::null && !add(*tree))
      throw file_error(fmt::format(
          "{}:{}: this is not a baseline; expected `file` and a list of `findings`, each "
          "with `code`, `message`, `line` and `count`",
          path_, line));
  }
}

// False when it is not what `write` writes.
bool Baseline::add(const yaml::Node& document) {
  const std::string* file = member_text(document, "file");
  const yaml::Node* findings = document.find("findings");
  if (file == nullptr || findings == nullptr) return false;
  for (const yaml::Node& finding : findings->items) {
    const std::string* code = member_text(finding, "code");
    const std::string* message = member_text(finding, "message");
    const std::string* line = member_text(finding, "line");
    const std::string* count = member_text(finding, "count");
    const auto number = count == nullptr ? 1 : text::whole_number(*count).value_or(0);
    if (code == nullptr || message == nullptr || line == nullptr || number < 1) return false;
    // A number that was merged into another had a message of its own.
    const diag::Row* row = diag::find_row(*code);
    const std::string now = row == nullptr ? *code : diag::code_text(row->code);
    known_[*file][{now, now == *code ? *message : "", *line}] += static_cast<std::size_t>(number);
  }
  return true;
}

void Baseline::write() const {
  OutputFile out(path_);
  out.append(head);
  for (const auto& [file, findings] : known_) {
    yaml::Value document;
    document["file"] = yaml::Value::string(file);
    yaml::Value& list = document["findings"] = yaml::Value::sequence();
    for (const auto& [finding, count] : findings) {
      yaml::Value& entry = list.push({});
      entry["code"] = yaml::Value::string(finding.code);
      entry["message"] = yaml::Value::string(finding.message);
      entry["line"] = yaml::Value::string(finding.line);
      entry["count"] = yaml::Value::number(static_cast<std::int64_t>(count));
    }
    out.append("---\n" + yaml::emit(document, {}));
  }
  out.commit();
}

const KnownFindings& Baseline::of(const std::string& file) const {
  static const KnownFindings none;
  const auto known = known_.find(name_of(file));
  return known == known_.end() ? none : known->second;
}

void Baseline::replace(const std::string& file, KnownFindings findings) {
  if (findings.empty())
    known_.erase(name_of(file));
  else
    known_[name_of(file)] = std::move(findings);
}

void Baseline::add(const std::string& file, const KnownFindings& findings) {
  const std::string name = name_of(file);
  for (const auto& [finding, count] : findings) {
    std::size_t& all = known_[name][finding];
    all = judged_.contains(name) ? all + count : count;
  }
}

std::size_t Baseline::drop_gone() {
  std::size_t gone = 0;
  std::erase_if(known_, [&](const auto& entry) {
    const auto& [file, findings] = entry;
    const bool is_gone = !judged_.contains(file) && !std::filesystem::exists(directory_ / file);
    if (is_gone) gone += total(findings);
    return is_gone;
  });
  return gone;
}

std::size_t Baseline::size() const {
  std::size_t sum = 0;
  for (const auto& [file, findings] : known_) sum += total(findings);
  return sum;
}

// Also for files that are not there; a name that is no UTF-8 is written as messages show it.
std::string Baseline::name_of(const std::string& file) const {
  return diag::visible(
      std::filesystem::absolute(file).lexically_normal().lexically_relative(directory_).string());
}

}  // namespace flexslice::cli
