#include "backend/terraform/arguments.hpp"

#include <set>
#include <string>

namespace flexslice::terraform {

using yaml::Value;

namespace {

class ArgumentChecker {
 public:
  ArgumentChecker(const catalog::Provider& provider, Span where, diag::Sink& sink)
      : provider_(provider), where_(where), sink_(sink) {}

  void resource(const std::string& kind, const Value& body) {
    block(kind, body);
    const Value* lifecycle = body.find("lifecycle");
    const Value* ignored = lifecycle == nullptr ? nullptr : lifecycle->find("ignore_changes");
    if (ignored == nullptr) return;
    for (const Value& each : ignored->items) {
      constexpr std::string_view only = "[0]";
      std::string path = kind + "." + each.text;
      if (const auto at = path.find(only); at != path.npos) path.erase(at, only.size());
      argument(path);
    }
  }

 private:
  void block(const std::string& path, const Value& value) {
    for (const Value& item : value.items) block(path, item);
    for (const auto& member : value.members) {
      const std::string inner = path + "." + member.key;
      argument(inner);
      block(inner, member.value);
    }
  }

  void argument(std::string_view path) {
    for (const catalog::ProviderArgument& each : provider_.arguments) {
      if (path != each.name ||
          catalog::parse_version(each.since) <= catalog::parse_version(provider_.version) ||
          !reported_.insert(each.name).second)
        continue;
      const std::size_t dot = path.find('.');
      sink_
          .report<diag::Code::ArgumentUnknownToProvider>(where_, provider_.version,
                                                         path.substr(dot + 1), path.substr(0, dot))
          .note("available since hashicorp/google {}", each.since);
    }
  }

  const catalog::Provider& provider_;
  Span where_;
  diag::Sink& sink_;
  std::set<std::string_view> reported_;
};

}  // namespace

void check_arguments(const Value& document, const catalog::Provider& provider, Span where,
                     diag::Sink& sink) {
  const Value* resources = document.find("resource");
  if (resources == nullptr) return;
  ArgumentChecker checker(provider, where, sink);
  for (const auto& kind : resources->members) {
    for (const auto& each : kind.value.members) checker.resource(kind.key, each.value);
  }
}

void require_provider(std::string_view version, Value& document) {
  Value* value = &document;
  for (std::string_view key : {"terraform", "required_providers", "google", "version"}) {
    value = value->find(key);
    if (value == nullptr) return;
  }
  value->text = ">= " + std::string(version) + value->text.substr(value->text.find(','));
}

}  // namespace flexslice::terraform
