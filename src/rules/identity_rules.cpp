// ServiceAccounts of Kubernetes, the accounts of Google that their annotations name, and the
// bindings that let them act as those.
#include <fmt/core.h>

#include "base/lists.hpp"
#include "base/slip.hpp"
#include "rules/world.hpp"

namespace flexslice::rules {

namespace {

bool may_be_one(const Text& one, const Text& other) {
  return !one.usable() || !other.usable() || one.value == other.value;
}

std::string bound_member(const NewIdentity& identity) {
  return fmt::format("{}/{}",
                     identity.name_space.usable() ? identity.name_space.value : "NAMESPACE",
                     identity.name.value);
}

// Returns whether the binding may be for the ServiceAccount.
bool may_bind(const IdentityBinding& binding, const NewIdentity& identity) {
  if (!binding.member.usable()) return true;
  const std::string_view member = binding.member.value;
  return identity.name_space.usable() ? member == bound_member(identity)
                                      : member.substr(member.find('/') + 1) == identity.name.value;
}

class IdentityJudge {
 public:
  IdentityJudge(const World& world, Between between, Sink& sink)
      : world_(world), between_(between), sink_(sink) {}

  void judge() {
    for (const NewIdentity& identity : world_.identities) {
      if (!identity.name.usable()) continue;
      if (identity.account.usable())
        judge_account(identity);
      else if (!identity.account.where.given)
        judge_unannotated(identity);
    }
  }

 private:
  // Each file has judged its own parts.
  bool is_other(const NewIdentity& identity, const IdentityBinding& binding) const {
    return (identity.file == binding.file) != (between_ == Between::parts);
  }

  void judge_account(const NewIdentity& identity) {
    const Text& account = identity.account;
    const IdentityBinding *other = nullptr, *near = nullptr;
    for (const IdentityBinding& each : world_.bindings) {
      const bool may_be_its = may_bind(each, identity);
      if (!each.account.usable() || each.account.value == account.value) {
        if (may_be_its) return;
        // An account that is not known may be that of another ServiceAccount.
        if (each.account.usable() ||
            text::is_slip_of_name(each.member.value, bound_member(identity)))
          other = &each;
      } else if (may_be_its && each.member.usable() &&
                 text::is_slip_of_name(account.value, each.account.value)) {
        near = &each;
      }
    }
    const IdentityBinding* meant = other != nullptr ? other : near;
    if (meant == nullptr || is_other(identity, *meant)) return;
    const std::string own = bound_member(identity);
    Diagnostic& finding =
        sink_.report<Code::IdentityNotBound>(account, account.value, fmt::format("`{}`", own));
    if (other != nullptr)
      finding.note("the binding is for `{}`", other->member.value)
          .help("bind `serviceAccount:PROJECT.svc.id.goog[{}]`", own);
    else
      finding.help("did you mean `{}`?", near->account.value);
    finding.also(meant->member.where.span, "the binding is here");
    finding.unless = {{std::string(diag::Elsewhere::binding), account.value + " " + own}};
  }

  // A command may annotate it.
  void judge_unannotated(const NewIdentity& identity) {
    const bool is_open =
        !identity.name_space.usable() || any_of(world_.identities, [&](const NewIdentity& each) {
          return each.account.where.given &&
                 (!each.name.usable() || (each.name.value == identity.name.value &&
                                          may_be_one(each.name_space, identity.name_space)));
        });
    if (is_open) return;
    for (const IdentityBinding& each : world_.bindings) {
      if (!each.member.usable() || !each.account.usable() || !may_bind(each, identity) ||
          is_other(identity, each))
        continue;
      sink_
          .report<Code::IdentityNotUsed>(identity.name, identity.name.value, each.account.value,
                                         "it has no annotation that names the account")
          .help("add `annotations: {{iam.gke.io/gcp-service-account: {}}}`", each.account.value)
          .also(each.member.where.span, "the binding is here");
      return;
    }
  }

  const World& world_;
  Between between_;
  Sink& sink_;
};

}  // namespace

void judge_identities(const World& world, Between between, Sink& sink) {
  IdentityJudge(world, between, sink).judge();
}

const NewIdentity* identity_of(const PodNodes& pods, const World& world) {
  if (!pods.service_account.usable()) return nullptr;
  return find_where(world.identities, [&](const NewIdentity& each) {
    return each.account.where.given && each.name.usable() &&
           each.name.value == pods.service_account.value &&
           may_be_one(each.name_space, pods.name_space);
  });
}

}  // namespace flexslice::rules
