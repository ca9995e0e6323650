// flexslice schema: the JSON Schema of specs, those of plans and findings, or the field reference.
#include <map>

#include "base/lists.hpp"
#include "catalog/catalog.hpp"
#include "catalog/tables.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/mcp_tools.hpp"
#include "cli/files/streams.hpp"
#include "cli/help/texts.hpp"
#include "cli/run/settings.hpp"
#include "plan/plan.hpp"
#include "schema/json_schema.hpp"
#include "spec/spec_fields.hpp"
#include "yaml/emit.hpp"
#include "yaml/parse.hpp"

namespace flexslice::cli {

namespace {

// The topologies of each value that `tpu.type` can have. Values with the same ones share an entry.
std::vector<schema::Dependency> topology_dependencies(const catalog::Catalog& catalog) {
  std::vector<schema::Dependency> dependencies;
  for (const catalog::Generation& generation : catalog.generations) {
    std::map<std::vector<std::string>, std::vector<std::string>> types;
    const auto add = [&](std::string_view type) {
      auto& same =
          types[texts(catalog::topologies_of_type(generation, type), &catalog::Topology::text)];
      if (!contains(same, type)) same.emplace_back(type);
    };
    add(generation.id);
    for (const catalog::MachineType& machine : generation.machine_types) {
      if (machine.status != catalog::Status::unknown) add(machine.accelerator);
    }
    for (auto& [shapes, values] : types)
      dependencies.push_back({"tpu", "type", std::move(values), "topology", shapes});
  }
  return dependencies;
}

std::string schema_document(const catalog::Catalog& catalog, bool plan, bool reference,
                            bool strict) {
  if (plan) return yaml::emit_json(plan::json_schema("urn:flexslice:plan:v1", "flexslice plan"));
  const schema::Choices choices = [&](catalog::NameSet set) {
    return catalog::names(catalog, set);
  };
  const schema::Table& table = schema::TableOf<spec::Claims>::table;
  if (reference) return schema::reference(table, choices);
  yaml::Value document = schema::json_schema(table, choices, topology_dependencies(catalog),
                                             "urn:flexslice:spec:v1", "flexslice spec");
  if (strict) schema::make_strict(document);
  return yaml::emit_json(document);
}

// A part of what is built in may be said again, so nothing is required.
void make_partial(yaml::Value& schema) {
  std::erase_if(schema.members, [](const auto& member) {
    return member.key == "required" ||
           (member.key == "description" && member.value.text.empty() && member.value.is_string());
  });
  for (auto& member : schema.members) make_partial(member.value);
  for (yaml::Value& item : schema.items) make_partial(item);
}

std::string overlay_schema(const catalog::Catalog& catalog) {
  const schema::Choices choices = [&](catalog::NameSet set) {
    return catalog::names(catalog, set);
  };
  yaml::Value document = schema::json_schema(schema::TableOf<catalog::Catalog>::table, choices, {},
                                             "urn:flexslice:catalog:v1", "facts of --catalog");
  make_partial(document);
  Sources sources;
  diag::Sink ignored;
  const std::uint32_t index =
      sources.add({"overlay.txt", std::string(embedded_text("overlay.txt").text())});
  if (const auto example = yaml::parse(sources, index, ignored)) {
    yaml::Value examples = yaml::Value::sequence();
    examples.items.push_back(yaml::to_value(*example));
    document.members.push_back({"examples", std::move(examples)});
  }
  return yaml::emit_json(document);
}

}  // namespace

int run_schema(const CommandLine& line) {
  const bool plan = line.has("plan"), reference = line.has("reference"),
             of_findings = line.has("findings"), overlay = line.has("overlay");
  if (plan + reference + of_findings + overlay > 1)
    throw wrong_usage("--plan, --findings, --overlay and --reference are mutually exclusive");
  if (of_findings) {
    print(findings_schema());
    return fine;
  }
  Knowledge knowledge;
  read_catalog(line, knowledge);
  if (overlay) {
    print(overlay_schema(knowledge.catalog));
    return fine;
  }
  print(schema_document(knowledge.catalog, plan, reference, line.has("strict")));
  return fine;
}

}  // namespace flexslice::cli
