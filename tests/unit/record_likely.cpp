// What people write instead of what a form asks for.
#include "../catch.hpp"
#include "record/likely.hpp"

namespace flexslice::record {

TEST_CASE("amounts with the units of everyday become quantities") {
  CHECK(likely(Form::quantity, "64GB") == "64G");
  CHECK(likely(Form::quantity, "64 GiB") == "64Gi");
  CHECK(likely(Form::quantity, "16gi") == "16Gi");
  CHECK(likely(Form::quantity, "1.5TB") == "1.5T");
  CHECK(likely(Form::quantity, "8 cores") == "8");
  CHECK_FALSE(likely(Form::quantity, "64Gi"));  // is one
  CHECK_FALSE(likely(Form::quantity, "much"));
  CHECK_FALSE(likely(Form::quantity, "1 2"));
  CHECK_FALSE(likely(Form::quantity, "-1Gi"));
}

TEST_CASE("times in words become durations") {
  CHECK(likely(Form::duration, "2 hours") == "2h");
  CHECK(likely(Form::duration, "1 hour 30 min") == "1h30m");
  CHECK(likely(Form::duration, "7D") == "7d");
  CHECK(likely(Form::duration, "3600") == "3600s");
  CHECK_FALSE(likely(Form::duration, "1.5h"));
  CHECK_FALSE(likely(Form::duration, "2 weeks"));
  CHECK_FALSE(likely(Form::duration, "soon"));
  CHECK_FALSE(likely(Form::duration, ""));
}

TEST_CASE("places and names lose what cannot stand in them") {
  CHECK(likely(Form::zone, "us-east5b") == "us-east5-b");
  CHECK(likely(Form::zone, "US-East5-B") == "us-east5-b");
  CHECK_FALSE(likely(Form::zone, "us-east5"));  // which of its zones?
  CHECK(likely(Form::location, "us_east5") == "us-east5");
  CHECK(likely(Form::bucket, "gs://my-bucket/") == "my-bucket");
  CHECK_FALSE(likely(Form::bucket, "gs://my-bucket/folder"));
  CHECK(likely(Form::workload_name, "My Job_1") == "my-job-1");
  CHECK_FALSE(likely(Form::workload_name, "1st"));
  CHECK(likely(Form::image, "https://docker.io/library/busybox:1") == "docker.io/library/busybox:1");
  CHECK_FALSE(likely(Form::image, "my image"));
}

}  // namespace flexslice::record
