// What compile makes lints clean, for every shape and model; and each of a list of mistakes in it
// is found, wherever it can be made. The table of mistakes, with how often each was made and found,
// is written to lint-mutations.txt in the build's directory.
#include <fmt/core.h>

#include <fstream>
#include <functional>
#include <set>

#include "../catch.hpp"
#include "base/text.hpp"
#include "compiled.hpp"
#include "driver/lint_file.hpp"
#include "shapes.hpp"

namespace flexslice::law {
namespace {

using Made = std::optional<std::string>;

struct Shape {
  const Machine* machine;
  std::string topology;
  std::string_view model;
  std::int64_t slices = 1;
  std::string_view kind = {};  // and the fields that it needs; empty: derived

  std::int64_t hosts() const { return chips_of(topology) / machine->chips; }
};

std::string spec_of(const Shape& shape) {
  const auto& zones = catalog::find_generation(facts(), shape.machine->type)->zones;
  const std::string zone = zones.empty() ? "us-east5-a" : std::string(zones.front().name);
  std::string spec = fmt::format(
      "apiVersion: flexslice/v1\nname: law\ncluster: {{name: c1, location: {}}}\ntpu: "
      "{{type: "
      "{}, topology: {}, slices: {}, machineType: {}}}\nprovisioning:\n  model: {}\n  zones: "
      "[{}]\n",
      zone.substr(0, zone.rfind('-')), shape.machine->type, shape.topology, shape.slices,
      shape.machine->name, shape.model, zone);
  if (shape.model == "reservation") spec += "  reservation: r1\n";
  if (shape.model == "flex-start-queued" || shape.model == "reservation")
    spec += "  queue: team-a\n";
  spec += "workload:\n  image: busybox\n";
  if (!shape.kind.empty()) spec += fmt::format("  kind: {}\n", shape.kind);
  return spec;
}

constexpr std::string_view kinds[] = {
    "deployment\n  ports: [8000]",
    "leaderworkerset\n  ports: [8000]",
    "leaderworkerset\n  leader: {args: [lead], ports: [8000]}",
    "leaderworkerset\n  leader: {tpu: false, ports: [8000]}",
    "raycluster\n  ray: {version: 2.51.0}",
    "rayjob\n  script: python train.py\n  ray: {version: 2.51.0}",
    "rayservice\n  ray: {version: 2.51.0, serveConfig: 'applications: []'}",
};

constexpr std::string_view models[] = {"flex-start", "flex-start-queued", "spot", "on-demand",
                                       "reservation"};

// The findings of a file of that name, as `FS3002 12: …`.
std::set<std::string> lint_text(std::string name, std::string text, std::string* all = nullptr) {
  Sources sources;
  sources.add({std::move(name), std::move(text), 1});
  const lint::Linted linted = lint::lint(sources, facts(), {});
  std::set<std::string> codes;
  for (const diag::Diagnostic& each : linted.diagnostics) {
    codes.insert(diag::code_text(each.code));
    if (all != nullptr)
      *all += fmt::format("{}:{} {} {}\n", sources[0].name, sources.position(each.where).line,
                          diag::code_text(each.code), each.message);
  }
  return codes;
}

// Each shape, or each `step`-th of a sample.
void for_each_shape(std::size_t step, const std::function<void(const Shape&, const Case&)>& visit) {
  std::size_t shapes = 0;
  const auto visit_good = [&](const Shape& shape) {
    if (shapes++ % sampled(step) != 0) return;
    const Case made = compile(spec_of(shape));
    if (made.compiled.ok) visit(shape, made);
  };
  std::size_t turn = 0;
  for (const Machine& machine : machines()) {
    for (const std::string& topology : sample(machine)) {
      for (std::string_view model : models) {
        for (std::int64_t slices : {1, 3}) {
          if (slices == 1 || model == "spot") visit_good({&machine, topology, model, slices});
        }
      }
      // Of large cubes one kind, of others each; models and numbers of slices in turn.
      const bool large = machine.largest > 0 && topology.size() > 5;
      for (std::size_t i = large ? turn % std::size(kinds) : 0; i < std::size(kinds); ++i) {
        visit_good({&machine, topology, models[turn % std::size(models)],
                    static_cast<std::int64_t>(1 + turn % 3), kinds[i]});
        ++turn;
        if (large) break;
      }
    }
  }
}

// Replaces what is after `key` up to the end of its word, at each place; nothing if it is nowhere.
std::optional<std::string> replaced(
    std::string text, std::string_view key,
    const std::function<std::string(const std::string& word)>& other) {
  bool changed = false;
  for (std::size_t at = 0; (at = text.find(key, at)) != std::string::npos;) {
    at += key.size();
    std::size_t end = text.find_first_of(" \n", at);
    if (end == std::string::npos) end = text.size();
    const std::string word = text.substr(at, end - at), instead = other(word);
    changed = changed || word != instead;
    text.replace(at, end - at, instead);
  }
  return changed ? std::optional(text) : Made();
}

std::string halved(const std::string& word) {
  const auto number = text::whole_number(word);
  return number && *number > 1 ? std::to_string(*number / 2) : word;
}

std::function<std::string(const std::string&)> constant(std::string word) {
  return [word = std::move(word)](const std::string&) { return word; };
}

struct Mistake {
  std::string_view title;
  Emit artifact;
  std::set<std::string> codes;  // any of these finds it
  std::function<Made(const Shape&, const std::string&)> make;
};

const std::vector<Mistake>& mistakes() {
  static constexpr std::string_view accelerator = "cloud.google.com/gke-tpu-accelerator: ",
                                    topology = "cloud.google.com/gke-tpu-topology: ";
  static const std::vector<Mistake> all = {
      {"half the completions",
       Emit::manifests,
       {"FS4001"},
       [](const Shape& shape, const std::string& text) -> Made {
         return shape.hosts() > 1 ? replaced(text, "completions: ", halved) : Made();
       }},
      {"half the parallelism",
       Emit::manifests,
       {"FS4001"},
       [](const Shape& shape, const std::string& text) -> Made {
         return shape.hosts() > 1 ? replaced(text, "parallelism: ", halved) : Made();
       }},
      {"slices that nothing keeps apart",
       Emit::manifests,
       {"FS4363"},
       [](const Shape& shape, const std::string& text) -> Made {
         const std::size_t at = text.find("alpha.jobset.sigs.k8s.io/exclusive-topology: ");
         if (shape.hosts() < 2 || at == text.npos || text.find("queue-name: ") != text.npos)
           return {};
         std::string without = text;
         return without.erase(at, text.find('\n', at) - at);
       }},
      {"half the size of a group",
       Emit::manifests,
       {"FS4001"},
       [](const Shape&, const std::string& text) -> Made {
         // With subgroups the API server refuses it.
         const bool whole = text.find("subGroupSize: ") == text.npos;
         return whole ? replaced(text, " size: ", halved) : Made();
       }},
      {"half the size of a subgroup",
       Emit::manifests,
       {"FS4001"},
       [](const Shape&, const std::string& text) -> Made {
         return replaced(text, "subGroupSize: ", halved);
       }},
      {"half the hosts of a worker group",
       Emit::manifests,
       {"FS4001"},
       [](const Shape&, const std::string& text) -> Made {
         return replaced(text, "numOfHosts: ", halved);
       }},
      {"no hosts of a worker group",
       Emit::manifests,
       {"FS5007"},
       [](const Shape& shape, const std::string& text) -> Made {
         return shape.hosts() > 1 ? replaced(text, "numOfHosts:", constant(" null #")) : Made();
       }},
      {"no completions",
       Emit::manifests,
       {"FS5007", "FS4155"},
       [](const Shape& shape, const std::string& text) -> Made {
         return shape.hosts() > 1 ? replaced(text, "completions:", constant(" null #")) : Made();
       }},
      {"the chips of the whole slice",
       Emit::manifests,
       {"FS5003"},
       [](const Shape& shape, const std::string& text) -> Made {
         return  // Of 2x4 they may be those of a larger host.
             shape.hosts() > 1 && forming(shape.machine->type, shape.topology).size() == 1
                 ? replaced(
                       text, "google.com/tpu: ",
                       [&](const std::string&) { return std::to_string(chips_of(shape.topology)); })
                 : Made();
       }},
      {"one chip less",
       Emit::manifests,
       {"FS5004"},
       [](const Shape& shape, const std::string& text) -> Made {
         return shape.machine->chips > 1
                    ? replaced(text, "google.com/tpu: ",
                               [&](const std::string&) {
                                 return std::to_string(shape.machine->chips - 1);
                               })
                    : Made();
       }},
      {"an invented accelerator",
       Emit::manifests,
       {"FS3001"},
       [](const Shape&, const std::string& text) -> Made {
         return replaced(text, accelerator, [](const std::string& word) { return word + "-lite"; });
       }},
      {"a generation for the accelerator",
       Emit::manifests,
       {"FS3001"},
       [](const Shape& shape, const std::string& text) -> Made {
         return shape.machine->type == shape.machine->accelerator
                    ? Made()
                    : replaced(text, accelerator, constant(std::string(shape.machine->type)));
       }},
      {"a topology of other dimensions",
       Emit::manifests,
       {"FS3002", "FS3009"},
       [](const Shape& shape, const std::string& text) -> Made {
         return replaced(text, topology,
                         constant(text::split(shape.topology, 'x').size() == 2 ? "4x4x4" : "4x4"));
       }},
      {"a topology that nothing forms",
       Emit::manifests,
       {"FS3002", "FS3009"},
       [](const Shape& shape, const std::string& text) -> Made {
         return replaced(text, topology,
                         constant(text::split(shape.topology, 'x').size() == 2 ? "3x5" : "3x5x7"));
       }},
      {"a boolean for a string",
       Emit::manifests,
       {"FS5005"},
       [](const Shape&, const std::string& text) -> Made {
         std::string other = text;
         const std::size_t at = other.find(": \"true\"");
         if (at == other.npos) return Made();
         other.replace(at, 8, ": true");
         return Made(other);
       }},
      {"the label of GPUs",
       Emit::manifests,
       {"FS4036"},
       [](const Shape&, const std::string& text) -> Made {
         std::string other = text;
         for (std::size_t at = 0; (at = other.find("gke-tpu-accelerator", at)) != other.npos;)
           other.erase(at + 4, 4);
         return other == text ? Made() : Made(other);
       }},
      {"flex-start of a generation without it",
       Emit::manifests,
       {"FS3012"},
       [](const Shape& shape, const std::string& text) -> Made {
         std::string other = text;
         if (shape.machine->type == "v3" || shape.machine->type == "v4") {
           for (std::size_t at = 0; (at = other.find("gke-spot", at)) != other.npos;)
             other.replace(at, 8, "gke-flex-start");
         }
         return other == text ? Made() : Made(other);
       }},
      {"a misspelt label",
       Emit::manifests,
       {"FS4036"},
       [](const Shape&, const std::string& text) -> Made {
         std::string other = text;
         for (std::size_t at = 0; (at = other.find("gke-tpu-topology", at)) != other.npos;)
           other.erase(at + 11, 1);
         return other == text ? Made() : Made(other);
       }},
      {"an invented machine type",
       Emit::provision,
       {"FS3003"},
       [](const Shape&, const std::string& text) -> Made {
         return replaced(text,
                         "--machine-type=", [](const std::string& word) { return word + "pu"; });
       }},
      {"a zone of another region",
       Emit::provision,
       {"FS4002"},
       [](const Shape&, const std::string& text) -> Made {
         return replaced(text, "--node-locations=", constant("africa-south1-a"));
       }},
      {"half the nodes",
       Emit::provision,
       {"FS4001"},
       [](const Shape& shape, const std::string& text) -> Made {
         return shape.hosts() > 1 && shape.machine->type != "tpu7x"
                    ? replaced(
                          text,
                          text.find("--max-nodes=") == text.npos ? "--num-nodes=" : "--max-nodes=",
                          halved)
                    : Made();
       }},
      {"a topology of other dimensions in the command",
       Emit::provision,
       {"FS3002", "FS3009"},
       [](const Shape& shape, const std::string& text) -> Made {
         return replaced(text, "--tpu-topology=",
                         constant(text::split(shape.topology, 'x').size() == 2 ? "4x4x4" : "4x4"));
       }},
      {"two provisioning models",
       Emit::provision,
       {"FS5024"},
       [](const Shape& shape, const std::string& text) -> Made {
         const std::string_view flag = shape.model == "spot" ? "--spot" : "--flex-start";
         return shape.model == "on-demand" || shape.model == "reservation"
                    ? Made()
                    : replaced(text, flag,
                               constant(shape.model == "spot" ? " --flex-start" : " --spot"));
       }},
      {"flex-start with nodes from the beginning",
       Emit::provision,
       {"FS5025"},
       [](const Shape& shape, const std::string& text) -> Made {
         return shape.model.starts_with("flex-start")
                    ? replaced(text, "--num-nodes=", constant("1"))
                    : Made();
       }},
      {"flex-start without autoscaling",
       Emit::provision,
       {"FS5025"},
       [](const Shape&, const std::string& text) -> Made {
         return replaced(text, "--enable-auto", constant("upgrade"));
       }},
      {"a total for the nodes of a zone",
       Emit::provision,
       {"FS5024"},
       [](const Shape& shape, const std::string& text) -> Made {
         const std::size_t at = text.find("--max-nodes=", text.find("run gcloud"));
         if (shape.hosts() == 1 || at == text.npos || text.find("--tpu-topology=") == text.npos)
           return Made();
         return std::string(text).insert(at + 2, "total-");
       }},
      {"a blank after the backslash",
       Emit::provision,
       {"FS5020"},
       [](const Shape&, const std::string& text) -> Made {
         std::string other = text;
         const std::size_t at = other.find("\\\n", other.find("node-pools create"));
         if (at == other.npos) return Made();
         other.insert(at + 1, " ");
         return Made(other);
       }},
      {"no backslash",
       Emit::provision,
       {"FS5020"},
       [](const Shape&, const std::string& text) -> Made {
         std::string other = text;
         const std::size_t at = other.find(" \\\n", other.find("node-pools create"));
         if (at == other.npos) return Made();
         other.erase(at, 2);
         return Made(other);
       }},
      {"both zones and regions",
       Emit::provision,
       {"FS5024"},
       [](const Shape&, const std::string& text) -> Made {
         return replaced(text, "--location=", [](const std::string& word) {
           return word + " --zone=us-east5-a";
         });
       }},
  };
  return all;
}

std::string file_of(Emit emit) {
  return emit == Emit::manifests ? "manifests.yaml" : "provision.sh";
}

}  // namespace

TEST_CASE("lint has nothing to say about what compile makes", "[property]") {
  std::string findings;
  std::size_t cases = 0;
  for_each_shape(5, [&](const Shape&, const Case& made) {
    // The soft error of a spec, which lint repeats of its object.
    if (made.findings().find("FS4117") != std::string::npos) return;
    ++cases;
    std::string page = "# A page\n\n1. Create the pool:\n\n   ```bash\n";
    for (std::string_view line : text::split(made.text(Emit::provision), '\n'))
      page += fmt::format("   {}\n", line);
    page += "   ```\n\nand then\n\n```yaml\n" + std::string(made.text(Emit::manifests)) + "```\n";
    lint_text("page.md", page, &findings);
    for (const Emit emit : {Emit::manifests, Emit::queues})
      lint_text("objects.yaml", std::string(made.text(emit)), &findings);
    for (const Emit emit : {Emit::provision, Emit::verify, Emit::cleanup})
      lint_text("script.sh", std::string(made.text(emit)), &findings);
  });
  CHECK(cases * sampled(5) > 500);
  CHECK(findings == "");
}

TEST_CASE("lint finds each mistake wherever it is made", "[property]") {
  std::vector<std::size_t> made(mistakes().size()), found(mistakes().size());
  std::string missed;
  for_each_shape(11, [&](const Shape& shape, const Case& compiled) {
    for (std::size_t i = 0; i < mistakes().size(); ++i) {
      const Mistake& mistake = mistakes()[i];
      const auto text = mistake.make(shape, std::string(compiled.text(mistake.artifact)));
      if (!text) continue;
      ++made[i];
      const auto codes = lint_text(file_of(mistake.artifact), *text);
      const bool is_found = std::any_of(codes.begin(), codes.end(), [&](const std::string& code) {
        return mistake.codes.contains(code);
      });
      if (is_found) {
        ++found[i];
      } else if (missed.size() < 4000) {
        missed += fmt::format("{}: {} {} {}, {} slices {}\n", mistake.title, shape.machine->name,
                              shape.topology, shape.model, shape.slices, shape.kind);
      }
    }
  });
  CHECK(missed == "");
  std::ofstream table("lint-mutations.txt");
  for (std::size_t i = 0; i < mistakes().size(); ++i) {
    table << fmt::format("{:<48}{:>6} made{:>6} found\n", mistakes()[i].title, made[i], found[i]);
    INFO(mistakes()[i].title);
    CHECK(made[i] > 0);
  }
}

}  // namespace flexslice::law
