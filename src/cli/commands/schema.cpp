// flexslice schema: the JSON Schema of specs, that of plans, or the field reference.
#include "catalog/catalog.hpp"
#include "cli/commands/commands.hpp"
#include "cli/files/streams.hpp"
#include "plan/plan.hpp"
#include "schema/json_schema.hpp"
#include "spec/fields.hpp"
#include "yaml/emit.hpp"

namespace flexslice::cli {

namespace {

std::string document(bool plan, bool reference) {
  if (plan) return yaml::emit_json(plan::json_schema("urn:flexslice:plan:v1", "flexslice plan"));
  const catalog::Catalog catalog = catalog::built_in();
  const schema::Choices choices = [&](std::string_view set) {
    return catalog::names(catalog, set);
  };
  const schema::Table& table = schema::TableOf<claims::Claims>::table;
  if (reference) return schema::reference(table, choices);
  return yaml::emit_json(
      schema::json_schema(table, choices, "urn:flexslice:spec:v1", "flexslice spec"));
}

}  // namespace

int run_schema(const CommandLine& line) {
  const bool plan = line.has("plan"), reference = line.has("reference");
  if (plan && reference) throw wrong_usage("--plan and --reference are mutually exclusive");
  print(document(plan, reference));
  return fine;
}

}  // namespace flexslice::cli
