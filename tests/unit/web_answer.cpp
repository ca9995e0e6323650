// The answers that the page shows: each text is taken for what it is, and judged as the program
// judges it.
#include <nlohmann/json.hpp>

#include "catch.hpp"
#include "flexslice.hpp"
#include "web/answer.hpp"

using namespace flexslice;
using nlohmann::json;

namespace {

constexpr std::string_view good = R"(apiVersion: flexslice/v1
name: a
cluster: {name: c, location: us-east5}
tpu: {type: v6e, topology: 4x4}
provisioning: {model: flex-start, zones: [us-east5-b]}
workload: {image: i}
)";

json asked(std::string_view text, std::string_view emit = {}) {
  return json::parse(web::answer(text, emit));
}

}  // namespace

TEST_CASE("a spec is answered with its artifacts, as the library makes them") {
  const json answer = asked(good);
  CHECK(answer["type"] == "spec");
  CHECK(answer["count"] == 0);
  const json& workload = answer["workloads"].at(0);
  CHECK(workload["name"] == "a");
  const api::Result result = api::compile(good);
  CHECK(workload["files"].size() == result.workloads[0].artifacts.size() + 1);
  CHECK(workload["files"][0]["text"] == *result.workloads[0].find(api::Emit::manifests));
  CHECK(workload["files"].back()["emit"] == "picture");
  CHECK(asked(good, "terraform")["workloads"][0]["files"][0]["name"] == "NAME.tf.json");
}

TEST_CASE("a sweep is answered with its points, and with what they share") {
  const json answer =
      asked(std::string(good) + "matrix: {vary: {workload.env.LR: [\"1\", \"2\"]}}\n");
  CHECK(answer["count"] == 0);
  std::vector<std::string> names;
  for (const json& workload : answer["workloads"]) names.push_back(workload["name"]);
  CHECK(names == std::vector<std::string>{"a-lr-1", "a-lr-2", "a"});
  CHECK(
      answer["workloads"].back()["explanation"].get<std::string>().starts_with("a: a sweep of 2"));
}

TEST_CASE("a quota that no pool can reach is a finding about all specs of the text") {
  std::string text(good);
  text.replace(text.find("{model: flex-start,"), 19, "{model: spot, queue: q, quota: 64,");
  const json answer = asked(text);
  REQUIRE(answer["count"] == 1);
  CHECK(answer["findings"][0]["code"] == "FS4253");
}

TEST_CASE("a spec with a mistake is answered with its finding") {
  std::string text(good);
  text.replace(text.find("4x4"), 3, "4x5");
  const json answer = asked(text);
  CHECK(answer["workloads"].empty());
  REQUIRE(answer["count"] == 1);
  const json& finding = answer["findings"][0];
  CHECK(finding["code"] == "FS3002");
  CHECK(finding["line"] == 4);
  CHECK_FALSE(answer["codes"]["FS3002"].get<std::string>().empty());
  CHECK(answer["report"].get<std::string>().starts_with("spec.yaml:4:28: error[FS3002"));
}

TEST_CASE("other text is taken for what it is") {
  CHECK(asked("kind: Job\n")["type"] == "manifest");
  CHECK(asked("gcloud version\n")["type"] == "script");
  CHECK(asked("Some words.\n")["type"] == "page");
  CHECK(asked("name: a\ntpu: {}\n")["type"] == "spec");
  CHECK(asked("")["type"] == "spec");
}

TEST_CASE("a manifest is imported as the library does it") {
  const std::string manifest = asked(good)["workloads"][0]["files"][0]["text"];
  const json answer = json::parse(web::imported(manifest));
  CHECK(answer["spec"] == api::import_files({{"text", manifest}}).specs);
}

TEST_CASE("many specs and findings are counted, and the first ones answered") {
  std::string text;
  for (int i = 0; i < 150; ++i) text += "---\n" + std::string(good);
  CHECK(asked(text)["specs"] == 150);
  std::string keys = "apiVersion: flexslice/v1\n";
  for (int i = 0; i < 700; ++i) keys += "k" + std::to_string(i) + ": 1\n";
  const json answer = asked(keys);
  CHECK(answer["count"] > 500);
  CHECK(answer["findings"].size() == 500);
}

TEST_CASE("bytes that are no text are answered with JSON") {
  for (const std::string& text :
       {std::string(1000, '\0'), std::string("\xff\xfe name: \xc3"), std::string("\"\\\x1b")})
    CHECK(asked(text).contains("findings"));
}
