// GKE's webhooks and the scheduler look for these in pods: they add a container, or leave the pod
// waiting.
#include <fmt/core.h>

#include "rules/object_rules.hpp"
#include "spec/derived_keys.hpp"

namespace flexslice::rules {

bool is_on(const Node* node) { return node != nullptr && node->text == "true"; }

namespace {

void judge_buckets(const PodTree& pod, Sink& sink) {
  if (!says_all(pod.completeness) || pod.object == nullptr) return;
  const Node* annotation =
      pod.metadata == nullptr ? nullptr : pod.metadata->at({"annotations", "gke-gcsfuse/volumes"});
  for (const Node& volume : items(pod.spec, "volumes")) {
    const Node* driver = volume.at({"csi", "driver"});
    const Node* name = volume.find("name");
    if (driver == nullptr || driver->text != "gcsfuse.csi.storage.gke.io" || name == nullptr)
      continue;
    if (annotation == nullptr || annotation->text == "false")
      sink.report<Code::BucketNotMounted>(driver->span, name->text)
          .note("GKE adds the container that mounts it only to pods with the annotation")
          .help("add `gke-gcsfuse/volumes: \"true\"` to the annotations of the pods");
    const Node *attributes = volume.at({"csi", "volumeAttributes"}),
               *bucket = volume.at({"csi", "volumeAttributes", "bucketName"});
    const bool may_have_it = attributes != nullptr && attributes->kind == yaml::Kind::scalar;
    if (bucket == nullptr && !may_have_it)
      sink.report<Code::MissingField>(place_of({attributes, driver}),
                                      "volumeAttributes.bucketName");
    // `_` is all buckets.
    if (is_literal(bucket) && bucket->text != "_")
      judge_form({{bucket->span, true}, bucket->text}, "bucketName", schema::Pattern::bucket, sink);
    if (is_on(pod.spec.find("hostNetwork")) &&
        !is_on(volume.at({"csi", "volumeAttributes", "hostNetworkPodKSA"})))
      sink.report<Code::HostNetworkConflict>(driver->span, "Cloud Storage FUSE")
          .note("the pods have the identity of their node, which may not be allowed to read it")
          .help("add `volumeAttributes: {hostNetworkPodKSA: \"true\"}`")
          .level = diag::Level::note;
  }
}

void judge_taint(const PodTree& pod, Sink& sink) {
  if (!says_all(pod.completeness) || pod.object == nullptr || pod.nodes.empty() ||
      pod.spec.find("resourceClaims") != nullptr)
    return;
  const Node* label = pod.spec.at({"nodeSelector", accelerator_label});
  if (label == nullptr || items(pod.spec, "containers").empty()) return;
  const Node* misspelt = nullptr;
  for (std::string_view list : {"containers", "initContainers"}) {
    for (const Node& container : items(pod.spec, list)) {
      for (std::string_view kind : {"requests", "limits"}) {
        const Node* amounts = container.at({"resources", kind});
        if (amounts == nullptr) continue;
        for (const auto& [key, amount] : amounts->members) {
          if (key.text == spec::tpu_resource && amount.kind != yaml::Kind::null) return;
          if (text::lower(key.text).find("tpu") != std::string::npos) misspelt = &key;
        }
      }
    }
  }
  if (misspelt != nullptr) {
    sink.report<Code::ResourceNotOnNodes>(misspelt->span, fmt::format("`{}`", misspelt->text))
        .help("did you mean `{}`?", spec::tpu_resource);
    return;
  }
  const bool tolerates = any_of(items(pod.spec, "tolerations"), [](const Node& toleration) {
    const Node* key = toleration.find("key");
    return key == nullptr || key->kind == yaml::Kind::null || key->text == spec::tpu_resource;
  });
  // A TrainJob gives the pods of a runtime their resources.
  const bool is_runtime =
      pod.object != nullptr && pod.object->text_at({"kind"}).ends_with("TrainingRuntime");
  if (!tolerates && !is_runtime)
    sink.report<Code::TaintNotTolerated>(label->span)
        .note("GKE adds the toleration only to pods that request `google.com/tpu`");
}

// The webhook of Kueue refuses a pod template with two of them.
void judge_topology_requests(const PodTree& pod, Sink& sink) {
  constexpr std::string_view names[] = {"kueue.x-k8s.io/podset-required-topology",
                                        "kueue.x-k8s.io/podset-preferred-topology",
                                        "kueue.x-k8s.io/podset-unconstrained-topology"};
  const Node* annotations = pod.metadata == nullptr ? nullptr : pod.metadata->find("annotations");
  if (annotations == nullptr) return;
  const yaml::Member* first = nullptr;
  for (const yaml::Member& each : annotations->members) {
    if (!contains(names, each.key.text) || each.value.kind == yaml::Kind::null) continue;
    if (first == nullptr) {
      first = &each;
      continue;
    }
    sink.report<Code::FieldsExclude>(place_of({&each.key, &each.value, &first->key, &first->value}),
                                     fmt::format("`{}` and `{}`", first->key.text, each.key.text),
                                     "annotations")
        .note("Kueue refuses more than one request of a topology")
        .help("remove one of them");
    return;
  }
  if (!says_all(pod.completeness)) return;
  const std::string_view kind =
      pod.object == nullptr ? std::string_view() : pod.object->text_at({"kind"});
  const auto annotation = [&](std::string_view name) {
    return find_where(annotations->members, [&](const yaml::Member& each) {
      return each.key.text == name && each.value.kind != yaml::Kind::null;
    });
  };
  // Groups of a JobSet are judged together.
  const yaml::Member* group = annotation("kueue.x-k8s.io/podset-group-name");
  if (group != nullptr && kind != "JobSet" && (first == nullptr || first->key.text == names[2]))
    sink.report<Code::FieldsContradict>(
        place_of({&group->key, &group->value}), "annotations",
        fmt::format("`{}` without `{}` or `{}`", group->key.text, names[0], names[1]));
  const yaml::Member* size = annotation("kueue.x-k8s.io/podset-slice-size");
  const Node* parallelism = pod.job == nullptr ? nullptr : pod.job->find("parallelism");
  if (kind != "Job" || size == nullptr) return;
  const auto wanted = text::whole_number(size->value.text),
             pods = parallelism == nullptr ? std::optional<std::int64_t>(1)
                                           : text::whole_number(parallelism->text);
  if (wanted && pods && *wanted > *pods)
    sink.report<Code::CountAboveLimit>(place_of({&size->value, parallelism}), size->key.text,
                                       *wanted, "parallelism", *pods);
}

}  // namespace

void judge_annotation(Span where, std::string_view annotation, std::string_view kind, Sink& sink) {
  constexpr std::pair<std::string_view, std::string_view> rows[] = {
      {resolve::exclusive_topology, "JobSet"}, {resolve::exclusive_group, "LeaderWorkerSet"}};
  static const std::vector<std::string_view> elastic = {"Job", "RayJob", "RayCluster",
                                                        "RayService"};
  if (annotation == "kueue.x-k8s.io/elastic-job" && !contains(elastic, kind))
    sink.report<Code::AnnotationOfOtherKind>(where, annotation, kind, text::join(elastic, ", "));
  for (const auto& [name, its_kind] : rows) {
    if (name == annotation && kind != its_kind)
      sink.report<Code::AnnotationOfOtherKind>(where, annotation, kind, its_kind);
    if (name != annotation && kind == its_kind && text::distance(name, annotation) < 4)
      sink.report<Code::MisspeltAnnotation>(where, annotation).help("did you mean `{}`?", name);
  }
}

PodRules pod_admission_rules() {
  static constexpr PodRule rules[] = {judge_buckets, judge_taint, judge_topology_requests};
  return rules;
}

}  // namespace flexslice::rules
