#include "driver/driver.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "base/credentials.hpp"
#include "base/ordered_parallel.hpp"
#include "base/text.hpp"
#include "diag/suppress.hpp"
#include "driver/places.hpp"
#include "explain/sweep.hpp"
#include "schema/decode.hpp"
#include "spec/document.hpp"
#include "spec/places.hpp"
#include "spec/spec_fields.hpp"
#include "yaml/emit.hpp"
#include "yaml/parse.hpp"

namespace flexslice {

using yaml::Value;

namespace {

// parse, with the layers under and over the spec. `scalars` are those in which a `#` begins no
// comment.
std::optional<yaml::Node> read_spec(const Input& input, std::vector<Span>& scalars, bool notes,
                                    diag::Sink& sink) {
  std::optional<yaml::Node> tree;
  bool good = true;
  const auto lay = [&](std::optional<yaml::Node> layer, bool is_file) {
    good = good && layer;
    if (!layer) return;
    if (tree && is_file) {
      if (notes) spec::note_replaced(*tree, *layer, sink);
      spec::add_patches_below(*tree, *layer);
    }
    tree = tree ? spec::overlay(std::move(*tree), std::move(*layer)) : std::move(*layer);
  };
  for (std::uint32_t index : input.defaults) {
    auto layer = yaml::parse(input.sources, index, sink);
    // A spec that overrides a bad value would hide the mistake, so the layer is judged alone.
    if (layer) schema::judge_layer(*layer, schema::TableOf<spec::Claims>::table, sink);
    lay(std::move(layer), true);
  }
  auto document = yaml::parse(input.sources, input.spec, sink);
  if (document && diag::may_suppress(input.sources[input.spec].text))
    scalars = yaml::scalars_of(*document, input.spec);
  lay(std::move(document), true);
  for (std::uint32_t index : input.sets) lay(spec::set_value(input.sources, index, sink), false);
  if (!good) tree.reset();
  return tree;
}

// With all findings of it. A wrong suppression is found last, so errors are counted here.
Compiled finished(Compiled compiled, std::vector<diag::Diagnostic> diagnostics) {
  if (std::ranges::count(diagnostics, diag::Level::error, &diag::Diagnostic::level) > 0)
    drop_results(compiled);
  compiled.diagnostics = std::move(diagnostics);
  return compiled;
}

// The sweep's plan is that of its first point but for the amounts, which are those of all.
void set_totals(const explain::SweepTotals& totals, Value& document) {
  document["provisioning"]["quotaChips"] = Value::number(totals.pools_chips);
  Value& cost = document["cost"];
  cost["perHour"] = Value::string(totals.pools_hour ? catalog::dollars_text(*totals.pools_hour)
                                                    : std::string("unknown"));
  cost.erase("perRun");
  if (totals.run) cost["perRun"] = Value::string(catalog::dollars_text(*totals.run));
  for (Value& reason : document["reasons"].items) {
    const std::string_view path = reason.text_at({"path"});
    if (path == "provisioning.quotaChips" || path == "cost.perHour" || path == "cost.perRun")
      reason["because"] = Value::string("of all points together");
  }
}

// The sweep has each thing that its points share once.
Compiled shared_by(const std::string& name, std::vector<Compiled>& points,
                   std::vector<PointParts>& parts, const templates::Set& templates,
                   const CompileOptions& options) {
  Compiled sweep{.name = name, .sweep = name, .ok = true};
  Mentions summaries;
  for (PointParts& each : parts) {
    summaries.add(each.plan.summary);
    if (&each == &parts.front()) continue;
    for (std::size_t i = 0; i < each.shared.size(); ++i)
      yaml::unite(parts.front().shared[i], std::move(each.shared[i]));
    for (std::string_view key : {"pools", "policies"}) {
      if (Value* more = each.document.find(key))
        yaml::unite(parts.front().document[key], std::move(*more));
    }
  }
  PointParts& all = parts.front();
  std::vector<explain::SweepRow> rows;
  for (std::size_t i = 0; i < points.size(); ++i) rows.push_back({parts[i].plan, points[i].values});
  const std::string summary =
      fmt::format("{}: {}", text::count(std::ssize(points), "point"), summaries.text());
  const ArtifactHeader header{name, summary, all.plan.source, options.comments};
  auto value = all.shared.begin();
  for (const ArtifactRow& row : artifact_rows()) {
    if (!is_wanted(options, row.names.emit)) continue;
    std::string text;
    if (row.is_shared()) {
      text = print_shared(row, std::move(*value++), header, templates);
    } else if (row.names.emit == Emit::plan) {
      all.document["name"] = Value::string(name);
      set_totals(explain::sweep_totals(rows), all.document);
      all.document.erase("sweep");
      text = yaml::emit_json(all.document);
    } else if (row.names.emit == Emit::manifests) {
      for (const Compiled& point : points) text += point.artifacts.front().text;
    }
    if (!text.empty()) sweep.artifacts.push_back({row.names.emit, std::move(text)});
  }
  for (Compiled& point : points) {
    std::ranges::move(point.queue_needs, std::back_inserter(sweep.queue_needs));
    point.queue_needs.clear();
  }
  if (options.explain) {
    sweep.explanation =
        masked(explain::sweep_text(name, rows)) + std::move(points.front().explanation);
    points.front().explanation.clear();
  }
  return sweep;
}

}  // namespace

const BuiltIn& built_in_knowledge() {
  static const BuiltIn& knowledge = *new BuiltIn;
  return knowledge;
}

void drop_results(Compiled& compiled) {
  compiled = {.name = std::move(compiled.name),
              .sweep = std::move(compiled.sweep),
              .values = std::move(compiled.values),
              .place = std::move(compiled.place),
              .of_places = compiled.of_places};
}

std::vector<Compiled> compile_all(const Input& input, const catalog::Catalog& catalog,
                                  const templates::Set& templates, const CompileOptions& options,
                                  unsigned jobs) {
  diag::Sink sink;
  std::vector<Span> scalars;
  auto tree = read_spec(input, scalars, options.notes, sink);
  const std::string_view file = input.sources[input.spec].name;
  const auto finish = [&](Compiled& compiled, std::vector<diag::Diagnostic> diagnostics) {
    if (!scalars.empty())
      diagnostics = diag::suppress(input.sources, input.spec, scalars, std::move(diagnostics));
    compiled = finished(std::move(compiled), std::move(diagnostics));
  };
  if (tree && spec::has_places(*tree)) {
    std::vector<Compiled> places =
        compile_places(std::move(*tree), input.spec, file, catalog, templates, options, finish);
    return places;
  }
  std::vector<Compiled> all(1);
  if (!tree || tree->find("matrix") == nullptr) {
    if (tree) run_passes({*tree, input.spec, file}, catalog, templates, options, all[0], sink);
    finish(all[0], sink.take());
    return all;
  }
  const spec::Sweep sweep(std::move(*tree), sink);
  const std::vector<diag::Diagnostic> of_all = sink.take();
  if (sweep.size() == 0) {
    const std::vector<spec::PointSpec> points = sweep.combinations();
    all.resize(std::max<std::size_t>(1, points.size()));
    for (std::size_t i = 0; i < all.size(); ++i) {
      diag::Sink found;
      for (const diag::Diagnostic& each : of_all) found.add(each);
      if (i < points.size())
        run_passes({points[i].tree, input.spec, file, &points[i].claim}, catalog, templates, {},
                   all[i], found);
      finish(all[i], found.take());
    }
    return all;
  }
  all.resize(sweep.size());
  std::vector<PointParts> parts(sweep.size());
  std::size_t next = 0;
  ordered_parallel(
      jobs, [&] { return next < sweep.size() ? std::optional(next++) : std::nullopt; },
      [&](std::size_t index) {
        const spec::PointSpec point = sweep.point(index);
        Compiled& compiled = all[index];
        std::tie(compiled.sweep, compiled.values) = std::tie(sweep.name(), point.values);
        diag::Sink found;
        for (const diag::Diagnostic& each : of_all) found.add(each);
        CompileOptions own = options;
        own.explain = options.explain && index == 0;
        run_passes({point.tree, input.spec, file, &point.claim, &parts[index]}, catalog, templates,
                   own, compiled, found);
        finish(compiled, found.take());
      },
      [](std::size_t) { return true; });
  if (std::ranges::all_of(all, &Compiled::ok))
    all.push_back(shared_by(sweep.name(), all, parts, templates, options));
  return all;
}

std::vector<diag::Diagnostic> take_findings(std::vector<Compiled>& specs) {
  std::vector<diag::Diagnostic> findings;
  std::map<std::tuple<Span, diag::Code, std::string>,
           std::pair<std::size_t, std::vector<std::string>>>
      places;
  std::ptrdiff_t points = 0;
  std::string_view noun = "points";
  for (Compiled& spec : specs) {
    const std::string& part = spec.place.empty() ? spec.values : spec.place;
    points += part.empty() ? 0 : 1;
    if (spec.of_places) noun = "places";
    for (diag::Diagnostic& finding : spec.diagnostics) {
      const auto [place, is_new] =
          places.try_emplace({finding.where, finding.code, finding.message}, findings.size(),
                             std::vector<std::string>());
      place->second.second.push_back(part);
      if (is_new) findings.push_back(std::move(finding));
    }
    spec.diagnostics.clear();
  }
  std::vector<std::size_t> unused;
  for (const auto& [key, about] : places) {
    const auto& [index, of] = about;
    diag::Diagnostic& finding = findings[index];
    if (std::ssize(of) >= points) continue;
    // A comment that allows nothing in one point may allow something in another.
    if (finding.code == diag::Code::SuppressionUnused) unused.push_back(index);
    finding.note("in {} of {} {}: {}{}", of.size(), points, noun,
                 text::join(std::span(of).first(std::min<std::size_t>(3, of.size())), "; "),
                 of.size() > 3 ? "; …" : "");
  }
  std::ranges::sort(unused, std::greater());
  for (std::size_t index : unused) findings.erase(findings.begin() + std::ptrdiff_t(index));
  std::ranges::stable_sort(findings, {}, &diag::Diagnostic::where);
  if (!std::ranges::all_of(specs, &Compiled::ok)) {
    std::erase_if(specs, [](const Compiled& spec) {
      return spec.ok && spec.values.empty() && spec.place.empty();
    });
    for (Compiled& spec : specs) spec.ok = false;
  }
  return findings;
}

std::optional<yaml::Node> merge_layers(const Input& input, diag::Sink& sink) {
  std::vector<Span> ignored;
  return read_spec(input, ignored, false, sink);
}

Compiled compile(const Input& input, const catalog::Catalog& catalog,
                 const templates::Set& templates, const CompileOptions& options) {
  std::vector<Compiled> all = compile_all(input, catalog, templates, options);
  std::vector<diag::Diagnostic> findings = take_findings(all);
  all.front().diagnostics = std::move(findings);
  return std::move(all.front());
}

Compiled compile(const yaml::Node& spec, std::string_view name, const catalog::Catalog& catalog,
                 const templates::Set& templates, const CompileOptions& options) {
  Compiled compiled;
  diag::Sink sink;
  run_passes({spec, spec.span.source, name}, catalog, templates, options, compiled, sink);
  return finished(std::move(compiled), sink.take());
}

}  // namespace flexslice
