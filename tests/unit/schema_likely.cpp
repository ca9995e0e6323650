// What people write instead of what a form asks for.
#include "../catch.hpp"
#include "schema/help.hpp"

namespace flexslice::schema {

TEST_CASE("amounts with the units of everyday become quantities") {
  CHECK(likely(Pattern::quantity, "64GB") == "64G");
  CHECK(likely(Pattern::quantity, "64 GiB") == "64Gi");
  CHECK(likely(Pattern::quantity, "16gi") == "16Gi");
  CHECK(likely(Pattern::quantity, "1.5TB") == "1.5T");
  CHECK(likely(Pattern::quantity, "8 cores") == "8");
  CHECK_FALSE(likely(Pattern::quantity, "64Gi"));  // is one
  CHECK_FALSE(likely(Pattern::quantity, "much"));
  CHECK_FALSE(likely(Pattern::quantity, "1 2"));
  CHECK_FALSE(likely(Pattern::quantity, "-1Gi"));
}

TEST_CASE("times in words become durations") {
  CHECK(likely(Pattern::duration, "2 hours") == "2h");
  CHECK(likely(Pattern::duration, "1 hour 30 min") == "1h30m");
  CHECK(likely(Pattern::duration, "7D") == "7d");
  CHECK(likely(Pattern::duration, "3600") == "3600s");
  CHECK(likely(Pattern::duration, "1.5h") == "1h30m");
  CHECK(likely(Pattern::duration, "2 weeks") == "14d");
  CHECK(likely(Pattern::duration, "1,5h") == "1h30m");
  CHECK(likely(Pattern::duration, "PT1H30M") == "1h30m");
  CHECK(likely(Pattern::duration, "P2D") == "2d");
  CHECK(likely(Pattern::duration, "1:30:00") == "1h30m");
  CHECK(likely(Pattern::duration, "1h30") == "1h30m");
  CHECK(likely(Pattern::duration, "90m30") == "90m30s");
  CHECK_FALSE(likely(Pattern::duration, "1:30"));
  CHECK_FALSE(likely(Pattern::duration, "soon"));
  CHECK_FALSE(likely(Pattern::duration, ""));
}

TEST_CASE("schedules lose what Kubernetes has no place for") {
  CHECK(likely(Pattern::schedule, "TZ=Europe/Berlin 0 2 * * *") == "0 2 * * *");
  CHECK(likely(Pattern::schedule, "0 0 2 * * *") == "0 2 * * *");
  CHECK(likely(Pattern::schedule, "0 2 * * 7") == "0 2 * * 0");
  CHECK(likely(Pattern::schedule, "daily") == "@daily");
  CHECK(likely(Pattern::schedule, "@Daily") == "@daily");
  CHECK(likely(Pattern::schedule, "@dayly") == "@daily");
  CHECK_FALSE(likely(Pattern::schedule, "every day"));
  CHECK_FALSE(likely(Pattern::schedule, "61 * * * *"));
}

TEST_CASE("places and names lose what cannot stand in them") {
  CHECK(likely(Pattern::zone, "us-east5b") == "us-east5-b");
  CHECK(likely(Pattern::zone, "US-East5-B") == "us-east5-b");
  CHECK_FALSE(likely(Pattern::zone, "us-east5"));  // which of its zones?
  CHECK(likely(Pattern::location, "us_east5") == "us-east5");
  CHECK(likely(Pattern::bucket, "gs://my-bucket/") == "my-bucket");
  CHECK_FALSE(likely(Pattern::bucket, "gs://my-bucket/folder"));
  CHECK(likely(Pattern::workload_name, "My Job_1") == "my-job-1");
  CHECK_FALSE(likely(Pattern::workload_name, "1st"));
  CHECK(likely(Pattern::image, "https://docker.io/library/busybox:1") ==
        "docker.io/library/busybox:1");
  CHECK_FALSE(likely(Pattern::image, "my image"));
}

}  // namespace flexslice::schema
