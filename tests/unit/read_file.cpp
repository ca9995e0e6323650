#include "../catch.hpp"
#include "read/file.hpp"

namespace flexslice::read {
namespace {

TEST_CASE("the name of a file says what it is") {
  const auto by_name = [](std::string_view name) { return type_of(name, ""); };
  CHECK(by_name("a/job.yaml") == FileType::yaml);
  CHECK(by_name("job.YML") == FileType::yaml);
  CHECK(by_name("job.json") == FileType::yaml);
  CHECK(by_name("job.yaml.tftpl") == FileType::yaml);
  CHECK(by_name("README.md") == FileType::page);
  CHECK(by_name("run.sh.j2") == FileType::script);
  CHECK(by_name("serve/Makefile") == FileType::makefile);
  CHECK(by_name("tpu.mk") == FileType::makefile);
}

TEST_CASE("the text says it where the name does not") {
  const auto by_text = [](std::string_view text) { return type_of("<stdin>", text); };
  CHECK(by_text("") == FileType::yaml);
  CHECK(by_text("#!/bin/bash\nX=1\n") == FileType::script);
  CHECK(by_text("#!/usr/bin/env python3\nx: 1\n") == FileType::page);
  CHECK(by_text("# Job\napiVersion: batch/v1\n") == FileType::yaml);
  CHECK(by_text("{{- if .tpu }}\nkind: Job\n") == FileType::yaml);
  CHECK(by_text("{\"kind\": \"Job\"}") == FileType::yaml);
  CHECK(by_text("- name: a\n") == FileType::yaml);
  CHECK(by_text("\n# pool\ngcloud container node-pools create x\n") == FileType::script);
  CHECK(by_text("ZONE=us-east5-b\n") == FileType::script);
  CHECK(by_text("# Serving\n\nThis page shows: a pod.\n") == FileType::page);
  CHECK(by_text("```yaml\nkind: Job\n```\n") == FileType::page);
}

TEST_CASE("a stream of YAML is cut at its markers") {
  const auto found = excerpts("a: 1\n---\nb: 2\n", FileType::yaml);
  REQUIRE(found.size() == 2);
  CHECK(found[0].text == "a: 1\n");
  CHECK(found[1].text == "---\nb: 2\n");
  CHECK(found[1].host(4) == 9);
  CHECK(found[1].language == Language::yaml);
  CHECK_FALSE(found[1].is_fragment);
  CHECK_FALSE(found[1].has_marks);
}

TEST_CASE("here-documents of a script come after it") {
  const std::string_view script =
      "gcloud a\ncat <<EOF | kubectl apply -f -\nkind: A\n---\nkind: B\nEOF\n"
      "cat >b.sh <<-'END'\n\tgcloud b\n\tEND\ncat <<X\nkind regards\nX\n";
  const auto found = excerpts(script, FileType::script);
  REQUIRE(found.size() == 4);
  CHECK(found[0].text == script);
  CHECK(found[0].language == Language::shell);
  CHECK_FALSE(found[0].is_fragment);
  CHECK(found[1].text == "kind: A\n");
  CHECK(found[2].text == "---\nkind: B\n");
  CHECK(found[2].language == Language::yaml);
  CHECK(found[2].is_fragment);
  CHECK(script.substr(found[2].host(4), 7) == "kind: B");
  CHECK(found[3].text == "\tgcloud b\n");
  CHECK(found[3].language == Language::shell);
}

TEST_CASE("tabs in front of a here-document are no indentation") {
  const std::string_view script = "cat <<-EOF\n\t\tkind: A\n\t\tspec:\n\t\t  a: b\n\tEOF\n";
  const auto found = excerpts(script, FileType::script);
  REQUIRE(found.size() == 2);
  CHECK(found[1].text == "kind: A\nspec:\n  a: b\n");
  CHECK(script.substr(found[1].host(found[1].text.find("a: b")), 4) == "a: b");
}

}  // namespace
}  // namespace flexslice::read
