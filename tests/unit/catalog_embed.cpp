#include <malloc.h>

#include <string>

#include "../catch.hpp"
#include "embed/write.hpp"
#include "yaml/parse.hpp"

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
  Sources sources;
  diag::Sink sink;
  const std::uint32_t index = sources.add({"b.yaml", "{k: 'xy', xy: z}"});
  const yaml::Node tree = yaml::parse(sources, index, sink).value();
  const std::string source =
      embed::tables_source("templates", {{"a/b.yaml", tree}, {"c.yaml", tree}});
  CHECK(source.find("{Kind::mapping, false, {}, {}, 3, {}},") != std::string::npos);
  CHECK(source.find("{Kind::scalar, true, {0, 1}, {1, 2}, 1, {}},") != std::string::npos);
  CHECK(source.find("{Kind::scalar, false, {1, 2}, {3, 1}, 1, {}},") != std::string::npos);
  CHECK(
      source.find("constexpr char characters[] =\n    \"\"\n    \"k\"\n    \"xy\"\n    \"z\"\n    "
                  "\"a/b.yaml\"\n    \"c.yaml\";") != std::string::npos);
  CHECK(source.find("{{4, 8}, 0},\n    {{12, 6}, 3},") != std::string::npos);
  CHECK(source.find("const Folder templates{files, cells, characters};") != std::string::npos);
}

TEST_CASE("the built-in catalog allocates nothing", "[catalog]") {
  const auto before = ::mallinfo2().uordblks;
  const catalog::Catalog catalog = catalog::built_in();
  CHECK(::mallinfo2().uordblks == before);
  CHECK(catalog.storage == nullptr);
  CHECK(!catalog.generations.empty());
}
