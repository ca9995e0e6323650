#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <string>

#include "base/quantity.hpp"
#include "base/text.hpp"
#include "catalog/tables.hpp"
#include "schema/read.hpp"

namespace flexslice::catalog {

namespace {

using diag::Code;
using diag::Diagnostic;
using schema::Category;
using schema::Field;
using schema::Type;

// Flat shapes are written with their 1 at the end, 2x2x1.
bool ascends(const Topology& topology) {
  int last = 1;
  for (const int size : topology.size) {
    if (size > 1 && size < last) return false;
    last = std::max(last, size);
  }
  return true;
}

class Verifier {
 public:
  Verifier(const Catalog& catalog, diag::Sink& sink, Span where)
      : catalog_(catalog), sink_(sink), where_(where) {}

  void catalog() {
    for (const Generation& each : catalog_.generations) generation(each);
    for (const Model& each : catalog_.models) model(each);
    for (const Feature& feature : catalog_.features) minimums(feature.minimums);
    for (const Controller& each : catalog_.controllers) controller(each);
    for (const NodeResource& each : catalog_.node_resources) node_resource(each);
    for (const OrdinaryMachine& each : catalog_.ordinary_machines)
      quantities(each.evidence, each.name, {each.cpu, each.memory});
    for (const Price& each : catalog_.prices) dollars(each.evidence, each.usd);
    for (const OrdinaryPrice& each : catalog_.ordinary_prices) dollars(each.evidence, each.usd);
    rows(schema::catalog_type, &catalog_);
    for (const Port& port : catalog_.ports) {
      constexpr int most = 65535;
      if (port.number < 1 || port.number > most)
        report<Code::BadCatalogValue>(port.evidence, "number", port.number,
                                      fmt::format("a port, from 1 to {}", most));
    }
  }

 private:
  void dollars(const Evidence& evidence, std::string_view usd) {
    if (!parse_dollars(usd))
      report<Code::BadCatalogValue>(evidence, "usd", usd,
                                    "an amount in dollars with at most six decimals");
  }

  template <Code code>
  Diagnostic& report(const Evidence& evidence, const auto&... args) {
    return sink_.report<code>(place(evidence.where), args...);
  }

  Diagnostic& contradiction(const Evidence& evidence, std::string_view name, std::string_view key,
                            const auto& value, std::string_view other, const auto& other_value) {
    return report<Code::CatalogContradiction>(evidence, name, fmt::format("{}: {}", key, value),
                                              fmt::format("{}: {}", other, other_value));
  }

  Span place(Span span) const { return span == Span{} ? where_ : span; }

  // Checks the rows of every table: names are unique in a list, sources are known. The evidence of
  // a whole document is judged where its facts inherit it.
  void rows(const Type& type, const void* record) {
    for (const Field& field : type.table->fields) {
      const void* value = field.of(record);
      if (field.type == &schema::evidence_type && record != &catalog_) {
        const auto& evidence = *static_cast<const Evidence*>(value);
        for (std::string_view id : evidence.sources) {
          if (find_source(catalog_, id) == nullptr)
            sink_.report<Code::UnknownCatalogName>(place(evidence.where), "source", id);
        }
      } else if (field.type->category == Category::record) {
        rows(*field.type, value);
      } else if (field.type->category == Category::list && field.type->element->table != nullptr) {
        for (std::size_t i = 0; i < field.type->size(value); ++i)
          rows(*field.type->element, field.type->at(value, i));
        names(field, value);
      }
    }
  }

  void names(const Field& field, const void* list) {
    const schema::Table& table = *field.type->element->table;
    const Field& name = table.fields.front();
    const Field* evidence = table.find("evidence");
    if (name.type->category == Category::list) return;
    std::set<std::string> known;
    for (std::size_t i = 0; i < field.type->size(list); ++i) {
      const void* row = field.type->at(list, i);
      const std::string text = schema::encode({name.type, name.of(row)}).text;
      if (known.insert(text).second) continue;
      const Span where =
          evidence == nullptr ? Span{} : static_cast<const Evidence*>(evidence->of(row))->where;
      const std::string_view noun =
          field.doc.empty() ? table.name.substr(table.name.find(' ') + 1) : field.doc;
      sink_.report<Code::CatalogDuplicate>(place(where), noun, text);
    }
  }

  void version(std::string_view text, const Evidence& evidence) {
    if (!parse_version(text))
      report<Code::BadCatalogValue>(evidence, "version", text,
                                    "a GKE version such as 1.33.0-gke.1712000");
  }

  void minimums(List<Minimum> minimums) {
    for (const Minimum& minimum : minimums) version(minimum.version, minimum.evidence);
  }

  void shape(const Generation& generation, const MachineType& machine, const Shape& shape) {
    const Topology& topology = shape.topology;
    const std::string text = topology.text();
    const auto report_shape = [&]() -> Diagnostic& {
      return report<Code::CatalogShape>(shape.evidence, text, machine.name);
    };
    if (topology.dimensions != generation.dimensions)
      report_shape().note("{} has {}", generation.id,
                          text::count(generation.dimensions, "dimension"));
    if (!ascends(topology)) report_shape().note("sizes must ascend, except those that are 1");
    if (machine.chips > 0 && topology.chips() % machine.chips != 0)
      report_shape().note("{} chips / {} per machine leaves a remainder of {}", topology.chips(),
                          machine.chips, topology.chips() % machine.chips);
    if (topology.chips() > generation.max_chips)
      report_shape().note("it has {}; the largest {} slice has {}",
                          text::count(topology.chips(), "chip"), generation.id,
                          generation.max_chips);
  }

