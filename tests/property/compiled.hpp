// One spec, compiled as the program compiles it, and its artifacts read back by readers of our own.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "driver/run.hpp"
#include "yaml/value.hpp"

namespace flexslice::law {

// `property` takes each `step`-th case of a law, so that it can be run often; `property-whole`,
// where $FLEXSLICE_WHOLE is set, takes all: 1.
std::size_t sampled(std::size_t step);

const catalog::Catalog& facts();             // built in
const templates::Set& built_in_templates();  // likewise

struct Case {
  Sources sources;
  Compiled compiled;

  std::size_t errors() const;              // soft ones included
  std::string findings() const;            // `3:5 FS3002 no v6e slice …`, one a line
  std::string_view text(Emit emit) const;  // empty when there is no such artifact
};

struct Setting {
  const catalog::Catalog& catalog = facts();
  const templates::Set& templates = built_in_templates();
  std::vector<Emit> emit = {Emit::manifests, Emit::provision, Emit::verify,
                            Emit::cleanup,   Emit::queues,    Emit::plan};
  std::string name = "spec.yaml";
};

Case compile(std::string text, const Setting& setting = {});
// Only checks.
Case check(std::string text);

// Every document of a stream, as a reader of YAML 1.2 has it. A stream that cannot be read gives a
// document of kind null.
std::vector<yaml::Value> documents(std::string_view stream);
// The object of that kind, or null.
const yaml::Value* object(const std::vector<yaml::Value>& objects, std::string_view kind);
// The value at `spec.template`; a number picks a list's element. Null when there is none.
const yaml::Value* at(const yaml::Value* value, std::string_view path);
// The text of the scalar there; `(none)` when there is none.
std::string text_at(const yaml::Value* value, std::string_view path);

using Words = std::vector<std::string>;
// The words of every gcloud and kubectl command of a script, quotes taken off.
std::vector<Words> commands(std::string_view script);
// `container node-pools create`: the words of gcloud's own, up to the first operand or flag.
std::string name_of(const Words& command);
// What stands behind `--flag=`; empty when the command has no such flag.
std::string flag(const Words& command, std::string_view name);
bool has_flag(const Words& command, std::string_view name);

}  // namespace flexslice::law
