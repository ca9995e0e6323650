#include "import/defaults.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ascii.hpp"
#include "base/lists.hpp"
#include "base/quantity.hpp"
#include "base/text.hpp"
#include "schema/kubernetes_types.hpp"
#include "yaml/embedded.hpp"
#include "yaml/emit.hpp"

namespace flexslice::imports {

using schema::Table, schema::Type;
using yaml::Value;
using yaml::View;

namespace {

// server.yaml names what API servers and controllers add.
View known(std::string_view key) {
  return embedded::root_of(embedded::kubernetes, "schema/server.yaml").find(key);
}

bool is_one_of(std::string_view list, std::string_view text) {
  return any_of(known(list), [&](View each) { return each.text() == text; });
}

bool means_more_when_empty(std::string_view key) { return is_one_of("meaningfulWhenEmpty", key); }

bool has_tag_latest(std::string_view image) {
  const std::string_view name = image.substr(image.rfind('/') + 1);
  return name.find('@') == name.npos && (name.find(':') == name.npos || name.ends_with(":latest"));
}

// The type of an object, or null: of a version that kubernetes.yaml lacks, that of the kind.
const Table* table_of(const Value& object) {
  const std::string_view kind = object.text_at({"kind"});
  const Table* table = schema::kubernetes::find(kind, object.text_at({"apiVersion"}));
  return table != nullptr ? table : schema::kubernetes::find(kind);
}

// Calls `visit` with each mapping that has a type and with that, from the inside out.
template <class Visit>
void for_each_record(Value& value, const Type& type, const Visit& visit) {
  if (type.element != nullptr) {
    for (Value& item : value.items) for_each_record(item, *type.element, visit);
    for (Value::Member& member : value.members) for_each_record(member.value, *type.element, visit);
  } else if (type.category == schema::Category::record && value.is_mapping()) {
    for (Value::Member& member : value.members) {
      if (const schema::Field* field = type.table->find(member.key))
        for_each_record(member.value, *field->type, visit);
    }
    visit(value, *type.table);
  }
}

template <class Visit>
void for_each_record(Value& object, const Visit& visit) {
  if (const Table* table = table_of(object))
    for_each_record(object, {.category = schema::Category::record, .table = table}, visit);
}

std::string_view text_at(View mapping, std::string_view key) {
  const View value = mapping ? mapping.find(key) : View();
  return value ? value.text() : std::string_view();
}

// Drops the fields that say what Kubernetes takes where they are missing.
class DefaultsDropper {
 public:
  DefaultsDropper() = default;
  // The object runs. `keeps_pods`: somebody wrote what its pod templates say.
  explicit DefaultsDropper(bool keeps_pods) : keeps_pods_(keeps_pods), is_live_(true) {}

  void drop(Value& object) {
    if (const Table* table = table_of(object)) drop(object, *table);
  }

 private:
  void drop(Value& value, const Type& type) {
    if (type.element != nullptr) {
      for (Value& item : value.items) drop(item, *type.element);
    } else if (type.category == schema::Category::record) {
      drop(value, *type.table);
    }
  }

  void drop(Value& value, const Table& table) {
    const View outer = below_;
    if (table.defaults_below) below_ = table.defaults_below;
    const bool was_in_pod = std::exchange(in_pod_, in_pod_ || table.name == "PodSpec");
    for (Value::Member& member : value.members) {
      if (const schema::Field* field = table.find(member.key)) drop(member.value, *field->type);
    }
    below_ = outer;
    const bool is_kept = in_pod_ && keeps_pods_ && !is_one_of("filledParts", table.name);
    in_pod_ = was_in_pod;
    if (is_kept) return;
    const Value whole = value;
    std::erase_if(value.members, [&](const Value::Member& member) {
      return member.value.is_scalar() && is_default(whole, table, member);
    });
  }

  bool is_default(const Value& holder, const Table& table, const Value::Member& member) const {
    const std::string& text = member.value.text;
    if (is_live_ && is_one_of("unwritten", fmt::format("{}.{}", table.name, member.key)))
      return false;
    if (member.key == "imagePullPolicy" && table.name == "Container")
      return text == (has_tag_latest(holder.text_at({"image"})) ? "Always" : "IfNotPresent");
    if (member.key == "serviceAccount") {
      const Value* name = holder.find("serviceAccountName");
      return text == "default" || (name != nullptr && name->text == text);
    }
    const schema::Field* field = table.find(member.key);
    if (field == nullptr || !field->constraint.by_default) return false;
    // A record that says more requires it.
    if (field->presence == schema::Presence::required && holder.members.size() > 1) return false;
    if (member.key == "completions" || member.key == "parallelism")
      return is_default_count(holder, member.key, text);
    if (table.defaults_with) {
      for (const View row : table.defaults_with) {
        const View otherwise = row.find(member.key);
        if (otherwise && holder.find(row.key()) != nullptr) return otherwise.text() == text;
      }
    }
    const std::string_view closer = text_at(below_, member.key);
    return text == (closer.empty() ? *field->constraint.by_default : closer);
  }

