// Environment variables: their order, and the dollars of scripts that Kubernetes must not touch.
#include <string>
#include <vector>

#include "../catch.hpp"
#include "plan/build.hpp"

namespace flexslice::plan {
namespace {

using Env = schema::Map<spec::EnvValue>;

Env env_of(const std::vector<std::pair<std::string, std::string>>& pairs) {
  Env env;
  for (const auto& [name, value] : pairs) {
    auto& entry = env.entries.emplace_back();
    entry.key = {{{}, true, false}, name};
    entry.value.value = {{{}, true, false}, value};
  }
  return env;
}

std::string order(const std::vector<std::pair<std::string, std::string>>& pairs) {
  std::string names;
  for (const ContainerVariable& each : build_environment(env_of(pairs)))
    names += (names.empty() ? "" : " ") + each.name.value;
  return names;
}

TEST_CASE("variables are sorted, but each behind those that it refers to") {
  CHECK(order({{"B", "1"}, {"A", "2"}, {"C", "3"}}) == "A B C");
  CHECK(order({{"A", "$(B)"}, {"B", "1"}}) == "B A");
  CHECK(order({{"A", "$(C)"}, {"B", "x"}, {"C", "$(D)-$(B)"}, {"D", ""}}) == "B D C A");
  CHECK(order({{"A", "$(NONE)"}, {"B", "$B ${A}"}}) == "A B");
}

TEST_CASE("a circle of references is cut, and nothing is lost") {
  CHECK(order({{"A", "$(A)"}}) == "A");
  CHECK(order({{"A", "$(B)"}, {"B", "$(A)"}}) == "B A");
  CHECK(order({{"A", "$(B)"}, {"B", "$(C)"}, {"C", "$(A)"}, {"D", "$(A)"}}) == "C B A D");
}

TEST_CASE("dollars that Kubernetes would take are doubled") {
  const Env env = env_of({{"HOME", ""}, {"X.y-z", ""}});
  const auto escaped = [&](std::string_view script) { return escape_references(script, env); };
  CHECK(escaped("echo $HOME ${HOME} $1 $") == "echo $HOME ${HOME} $1 $");
  CHECK(escaped("$(HOME)") == "$$(HOME)");
  CHECK(escaped("a$(X.y-z)b$(HOME)") == "a$$(X.y-z)b$$(HOME)");
  CHECK(escaped("$(hostname) $(ls -l)") == "$(hostname) $(ls -l)");
  CHECK(escaped("$$") == "$$$$");
  CHECK(escaped("$$$") == "$$$$$");
  CHECK(escaped("$$(HOME)") == "$$$$(HOME)");
  CHECK(escaped("$$$(HOME)") == "$$$$$$(HOME)");
}

TEST_CASE("with variables of unknown names, whatever may be one is left to bash") {
  const auto escaped = [](std::string_view script) { return escape_references(script, {}, true); };
  CHECK(escaped("$(hostname) $(A.b-1)") == "$$(hostname) $$(A.b-1)");
  CHECK(escaped("$(ls -l) $(echo $$) ${A} $A") == "$(ls -l) $(echo $$) ${A} $A");
}

// In the text of a `$(…)` that is no variable Kubernetes reads nothing, so there nothing is
// doubled.
TEST_CASE("inside of a command substitution dollars stay as they are") {
  const Env env = env_of({{"HOME", ""}});
  const auto escaped = [&](std::string_view script) { return escape_references(script, env); };
  CHECK(escaped("$(kill $$)") == "$(kill $$)");
  CHECK(escaped("$(kill $$) $$") == "$(kill $$) $$$$");
  CHECK(escaped("$(dirname $(HOME)) $(HOME)") == "$(dirname $(HOME)) $$(HOME)");
  CHECK(escaped("$(HOME") == "$(HOME");
  CHECK(escaped("$( $$") == "$( $$$$");
  CHECK(escaped("$()") == "$()");
}

}  // namespace
}  // namespace flexslice::plan
