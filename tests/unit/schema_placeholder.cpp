#include "../catch.hpp"
#include "schema/placeholder.hpp"

namespace flexslice::schema {

TEST_CASE("placeholders of documentation and templates") {
  for (const char* text :
       {"$X", "${X}", "$zone_1", "<x>", "<your zone>", "YOUR_X", "YOUR_PROJECT_ID",
        "{{ .Values.x }}", "{{x}}", "{ZONE}", "[ZONE]", "{MY_ZONE-1}"}) {
    CAPTURE(text);
    CHECK(placeholder_in(text) == text);
  }
  CHECK(placeholder_in("gcr.io/$PROJECT/x") == "$PROJECT");
  CHECK(placeholder_in("gcr.io/YOUR_PROJECT/x:${TAG}") == "YOUR_PROJECT");
  CHECK(placeholder_in("us-east5-<zone>") == "<zone>");
}

TEST_CASE("what is none") {
  for (const char* text :
       {"",       "$",   "$1",   "$5.00",  "${",     "${}",   "<>",        "a < b",
        "<",      "{{",  "{{}}", "{x}",    "your_x", "YOUR_", "YOUR NAME", "NOT_YOUR_X",
        "YOUR_x", "{X}", "[x]",  "{Zone}", "{ZONE",  "[ZONE}"}) {
    CAPTURE(text);
    CHECK(placeholder_in(text).empty());
  }
}

TEST_CASE("words that documentation writes for values") {
  for (const char* text : {"CLUSTER_NAME", "A_1", "NAME_", "YOUR_X"}) {
    CAPTURE(text);
    CHECK(capital_word_in(text) == text);
  }
  CHECK(capital_word_in("projects/PROJECT_ID/reservations/x") == "PROJECT_ID");
  CHECK(capital_word_in("CLUSTER_NAME-pool") == "CLUSTER_NAME");
  for (const char* text :
       {"", "_", "NAME", "HIGH_THROUGHPUT", "_NAME", "1_A", "Cluster_Name", "a_b", "A-B"}) {
    CAPTURE(text);
    CHECK(capital_word_in(text).empty());
  }
}

TEST_CASE("words with hyphens that documentation writes for values") {
  for (const char* text : {"CLUSTER-NAME", "YOUR-PROJECT", "MY-GKE-CLUSTER"}) {
    CAPTURE(text);
    CHECK(hyphenated_word_in(text) == text);
  }
  CHECK(hyphenated_word_in("gcr.io/MY-PROJECT/image:1") == "MY-PROJECT");
  for (const char* text : {"", "-", "CLUSTER", "LLAMA-BIG", "UTF-8", "A-NAME", "CLUSTER-1",
                           "my-CLUSTER-NAME", "CLUSTER-NAME-1", "CLUSTER_NAME", "Cluster-NAME"}) {
    CAPTURE(text);
    CHECK(hyphenated_word_in(text).empty());
  }
}

}  // namespace flexslice::schema