  // A Job without completions ends when one of its pods does, unless it has no parallelism either.
  static bool is_default_count(const Value& job, std::string_view key, std::string_view text) {
    const Value *completions = job.find("completions"), *parallelism = job.find("parallelism");
    if (text != "1" || completions == nullptr) return false;
    return key == "parallelism" || parallelism == nullptr || parallelism->text == "1";
  }

  View below_;  // of the record that holds the value and has them
  bool keeps_pods_ = false, is_live_ = false, in_pod_ = false;
};

// A Service's port leads to the same port, unless it says another.
void for_each_service_port(Value& value, std::string_view parent, auto action) {
  for (Value& item : value.items) for_each_service_port(item, parent, action);
  for (Value::Member& member : value.members)
    for_each_service_port(member.value, member.key, action);
  if (parent == "ports" && value.find("port") != nullptr) action(value);
}

void write_target_port(Value& port) {
  if (port.find("targetPort") == nullptr) port["targetPort"] = Value(*port.find("port"));
}

void drop_same_target_port(Value& port) {
  if (port.text_at({"targetPort"}) == port.find("port")->text) port.erase("targetPort");
}

void write_quantity(Value& value) {
  if (!value.is_scalar()) return;
  const auto quantity = parse_quantity(value.text);
  if (!quantity) return;
  value.kind = Value::Kind::string;
  value.text = quantity->text();
}

bool is_quantity_field(const schema::Field& field) {
  return schema::is_quantity(of_element(field.constraint).pattern);
}

void write_quantities(Value& object) {
  for_each_record(object, [](Value& record, const Table& table) {
    if (table.name == "ResourceRequirements") {
      const Value limits = record.find("limits") == nullptr ? Value() : *record.find("limits");
      for (const Value::Member& limit : limits.members) {
        Value& requests = record["requests"];
        if (requests.find(limit.key) == nullptr) requests[limit.key] = limit.value;
      }
    }
    for (auto& [key, value] : record.members) {
      const schema::Field* field = table.find(key);
      if (field == nullptr || !is_quantity_field(*field)) continue;
      write_quantity(value);
      for (Value::Member& amount : value.members) write_quantity(amount.value);
    }
  });
}

void erase_where(Value* mapping, auto is) {
  if (mapping != nullptr)
    std::erase_if(mapping->members, [&](const Value::Member& member) { return is(member.key); });
}

constexpr std::string_view last_applied = "kubectl.kubernetes.io/last-applied-configuration";

void drop_from_metadata(Value& metadata, bool live) {
  const auto is_known = [](std::string_view list) {
    return [list](std::string_view key) {
      return is_one_of(list, key) || key.starts_with("batch.kubernetes.io/");
    };
  };
  erase_where(&metadata, is_known("metadata"));
  erase_where(metadata.find("annotations"), is_known("annotations"));
  if (live) erase_where(metadata.find("labels"), is_known("labels"));
  if (Value* finalizers = metadata.find("finalizers"); live && finalizers != nullptr) {
    std::erase_if(finalizers->items,
                  [](const Value& each) { return is_one_of("finalizers", each.text); });
    if (finalizers->items.empty()) metadata.erase("finalizers");
  }
  for (std::string_view key : {"labels", "annotations"}) {
    const Value* map = metadata.find(key);
    if (map != nullptr && map->is_empty()) metadata.erase(key);
  }
}

// The Service runs. The annotation of kubectl says whether somebody chose the ports of nodes.
void drop_from_service(Value& service) {
  Value& spec = service["spec"];
  if (spec.text_at({"clusterIP"}) != "None") spec.erase("clusterIP");
  spec.erase("clusterIPs");
  Value& metadata = service["metadata"];
  // GKE writes it into every Service of a cluster with container-native load balancing.
  if (metadata.text_at({"annotations", "cloud.google.com/neg"}) == R"({"ingress":true})")
    metadata["annotations"].erase("cloud.google.com/neg");
  const std::string_view applied = metadata.text_at({"annotations", last_applied});
  Value* ports = spec.find("ports");
  if (ports == nullptr || applied.empty() || applied.find("\"nodePort\"") != applied.npos) return;
  for (Value& port : ports->items) port.erase("nodePort");
}

void drop_from_metadata_below(Value& value, bool live) {
  for (Value& item : value.items) drop_from_metadata_below(item, live);
  for (Value::Member& member : value.members) {
    if (member.key == "metadata" && member.value.is_mapping())
      drop_from_metadata(member.value, live);
    drop_from_metadata_below(member.value, live);
  }
}

bool is_null(const Value& value) { return value.kind == Value::Kind::null; }

// A field that is null is not there, and neither is what holds nothing else.
void drop_nulls(Value& value) {
  std::ranges::for_each(value.items, drop_nulls);
  for (auto& [key, member] : value.members) {
    const bool was_empty = member.is_empty();
    drop_nulls(member);
    if (!was_empty && member.is_mapping() && member.is_empty() && !means_more_when_empty(key))
      member = Value();
  }
  std::erase_if(value.members, [](const Value::Member& member) { return is_null(member.value); });
}

// The empty value is what a toleration without one has.
void drop_empty_values_of_tolerations(Value& value) {
  std::ranges::for_each(value.items, drop_empty_values_of_tolerations);
  for (auto& [key, member] : value.members) {
    drop_empty_values_of_tolerations(member);
    if (key != "tolerations") continue;
    for (Value& toleration : member.items) {
      const Value* text = toleration.find("value");
      if (text != nullptr && text->is_scalar() && text->text.empty()) toleration.erase("value");
    }
  }
}

void drop_gates(Value& value) {
  std::ranges::for_each(value.items, drop_gates);
  for (Value::Member& member : value.members) drop_gates(member.value);
  Value* gates = value.find("schedulingGates");
  if (gates == nullptr) return;
  std::erase_if(gates->items, [](const Value& gate) {
    return is_one_of("schedulingGates", gate.text_at({"name"}));
  });
  if (gates->items.empty()) value.erase("schedulingGates");
}

void drop_written(Value& object) {
  for (const View row : known("written")) {
    if (text_at(row, "kind") != object.text_at({"kind"})) continue;
    const auto keys = text::split(text_at(row, "path"), '.');
    Value* holder = &object;
    for (std::size_t i = 0; i + 1 < keys.size() && holder != nullptr; ++i)
      holder = holder->find(keys[i]);
    const Value* value = holder == nullptr ? nullptr : holder->find(keys.back());
    if (value == nullptr) continue;
    std::string text = value->is_scalar() ? value->text : yaml::emit_json(*value);
    if (!value->is_scalar()) std::erase_if(text, ascii::is_space);
    if (text == text_at(row, "value")) holder->erase(keys.back());
  }
}

}  // namespace

std::string owner_of(const Value& object) {
  const Value* owners = object.at({"metadata", "ownerReferences"});
  if (owners == nullptr || owners->items.empty()) return {};
  const Value& owner = owners->items.front();
  return fmt::format("{} `{}`", owner.text_at({"kind"}), owner.text_at({"name"}));
}

bool is_controller(std::string_view kind) { return is_one_of("controllers", kind); }

void drop_what_controllers_add(Value& object) {
  const Value* metadata = object.find("metadata");
  const bool live = object.find("status") != nullptr ||
                    (metadata != nullptr && (metadata->find("uid") != nullptr ||
                                             metadata->find("resourceVersion") != nullptr));
  object.erase("status");
  for (Value::Member& member : object.members) drop_nulls(member.value);
  if (live && object.text_at({"kind"}) == "Service" && object.find("spec") != nullptr)
    drop_from_service(object);
  // The volume that was made for the claim.
  if (live && object.text_at({"kind"}) == "PersistentVolumeClaim" &&
      object.text_at({"metadata", "annotations", "pv.kubernetes.io/bound-by-controller"}) == "yes")
    object["spec"].erase("volumeName");
  drop_from_metadata_below(object, live);
  drop_empty_values_of_tolerations(object);
  if (!live) return;
  Value* spec = object.find("spec");
  // The Job controller's own selector, by the uid of the Job.
  if (spec != nullptr && object.text_at({"kind"}) == "Job") spec->erase("selector");
  if (spec != nullptr) spec->erase("ipFamilies");
  drop_gates(object);
  drop_written(object);
  DefaultsDropper(is_one_of("unfilled", object.text_at({"kind"}))).drop(object);
  for_each_service_port(object, {}, drop_same_target_port);
  drop_empty(object);
}

void drop_empty(Value& value) {
  std::ranges::for_each(value.items, drop_empty);
  for (Value::Member& member : value.members) drop_empty(member.value);
  std::erase_if(value.members, [&](const Value::Member& member) {
    const bool empty = member.value.kind == Value::Kind::null ||
                       (!member.value.is_scalar() && member.value.is_empty());
    return empty && !means_more_when_empty(member.key);
  });
}

Value normalized(Value object) {
  write_quantities(object);
  for_each_service_port(object, {}, write_target_port);
  DefaultsDropper().drop(object);
  drop_empty(object);
  return object;
}

}  // namespace flexslice::imports