  void shapes(const Generation& generation, const MachineType& machine) {
    const Shape* last = nullptr;
    for (const Shape& each : machine.shapes) {
      shape(generation, machine, each);
      if (last != nullptr && smaller(each.topology, last->topology)) {
        report<Code::CatalogOrder>(each.evidence, each.topology.text(), last->topology.text());
      }
      last = &each;
    }
  }

  void machine_type(const Generation& generation, const MachineType& machine) {
    if (machine.chips == 0)
      report<Code::BadCatalogValue>(machine.evidence, "chips", 0, "at least 1");
    if (machine.max_containers < 1 || machine.chips % machine.max_containers != 0)
      contradiction(machine.evidence, machine.name, "maxContainers", machine.max_containers,
                    "chips", machine.chips)
          .note("containers share the chips of a machine in equal parts");
    if (machine.shapes.empty() && !machine.cubes)
      report<Code::MissingCatalogKey>(machine.evidence, machine.name, "shapes");
    if (machine.cubes && generation.wiring == Wiring::boards)
      contradiction(machine.evidence, machine.name, "cubes", true, "wiring",
                    word(generation.wiring));
    if (machine.cubes && generation.dimensions != 3)
      contradiction(machine.evidence, machine.name, "cubes", true, "dimensions",
                    generation.dimensions);
    // The label and the machine type's name alone must tell the generation.
    for (const std::string_view name : {machine.name, machine.accelerator}) {
      const Generation* other = name == machine.name ? generation_of_machine_type(catalog_, name)
                                                     : find_generation(catalog_, name);
      if (other != nullptr && other != &generation)
        report<Code::CatalogNameTaken>(machine.evidence, name, other->id);
    }
    shapes(generation, machine);
  }

  void generation(const Generation& generation) {
    const auto must_be = [&](std::string_view key, std::int64_t value, std::string_view expected) {
      report<Code::BadCatalogValue>(generation.evidence, key, value, expected);
    };
    if (generation.dimensions != 2 && generation.dimensions != 3)
      must_be("dimensions", generation.dimensions, "2 or 3");
    if (generation.cores_per_chip == 0) must_be("coresPerChip", 0, "at least 1");
    if (generation.devices_per_chip == 0) must_be("devicesPerChip", 0, "at least 1");
    if (generation.doubtful_above > generation.max_chips)
      contradiction(generation.limit_evidence, generation.id, "doubtfulAbove",
                    generation.doubtful_above, "maxChips", generation.max_chips);
    for (const MachineType& machine : generation.machine_types) machine_type(generation, machine);
    minimums(generation.minimums);
  }

  void support(const Model& model, const Support& support) {
    if (!support.since.empty()) version(support.since, support.evidence);
    if (!support.supported && !support.since.empty())
      contradiction(support.evidence, model.name, "since", support.since, "supported", false);
    for (std::string_view id : support.generations) {
      if (find_generation(catalog_, id) == nullptr)
        sink_.report<Code::UnknownCatalogName>(place(support.evidence.where), "generation", id);
    }
  }

  void model(const Model& model) {
    if (model.min_run_seconds > model.max_run_seconds)
      contradiction(model.evidence, model.name, "minRunSeconds", model.min_run_seconds,
                    "maxRunSeconds", model.max_run_seconds);
    for (const Support& each : model.supports) support(model, each);
  }

  void node_resource(const NodeResource& node) {
    std::vector<std::string_view> amounts;
    for (const Text& amount : {node.capacity, node.minimum, node.maximum, node.reserved})
      if (!amount.empty()) amounts.push_back(amount);
    for (const ReservedShare& share : node.shares) amounts.push_back(share.above);
    quantities(node.evidence, node.resource, amounts);
  }

  void quantities(const Evidence& evidence, std::string_view name,
                  const std::vector<std::string_view>& amounts) {
    for (std::string_view amount : amounts) {
      if (!parse_quantity(amount))
        report<Code::BadCatalogValue>(evidence, name, amount, "a quantity such as 4Gi");
    }
  }

  void controller(const Controller& controller) {
    for (const AddedPod& added : controller.added_pods)
      quantities(added.evidence, added.purpose, {added.cpu, added.memory});
    for (const ControllerMinimum& minimum : controller.minimums) {
      std::optional<Version> last;
      std::string_view before;
      for (std::string_view each : minimum.versions) {
        const std::optional<Version> version = parse_version(each);
        if (!version)
          report<Code::BadCatalogValue>(minimum.evidence, "versions", each,
                                        "a version such as 0.15.0");
        if (version && last && *version <= *last)
          report<Code::CatalogOrder>(minimum.evidence, each, before);
        last = version;
        before = each;
      }
    }
  }

  const Catalog& catalog_;
  diag::Sink& sink_;
  Span where_;
};

}  // namespace

void verify(const Catalog& catalog, diag::Sink& sink, Span where) {
  Verifier(catalog, sink, where).catalog();
}

}  // namespace flexslice::catalog
