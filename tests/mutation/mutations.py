"""The ways in which run.py breaks the source: file, what stands there once, what takes its place, what that breaks."""
import collections
import pathlib

SOURCE = pathlib.Path(__file__).resolve().parents[2]
Mutation = collections.namedtuple("Mutation", "breaks file old new")

# The last touches what everything includes: it is built once, not twice.
MUTATIONS = [
    Mutation("hosts = chips / chips per host", "src/facts/facts.cpp",
             "facts.hosts = facts.topology->chips() / machine->chips;", "tpu.hosts = topology->chips();"),
    Mutation("--max-nodes counts nodes", "templates/gcloud/pool-flags.yaml",
             "--max-nodes=${pool.nodes}", "--max-nodes=${tpu.chips}"),
    Mutation("cleanup leaves somebody else's node pools", "templates/gcloud/cleanup.yaml",
             "$when: provisioning.create", "$when: name"),
    Mutation("a flag's name in a template", "templates/gcloud/provision.yaml",
             "--placement-policy=${?pool.placementPolicy}", "--resource-policy=${pool.placementPolicy}"),
    Mutation("shell: a quote inside quotes", "src/backend/gcloud/shell_quote.cpp",
             r'''std::string("'\\''")''', r'''std::string("\\'")'''),
    Mutation("shell: a line break stays in its comment", "src/backend/gcloud/bash.cpp",
             '"# " + yaml::one_line(line)', '"# " + line'),
    Mutation("YAML: ` #` needs quotes", "src/yaml/scalar.cpp",
             ' || text.find(" #") != std::string_view::npos', ""),
    Mutation("YAML: a last line of blanks is not literal", "src/yaml/scalar.cpp",
             "return text::trim(line.substr(0, line.find('\\n'))).empty() ? Quoting::quoted : Quoting::literal;", "return Quoting::literal;"),
    Mutation("a diagnostic's bound", "src/rules/tpu.cpp",
             "topology.chips() <= generation->doubtful_above", "topology.chips() < generation->doubtful_above"),
    Mutation("another number is another generation", "src/rules/tpu.cpp",
             "return digits_of(a) == digits_of(b);", "return true;"),
    Mutation("a character of two surrogates", "src/yaml/surrogates.cpp",
             "((high - first_high) << 10)", "((high - first_high) << 9)"),
    Mutation("a bracket left open on the line before", "src/yaml/blame.cpp",
             "indentation(line) <= own", "indentation(line) < own"),
    Mutation("a placeholder in free text is left alone", "src/schema/decode.cpp",
             "return good && constraint.choices_of.empty();", "return false;"),
    Mutation("topologies of an accelerator label", "src/catalog/shapes.cpp",
             "return type == generation.id || type == machine->accelerator;", "return true;"),
    Mutation("one bad spec is status 1", "src/cli/run/batch.cpp",
             "bad_ > 0 ? findings : fine", "bad_ > 1 ? findings : fine"),
    Mutation("one pool, two shapes", "src/conflicts/conflicts.cpp",
             "shapes_[earlier->shape] != resource.shape", "false"),
    Mutation("topologies in any order are told apart", "src/catalog/topology.cpp",
             "  if (three && c < b) std::swap(b, c);\n", ""),
    Mutation("memory of a machine type", "src/catalog/data/generations/6-v6e.yaml",
             "vcpus: 180\n        memoryGib: 720", "vcpus: 180\n        memoryGib: 702"),
    Mutation("chips of a machine type", "src/catalog/data/generations/6-v6e.yaml",
             "- name: ct6e-standard-4t\n        accelerator: tpu-v6e-slice\n        chips: 4",
             "- name: ct6e-standard-4t\n        accelerator: tpu-v6e-slice\n        chips: 8"),
    Mutation("port 0 of a container", "src/schema/kubernetes.yaml",
             "port: {type: integer, min: 1,", "port: {type: integer, min: 0,"),
    Mutation("init containers run with the sidecars before them", "src/facts/requests.cpp",
             "steps.push_back(sidecars);", "steps.emplace_back();"),
    Mutation("what GKE reserves of a node", "src/catalog/data/features.yaml",
             "{above: 128Gi, basisPoints: 200}", "{above: 128Gi, basisPoints: 20}"),
    Mutation("certain errors cannot be suppressed", "src/diag/suppress.cpp",
             "return finding.level != Level::error;", "return true;"),
    Mutation("an unused suppression is told", "src/diag/suppress.cpp",
             "    allowed_[covering->second].used = true;\n", ""),
    Mutation("a diagnostic's level", "src/diag/diags.def",
             "FS_DIAG(TopologyOrder, 3008, error,", "FS_DIAG(TopologyOrder, 3008, soft,"),
]


def occurrences(mutation):
    return (SOURCE / mutation.file).read_text().count(mutation.old)
