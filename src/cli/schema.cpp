// flexslice schema: the JSON Schema of specs, that of plans, or the field reference.
#include <cxxopts.hpp>

#include "cli/cli.hpp"
#include "cli/command.hpp"
#include "cli/io.hpp"
#include "cli/parse_options.hpp"
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

int run_schema(Arguments arguments) {
  const auto declare = [](cxxopts::Options& options) {
    options.add_options()("reference", "the field reference instead, as Markdown")(
        "plan", "that of `compile --emit plan` instead")("h,help", "show this");
  };
  return with_options(arguments, declare, [](const cxxopts::ParseResult& parsed) {
    const bool plan = parsed.count("plan") > 0;
    const bool reference = parsed.count("reference") > 0;
    if (plan && reference) return wrong_usage("--plan and --reference exclude one another");
    return std::max(print(document(plan, reference)), flush());
  });
}

}  // namespace flexslice::cli
