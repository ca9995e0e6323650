#include <malloc.h>

#include <string>

#include "../catch.hpp"
#include "embed/output.hpp"
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
  for (const char* part : {R"({Kind::mapping, false, ""sv, ""sv, 3, {}},)",
                           R"({Kind::scalar, true, "k"sv, "xy"sv, 1, {}},)",
                           R"({Kind::scalar, false, "xy"sv, "z"sv, 1, {}},)",
                           "constexpr Cell file_0[] = {", R"({"a/b.yaml"sv, file_0},)",
                           R"({"c.yaml"sv, file_1},)", "const Folder templates{files};"}) {
    INFO(part);
    CHECK(source.find(part) != std::string::npos);
  }
}

TEST_CASE("the built-in catalog allocates nothing", "[catalog]") {
  const auto before = ::mallinfo2().uordblks;
  const catalog::Catalog catalog = catalog::built_in();
  CHECK(::mallinfo2().uordblks == before);
  CHECK(catalog.storage == nullptr);
  CHECK(!catalog.generations.empty());
}
