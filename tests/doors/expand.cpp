// Expands a spec without judging it, so that a test can show its mistakes to lint: the objects and
// the script that compile would make if no rule existed. Prints each document that cannot be
// expanded by its number.
#include <fmt/core.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "backend/gcloud/scripts.hpp"
#include "backend/kubernetes/apply.hpp"
#include "backend/kubernetes/objects.hpp"
#include "backend/kubernetes/patch.hpp"
#include "driver/artifacts.hpp"
#include "plan/build.hpp"
#include "plan/complete.hpp"
#include "plan/prerequisites.hpp"
#include "resolve/facts.hpp"
#include "schema/decode.hpp"
#include "spec/document.hpp"
#include "spec/spec_fields.hpp"
#include "yaml/parse.hpp"

namespace flexslice {

namespace {

struct Expanded {
  std::string manifests, script;
};

bool expand(std::string text, const catalog::Catalog& catalog, const templates::Set& templates,
            Expanded& all) {
  Sources sources;
  const std::uint32_t index = sources.add({"spec.yaml", std::move(text), 1});
  diag::Sink unused;
  const auto tree = yaml::parse(sources, index, unused);
  if (!tree || !spec::is_spec(*tree, unused)) return false;
  const auto claims = schema::decode<spec::Claims>(*tree, unused);
  const resolve::Facts facts = resolve::look_up(claims, catalog);
  diag::Sink missing;
  const auto complete = plan::complete(facts, true, missing);
  if (!complete) return false;
  const plan::Plan plan = plan::build(*complete, "spec.yaml");
  Outputs outputs(plan, templates, catalog, false, kubernetes::objects(plan, templates));
  kubernetes::Patches patches(plan.patches, unused);
  patches.apply(outputs.objects);
  if (plan.queue) {
    outputs.queue_needs.push_back(kubernetes::queue_need(plan, outputs.objects));
    outputs.queues = kubernetes::queue_objects({&outputs.queue_needs.front()}, templates, false);
  }
  outputs.needed = plan::needed(plan, catalog, outputs.objects, outputs.queues);
  outputs.scripts = gcloud::scripts(plan, outputs.needed, templates, outputs.objects);
  for (const ArtifactRow& row : artifact_rows()) {
    if (row.names.emit == Emit::manifests && row.print != nullptr)
      all.manifests += row.print(outputs);
    if (row.names.emit == Emit::provision)
      all.script += print_shared(row, shared_value(outputs, row), header_of(outputs), templates);
  }
  if (!outputs.queue_needs.empty())
    all.manifests += "---\n" + queues({&outputs.queue_needs.front()}, templates, false);
  return true;
}

std::string read(const char* path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

int expand_file(const char* spec, const std::filesystem::path& folder) {
  const catalog::Catalog catalog = catalog::built_in();
  const templates::Set templates;
  const std::string text = read(spec);
  int number = 0;
  for (const yaml::Document& document : yaml::split_documents(text)) {
    Expanded all;
    if (!expand(std::string(document.text), catalog, templates, all)) fmt::print("{}\n", number);
    const auto write = [&](std::string_view name, const std::string& content) {
      if (!content.empty()) std::ofstream(folder / fmt::format("{}-{}", number, name)) << content;
    };
    write("manifests.yaml", all.manifests);
    write("provision.sh", all.script);
    ++number;
  }
  return 0;
}

}  // namespace flexslice

int main(int count, char** arguments) {
  return count == 3 ? flexslice::expand_file(arguments[1], arguments[2]) : 2;
}
