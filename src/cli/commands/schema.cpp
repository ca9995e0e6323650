// flexslice schema: the JSON Schema of specs, those of plans and findings, or the field reference.
#include <map>

#include "base/lists.hpp"
#include "catalog/catalog.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/mcp_tools.hpp"
#include "cli/files/streams.hpp"
#include "cli/run/settings.hpp"
#include "plan/plan.hpp"
#include "schema/json_schema.hpp"
#include "spec/spec_fields.hpp"
#include "yaml/emit.hpp"

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

}  // namespace

int run_schema(const CommandLine& line) {
  const bool plan = line.has("plan"), reference = line.has("reference"),
             of_findings = line.has("findings");
  if (plan + reference + of_findings > 1)
    throw wrong_usage("--plan, --findings and --reference are mutually exclusive");
  if (of_findings) {
    print(findings_schema());
    return fine;
  }
  Knowledge knowledge;
  read_catalog(line, knowledge);
  print(schema_document(knowledge.catalog, plan, reference, line.has("strict")));
  return fine;
}

}  // namespace flexslice::cli
