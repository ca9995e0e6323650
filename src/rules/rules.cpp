#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "rules/object_rules.hpp"
#include "schema/pattern.hpp"
#include "schema/placeholder.hpp"

namespace flexslice::rules {

void judge(const Facts& facts, Sink& sink) {
  for (const auto& rules : {autopilot_rules(), autoscaling_rules(), capacity_rules(),
                            container_rules(), lifetime_rules(), limit_rules(), metric_rules(),
                            name_rules(), provisioning_rules(), resource_rules(), schedule_rules(),
                            selector_rules(), slicing_rules(), tpu_rules(), workload_rules()}) {
    for (const Rule rule : rules) rule(facts, sink);
  }
}

void note_first(Diagnostic& finding, std::span<const PlacedName> earlier, std::string_view name) {
  const PlacedName* first = named(earlier, &PlacedName::name, name);
  if (first != nullptr && first->where.end > first->where.begin)
    finding.also(first->where, "it is first here");
}

void judge_repeated(Sink& sink, std::vector<PlacedName>& earlier, Span where, std::string_view name,
                    std::string_view what) {
  const auto first = std::ranges::find(earlier, name, &PlacedName::name);
  if (first != earlier.end()) {
    // An object may have them in another order than the spec.
    if (where.source == first->where.source && where.begin < first->where.begin)
      std::swap(first->where, where);
    note_first(sink.report<Code::RepeatedName>(where, what, name), earlier, name);
  }
  earlier.push_back({name, where});
}

void judge_form(const Text& value, std::string_view field, schema::Pattern pattern, Sink& sink) {
  if (value.value.empty() || schema::is_placeholder(value.value) ||
      schema::matches(pattern, value.value))
    return;
  const schema::PatternRow& form = schema::row(pattern);
  if (value.value.size() > form.max) {
    sink.report<Code::TooLong>(value, field, value.value.size(), form.max);
  } else {
    sink.report<Code::WrongForm>(value, value.value, field).note("it must be {}", form.words);
  }
}

std::string new_error(const catalog::Catalog& catalog, const spec::Claims& before,
                      const spec::Claims& after) {
  const auto judged = [&](const spec::Claims& claims) {
    Sink sink;
    judge(resolve::look_up(claims, catalog), sink);
    return sink.take();
  };
  const std::vector<Diagnostic> known = judged(before);
  for (Diagnostic& each : judged(after)) {
    const bool is_known = any_of(known, [&](const Diagnostic& other) {
      return other.code == each.code && other.message == each.message;
    });
    if (!is_known && diag::errors({&each, 1}) > 0) return std::move(each.message);
  }
  return {};
}

namespace {

// Sets the fields of `provisioning.model: reservation`, and `provisioning.reservation: NAME`.
// Returns false if one is said already, or cannot have the value.
bool set_fields(std::string_view text, Span where, spec::Claims& claims) {
  spec::Provisioning& provisioning = claims.provisioning;
  const std::pair<std::string_view, Text*> fields[] = {
      {"tpu.topology", &claims.tpu.topology},
      {"provisioning.model", &provisioning.model},
      {"provisioning.maxRunDuration", &provisioning.max_run_duration},
      {"provisioning.reservation", &provisioning.reservation},
      {"provisioning.queue", &provisioning.queue.name}};
  if (constexpr std::string_view pool = "provisioning.nodePool: "; text.starts_with(pool)) {
    schema::List<Text>& pools = provisioning.node_pools;
    const std::string name(text.substr(pool.size()));
    if (any_of(pools.items, [&](const Text& each) { return each.value == name; })) return false;
    pools.where = {.span = where, .given = true};
    pools.items = {{pools.where, name}};
    return true;
  }
  bool is_new = false;
  for (const auto& [path, field] : fields) {
    const std::size_t at = text.find(fmt::format("{}: ", path));
    if (at == text.npos) continue;
    const std::string_view rest = text.substr(at + path.size() + 2);
    const std::string value(rest.substr(0, rest.find('`')));
    if (field == &provisioning.max_run_duration && !schema::duration_seconds(value)) return false;
    is_new |= !field->where.given || field->value != value;
    *field = {{.span = where, .given = true}, value};
  }
  return is_new;
}

// The field that says what a reserved key says, unless it would be the next mistake.
std::string instead_of_reserved(const Facts& facts, std::string_view field, const Text& key) {
  spec::Claims without = facts.claims;
  const auto drop = [](schema::Map<Text>& map, ReservedList rows) {
    std::erase_if(map.entries, [&](const schema::Entry<Text>& entry) {
      return find_reserved(rows, entry.key.value) != nullptr;
    });
  };
  drop(without.labels, facts.catalog.reserved_labels);
  drop(without.workload.node_selector, facts.catalog.reserved_selectors);
  spec::Claims with = without;
  if (!set_fields(field, key.where.span, with)) return "remove it";
  const std::string refusal = new_error(facts.catalog, without, with);
  return refusal.empty() ? fmt::format("write `{}` in its place", field)
                         : fmt::format("remove it: `{}` cannot say the same, since {}",
                                       field.substr(0, field.find(':')), refusal);
}

}  // namespace

void refuse_reserved(const Facts& facts, const schema::Map<Text>& map, ReservedList rows,
                     bool on_autopilot, Sink& sink) {
  for (const auto& [key, value] : map.entries) {
    const Reserved* reserved = find_reserved(rows, key.value);
    if (reserved == nullptr) continue;
    Diagnostic& finding =
        sink.report<Code::DerivedSelector>(key, key.value).note(std::string(reserved->why));
    std::string field(reserved->field);
    // Autopilot has no pools to name.
    const bool is_of_pool = field.starts_with("provisioning.nodePool");
    if (field.empty() || (on_autopilot && is_of_pool) || !value.usable() ||
        value.value == "false") {
      finding.help("remove it");
      continue;
    }
    if (const std::size_t at = field.find('$'); at != field.npos) field.replace(at, 1, value.value);
    finding.help(instead_of_reserved(facts, field, key));
  }
}

bool explain_mistake(const Facts& facts, const Text& claim, Diagnostic& finding) {
  const Mistake* mistake = find_mistake(facts.catalog, claim.value);
  if (mistake == nullptr) return false;
  if (!mistake->why.empty()) finding.note(std::string(mistake->why));
  if (mistake->instead.empty()) return true;
  finding.help("write `{}`", mistake->instead);
  if (mistake->certain) finding.fix(claim.where.span, std::string(mistake->instead));
  return true;
}

void note_evidence(Diagnostic& finding, const Evidence& evidence) {
  if (!evidence.note.empty()) finding.note(std::string(evidence.note));
  note_source(finding, evidence);
}

void note_source(Diagnostic& finding, const Evidence& evidence) {
  finding.note("source: {}", citation(evidence));
}

}  // namespace flexslice::rules
