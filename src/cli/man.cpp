// flexslice man: the manual page, as roff, made of the commands' manuals.
#include <fmt/core.h>

#include <algorithm>
#include <cxxopts.hpp>

#include "base/text.hpp"
#include "cli/cli.hpp"
#include "cli/command.hpp"
#include "cli/io.hpp"
#include "cli/parse_options.hpp"

namespace flexslice::cli {

namespace {

// Text in which roff sees nothing but text: hyphens are hyphens of ASCII, and no line begins a
// request.
std::string roff(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (out.empty() && (c == '.' || c == '\'')) out += "\\&";
    if (c == '-') {
      out += "\\-";
    } else if (c == '\\') {
      out += "\\e";
    } else if (c == '`') {
      out += "\\(ga";
    } else {
      out += c;
    }
  }
  return out;
}

std::string option_entry(const Option& option) {
  std::string names =
      option.letter.empty() ? "" : fmt::format("\\fB\\-{}\\fR, ", roff(option.letter));
  names += fmt::format("\\fB{}\\fR", roff(dashed(option)));
  if (!option.argument.empty()) names += fmt::format(" \\fI{}\\fR", roff(option.argument));
  return fmt::format(".TP\n{}\n{}\n", names, roff(option.text));
}

bool alike(const Option& a, const Option& b) { return a.name == b.name && a.text == b.text; }

bool has(const Manual& manual, const Option& option) {
  return std::any_of(manual.options.begin(), manual.options.end(),
                     [&](const Option& each) { return alike(each, option); });
}

// Options that most commands have are told once.
std::vector<Option> common_options(const std::vector<Manual>& manuals) {
  constexpr std::ptrdiff_t many = 3;
  std::vector<Option> common;
  for (const Manual& manual : manuals) {
    for (const Option& option : manual.options) {
      const bool told = std::any_of(common.begin(), common.end(),
                                    [&](const Option& each) { return alike(each, option); });
      const auto count = std::count_if(manuals.begin(), manuals.end(),
                                       [&](const Manual& each) { return has(each, option); });
      if (!told && count >= many) common.push_back(option);
    }
  }
  return common;
}

std::string command_section(const Manual& manual, const std::vector<Option>& common) {
  const Command& command = *manual.command;
  std::string out = fmt::format(".SS flexslice {} [\\fIOPTION\\fR...]{}{}\n", command.name,
                                command.positional.empty() ? "" : " ", roff(command.positional));
  out += fmt::format("{}.{}{}\n", roff(command.summary), command.about.empty() ? "" : " ",
                     roff(command.about));
  std::string also;
  for (const Option& option : manual.options) {
    const bool told = std::any_of(common.begin(), common.end(),
                                  [&](const Option& each) { return alike(each, option); });
    if (told) {
      also += fmt::format("{}\\fB{}\\fR", also.empty() ? "" : ", ", roff(dashed(option)));
    } else {
      out += option_entry(option);
    }
  }
  if (!also.empty()) out += fmt::format(".PP\nAlso, see below: {}.\n", also);
  return out + fmt::format(".PP\nExample:\n.RS\n.nf\n{}\n.fi\n.RE\n", roff(command.example));
}

constexpr std::string_view statuses = R"(.SH EXIT STATUS
.TP
0
Everything is fine; there may be warnings.
.TP
1
Findings: errors in specs, files that are not current, nothing that passes a filter.
.TP
2
Wrong usage.
.TP
3
A file cannot be read or written.
.TP
70
A bug in flexslice.
.SH ENVIRONMENT
.TP
\fBNO_COLOR\fR
When set and not empty, nothing is coloured unless \fB\-\-color always\fR says so.
.SH SEE ALSO
\fBgcloud\fR(1), \fBkubectl\fR(1)
)";

std::string manual_page() {
  std::vector<Manual> manuals;
  for (const Command& command : commands()) manuals.push_back(manual_of(command));
  const std::vector<Option> common = common_options(manuals);
  std::string out = fmt::format(
      ".\\\" Made by `flexslice man`.\n"
      ".TH FLEXSLICE 1 \"{}\" \"flexslice {}\" \"User Commands\"\n.SH NAME\n"
      "flexslice \\- compile a small spec of a TPU workload for GKE into gcloud scripts and "
      "Kubernetes YAML\n"
      ".SH SYNOPSIS\n\\fBflexslice\\fR \\fICOMMAND\\fR [\\fIOPTION\\fR...] [\\fIFILE\\fR...]\n"
      ".PP\n\\fBflexslice\\fR \\fB\\-\\-help\\fR | \\fB\\-\\-version\\fR\n"
      ".SH DESCRIPTION\n"
      "A spec is a YAML file of some twenty lines: which TPUs, how their nodes are had, what runs "
      "on them.\n"
      "flexslice checks it against what is known about TPUs on GKE, derives every number that "
      "follows, and writes\n"
      "scripts that create, verify and delete the node pools, and the manifests of the workload. "
      "It needs no network.\n.SH COMMANDS\n",
      catalog::built_in().as_of, FLEXSLICE_VERSION);
  for (const Manual& manual : manuals) out += command_section(manual, common);
  out += ".SH COMMON OPTIONS\n";
  for (const Option& option : common) out += option_entry(option);
  return out + std::string(statuses);
}

}  // namespace

int run_man(Arguments arguments) {
  const auto declare = [](cxxopts::Options& options) {
    options.add_options()("h,help", "show this");
  };
  return with_options(arguments, declare, [](const cxxopts::ParseResult&) {
    return std::max(print(manual_page()), flush());
  });
}

}  // namespace flexslice::cli
