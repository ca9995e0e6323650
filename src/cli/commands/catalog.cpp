// flexslice catalog: shapes, models, zones and sources, filtered; a table for people, JSON for
// programs.
#include "cli/commands/catalog.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "base/ascii.hpp"
#include "base/lists.hpp"
#include "base/quantity.hpp"
#include "base/text.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/lookup.hpp"
#include "cli/run/settings.hpp"
#include "explain/catalog_list.hpp"
#include "schema/pattern.hpp"

namespace flexslice::cli {

namespace {

using explain::Filter, explain::Listed;

constexpr std::string_view formats[] = {"text", "json"};
constexpr std::string_view sort_keys[] = {"price", "type"};
// Options that only some lists have a use for.
struct ListOption {
  std::string_view name;
  bool (*applies)(Listed list);
};
constexpr bool to_shapes(Listed list) { return list == Listed::shapes; }
constexpr bool to_prices(Listed list) { return to_shapes(list) || list == Listed::prices; }
constexpr bool to_facts(Listed list) { return list != Listed::sources; }
constexpr ListOption list_options[] = {
    {"machine-type", to_shapes}, {"chips", to_shapes}, {"min-chips", to_shapes},
    {"max-chips", to_shapes},    {"hosts", to_shapes}, {"single-host", to_shapes},
    {"multi-host", to_shapes},   {"hbm", to_shapes},   {"limit", to_shapes},
    {"for", to_shapes},          {"sort", to_prices},  {"type", to_facts},
    {"model", to_facts},         {"zone", to_facts},   {"region", to_facts}};
constexpr std::int64_t default_limit = 12;

Listed read_list(const CommandLine& line) {
  std::string list = line.words.empty() ? "" : line.words.front();
  if (line.words.size() > 1)
    throw wrong_usage(fmt::format("only one list at a time; unexpected `{}`", line.words[1]));
  for (std::string_view option : {"prices", "sources"}) {
    if (!line.has(option)) continue;
    if (!list.empty() && list != option)
      throw wrong_usage(fmt::format("--{0} lists {0}, not {1}", option, list));
    list = option;
  }
  if (list.empty()) return Listed::shapes;
  const auto kind = find_word<Listed>(list);
  if (!kind)
    throw wrong_usage(
        fmt::format("unknown list `{}`{}", list, did_you_mean(list, words_of<Listed>)));
  for (const ListOption& option : list_options) {
    if (line.has(option.name) && !option.applies(*kind))
      throw wrong_usage(fmt::format("--{} does not apply to {}", option.name, list));
  }
  return *kind;
}

void read_sizes(const CommandLine& line, Filter& filter) {
  filter.min_chips = read_number(line, "min-chips", 1, filter.min_chips);
  filter.max_chips = read_number(line, "max-chips", 1, filter.max_chips);
  if (filter.min_chips > filter.max_chips)
    throw wrong_usage(fmt::format("--min-chips {} is more than --max-chips {}", filter.min_chips,
                                  filter.max_chips));
  filter.min_chips = std::max(filter.min_chips, read_number(line, "chips", 1, filter.min_chips));
  filter.max_chips = std::min(filter.max_chips, read_number(line, "chips", 1, filter.max_chips));
  const bool single = line.has("single-host"), multi = line.has("multi-host");
  if (single && multi) throw wrong_usage("--single-host and --multi-host are mutually exclusive");
  if (single) filter.max_hosts = 1;
  if (multi) filter.min_hosts = 2;
  filter.min_hosts = std::max(filter.min_hosts, read_number(line, "hosts", 1, filter.min_hosts));
  filter.max_hosts = std::min(filter.max_hosts, read_number(line, "hosts", 1, filter.max_hosts));
}

// Memory as people write it: `1TB` is 10^12 bytes, and `1Ti` or `1TiB` 2^40.
std::int64_t read_memory(const CommandLine& line) {
  const std::string value = line.value("hbm");
  std::string amount = value;
  if (amount.ends_with('B')) amount.pop_back();
  const auto quantity = parse_quantity(amount);
  const bool has_unit = !amount.empty() && !ascii::is_digit(amount.back());
  if (!quantity || !has_unit || quantity->nano <= 0 || quantity->nano / Quantity::unit > INT64_MAX)
    throw invalid_value("hbm", value, "an amount with its unit, such as 1TB or 512GB");
  return static_cast<std::int64_t>(quantity->nano / Quantity::unit);
}

std::int64_t read_duration(const CommandLine& line) {
  const std::string value = line.value("for");
  const auto seconds = schema::duration_seconds(value);
  if (!schema::matches(schema::Pattern::duration, value) || !seconds || *seconds == 0)
    throw invalid_value("for", value, "a duration such as 3h or 1h30m");
  return *seconds;
}

// One that has TPUs, or the part of the world that several names begin with.
std::string read_region(const CommandLine& line, const catalog::Catalog& catalog) {
  const std::string value = line.value("region");
  std::vector<std::string> known;
  for (const catalog::Generation& generation : catalog.generations) {
    for (const catalog::Zone& zone : generation.zones) {
      const std::string region(zone.name.substr(0, zone.name.rfind('-')));
      for (const std::string& name : {region, region.substr(0, region.find('-'))}) {
        if (!contains(known, name)) known.push_back(name);
      }
    }
  }
  if (!contains(known, value))
    throw wrong_usage(
        fmt::format("no region `{}` is known to have TPUs{}", value, did_you_mean(value, known)));
  return value;
}

void read_names(const CommandLine& line, const catalog::Catalog& catalog, Filter& filter) {
  for (const std::string& name : line.lists("type"))
    filter.generations.push_back(&look_up_type(catalog, name));
  for (const std::string& name : line.lists("machine-type"))
    filter.machine_types.push_back(look_up_machine(catalog, name).name);
  if (line.has("model")) filter.model = &look_up_model(catalog, line.value("model"));
  if (line.has("zone")) filter.zone = look_up_zone(catalog, line.value("zone"));
  if (line.has("region")) filter.region = read_region(line, catalog);
  if (line.has("hbm")) filter.min_hbm = read_memory(line);
  if (line.has("for")) filter.seconds = read_duration(line);
}

// Finds the part of the filter that leaves nothing over.
std::string why_nothing(const catalog::Catalog& catalog, const Filter& filter) {
  struct Criterion {
    std::string_view name;
    void (*drop)(Filter& filter);
  };
  constexpr Criterion criteria[] = {
      {"type", [](Filter& without) { without.generations.clear(); }},
      {"machine type", [](Filter& without) { without.machine_types.clear(); }},
      {"model", [](Filter& without) { without.model = nullptr; }},
      {"zone", [](Filter& without) { without.zone = {}; }},
      {"region", [](Filter& without) { without.region.clear(); }},
      {"amount of memory", [](Filter& without) { without.min_hbm = 0; }},
      {"number of chips",
       [](Filter& without) { without.min_chips = 1, without.max_chips = INT64_MAX; }},
      {"number of hosts",
       [](Filter& without) { without.min_hosts = 1, without.max_hosts = INT64_MAX; }},
  };
  std::string others;
  for (const Criterion& criterion : criteria) {
    Filter without = filter;
    criterion.drop(without);
    const std::size_t count = explain::shapes(catalog, without).size();
    if (count > 0)
      others += fmt::format("{}{} with another {}", others.empty() ? "; there are " : ", ", count,
                            criterion.name);
  }
  return others;
}

CatalogAnswer list_shapes(const catalog::Catalog& catalog, const Filter& filter, bool json,
                          std::int64_t limit) {
  std::vector<explain::ShapeRow> rows = explain::shapes(catalog, filter);
  std::vector<std::string> nearest;
  if (filter.min_hbm > 0) nearest = explain::nearest_hbm(catalog, filter);
  const auto add_nearest = [&](CatalogAnswer answer) {
    if (!nearest.empty())
      answer.notes.push_back("the nearest with less memory: " + text::join(nearest, ", "));
    return answer;
  };
  if (rows.empty() && !json)
    return add_nearest({{}, {"no matching topology" + why_nothing(catalog, filter)}, findings});
  const auto cut = explain::shorten(rows, static_cast<std::size_t>(limit));
  CatalogAnswer answer{explain::print_shapes(catalog, filter, rows, json),
                       explain::doubts(filter, rows), rows.empty() ? findings : fine};
  for (const auto& [generation, left_out] : cut)
    answer.notes.push_back(
        fmt::format("{} has {} more; --limit 0 shows all", generation->id, left_out));
  return add_nearest(std::move(answer));
}

}  // namespace

CatalogAnswer list_catalog(const CommandLine& line, const catalog::Catalog& catalog) {
  const Listed list = read_list(line);
  const bool json = read_choice(line, "format", formats) == "json";
  const std::int64_t limit = read_number(line, "limit", 0, json ? 0 : default_limit);
  Filter filter;
  read_sizes(line, filter);
  read_names(line, catalog, filter);
  if (line.has("sort")) filter.by_price = read_choice(line, "sort", sort_keys) == "price";
  if (list == Listed::shapes) return list_shapes(catalog, filter, json, limit);
  return {explain::print_list(catalog, filter, list, json)};
}

int run_catalog(const CommandLine& line) {
  Knowledge knowledge;
  read_catalog(line, knowledge);
  const CatalogAnswer answer = list_catalog(line, knowledge.catalog);
  print(answer.text);
  for (const std::string& note : answer.notes) print_error(fmt::format("flexslice: {}\n", note));
  return answer.status;
}

}  // namespace flexslice::cli
