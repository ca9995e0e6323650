#include "driver/submit_line.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "backend/gcloud/shell_quote.hpp"
#include "base/lists.hpp"
#include "base/text.hpp"
#include "view/launch.hpp"
#include "yaml/embedded.hpp"
#include "yaml/emit.hpp"

namespace flexslice {

using yaml::View;

namespace {

constexpr std::string_view submit_command = "job submit";

View submitter() {
  return embedded::root_of(embedded::kubernetes, "view/launchers.yaml")
      .find("launchers")
      .find("gcluster");
}

std::vector<View> submit_flags() {
  view::LaunchClaims claims;
  claims.launcher = submitter();
  claims.command = claims.launcher.find("commands").find(submit_command);
  return view::flag_rows(claims);
}

std::string_view row_word(View row, std::string_view key) {
  const View value = row.find(key);
  return value ? value.text() : std::string_view();
}

std::string_view flag_with_role(std::string_view role) {
  for (const View row : submit_flags()) {
    if (row_word(row, "as") == role) return row.key();
  }
  return {};
}

// gcluster gives the text to `bash -c`. Empty: the image says what runs.
std::string shell_text(const plan::Plan& plan) {
  const plan::WorkloadPods& pods = plan.leader ? *plan.leader : plan.workload;
  const auto& command = pods.command.items;
  const auto& args = pods.said.args.items;
  if (command.empty()) return {};
  const bool is_script =
      args.empty() && command.size() == 3 && command[0].value == "bash" && command[1].value == "-c";
  if (is_script) return command[2].value;
  std::vector<std::string> words;
  for (const auto* list : {&command, &args}) {
    for (const spec::Text& word : *list) words.push_back(gcloud::shell_quote(word.value));
  }
  return text::join(words, " ");
}

bool splits_hosts(const Outputs& outputs) {
  const std::string_view name = outputs.plan.tpu.machine_type.value;
  const catalog::Generation* generation =
      catalog::generation_of_machine_type(outputs.catalog, name);
  const catalog::MachineType* machine =
      generation == nullptr ? nullptr : catalog::find_machine_type(*generation, name);
  return machine != nullptr && machine->max_containers > 1;
}

std::vector<std::string> expanded_texts(const Outputs& outputs, std::string_view name) {
  std::vector<std::string> texts;
  const yaml::Value list =
      templates::expand(outputs.templates, name, {{}, schema::ref(outputs.plan)});
  for (const yaml::Value& each : list.items) texts.push_back(each.text);
  return texts;
}

// Values of one flag are one word, since the last word of a flag counts.
void join_values(std::vector<std::string>& words) {
  for (const View row : submit_flags()) {
    if (!row.find("names") && !row.find("words")) continue;
    const std::string begin = fmt::format("{}=", row.key());
    const char* between = row.find("names") ? "," : " ";
    std::string* first = nullptr;
    std::erase_if(words, [&](std::string& word) {
      if (!word.starts_with(begin)) return false;
      if (first == nullptr) {
        first = &word;
        return false;
      }
      *first += fmt::format("{}{}", between, word.substr(begin.size()));
      return true;
    });
  }
}

std::vector<std::string> submit_words(const Outputs& outputs) {
  std::vector<std::string> words = expanded_texts(outputs, "gcluster/line");
  join_values(words);
  if (!splits_hosts(outputs)) std::erase(words, flag_with_role("one-container"));
  words.push_back(fmt::format("{}={}", flag_with_role("command"), shell_text(outputs.plan)));
  return words;
}

class FieldJudge {
 public:
  explicit FieldJudge(diag::Sink& sink) : sink_(sink) {}

  void judge(const yaml::Node& node, std::string_view above, View row) {
    for (const yaml::Member& member : node.members) {
      const std::string path =
          above.empty() ? member.key.text : fmt::format("{}.{}", above, member.key.text);
      const View own = rows_.find(path);
      judge_field(member, path, own ? own : row);
    }
  }

 private:
  void judge_field(const yaml::Member& member, const std::string& path, View row) {
    if (has_parts(path) && member.value.kind == yaml::Kind::mapping) {
      judge(member.value, path, row);
      return;
    }
    if (row && (row.find("flag") || row.find("by"))) return;
    if (row && contains(view::words_of(row, "values"), member.value.text)) return;
    const std::string_view lacks = row ? row_word(row, "lacks") : std::string_view();
    sink_
        .report<diag::Code::FieldUnknownToOutput>(member.key.span, "gcluster",
                                                  fmt::format("`{}`", path),
                                                  lacks.empty() ? "it has no flag for it" : lacks)
        .help(manifests_can);
  }

  bool has_parts(std::string_view path) const {
    for (const View each : rows_) {
      if (each.key().starts_with(path) && each.key().substr(path.size()).starts_with('.'))
        return true;
    }
    return false;
  }

  diag::Sink& sink_;
  const View rows_ = submitter().find("fields");
};

// Empty: the flag takes the value.
std::string refusal_of(View row, std::string_view value) {
  const auto longest = text::whole_number(row_word(row, "longest"));
  if (longest && static_cast<std::int64_t>(value.size()) > *longest)
    return fmt::format("`{}` takes at most {} characters", row.key(), *longest);
  return {};
}

}  // namespace

std::string submit_script(const Outputs& outputs) {
  std::string out;
  if (outputs.comments) {
    const ArtifactHeader header = header_of(outputs);
    out = fmt::format("#!/usr/bin/env bash\n# {}, compiled by flexslice from {} for gcluster {}.\n",
                      header.name, yaml::one_line(header.source), row_word(submitter(), "version"));
    for (const std::string& note : expanded_texts(outputs, "gcluster/notes"))
      out += fmt::format("# {}\n", note);
  }
  out += fmt::format("gcluster {}", submit_command);
  for (const std::string& word : submit_words(outputs))
    out += fmt::format(" \\\n  {}", gcloud::shell_quote(word));
  return out + "\n";
}

void check_submit(const Outputs& outputs, const yaml::Node& spec, diag::Sink& sink) {
  FieldJudge(sink).judge(spec, {}, {});
  const Span where = outputs.plan.where;
  const auto refuse = [&](std::string_view what, std::string_view why) {
    sink.report<diag::Code::FieldUnknownToOutput>(where, "gcluster", what, why).help(manifests_can);
  };
  if (shell_text(outputs.plan).empty())
    refuse("the entrypoint of an image",
           fmt::format("`{}` is required", flag_with_role("command")));
  const std::vector<View> rows = submit_flags();
  for (const std::string& word : submit_words(outputs)) {
    const std::size_t equals = std::min(word.find('='), word.size() - 1);
    for (const View row : rows) {
      if (row.key() != std::string_view(word).substr(0, equals)) continue;
      const std::string_view value = std::string_view(word).substr(equals + 1);
      if (const std::string why = refusal_of(row, value); !why.empty())
        refuse(fmt::format("`{}`", value), why);
    }
  }
}

}  // namespace flexslice
