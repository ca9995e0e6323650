#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <string>

#include "base/text.hpp"
#include "catalog/tables.hpp"
#include "schema/read.hpp"

namespace flexslice::catalog {

namespace {

using diag::Code;
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
    rows(schema::catalog_type, &catalog_);
    for (const Port& port : catalog_.ports) {
      constexpr int most = 65535;
      if (port.number < 1 || port.number > most)
        contradiction(port.evidence, "{} is not a port; ports are 1 to {}", port.number, most);
    }
  }

 private:
  template <class... Args>
  void contradiction(const Evidence& evidence, fmt::format_string<const Args&...> message,
                     const Args&... args) {
    sink_.report<Code::CatalogContradiction>(place(evidence.where), fmt::format(message, args...));
  }

  Span place(Span span) const { return span == Span{} ? where_ : span; }

  // What is true of the rows of every table: names are unique in a list, sources are known. The
  // evidence of a whole document is judged where its facts inherit it.
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
      sink_.report<Code::CatalogContradiction>(place(where),
                                               fmt::format("duplicate {} `{}`", noun, text));
    }
  }

  void version(std::string_view text, const Evidence& evidence) {
    if (!parse_version(text))
      contradiction(evidence, "`{}` is not a GKE version such as 1.33.0-gke.1712000", text);
  }

  void minimums(List<Minimum> minimums) {
    for (const Minimum& minimum : minimums) version(minimum.version, minimum.evidence);
  }

  void shape(const Generation& generation, const MachineType& machine, const Shape& shape) {
    const Topology& topology = shape.topology;
    const std::string text = topology.text();
    if (topology.dimensions != generation.dimensions) {
      contradiction(shape.evidence, "`{}` has {}, but {} has {}", text,
                    text::count(topology.dimensions, "dimension"), generation.id,
                    generation.dimensions);
    }
    if (!ascends(topology))
      contradiction(shape.evidence, "the sizes of `{}` must ascend, except those that are 1", text);
    if (machine.chips > 0 && topology.chips() % machine.chips != 0) {
      contradiction(shape.evidence, "`{}` is {}, which {} with {} each does not support", text,
                    text::count(topology.chips(), "chip"), machine.name,
                    text::count(machine.chips, "chip"));
    }
    if (topology.chips() > generation.max_chips) {
      contradiction(shape.evidence, "`{}` is {}, but a slice of {} has at most {}", text,
                    text::count(topology.chips(), "chip"), generation.id, generation.max_chips);
    }
  }

  void shapes(const Generation& generation, const MachineType& machine) {
    const Shape* last = nullptr;
    for (const Shape& each : machine.shapes) {
      shape(generation, machine, each);
      if (last != nullptr && smaller(each.topology, last->topology)) {
        contradiction(each.evidence, "`{}` comes after the larger `{}`", each.topology.text(),
                      last->topology.text());
      }
      last = &each;
    }
  }

  void machine_type(const Generation& generation, const MachineType& machine) {
    if (machine.chips == 0)
      contradiction(machine.evidence, "{} must have at least 1 chip", machine.name);
    if (machine.max_containers < 1 || machine.chips % machine.max_containers != 0) {
      contradiction(machine.evidence, "{} containers cannot share the {} of {} in equal parts",
                    machine.max_containers, text::count(machine.chips, "chip"), machine.name);
    }
    if (machine.shapes.empty() && !machine.cubes)
      contradiction(machine.evidence, "{} supports no topology", machine.name);
    if (machine.cubes && generation.dimensions != 3) {
      contradiction(machine.evidence, "{} forms cubes, but {} has {} dimensions", machine.name,
                    generation.id, generation.dimensions);
    }
    // The label and the machine type's name alone must tell the generation.
    for (const std::string_view name : {machine.name, machine.accelerator}) {
      const Generation* other = name == machine.name ? generation_of_machine_type(catalog_, name)
                                                     : find_generation(catalog_, name);
      if (other != nullptr && other != &generation)
        contradiction(machine.evidence, "`{}` already belongs to {}", name, other->id);
    }
    shapes(generation, machine);
  }

  void generation(const Generation& generation) {
    if (generation.dimensions != 2 && generation.dimensions != 3) {
      contradiction(generation.evidence, "{} must have 2 or 3 dimensions, not {}", generation.id,
                    generation.dimensions);
    }
    if (generation.cores_per_chip == 0 || generation.devices_per_chip == 0) {
      contradiction(generation.evidence, "a chip of {} has at least 1 core and 1 device",
                    generation.id);
    }
    if (generation.doubtful_above > generation.max_chips) {
      contradiction(generation.limit_evidence, "{} is doubtful above {}, but its limit is {}",
                    generation.id, text::count(generation.doubtful_above, "chip"),
                    generation.max_chips);
    }
    for (const MachineType& machine : generation.machine_types) machine_type(generation, machine);
    minimums(generation.minimums);
  }

  void support(const Model& model, const Support& support) {
    if (!support.since.empty()) version(support.since, support.evidence);
    if (!support.supported && !support.since.empty()) {
      contradiction(support.evidence, "{} is not supported here, so it must not have a version",
                    model.name);
    }
    for (std::string_view id : support.generations) {
      if (find_generation(catalog_, id) == nullptr)
        sink_.report<Code::UnknownCatalogName>(place(support.evidence.where), "generation", id);
    }
  }

  void model(const Model& model) {
    if (model.min_run_seconds > model.max_run_seconds) {
      contradiction(model.evidence, "{}: minRunSeconds {} is more than maxRunSeconds {}",
                    model.name, model.min_run_seconds, model.max_run_seconds);
    }
    for (std::string_view mode : model.modes) {
      if (mode != "standard" && mode != "autopilot")
        contradiction(model.evidence, "{}: `{}` is not a cluster mode", model.name, mode);
    }
    for (const Support& each : model.supports) support(model, each);
  }

  void controller(const Controller& controller) {
    for (const ControllerMinimum& minimum : controller.minimums) {
      std::optional<Version> last;
      for (std::string_view each : minimum.versions) {
        const std::optional<Version> version = parse_version(each);
        if (!version) contradiction(minimum.evidence, "`{}` is not a version such as 0.15.0", each);
        if (version && last && *version <= *last)
          contradiction(minimum.evidence, "version {} must be above those before it", each);
        last = version;
      }
      if (minimum.versions.empty())
        contradiction(minimum.evidence, "{} needs a version", minimum.title);
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
