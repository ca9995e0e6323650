#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/text.hpp"
#include "catalog/catalog.hpp"

namespace flexslice::catalog {

namespace {

using diag::Code;

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

  void catalog();

 private:
  template <class... Args>
  void contradiction(const Evidence& evidence, fmt::format_string<const Args&...> message,
                     const Args&... args) {
    sink_.report<Code::CatalogContradiction>(place(evidence.where), fmt::format(message, args...));
  }
  template <class T, class Name>
  void unique(const std::vector<T>& things, std::string_view noun, Name name);

  void evidence(const Evidence& evidence);
  void version(std::string_view text, const Evidence& evidence);
  void minimums(const std::vector<Minimum>& minimums);
  void generation(const Generation& generation);
  void machine_type(const Generation& generation, const MachineType& machine);
  void shapes(const Generation& generation, const MachineType& machine);
  void shape(const Generation& generation, const MachineType& machine, const Shape& shape);
  void model(const Model& model);
  void controller(const Controller& controller);
  void support(const Model& model, const Support& support);

  Span place(Span span) const { return span == Span{} ? where_ : span; }

  const Catalog& catalog_;
  diag::Sink& sink_;
  Span where_;
};

template <class T, class Name>
void Verifier::unique(const std::vector<T>& things, std::string_view noun, Name name) {
  std::vector<const T*> by_name;
  by_name.reserve(things.size());
  for (const T& thing : things) by_name.push_back(&thing);
  std::stable_sort(by_name.begin(), by_name.end(),
                   [&](const T* a, const T* b) { return name(*a) < name(*b); });
  for (std::size_t i = 1; i < by_name.size(); ++i) {
    const T& thing = *by_name[i];
    if (name(thing) != name(*by_name[i - 1])) continue;
    Span span = where_;
    if constexpr (requires { thing.evidence; }) span = place(thing.evidence.where);
    sink_.report<Code::CatalogContradiction>(
        span, fmt::format("{} `{}` is given twice", noun, name(thing)));
  }
}

void Verifier::evidence(const Evidence& evidence) {
  for (std::string_view id : evidence.sources) {
    if (find_source(catalog_, id) == nullptr)
      sink_.report<Code::UnknownCatalogName>(place(evidence.where), "source", id);
  }
}

void Verifier::version(std::string_view text, const Evidence& evidence) {
  if (!parse_version(text))
    contradiction(evidence, "`{}` is not a GKE version such as 1.33.0-gke.1712000", text);
}

void Verifier::minimums(const std::vector<Minimum>& minimums) {
  for (const Minimum& minimum : minimums) {
    evidence(minimum.evidence);
    version(minimum.version, minimum.evidence);
  }
  unique(minimums, "minimum for", [](const Minimum& minimum) { return minimum.mode; });
}

void Verifier::shape(const Generation& generation, const MachineType& machine, const Shape& shape) {
  const Topology& topology = shape.topology;
  const std::string text = topology.text();
  evidence(shape.evidence);
  if (topology.dimensions != generation.dimensions) {
    contradiction(shape.evidence, "`{}` has {}, but {} has {}", text,
                  text::count(topology.dimensions, "dimension"), generation.id,
                  generation.dimensions);
  }
  if (!ascends(topology))
    contradiction(shape.evidence, "the sizes of `{}` must ascend, aside from those that are 1",
                  text);
  if (machine.chips > 0 && topology.chips() % machine.chips != 0) {
    contradiction(shape.evidence, "`{}` is {}, which {} with {} each cannot form", text,
                  text::count(topology.chips(), "chip"), machine.name,
                  text::count(machine.chips, "chip"));
  }
  if (topology.chips() > generation.max_chips) {
    contradiction(shape.evidence, "`{}` is {}, but a slice of {} has at most {}", text,
                  text::count(topology.chips(), "chip"), generation.id, generation.max_chips);
  }
}

void Verifier::shapes(const Generation& generation, const MachineType& machine) {
  const Shape* last = nullptr;
  for (const Shape& each : machine.shapes) {
    shape(generation, machine, each);
    if (last != nullptr && smaller(each.topology, last->topology)) {
      contradiction(each.evidence, "`{}` stands behind the larger `{}`", each.topology.text(),
                    last->topology.text());
    }
    last = &each;
  }
  unique(machine.shapes, "topology", [](const Shape& each) { return each.topology.text(); });
}

void Verifier::machine_type(const Generation& generation, const MachineType& machine) {
  evidence(machine.evidence);
  if (machine.chips == 0)
    contradiction(machine.evidence, "{} must have at least 1 chip", machine.name);
  if (machine.max_containers < 1 || machine.chips % machine.max_containers != 0) {
    contradiction(machine.evidence, "{} containers cannot share the {} of {} in equal parts",
                  machine.max_containers, text::count(machine.chips, "chip"), machine.name);
  }
  if (machine.shapes.empty() && !machine.cubes)
    contradiction(machine.evidence, "{} forms no shape", machine.name);
  if (machine.cubes && generation.dimensions != 3) {
    contradiction(machine.evidence, "{} forms cubes, but {} has {} dimensions", machine.name,
                  generation.id, generation.dimensions);
  }
  // The label and the machine type's name alone must tell the generation.
  for (const std::string_view name : {machine.name, machine.accelerator}) {
    const Generation* other = name == machine.name ? generation_of_machine_type(catalog_, name)
                                                   : find_generation(catalog_, name);
    if (other != nullptr && other != &generation)
      contradiction(machine.evidence, "`{}` belongs to {} already", name, other->id);
  }
  shapes(generation, machine);
}

void Verifier::generation(const Generation& generation) {
  evidence(generation.evidence);
  evidence(generation.limit_evidence);
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
  unique(generation.machine_types, "machine type",
         [](const MachineType& machine) { return machine.name; });
  minimums(generation.minimums);
  for (const Zone& zone : generation.zones) evidence(zone.evidence);
  unique(generation.zones, "zone", [](const Zone& zone) { return zone.name; });
}

void Verifier::support(const Model& model, const Support& support) {
  evidence(support.evidence);
  if (!support.since.empty()) version(support.since, support.evidence);
  if (!support.supported && !support.since.empty()) {
    contradiction(support.evidence, "{} is not supported here, so it has no version since when",
                  model.name);
  }
  for (std::string_view id : support.generations) {
    if (find_generation(catalog_, id) == nullptr)
      sink_.report<Code::UnknownCatalogName>(place(support.evidence.where), "generation", id);
  }
}

void Verifier::model(const Model& model) {
  evidence(model.evidence);
  if (model.min_run_seconds > model.max_run_seconds) {
    contradiction(model.evidence, "{}: minRunSeconds {} is more than maxRunSeconds {}", model.name,
                  model.min_run_seconds, model.max_run_seconds);
  }
  for (std::string_view mode : model.modes) {
    if (mode != "standard" && mode != "autopilot")
      contradiction(model.evidence, "{}: `{}` is not a cluster mode", model.name, mode);
  }
  for (const Support& each : model.supports) support(model, each);
}

void Verifier::controller(const Controller& controller) {
  evidence(controller.evidence);
  for (const ControllerMinimum& minimum : controller.minimums) {
    evidence(minimum.evidence);
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
  unique(controller.minimums, "feature",
         [](const ControllerMinimum& each) { return each.feature; });
}

void Verifier::catalog() {
  for (const Generation& each : catalog_.generations) generation(each);
  for (const Model& each : catalog_.models) model(each);
  for (const Feature& each : catalog_.features) {
    evidence(each.evidence);
    minimums(each.minimums);
  }
  for (const Controller& each : catalog_.controllers) controller(each);
  for (const Port& port : catalog_.ports) {
    constexpr int most = 65535;
    evidence(port.evidence);
    if (port.number < 1 || port.number > most)
      contradiction(port.evidence, "{} is not a port; ports are 1 to {}", port.number, most);
  }
  for (const DefaultRequest& each : catalog_.default_requests) evidence(each.evidence);
  for (const Mistake& each : catalog_.mistakes) evidence(each.evidence);
  for (const Reserved& each : catalog_.reserved_env) evidence(each.evidence);
  unique(catalog_.sources, "source", [](const Source& each) { return each.id; });
  unique(catalog_.generations, "generation", [](const Generation& each) { return each.id; });
  unique(catalog_.models, "provisioning model", [](const Model& each) { return each.name; });
  unique(catalog_.features, "feature", [](const Feature& each) { return each.name; });
  unique(catalog_.controllers, "controller", [](const Controller& each) { return each.name; });
  unique(catalog_.ports, "port", [](const Port& each) { return each.number; });
  unique(catalog_.default_requests, "default request",
         [](const DefaultRequest& each) { return each.resource; });
  unique(catalog_.gcloud_commands, "gcloud command",
         [](const GcloudCommand& each) { return each.name; });
  unique(catalog_.reserved_env, "reserved variable",
         [](const Reserved& each) { return each.name; });
  unique(catalog_.reserved_selectors, "reserved selector",
         [](const Reserved& each) { return each.name; });
  unique(catalog_.reserved_labels, "reserved label",
         [](const Reserved& each) { return each.name; });
  unique(catalog_.deprecated_labels, "deprecated label",
         [](const Mistake& each) { return each.name; });
  unique(catalog_.mistakes, "mistake", [](const Mistake& each) { return each.name; });
}

}  // namespace

void verify(const Catalog& catalog, diag::Sink& sink, Span where) {
  Verifier(catalog, sink, where).catalog();
}

}  // namespace flexslice::catalog
