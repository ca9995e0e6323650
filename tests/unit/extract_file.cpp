#include "../catch.hpp"
#include "extract/file.hpp"
#include "extract/shell.hpp"

namespace flexslice::extract {
namespace {

TEST_CASE("the name of a file says what it is") {
  const auto by_name = [](std::string_view name) { return file_type(name, ""); };
  CHECK(by_name("a/job.yaml") == FileType::yaml);
  CHECK(by_name("job.YML") == FileType::yaml);
  CHECK(by_name("job.json") == FileType::yaml);
  CHECK(by_name("job.yaml.tftpl") == FileType::yaml);
  CHECK(by_name("README.md") == FileType::page);
  CHECK(by_name("run.sh.j2") == FileType::script);
  CHECK(by_name("serve/Makefile") == FileType::makefile);
  CHECK(by_name("tpu.mk") == FileType::makefile);
  CHECK(by_name("main.tf") == FileType::terraform);
}

TEST_CASE("the text says it where the name does not") {
  const auto by_text = [](std::string_view text) { return file_type("<stdin>", text); };
  CHECK(by_text("") == FileType::yaml);
  CHECK(by_text("#!/bin/bash\nX=1\n") == FileType::script);
  CHECK(by_text("#!/usr/bin/env python3\nx: 1\n") == FileType::page);
  CHECK(by_text("# Job\napiVersion: batch/v1\n") == FileType::yaml);
  CHECK(by_text("{{- if .tpu }}\nkind: Job\n") == FileType::yaml);
  CHECK(by_text("{\"kind\": \"Job\"}") == FileType::yaml);
  CHECK(by_text("- name: a\n") == FileType::yaml);
  CHECK(by_text("\n# pool\ngcloud container node-pools create x\n") == FileType::script);
  CHECK(by_text("ZONE=us-east5-b\n") == FileType::script);
  CHECK(by_text("# pools\nresource \"a\" \"b\" {\n") == FileType::terraform);
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
  CHECK_FALSE(found[1].is_embedded);
  CHECK(found[1].mark == Span{});
}

TEST_CASE("here-documents are read as a shell expands them") {
  const std::string_view script =
      "P=my-proj\ncat <<EOF\nkind: $P\na: \\$P # $Q\nEOF\ncat <<'EOF'\nkind: $P\nEOF\n";
  const auto found = excerpts(script, FileType::script);
  REQUIRE(found.size() == 3);
  CHECK(found[0].text == script);
  CHECK(found[1].text == "kind: my-proj\na: $P # $Q\n");
  CHECK(script.substr(found[1].host(6), 2) == "$P");
  CHECK(script.substr(found[1].host(14), 2) == "a:");
  CHECK(found[1].completeness == Completeness::expanded);
  CHECK(found[2].text == "kind: $P\n");
  CHECK(found[2].completeness == Completeness::whole);
}

TEST_CASE("a here-document is for the namespace of the command that gets it") {
  const auto name_space = [](const std::string& command) {
    CAPTURE(command);
    const auto found = excerpts("kubectl get x -n other\nNS=ml\n" + command + "\nkind: A\nEOF\n",
                                FileType::script);
    REQUIRE(found.size() == 2);
    CHECK(found[0].name_space.empty());
    return found[1].name_space;
  };
  for (const char* command :
       {"kubectl apply -n ml -f - <<EOF", "kubectl --namespace=ml create -f- <<'EOF'",
        "cat <<EOF | kubectl apply -f - --namespace ml", "kubectl apply -nml -f /dev/stdin <<EOF",
        "cat <<EOF | envsubst \\\n | sudo kubectl -n $NS replace --filename=-",
        "kubectl get y -n a; kubectl apply -f - -n ml <<EOF && kubectl get z -n b",
        "if ! kubectl apply -n=ml -f=- <<EOF"})
    CHECK(name_space(command) == "ml");
  CHECK(name_space("kubectl apply -n $N -f - <<EOF") == "$N");
  CHECK(name_space("kubectl apply -n $(cat n) -f - <<EOF") == "$NAMESPACE");
  for (const char* command :
       {"cat <<EOF", "kubectl apply -f - <<EOF", "kubectl apply -n ml -f a.yaml; cat <<EOF",
        "kubectl delete -n ml -f - <<EOF", "kubectl apply -f - <<EOF; kubectl get x -n ml",
        "kubectl apply -f - -n <<EOF"})
    CHECK(name_space(command).empty());
}

TEST_CASE("variables of a block are those of the blocks below it") {
  const std::string_view page =
      "```bash\nexport P=a\n```\n\n> ```bash\n> cat <<EOF\n> kind: ${P}-\\\n>   b\n> EOF\n> ```\n";
  const auto found = excerpts(page, FileType::page);
  REQUIRE(found.size() == 3);
  CHECK(found[2].text == "kind: a-  b\n");
  CHECK(page.substr(found[2].host(10), 2) == "b\n");
}

TEST_CASE("here-documents of a script come after it") {
  const std::string_view script =
      "gcloud a\ncat <<EOF | kubectl apply -f -\nkind: A\n---\nkind: B\nEOF\n"
      "cat <<X\nkind regards\nX\n";
  const auto found = excerpts(script, FileType::script);
  REQUIRE(found.size() == 3);
  CHECK(found[0].text == script);
  CHECK(found[0].language == Language::shell);
  CHECK_FALSE(found[0].is_embedded);
  CHECK(found[1].text == "kind: A\n");
  CHECK(found[2].text == "---\nkind: B\n");
  CHECK(found[2].language == Language::yaml);
  CHECK(found[2].is_embedded);
  CHECK(script.substr(found[2].host(4), 7) == "kind: B");
}

TEST_CASE("tabs in front of a here-document are no indentation") {
  const std::string_view script = "cat <<-EOF\n\t\tkind: A\n\t\tspec:\n\t\t  a: b\n\tEOF\n";
  const auto found = excerpts(script, FileType::script);
  REQUIRE(found.size() == 2);
  CHECK(found[1].text == "kind: A\nspec:\n  a: b\n");
  CHECK(script.substr(found[1].host(found[1].text.find("a: b")), 4) == "a: b");
}

// The words of all commands of an excerpt; every byte is where it says, but for `marks` of them.
std::vector<std::string> commands(std::string_view file, const Excerpt& script,
                                  std::size_t marks = 0) {
  for (std::size_t i = 0; i < script.text.size(); ++i) {
    if (file[script.host(i)] != script.text[i] && marks-- == 0) FAIL(script.text << i);
  }
  Variables variables;
  std::vector<std::string> shown;
  for (const Command& command : read_shell(script.text, 0, variables, {"gcloud"}).commands) {
    shown.emplace_back();
    for (const Word& word : command.words) shown.back() += word.text + (word.unknown ? "? " : " ");
  }
  return shown;
}
using Texts = std::vector<std::string>;

TEST_CASE("steps of a workflow are scripts") {
  const std::string_view workflow =
      "on: push\njobs:\n  a:\n    steps:\n      - uses: b\n      - run: |\n          gcloud c \\\n"
      "            --d=${{ inputs.d }}\n\n          gcloud e\n      - run: gcloud f --g\n"
      "      - name: h\n        run: >-\n          gcloud i\n          --j\n"
      "      - run: \"gcloud k\"\n      - run: {}\n";
  const auto found = excerpts(workflow, FileType::yaml);
  REQUIRE(found.size() == 5);
  CHECK(found[0].language == Language::yaml);
  CHECK(found[1].language == Language::shell);
  CHECK(found[1].is_embedded);
  CHECK(commands(workflow, found[1]) == Texts{"gcloud c --d=${{ inputs.d }}? ", "gcloud e "});
  CHECK(commands(workflow, found[2]) == Texts{"gcloud f --g "});
  CHECK(commands(workflow, found[3], 1) == Texts{"gcloud i --j "});
  CHECK(commands(workflow, found[4]) == Texts{"gcloud k "});
  // Not a workflow without `on`, but other services have steps of jobs, too.
  CHECK(excerpts("jobs: {a: {steps: [{run: gcloud b}]}}", FileType::yaml).size() == 2);
}

TEST_CASE("a Makefile is a script of its variables and recipes") {
  const std::string_view makefile =
      "ZONE := us-east5-b # a\nexport POOL = $(ZONE)-x\nT ?= 4x4\nL = a \\\n  b\nall: $(L)\n"
      "\t@gcloud a --zone=$(ZONE) \\\n\t  --pool ${POOL} $(T) $(L)\n"
      "\t-X=1; gcloud $$X $@ $< $(shell b) $$(c)\ngcloud d\n";
  const auto found = excerpts(makefile, FileType::makefile);
  REQUIRE(found.size() == 1);
  CHECK(commands(makefile, found[0], 40) ==
        Texts{"gcloud a --zone=us-east5-b --pool us-east5-b-x 4x4 a b ",
              "gcloud 1 $_? $_? $_? $(c)? "});
  Variables variables;
  const Script script = read_shell(found[0].text, 0, variables, {"gcloud"});
  const Word& zone = script.commands.at(0).words.at(2);
  CHECK(makefile.substr(found[0].host(zone.where.begin), 8) == "--zone=$");
  CHECK(excerpts("", FileType::makefile).size() == 1);
}

}  // namespace
}  // namespace flexslice::extract
