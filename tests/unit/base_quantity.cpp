#include "../catch.hpp"
#include "base/quantity.hpp"

namespace flexslice {
namespace {

std::string canonical(std::string_view text) {
  const auto quantity = parse_quantity(text);
  return quantity ? quantity->text() : "not a quantity";
}

Quantity of(std::string_view text) { return *parse_quantity(text); }

// The right-hand sides are what `kubectl get -o yaml` shows after an object with the left-hand
// sides was created.
TEST_CASE("quantities are printed as the API server prints them") {
  const auto text = GENERATE(table<std::string, std::string>({
      {"0", "0"},
      {"0.0", "0"},
      {"0Gi", "0"},
      {"4", "4"},
      {"007", "7"},
      {"0.5", "500m"},
      {".5", "500m"},
      {"5.", "5"},
      {"1000m", "1"},
      {"1500m", "1500m"},
      {"1.5", "1500m"},
      {"100m", "100m"},
      {"100", "100"},
      {"1000", "1k"},
      {"16000", "16k"},
      {"1000M", "1G"},
      {"2500k", "2500k"},
      {"123456789", "123456789"},
      {"1Gi", "1Gi"},
      {"1024Mi", "1Gi"},
      {"1.5Gi", "1536Mi"},
      {"1536Ki", "1536Ki"},
      {"0.5Gi", "512Mi"},
      {"1Ki", "1Ki"},
      {"0.5Ki", "512"},
      {"1.5Ki", "1536"},
      {"0.1Gi", "107374182400m"},
      {"1e3", "1e3"},
      {"1E3", "1e3"},
      {"1500e0", "1500"},
      {"12e-1", "1200e-3"},
      {"1E", "1E"},
      {"1Ei", "1Ei"},
      {"100u", "100u"},
      {"1n", "1n"},
      {"0.1n", "1n"},
      {"1.0000000001", "1000000001n"},
      {"1e-300", "1e-9"},
      {"16Ei", "9223372036854775807"},
      {"1e300", "9223372036854775807"},
      {"-0.5", "-500m"},
      {"+2", "2"},
  }));
  CHECK(canonical(std::get<0>(text)) == std::get<1>(text));
}

TEST_CASE("what the API server does not read is no quantity") {
  for (const char* text : {"", ".", "-", "Gi", "1.2.3", "1gi", "1GB", "1 Gi", "1e", "1e1.5", "1em",
                           "--1", "1K", "1Gi ", "0x10", "1e+-3"}) {
    INFO(text);
    CHECK(canonical(text) == "not a quantity");
  }
}

TEST_CASE("sums and products of quantities are exact") {
  CHECK((of("1.5Gi") * 4).text() == "6Gi");
  CHECK((of("1500m") * 4).text() == "6");
  CHECK((of("1Gi") + of("1G")).text() == "2073741824");
  CHECK((of("1G") + of("24Mi")).text() == "1025165824");
  CHECK((Quantity{} + of("512Mi") + of("512Mi")).text() == "1Gi");
  CHECK((of("0.1") + of("0.2")).text() == "300m");
  CHECK((of("1Gi") * 0).text() == "0");
  CHECK((of("8E") + of("8E")).text() == "9223372036854775807");
  CHECK((of("-8E") * 4).text() == "-9223372036854775807");
}

TEST_CASE("quantities compare by amount") {
  CHECK(of("1Gi") == of("1024Mi"));
  CHECK(of("1G") < of("1Gi"));
  CHECK(of("1000m") == of("1"));
  CHECK(of("0.5").is_integer() == false);
  CHECK(of("0.5Gi").is_integer());
}

}  // namespace
}  // namespace flexslice
