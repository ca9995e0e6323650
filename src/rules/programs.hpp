// Programs that run on TPUs, by the rows of the catalog: what their commands say about devices
// against the chips that their pods have.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.hpp"
#include "catalog/catalog.hpp"
#include "diag/diag.hpp"
#include "yaml/node.hpp"

namespace flexslice::rules {

struct PodTree;

struct ProgramWord {
  std::string text;
  Span where;
};
// Values by name, each where it is said.
using Values = std::map<std::string, ProgramWord, std::less<>>;

// The devices that a program has, and how one says so.
struct Devices {
  std::int64_t count = 0;   // of all slices; 0: not known
  std::int64_t slices = 1;  // that it is one program of
  std::int64_t hosts = 0;   // of a group of pods, or of the slice; 0: not known
  std::int64_t alone = 1;   // so many slices run one program each
  std::string text = {};
  bool is_of_spec = false;
};

// Variables of a program come from a ConfigMap: one, or all of it where no key is given.
struct ConfigUse {
  std::string map, key = {}, variable = {};
};

// A container that runs one of the programs.
struct Program {
  const catalog::Server* server = nullptr;
  std::vector<ProgramWord> words;
  Values variables = {};  // of its environment
  std::vector<ConfigUse> config = {};
  std::string name_space = {};
  Devices devices = {};
};

// Returns nothing if the container runs no program, or several.
std::optional<Program> program_in(const PodTree& pod, const yaml::Node& container);
// Reports devices that the pods do not have. False: words of it are not known.
bool judge_devices(const Program& program, diag::Sink& sink);
// Adds the values of a ConfigMap to those of the environment. False: it takes nothing of it.
bool add_config(Program& program, std::string_view config_map, std::string_view name_space,
                const Values& values);
// Reports an image that is built for GPUs.
void judge_image(const yaml::Node& container, const catalog::Catalog& catalog, diag::Sink& sink);
// Splits a text of a script into words, without comments.
void add_words(const yaml::Node& text, std::vector<ProgramWord>& words);

}  // namespace flexslice::rules
