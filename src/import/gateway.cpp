#include "import/gateway.hpp"

#include <fmt/core.h>

#include "base/ascii.hpp"
#include "base/lists.hpp"
#include "base/text.hpp"
#include "resolve/metrics.hpp"

namespace flexslice::imports {

using yaml::Value;

namespace {

constexpr std::string_view pool_group = "inference.networking.k8s.io",
                           model_header = "X-Gateway-Model-Name";

// All words of the command, in a script too.
std::vector<std::string> words_of_container(const Value& container) {
  std::vector<std::string> words;
  for (std::string_view key : {"command", "args"}) {
    const Value* list = container.find(key);
    if (list == nullptr) continue;
    for (const Value& item : list->items) {
      std::string word;
      for (const char c : item.text + ' ') {
        if (!ascii::is_space(c) && c != '\\') {
          word += c;
        } else if (!word.empty()) {
          words.push_back(std::exchange(word, {}));
        }
      }
    }
  }
  return words;
}

// The first name that vLLM answers for; empty: it is not known.
std::string served_model(const Value* pod) {
  const Value* containers = pod == nullptr ? nullptr : pod->at({"spec", "containers"});
  if (containers == nullptr) return {};
  std::string loaded;
  for (const Value& container : containers->items) {
    const std::vector<std::string> words = words_of_container(container);
    for (std::size_t i = 0; i < words.size(); ++i) {
      const auto next = [&] { return i + 1 < words.size() ? words[i + 1] : std::string(); };
      constexpr std::string_view named = "--served-model-name";
      if (words[i] == named) return next();
      if (words[i].starts_with(named) && words[i].size() > named.size() + 1)
        return words[i].substr(named.size() + 1);
      if (i > 0 && words[i] == "serve" && words[i - 1].ends_with("vllm")) loaded = next();
      if (words[i] == "--model") loaded = next();
      if (words[i].starts_with("--model=")) loaded = words[i].substr(8);
    }
  }
  return loaded;
}

const Value* routing_header(const Value& route) {
  const Value* rules = route.at({"spec", "rules"});
  if (rules == nullptr) return nullptr;
  return yaml::find_in_tree(*rules, [](const Value& each) {
    return text::lower(each.text_at({"name"})) == text::lower(model_header) &&
           each.find("value") != nullptr;
  });
}

}  // namespace

bool routes_to(const Value& route, std::string_view pool) {
  const Value* rules = route.at({"spec", "rules"});
  return route.text_at({"kind"}) == "HTTPRoute" && rules != nullptr &&
         yaml::find_in_tree(*rules, [&](const Value& each) {
           return each.text_at({"group"}) == pool_group && each.text_at({"name"}) == pool;
         }) != nullptr;
}

std::optional<Value> gateway_field(const FoundWorkload& workload, const Value& pool,
                                   const std::vector<FoundObject>& objects, std::string_view name) {
  const FoundObject* route = find_where(objects, [&](const FoundObject& each) {
    return routes_to(each.value, pool.text_at({"metadata", "name"}));
  });
  const Value* parents = route == nullptr ? nullptr : route->value.at({"spec", "parentRefs"});
  if (parents == nullptr || parents->items.size() != 1) return std::nullopt;
  const Value* gateway = parents->items.front().find("name");
  if (gateway == nullptr) return std::nullopt;
  Value field = Value::mapping();
  const Value* header = routing_header(route->value);
  const FoundObject* own = find_where(objects, [&](const FoundObject& each) {
    return each.kind == "Gateway" && each.name == gateway->text;
  });
  const Value* of_class =
      own == nullptr || header != nullptr ? nullptr : own->value.at({"spec", "gatewayClassName"});
  std::string model = served_model(workload.leader == nullptr ? workload.pod : workload.leader);
  if (header != nullptr)
    field["model"] = *header->find("value");
  else if (!model.empty())
    field["model"] = Value::string(std::move(model));
  const std::string_view there = parents->items.front().text_at({"namespace"});
  if (of_class != nullptr)
    field["class"] = *of_class;
  else if (there.empty() || there == route->value.text_at({"metadata", "namespace"}))
    field["gateway"] = *gateway;
  else
    field["gateway"] = Value::string(fmt::format("{}/{}", there, gateway->text));
  const Value* picker = pool.at({"spec", "endpointPickerRef", "name"});
  if (picker != nullptr && picker->text != resolve::picker_name(name)) field["picker"] = *picker;
  return field;
}

}  // namespace flexslice::imports
