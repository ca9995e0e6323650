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
  for (std::size_t i = 1; i < argv.items.size() && !argv.items[i].text.starts_with('-'); ++i)
    words += (words.empty() ? "" : " ") + argv.items[i].text;
  std::string_view found;
  for (const catalog::GcloudCommand& command : catalog.gcloud_commands) {
    const bool begins = words.starts_with(command.name) &&
                        (words.size() == command.name.size() || words[command.name.size()] == ' ');
    if (begins && command.name.size() > found.size()) found = command.name;
  }
  return found;
}

void check_command(const Value& argv, const catalog::Catalog& catalog, Span where,
                   diag::Sink& sink) {
  const std::string_view command = command_of(argv, catalog);
  if (command.empty()) return;
  for (const Value& word : argv.items) {
    if (!word.text.starts_with("--")) continue;
    const std::string flag = word.text.substr(0, word.text.find('='));
    if (catalog::gcloud_knows(catalog, command, flag)) continue;
    const std::string message = fmt::format("gcloud {} does not know `{}` of `gcloud {}`",
                                            catalog.gcloud_version, flag, command);
    const auto found = sink.found();
    if (std::any_of(found.begin(), found.end(),
                    [&](const diag::Diagnostic& each) { return each.message == message; }))
      continue;
    diag::Diagnostic& reported =
        sink.report<Code::FlagUnknownToGcloud>(where, catalog.gcloud_version, flag, command);
    const catalog::GcloudFlag* later = catalog::find_later_flag(catalog, command, flag);
    if (later != nullptr && !later->since.empty())
      reported.note(fmt::format("known since gcloud {}", later->since));
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
