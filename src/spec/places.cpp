#include "spec/places.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "schema/decode.hpp"
#include "spec/document.hpp"
#include "spec/spec_fields.hpp"

namespace flexslice::spec {

using diag::Code;
using yaml::Node;

namespace {

const std::string& layer_key(const yaml::Member& member) { return member.key.text; }

Node laid_over(Node spec, const Node& place) {
  for (const yaml::Member& member : place.members) {
    if (member.key.text == "name" || member.key.text == "for") continue;
    const auto below = std::ranges::find(spec.members, member.key.text, layer_key);
    if (below == spec.members.end())
      spec.members.push_back(member);
    else
      *below = {member.key, overlay(std::move(below->value), member.value)};
  }
  return spec;
}

// The queue is a name, or a mapping with it.
const Node* queue_of(const Node& spec) {
  const Node* queue = spec.at({"provisioning", "queue"});
  const Node* name = queue == nullptr ? nullptr : queue->find("name");
  return name == nullptr ? queue : name;
}

std::string queue_text(const Node* queue) {
  return queue == nullptr ? std::string("no queue") : fmt::format("queue `{}`", queue->text);
}

Span span_below(const Node& spec, std::string_view key) {
  const Node* node = spec.find(key);
  return node == nullptr ? spec.span : node->span;
}

void judge_spec(const Node& spec, diag::Sink& sink) {
  if (queue_of(spec) != nullptr) return;
  if (const Node* schedule = spec.at({"workload", "schedule"}))
    sink.report<Code::PlacesExclude>(schedule->span, "`workload.schedule`")
        .help("write a spec for each cluster, or give the Jobs to a queue of MultiKueue");
  const Node* owner = spec.at({"provisioning", "owner"});
  if (owner != nullptr && owner->text != words(Owner::scripts).front())
    sink.report<Code::PlacesExclude>(owner->span,
                                     fmt::format("`provisioning.owner: {}`", owner->text))
        .help(
            "leave it out: the scripts of a place create its node pools, and delete them where "
            "they give up");
}

}  // namespace

bool has_places(const Node& spec) {
  const Node* places = spec.find("places");
  return places != nullptr && places->kind == yaml::Kind::sequence && !places->items.empty();
}

std::vector<PlaceSpec> place_specs(Node spec, diag::Sink& sink) {
  const auto at = std::ranges::find(spec.members, "places", layer_key);
  const Node places = std::move(at->value);
  spec.members.erase(at);
  if (const auto matrix = std::ranges::find(spec.members, "matrix", layer_key);
      matrix != spec.members.end()) {
    sink.report<Code::PlacesExclude>(matrix->key.span, "`matrix`")
        .help("write a spec for each place: each is a sweep of its own");
    spec.members.erase(matrix);
  }
  std::vector<PlaceSpec> specs;
  std::map<std::string, Span> names;
  const PlaceSpec* first = nullptr;
  specs.reserve(places.items.size());
  for (const Node& place : places.items) {
    const std::size_t errors = sink.errors();
    PlaceSpec& own = specs.emplace_back();
    own.claim = schema::decode<Place>(place, sink, fmt::format("places[{}]", specs.size() - 1));
    const Text& name = own.claim.name;
    if (name.usable()) {
      const auto [earlier, is_new] = names.try_emplace(name.value, name.where.span);
      if (!is_new)
        sink.report<Code::DuplicatePlace>(name, name.value).also(earlier->second, "the other one");
    }
    const Text& patience = own.claim.patience;
    if (patience.usable() && schema::duration_seconds(patience.value) == 0)
      sink.report<Code::PlacesExclude>(patience.where.span,
                                       fmt::format("`for: {}`", patience.value))
          .help(
              "write a time in which nodes can come, such as `for: 45m`, or remove it: 2h are "
              "usual");
    if (sink.errors() > errors) continue;
    own.tree = laid_over(spec, place);
    judge_spec(own.tree, sink);
    const Node* queue = queue_of(own.tree);
    if (first == nullptr) {
      first = &own;
    } else if (const Node* other = queue_of(first->tree); queue_text(queue) != queue_text(other)) {
      sink.report<Code::PlaceQueuesDiffer>(
              queue == nullptr ? span_below(own.tree, "provisioning") : queue->span, name.value,
              queue_text(queue), first->claim.name.value, queue_text(other))
          .help("write `provisioning.queue` above the places, and in none of them");
    }
  }
  return specs;
}

}  // namespace flexslice::spec
