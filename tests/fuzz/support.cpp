#include "support.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iterator>

#include "base/utf8.hpp"
#include "diag/render.hpp"
#include "yaml/parse.hpp"

namespace flexslice::fuzz {

void require(bool holds, std::string_view law, std::string_view shown) {
  if (holds) return;
  std::fprintf(stderr, "broken law: %.*s\n%.*s\n", static_cast<int>(law.size()), law.data(),
               static_cast<int>(shown.size()), shown.data());
  std::abort();
}

unsigned Bytes::below(unsigned limit) {
  if (rest_.empty()) return 0;
  const unsigned byte = static_cast<unsigned char>(rest_.front());
  rest_.remove_prefix(1);
  return byte % limit;
}

std::string_view Bytes::text(std::size_t most) {
  const std::string_view taken = rest_.substr(0, most);
  rest_.remove_prefix(taken.size());
  return taken;
}

std::string valid_utf8(std::string_view bytes) {
  std::string text;
  for (const utf8::Point& point : utf8::Points(bytes)) text += point.valid ? point.bytes : "?";
  return text;
}

bool is_utf8(std::string_view text) {
  for (const utf8::Point& point : utf8::Points(text)) {
    if (!point.valid) return false;
  }
  return true;
}

yaml::Value read_back(const std::string& text, std::string_view law) {
  Sources sources;
  sources.add({"written", text});
  diag::Sink sink;
  const auto node = yaml::parse(sources, 0, sink);
  require(node.has_value() && sink.errors() == 0, law, text);
  return yaml::to_value(*node);
}

void check_findings(const Sources& sources, std::span<const diag::Diagnostic> findings) {
  for (const diag::Diagnostic& each : findings) {
    require(each.where.source < sources.size(), "a finding is in one of the sources", each.message);
    require(each.where.begin <= each.where.end &&
                each.where.end <= sources[each.where.source].text.size(),
            "a finding lies inside of its source", each.message);
  }
  using diag::Format;
  for (const Format format :
       {Format::text, Format::brief, Format::json, Format::sarif, Format::github}) {
    // Without what begins and ends a run: SARIF's explanation of every rule takes longer than all
    // the rest.
    diag::Rendering run{
        .options = {.format = format, .color = format == Format::text, .version = "0"}};
    std::string shown;
    diag::render_findings(run, sources, findings, shown);
    require(is_utf8(shown), "what is rendered is UTF-8", shown);
  }
}

const catalog::Catalog& facts() {
  static const catalog::Catalog catalog = catalog::built_in();
  return catalog;
}

const templates::Set& built_in_templates() {
  static const templates::Set set;
  return set;
}

namespace {

// Every document of what was written can be read again.
void check_stream(std::string_view stream) {
  for (const yaml::Document& document : yaml::split_documents(stream))
    read_back(std::string(document.text), "manifests can be read");
}

}  // namespace

Compiled compile_all(const std::string& spec, const catalog::Catalog& catalog,
                     const templates::Set& templates) {
  Sources sources;
  sources.add({"spec.yaml", spec});
  CompileOptions options;
  // Config Connector and gcluster lack fields that most specs need, which would be an error.
  constexpr Emit lacking[] = {Emit::config_connector, Emit::gcluster, Emit::blueprint};
  for (const EmitRow& row : emit_rows()) {
    if (std::ranges::find(lacking, row.emit) == std::end(lacking)) options.emit.push_back(row.emit);
  }
  Compiled compiled = compile({sources, 0, {}, {}}, catalog, templates, options);
  add_queues({&compiled, 1}, templates, options.comments);
  check_findings(sources, compiled.diagnostics);
  require(!compiled.ok || !compiled.artifacts.empty(), "a good spec gives artifacts", spec);
  for (const Artifact& artifact : compiled.artifacts) {
    require(is_utf8(artifact.text), "artifacts are UTF-8", artifact.text);
    if (artifact.emit == Emit::manifests || artifact.emit == Emit::queues)
      check_stream(artifact.text);
    if (artifact.emit == Emit::plan) read_back(artifact.text, "the plan can be read");
  }
  return compiled;
}

std::span<const std::string_view> sample_specs() {
  static constexpr std::string_view specs[] = {
      "apiVersion: flexslice/v1\nname: a\ncluster: {name: c, location: us-east5, create: "
      "true}\ntpu: {type: v6e, topology: 4x4}\n"
      "provisioning: {model: flex-start, zones: [us-east5-b], maxRunDuration: 1d}\nworkload: "
      "{image: i, script: run, ports: [9000]}\n",
      "apiVersion: flexslice/v1\nname: b\nlabels: {a: b}\ncluster: {name: c, location: "
      "us-central1, project: my-project}\n"
      "tpu: {type: v5p, topology: 2x2x2, slices: 2}\nprovisioning: {model: spot, zones: "
      "[us-central1-a], queue: q}\n"
      "workload:\n  image: i\n  env: {A: b, S: {secret: s, key: k}}\n  volumes: [{name: v, "
      "mountPath: /v, gcs: {bucket: b}}]\n",
      "apiVersion: flexslice/v1\nname: c\ncluster: {location: us-east5, mode: autopilot}\ntpu: "
      "{type: tpu7x, topology: 2x2x1}\n"
      "provisioning: {model: spot}\nworkload: {kind: jobset, image: i}\npatches:\n  - {target: "
      "{kind: JobSet}, merge: {metadata: {x: "
      "1}}}\n",
      "apiVersion: flexslice/v1\nname: d\ncluster: {name: c, location: us-west4}\ntpu: {type: v5e, "
      "topology: 2x4, machineType: "
      "ct5lp-hightpu-4t}\nprovisioning: {model: flex-start-queued, zones: [us-west4-a], queue: "
      "q}\nworkload: {image: i}\n",
  };
  return specs;
}

}  // namespace flexslice::fuzz
