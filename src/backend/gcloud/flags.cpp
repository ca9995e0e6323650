#include "backend/gcloud/flags.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string>

#include "base/text.hpp"

namespace flexslice::gcloud {

using diag::Code;
using yaml::Value;

namespace {

// The longest command of the catalog that the words begin with; empty when there is none.
std::string_view command_of(const Value& argv, const catalog::Catalog& catalog) {
  std::string words;
  for (const Value& word : std::span(argv.items).subspan(1)) {
    if (word.text.starts_with('-')) break;
    words += word.text + ' ';
  }
  std::string_view longest;
  for (const catalog::GcloudCommand& command : catalog.gcloud_commands) {
    if (command.name.size() > longest.size() && words.starts_with(std::string(command.name) + ' '))
      longest = command.name;
  }
  return longest;
}

void check_command(const Value& argv, const catalog::Catalog& catalog, Span where,
                   diag::Sink& sink) {
  const std::string_view command = command_of(argv, catalog);
  if (command.empty()) return;
  for (const Value& word : argv.items) {
    const std::string flag = word.text.substr(0, word.text.find('='));
    if (!flag.starts_with("--") || catalog::gcloud_knows(catalog, command, flag)) continue;
    const std::string message = fmt::format("gcloud {} does not know `{}` of `gcloud {}`",
                                            catalog.gcloud_version, flag, command);
    if (std::ranges::count(sink.found(), message, &diag::Diagnostic::message) > 0) continue;
    diag::Diagnostic& report =
        sink.report<Code::FlagUnknownToGcloud>(where, catalog.gcloud_version, flag, command);
    const catalog::GcloudFlag* later = catalog::find_later_flag(catalog, command, flag);
    if (later != nullptr && !later->since.empty())
      report.note(fmt::format("known since gcloud {}", later->since));
  }
}

}  // namespace

void check_flags(const Value& script, const catalog::Catalog& catalog, Span where,
                 diag::Sink& sink) {
  if (script.is_sequence() && !script.items.empty() && script.items.front().text == "gcloud") {
    check_command(script, catalog, where, sink);
    return;
  }
  for (const Value& item : script.items) check_flags(item, catalog, where, sink);
  for (const Value::Member& member : script.members)
    check_flags(member.value, catalog, where, sink);
}

}  // namespace flexslice::gcloud
