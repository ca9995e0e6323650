#include "resolve/attempts.hpp"

#include <algorithm>

#include "base/lists.hpp"

namespace flexslice::resolve {

namespace {

constexpr std::int64_t own_backoff_limit = 6;  // of Kubernetes

// After that time nodes end as if they were reclaimed. What is not counted then would have no
// bound.
bool ends_by_time(const Facts& facts) {
  return any_of(facts.models(),
                [&](const catalog::Model* model) { return run_seconds(facts.claims, *model) > 0; });
}

std::span<const yaml::Node> rules_of(const yaml::Node& policy) {
  const yaml::Node* rules = policy.find("rules");
  return rules == nullptr ? std::span<const yaml::Node>() : rules->items;
}

bool may_ignore(const yaml::Node& policy) {
  return any_of(rules_of(policy), [](const yaml::Node& rule) {
    const yaml::Node* action = rule.find("action");
    return action != nullptr && action->text == "Ignore";
  });
}

}  // namespace

std::string_view disruption_action(const yaml::Node& policy) {
  for (const yaml::Node& rule : rules_of(policy)) {
    const yaml::Node *conditions = rule.find("onPodConditions"), *action = rule.find("action");
    if (conditions == nullptr || action == nullptr) continue;
    for (const yaml::Node& condition : conditions->items) {
      const yaml::Node* type = condition.find("type");
      if (type != nullptr && type->text == "DisruptionTarget") return action->text;
    }
  }
  return {};
}

bool ends_with_node(const Facts& facts) {
  const spec::Workload& said = facts.claims.workload;
  return facts.kind != nullptr && facts.kind->restarts_pods && !facts.multi_host() &&
         facts.model != nullptr && run_seconds(facts.claims, *facts.model) > 0 &&
         facts.model_that(&catalog::Model::reclaims_nodes) == nullptr &&
         !said.backoff_limit.where.given && !said.retries.where.given &&
         !said.pod_failure_policy.where.given && said.restart_policy.value != "OnFailure";
}

NodeLoss node_loss(const Facts& facts) {
  using spec::Reclaimed;
  const spec::Workload& said = facts.claims.workload;
  if (facts.kind == nullptr || said.retries.where.given) return NodeLoss::counted;
  const Reclaimed again = facts.kind->reclaimed;
  if (said.pod_failure_policy.where.given) {
    const std::string_view action = disruption_action(said.pod_failure_policy.value);
    if (action == "Ignore") return NodeLoss::replaces_pod;
    if (action.starts_with("Fail") && again == Reclaimed::pod) return NodeLoss::ends;
    return NodeLoss::counted;
  }
  if (ends_with_node(facts)) return NodeLoss::ends;
  if (facts.model_that(&catalog::Model::reclaims_nodes) == nullptr ||
      said.restart_policy.value == "OnFailure" || ends_by_time(facts))
    return NodeLoss::counted;
  if (again == Reclaimed::workload) return NodeLoss::restarts_all;
  // A pod that is not alone on its slice cannot go on without the others.
  return again == Reclaimed::pod && !facts.multi_host() ? NodeLoss::replaces_pod
                                                        : NodeLoss::counted;
}

std::optional<std::int64_t> restarts(const Facts& facts) {
  if (facts.kind == nullptr || !facts.kind->restarts_pods) return std::nullopt;
  const spec::Workload& said = facts.claims.workload;
  if (said.retries.usable()) return said.retries.value;
  const std::int64_t failed = said.backoff_limit.usable() ? said.backoff_limit.value
                              : facts.multi_host() || ends_with_node(facts) ? 0
                                                                            : own_backoff_limit;
  const std::int64_t of_job = failed / std::max<std::int64_t>(facts.hosts, 1);
  const std::int64_t of_set = said.max_restarts.usable() ? said.max_restarts.value : 0;
  return (of_job + 1) * (of_set + 1) - 1;
}

std::optional<std::int64_t> node_lives(const Facts& facts) {
  if (facts.kind == nullptr || facts.model == nullptr) return std::nullopt;
  if (facts.model->needs_queue) return 1;  // nodes come once, with the request
  const auto again = restarts(facts);
  // A rule about a crash may match a pod of a lost node too.
  if (!again || may_ignore(facts.claims.workload.pod_failure_policy.value)) return std::nullopt;
  return *again + 1;
}

}  // namespace flexslice::resolve
