// flexslice schema: the JSON Schema of specs; with --reference the field reference.
#include "record/schema.hpp"

#include <cxxopts.hpp>

#include "cli/cli.hpp"
#include "cli/command.hpp"
#include "cli/io.hpp"
#include "cli/parse_options.hpp"
#include "spec/spec.hpp"
#include "yaml/emit.hpp"

namespace flexslice::cli {

int run_schema(Arguments arguments) {
  cxxopts::Options options("flexslice schema");
  options.add_options()("reference", "print the field reference (Markdown) instead")("h,help", "show this");
  return with_options(options, arguments, [](const cxxopts::ParseResult& parsed) {
    const catalog::Catalog catalog = catalog::built_in();
    const record::Choices choices = [&](std::string_view set) { return catalog::names(catalog, set); };
    const record::Table& table = record::TableOf<spec::Spec>::table;
    const std::string text = parsed.count("reference") > 0 ? record::reference(table, choices)
                                                           : yaml::emit_json(record::json_schema(table, choices, "flexslice spec"));
    return std::max(print(text), flush());
  });
}

}  // namespace flexslice::cli
