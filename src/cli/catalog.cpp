// flexslice catalog: shapes, models, zones and sources, filtered; a table for people, JSON for
// programs.
#include <fmt/core.h>

#include <algorithm>
#include <cxxopts.hpp>
#include <functional>

#include "base/text.hpp"
#include "cli/cli.hpp"
#include "cli/command.hpp"
#include "cli/io.hpp"
#include "cli/lookup.hpp"
#include "cli/parse_options.hpp"
#include "listing/listing.hpp"

namespace flexslice::cli {

namespace {

using listing::Filter;

constexpr std::string_view lists[] = {"shapes", "models", "zones", "sources"};
// Options that only the list of shapes has a use for.
constexpr const char* shape_options[] = {"machine-type", "chips",       "min-chips",  "max-chips",
                                         "hosts",        "single-host", "multi-host", "limit"};
constexpr std::size_t default_limit = 12;

struct Asked {
  std::string list = "shapes";
  Filter filter;
  std::optional<std::size_t> limit;
  bool json = false;
};

std::optional<int> read_number(const cxxopts::ParseResult& parsed, const char* option,
                               std::int64_t least, std::int64_t& number) {
  if (parsed.count(option) == 0) return std::nullopt;
  const std::string text = parsed[option].as<std::string>();
  const auto read = text::whole_number(text);
  if (!read || *read < least)
    return wrong_usage(
        fmt::format("--{} is a whole number, at least {}, not `{}`", option, least, text));
  number = *read;
  return std::nullopt;
}

std::optional<int> read_sizes(const cxxopts::ParseResult& parsed, Filter& filter) {
  if (auto status = read_number(parsed, "min-chips", 1, filter.min_chips)) return status;
  if (auto status = read_number(parsed, "max-chips", 1, filter.max_chips)) return status;
  if (filter.min_chips > filter.max_chips) {
    return wrong_usage(fmt::format("--min-chips {} is more than --max-chips {}", filter.min_chips,
                                   filter.max_chips));
  }
  std::int64_t exact = 0;
  if (auto status = read_number(parsed, "chips", 1, exact)) return status;
  if (exact > 0) {
    filter.min_chips = std::max(filter.min_chips, exact);
    filter.max_chips = std::min(filter.max_chips, exact);
  }
  const bool single = parsed.count("single-host") > 0;
  if (single && parsed.count("multi-host") > 0)
    return wrong_usage("--single-host and --multi-host exclude one another");
  if (single) filter.max_hosts = 1;
  if (parsed.count("multi-host") > 0) filter.min_hosts = 2;
  exact = 0;
  if (auto status = read_number(parsed, "hosts", 1, exact)) return status;
  if (exact > 0) {
    filter.min_hosts = std::max(filter.min_hosts, exact);
    filter.max_hosts = std::min(filter.max_hosts, exact);
  }
  return std::nullopt;
}

std::optional<int> read_names(const cxxopts::ParseResult& parsed, const catalog::Catalog& catalog,
                              Filter& filter) {
  const auto all = [&](const char* option) {
    return parsed.count(option) == 0 ? std::vector<std::string>{}
                                     : parsed[option].as<std::vector<std::string>>();
  };
  for (const std::string& text : all("type")) {
    const catalog::Generation* generation = look_up_type(catalog, text);
    if (generation == nullptr) return usage;
    filter.generations.push_back(generation);
  }
  for (const std::string& text : all("machine-type")) {
    const catalog::MachineType* machine = look_up_machine(catalog, text);
    if (machine == nullptr) return usage;
    filter.machine_types.push_back(machine->name);
  }
  if (parsed.count("model") > 0) {
    filter.model = look_up_model(catalog, parsed["model"].as<std::string>());
    if (filter.model == nullptr) return usage;
  }
  if (parsed.count("zone") > 0) {
    const auto zone = look_up_zone(catalog, parsed["zone"].as<std::string>());
    if (!zone) return usage;
    filter.zone = *zone;
  }
  return std::nullopt;
}

std::optional<int> read_asked(const cxxopts::ParseResult& parsed, const catalog::Catalog& catalog,
                              Asked& asked) {
  if (parsed.count("words") > 0) {
    const auto words = values_of(parsed, "words");
    asked.list = words.front();
    if (words.size() > 1)
      return wrong_usage(fmt::format("one list at a time: `{}` is too much", words[1]));
    if (std::find(std::begin(lists), std::end(lists), asked.list) == std::end(lists)) {
      return wrong_usage(
          fmt::format("there is no list `{}`{}", asked.list, did_you_mean(asked.list, lists)));
    }
  }
  if (asked.list != "shapes") {
    for (const char* option : shape_options) {
      if (parsed.count(option) > 0)
        return wrong_usage(fmt::format("--{} has no meaning for {}", option, asked.list));
    }
  }
  const std::string format = value_of(parsed, "format", "text");
  if (format != "text" && format != "json")
    return wrong_usage(fmt::format("--format is text or json, not `{}`", format));
  asked.json = format == "json";
  if (parsed.count("limit") > 0) {
    std::int64_t limit = 0;
    if (auto status = read_number(parsed, "limit", 0, limit)) return status;
    asked.limit = static_cast<std::size_t>(limit);
  }
  if (auto status = read_sizes(parsed, asked.filter)) return status;
  return read_names(parsed, catalog, asked.filter);
}

// Which part of the filter leaves nothing over.
std::string why_nothing(const catalog::Catalog& catalog, const Filter& filter) {
  struct Part {
    std::string_view name;
    void (*drop)(Filter& filter);
  };
  constexpr Part parts[] = {
      {"type", [](Filter& without) { without.generations.clear(); }},
      {"machine type", [](Filter& without) { without.machine_types.clear(); }},
      {"model", [](Filter& without) { without.model = nullptr; }},
      {"zone", [](Filter& without) { without.zone = {}; }},
      {"number of chips",
       [](Filter& without) { without.min_chips = 1, without.max_chips = INT64_MAX; }},
      {"number of hosts",
       [](Filter& without) { without.min_hosts = 1, without.max_hosts = INT64_MAX; }},
  };
  std::string found;
  for (const Part& part : parts) {
    Filter without = filter;
    part.drop(without);
    const std::size_t count = listing::shapes(catalog, without).size();
    if (count > 0)
      found += fmt::format("{}{} with another {}", found.empty() ? "; there are " : ", ", count,
                           part.name);
  }
  return found;
}

int print_shapes(const catalog::Catalog& catalog, const Asked& asked) {
  std::vector<listing::ShapeRow> rows = listing::shapes(catalog, asked.filter);
  if (rows.empty() && !asked.json) {
    print_error(fmt::format("flexslice: no shape passes{}\n", why_nothing(catalog, asked.filter)));
    return findings;
  }
  const auto cut = listing::shorten(rows, asked.limit.value_or(asked.json ? 0 : default_limit));
  const int status = print(listing::print_shapes(catalog, asked.filter, rows, asked.json));
  for (const std::string& doubt : listing::doubts(asked.filter, rows))
    print_error(fmt::format("flexslice: {}\n", doubt));
  for (const auto& [generation, left_out] : cut) {
    print_error(
        fmt::format("flexslice: {} has {} more; --limit 0 shows all\n", generation->id, left_out));
  }
  return std::max<int>(status, rows.empty() ? findings : fine);
}

int print_list(const catalog::Catalog& catalog, const Asked& asked) {
  if (asked.list == "shapes") return print_shapes(catalog, asked);
  return print(listing::print_list(catalog, asked.filter, asked.list, asked.json));
}

}  // namespace

int run_catalog(Arguments arguments) {
  const auto declare = [](cxxopts::Options& options) {
    const auto texts = [] { return cxxopts::value<std::vector<std::string>>(); };
    const auto text = [] { return cxxopts::value<std::string>(); };
    options.add_options()("type", "of this generation, or of several: v5e,v6e", texts(), "TYPE")(
        "machine-type", "of this machine type, or of several", texts(), "MACHINE")(
        "chips", "with exactly so many chips in a slice", text(), "N")(
        "min-chips", "with so many chips or more", text(), "N")(
        "max-chips", "with so many chips or fewer", text(), "N")(
        "hosts", "with exactly so many hosts in a slice", text(), "N")(
        "single-host", "with one host")("multi-host", "with several hosts")(
        "zone", "known to be in the zone", text(), "ZONE")(
        "model", "that can be had with the provisioning model", text(), "MODEL")(
        "limit", "at most so many of a generation (12; 0 for all)", text(), "N")(
        "format", "a table, or JSON with all evidence", text()->default_value("text"), "text|json");
    add_catalog(options);
  };
  return with_options(arguments, declare, [](const cxxopts::ParseResult& parsed) {
    Knowledge knowledge;
    if (auto status = read_catalog(parsed, knowledge)) return *status;
    Asked asked;
    if (auto status = read_asked(parsed, knowledge.catalog, asked)) return *status;
    return std::max(print_list(knowledge.catalog, asked), flush());
  });
}

}  // namespace flexslice::cli
