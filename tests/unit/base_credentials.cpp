#include "../catch.hpp"
#include "base/credentials.hpp"

namespace flexslice {

namespace {

const std::string hub_token = "hf_AbCdEfGhIjKlMnOpQrStUvWxYz01234567";
const std::string pem_key =
    "-----BEGIN RSA PRIVATE KEY-----\nMIIEvQIBADANBgkq\nhkiG9w0BAQEFAASC\n-----END RSA PRIVATE "
    "KEY-----\nrest";

}  // namespace

TEST_CASE("tokens and private keys are known by their form") {
  CHECK(has_credential(hub_token));
  CHECK(has_credential("x=" + hub_token + ", y"));
  CHECK(has_credential("ghp_AbCdEfGhIjKlMnOpQrStUvWxYz0123456789"));
  CHECK(has_credential("sk-proj-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789"));
  CHECK(has_credential(pem_key));
  CHECK(has_credential("-----BEGIN PRIVATE KEY-----\\nMIIEvQIBADANBgkqhkiG"));
}

TEST_CASE("what is none of them is left alone") {
  for (const std::string& text :
       {"hf_" + std::string(34, 'x'), hub_token.substr(0, 36), "a" + hub_token,
        "task-" + hub_token.substr(3),
        std::string("sk-your-key-goes-here-and-not-anywhere-else-at-all"),
        std::string("grep -q '-----BEGIN PRIVATE KEY-----' key.pem"),
        std::string("-----BEGIN CERTIFICATE-----\nMIIEvQIBADANBgkqhkiG9w0B\n")}) {
    CHECK_FALSE(has_credential(text));
    CHECK(masked(text) == text);
  }
}

TEST_CASE("a mask keeps the place of every byte and hides the rest") {
  CHECK(masked("a " + hub_token + " b") == "a hf_" + std::string(34, '*') + " b");
  const std::string hidden = masked(pem_key);
  CHECK(hidden.size() == pem_key.size());
  CHECK(hidden.find("MIIE") == std::string::npos);
  CHECK(hidden.find("hkiG") == std::string::npos);
  CHECK(hidden.starts_with("-----BEGIN RSA PRIVATE KEY-----\n*"));
  CHECK(hidden.find("\nrest") != std::string::npos);
  CHECK(masked(hidden) == hidden);
}

}  // namespace flexslice
