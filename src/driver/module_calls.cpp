#include "driver/module_calls.hpp"

#include <utility>
#include <variant>

#include "base/text.hpp"
#include "driver/kustomized_objects.hpp"
#include "extract/hcl.hpp"
#include "yaml/blocks.hpp"
#include "yaml/parse.hpp"

namespace flexslice::lint {

using yaml::Node;

namespace {

constexpr std::string_view terragrunt = ".hcl";

Node tree_of_terraform(const Source& file) {
  if (file.name.ends_with(".json")) {
    Sources sources;
    diag::Sink ignored;
    return yaml::parse(sources, sources.add(file), ignored).value_or(Node());
  }
  auto tree = extract::read_hcl(file.text, 0);
  auto* root = std::get_if<Node>(&tree);
  return root == nullptr ? Node() : std::move(*root);
}

// The folder of a local source: `./pool`, and `../modules//pool` of Terragrunt.
std::string called_folder(const Source& caller, std::string_view source) {
  return normal_path(std::string(folder_of(caller.name)) + std::string(source));
}

// Its block is no part of the tree. `source = "../pool"`
std::string_view source_of_terragrunt(std::string_view text) {
  constexpr std::string_view key = "source";
  for (std::size_t at = 0; (at = text.find(key, at)) != text.npos; at += key.size()) {
    const std::string_view rest = text::trim(text.substr(at + key.size()));
    if (!rest.starts_with('=')) continue;
    const std::string_view value = text::trim(rest.substr(1));
    if (value.starts_with('"')) return value.substr(1, value.find('"', 1) - 1);
  }
  return {};
}

}  // namespace

bool may_call_modules(std::string_view path) {
  if (path.ends_with(".json")) path.remove_suffix(5);
  return path.ends_with(".tf") || path.ends_with(".tofu") || path.ends_with(terragrunt);
}

void add_given_by_commands(const extract::GivenNames& commands, std::span<const Source> files,
                           extract::GivenVariables& given) {
  given.names.insert(commands.names().begin(), commands.names().end());
  given.is_any |= commands.is_any();
  for (const std::string& named : commands.var_files()) {
    bool is_known = false;
    for (const Source& file : files) {
      const std::string_view name = std::string_view(file.name).substr(folder_of(file.name).size());
      if (!named.empty() && name != named) continue;
      is_known = true;
      for (const yaml::Member& value : tree_of_terraform(file).members)
        given.names.insert(value.key.text);
    }
    given.is_any |= !is_known;
  }
}

void ModuleCalls::add(const Source& file) {
  if (extract::is_override(file.name) && file.text.find("module") != std::string::npos)
    overridden_.emplace(folder_of(file.name));
  if (file.text.find("source") == std::string::npos) return;
  const Node root = tree_of_terraform(file);
  const auto add_call = [&](std::string_view source, ModuleCall call) {
    if (source.starts_with('.')) calls_[called_folder(file, source)].push_back(std::move(call));
  };
  if (const Node* modules = root.find("module")) {
    yaml::for_blocks(*modules, [&](const Node& block) {
      for (const yaml::Member& member : block.members) {
        yaml::for_blocks(member.value, [&](const Node& body) {
          const Node* source = body.find("source");
          if (source == nullptr) return;
          ModuleCall call{file, member.key.text, {}};
          for (const yaml::Member& argument : body.members)
            call.arguments.insert(argument.key.text);
          call.is_one = extract::module_role(file.name) == extract::ModuleRole::code &&
                        member.value.kind == yaml::Kind::mapping &&
                        !call.arguments.contains("count") && !call.arguments.contains("for_each");
          add_call(source->text, std::move(call));
        });
      }
    });
  }
  if (!file.name.ends_with(terragrunt)) return;
  const Node* inputs = root.find("inputs");
  if (inputs == nullptr) return;
  ModuleCall call{file, {}, {}, false};
  for (const yaml::Member& input : inputs->members) call.arguments.insert(input.key.text);
  add_call(source_of_terragrunt(file.text), std::move(call));
}

extract::GivenVariables ModuleCalls::given(std::string_view folder) const {
  extract::GivenVariables given;
  const auto found = calls_.find(normal_path(folder));
  if (found == calls_.end()) return given;
  for (const ModuleCall& call : found->second)
    given.names.insert(call.arguments.begin(), call.arguments.end());
  const ModuleCall& first = found->second[0];
  if (found->second.size() > 1 || !first.is_one || overridden_.contains(folder_of(first.file.name)))
    return given;
  given.caller = first.file;
  given.call = first.name;
  return given;
}

}  // namespace flexslice::lint
