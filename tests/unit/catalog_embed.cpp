#include <string>

#include "../catch.hpp"
#include "embed/write.hpp"

using namespace flexslice;
using flexslice::embed::literal;

TEST_CASE("bytes as C++ literals", "[embed]") {
  CHECK(literal("") == R"("")");
  CHECK(literal("plain text") == R"("plain text")");
  CHECK(literal(R"(say "\n")") == R"("say \"\\n\"")");
  CHECK(literal("?\?=") == R"("\?\?=")");
  CHECK(literal("a\tb") == R"("a\011b")");
  CHECK(literal(std::string("\0"
                            "1",
                            2)) == R"("\0001")");
  CHECK(literal("\xc3\xa9") == R"("\303\251")");
  CHECK(literal("one\ntwo\n") == "\"one\\n\"\n     \"two\\n\"");
}

TEST_CASE("a table as C++", "[embed]") {
  yaml::Cell list{yaml::Kind::mapping, false, {}, {}, 3, {}};
  yaml::Cell item{yaml::Kind::scalar, true, {0, 1}, {1, 2}, 1, {}};
  yaml::Cell again{yaml::Kind::scalar, false, {1, 2}, {3, 1}, 1, {}};
  const std::string source =
      embed::cpp_source("texts", {{"a/b.yaml", {list, item, again}, "kxyz"}});
  CHECK(source.find("{Kind::mapping, false, {}, {}, 3, {}},") != std::string::npos);
  CHECK(source.find("{Kind::scalar, true, {0, 1}, {1, 2}, 1, {}},") != std::string::npos);
  CHECK(source.find("{Kind::scalar, false, {1, 2}, {3, 1}, 1, {}},") != std::string::npos);
  CHECK(source.find("constexpr char texts[] =\n    \"k\"\n    \"xy\"\n    \"z\";") !=
        std::string::npos);
  CHECK(source.find("{{\"a/b.yaml\", 8}, cells_0, texts},") != std::string::npos);
  CHECK(source.find("const std::span<const File> texts{files};") != std::string::npos);
}
