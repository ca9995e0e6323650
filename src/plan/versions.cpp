// Whether the stated GKE version has everything that the spec uses.
#include <algorithm>

#include "plan/steps.hpp"

namespace flexslice::plan {

using diag::Code;

namespace {

void collect(std::vector<Need>& needs, const std::string& what, const std::vector<catalog::Minimum>& minimums, std::string_view mode) {
  for (const catalog::Minimum& minimum : minimums) {
    if (minimum.mode == mode) needs.push_back({what, minimum.version, &minimum.evidence});
  }
}

catalog::Version version_of(const Need& need) { return catalog::parse_version(need.version).value_or(catalog::Version{}); }

std::vector<Need> needs_of(const Context& context) {
  const Plan& plan = context.plan;
  const bool autopilot = plan.cluster.autopilot;
  const std::string_view mode = autopilot ? "autopilot" : "standard";
  const std::string_view mode_name = autopilot ? "Autopilot" : "Standard";
  std::vector<Need> needs;
  if (plan.tpu.generation != nullptr) {
    collect(needs, text::format("{} on {}", plan.tpu.generation->id, mode_name), plan.tpu.generation->minimums, mode);
    if (autopilot) {
      collect(needs, text::format("{} on nodes that GKE creates itself", plan.tpu.generation->id), plan.tpu.generation->minimums,
              "auto-created");
    }
    if (plan.provisioning.model != nullptr) {
      const catalog::Support* support = catalog::find_support(*plan.provisioning.model, plan.tpu.generation->id);
      if (support != nullptr && !support->since.empty()) {
        needs.push_back(
            {text::format("{} for {}", plan.provisioning.model->title, plan.tpu.generation->id), support->since, &support->evidence});
      }
    }
  }
  const auto feature = [&](std::string_view name) {
    if (const catalog::Feature* found = catalog::find_feature(context.catalog, name))
      collect(needs, text::format("{} on {}", found->title, mode_name), found->minimums, mode);
  };
  if (autopilot) feature("autopilot");
  if (plan.tpu.slices > 1) feature("multislice");
  std::stable_sort(needs.begin(), needs.end(), [](const Need& a, const Need& b) { return version_of(a) > version_of(b); });
  return needs;
}

std::vector<ControllerNeed> controllers_of(const Context& context) {
  const Plan& plan = context.plan;
  std::vector<ControllerNeed> needs;
  const auto need = [&](std::string_view name, std::string_view feature) {
    const catalog::Controller* controller = catalog::find_controller(context.catalog, name);
    if (controller == nullptr) return;
    for (const catalog::ControllerMinimum& minimum : controller->minimums) {
      if (minimum.feature == feature) needs.push_back({controller, &minimum});
    }
  };
  if (!plan.provisioning.queue.empty()) need("Kueue", "queue");
  if (plan.provisioning.placed_by_queue && plan.tpu.slices > 1) need("Kueue", "queued-slices");
  return needs;
}

}  // namespace

void resolve_versions(const Context& context) {
  context.plan.needs = needs_of(context);
  context.plan.controllers = controllers_of(context);
  const record::Text& given = context.spec.cluster.version;
  if (!usable(given.where)) return;
  const auto version = catalog::parse_version(given.value);
  if (!version) return;
  std::vector<Need> unmet;
  for (const Need& need : context.plan.needs) {
    if (*version < version_of(need)) unmet.push_back(need);
  }
  if (unmet.empty()) return;
  // One message: whoever meets the highest demand of the surest kind meets the others.
  const auto weaker = [](const Need& a, const Need& b) {
    const auto weight = [](const Need& need) { return std::pair(need.evidence->confidence, version_of(need)); };
    return weight(a) < weight(b);
  };
  const auto strongest = std::max_element(unmet.begin(), unmet.end(), weaker);
  diag::Diagnostic& found = context.sink.report<Code::VersionTooOld>(given.where.span, strongest->what, strongest->version, given.value);
  found.judged(strongest->evidence->confidence);
  for (const Need& need : unmet) {
    if (&need != &*strongest) found.note(text::format("{} needs {}", need.what, need.version));
  }
  if (const std::string source = source_note(*strongest->evidence); !source.empty()) found.note(source);
}

}  // namespace flexslice::plan
