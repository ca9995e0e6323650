#include <algorithm>

#include "base/ascii.hpp"
#include "base/text.hpp"
#include "cli/help/command.hpp"

namespace flexslice::cli {

namespace {

constexpr std::string_view specs = "compile check explain", batches = "compile check",
                           knowledge = "compile check explain catalog init",
                           all = "compile check explain catalog init schema completion man";

// In the order of help messages.
constexpr Option table[] = {
    {specs, "", "defaults", "FILE", "a partial spec underneath each spec", true},
    {specs, "", "set", "PATH=VALUE", "put one value on top, such as tpu.topology=4x4", true},
    {"compile", "", "emit", "WHAT", "manifests, provision, verify, cleanup, queues, plan", true},
    {"compile", "o", "output", "FILE", "write the artifact to a file"},
    {"compile", "", "out-dir", "DIR", "write all artifacts, or those of --emit, to DIR/NAME/"},
    {"compile", "", "check", "", "write nothing; show what is not current"},
    {"compile", "", "MD", "", "write a dep file for make beside the output"},
    {"compile", "", "MF", "FILE", "write the dep file to FILE"},
    {"compile", "", "no-comments", "", "leave out the comments that explain derived values"},
    {"check", "", "fix", "", "mend in the files what can be mended for certain"},
    {batches, "j", "jobs", "N", "threads; all cores unless given"},
    {batches, "", "only-specs", "", "pass over files that are no flexslice specs"},

    {"catalog", "", "type", "TYPE", "of this generation, or of several: v5e,v6e", true},
    {"catalog", "", "machine-type", "MACHINE", "of this machine type, or of several", true},
    {"catalog", "", "chips", "N", "with exactly so many chips in a slice"},
    {"catalog", "", "min-chips", "N", "with so many chips or more"},
    {"catalog", "", "max-chips", "N", "with so many chips or fewer"},
    {"catalog", "", "hosts", "N", "with exactly so many hosts in a slice"},
    {"catalog", "", "single-host", "", "with one host"},
    {"catalog", "", "multi-host", "", "with several hosts"},
    {"catalog", "", "zone", "ZONE", "known to be in the zone"},
    {"catalog", "", "model", "MODEL", "that can be had with the provisioning model"},
    {"catalog", "", "limit", "N", "at most so many of a generation (12; 0 for all)"},
    {"catalog", "", "format", "text|json", "a table, or JSON with all evidence"},

    {"init", "", "type", "TYPE", "TPU generation"},
    {"init", "", "topology", "TOPOLOGY", "shape of a slice"},
    {"init", "", "machine-type", "MACHINE", "machine type of the nodes"},
    {"init", "", "model", "MODEL", "how the nodes are had"},
    {"init", "", "mode", "standard|autopilot", "kind of cluster"},
    {"init", "", "cluster", "NAME", "name of the cluster"},
    {"init", "", "location", "REGION", "region or zone of its control plane"},
    {"init", "", "zone", "ZONE", "zone of the nodes"},
    {"init", "", "project", "PROJECT", "Google Cloud project"},
    {"init", "", "image", "IMAGE", "container image"},
    {"init", "", "schema", "FILE", "where editors find the JSON Schema"},
    {"init", "o", "output", "FILE", "write a file, which must not exist yet"},

    {"schema", "", "reference", "", "the field reference instead, as Markdown"},
    {"schema", "", "plan", "", "that of `compile --emit plan` instead"},

    {specs, "", "format", "FORMAT", "text, short, json, sarif or github"},
    {specs, "", "color", "WHEN", "auto, always or never; NO_COLOR is heeded"},
    {specs, "", "deny", "CODE|warnings", "make a warning an error", true},
    {specs, "", "allow", "CODE", "drop a warning, or lower an error that is not certain", true},
    {knowledge, "", "catalog", "FILE", "facts that add to or override the built-in ones", true},
    {specs, "", "templates", "DIR", "templates that override built-in ones by name", true},
    {specs, "", "gcloud-version", "VERSION", "the gcloud that will run the scripts"},
    {all, "h", "help", "", "show this"},
};

}  // namespace

std::span<const Option> option_table() { return table; }

std::vector<Option> options_of(const Command& command) {
  std::vector<Option> options;
  for (const Option& option : table) {
    const auto names = text::split(option.commands, ' ');
    if (std::find(names.begin(), names.end(), command.name) != names.end())
      options.push_back(option);
  }
  return options;
}

bool has_one_dash(const Option& option) {
  return std::all_of(option.name.begin(), option.name.end(), ascii::is_upper);
}

std::string dashed(const Option& option) {
  return (has_one_dash(option) ? "-" : "--") + std::string(option.name);
}

}  // namespace flexslice::cli
