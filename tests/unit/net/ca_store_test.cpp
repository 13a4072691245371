// SPDX-License-Identifier: MIT
#include "net/ca_store.h"

#include <gtest/gtest.h>

#include <fstream>

#include "support/temporary_directory.h"

namespace yume::net {
namespace {

class CaStoreFiles : public testing::Test {
 protected:
  std::filesystem::path file(const std::string& name, const std::string& text) {
    const auto path = directory_.path() / name;
    std::ofstream(path) << text;
    return path;
  }

  test::TemporaryDirectory directory_;
};

constexpr const char* k_one = "-----BEGIN CERTIFICATE-----\none";
constexpr const char* k_two = "-----BEGIN CERTIFICATE-----\ntwo";

TEST_F(CaStoreFiles, ExtraCertificatesKeepTheDirectory) {
  const CaStore store = with_extra_certificates({.directory = "/certs"}, file("extra", k_one));
  EXPECT_EQ(store.directory, "/certs");
  EXPECT_EQ(store.file, "");
  EXPECT_EQ(store.certificates, k_one);
}

TEST_F(CaStoreFiles, ExtraCertificatesAreJoinedWithTheFile) {
  const CaStore store =
      with_extra_certificates({.file = file("bundle", k_two)}, file("extra", k_one));
  EXPECT_EQ(store.file, "");
  EXPECT_EQ(store.certificates, std::string(k_one) + "\n" + k_two);
}

TEST_F(CaStoreFiles, AnExtraFileWithoutACertificateChangesNothing) {
  for (const auto& extra : {file("empty", ""), directory_.path() / "absent", directory_.path()}) {
    const CaStore store = with_extra_certificates({.file = "/bundle"}, extra);
    EXPECT_EQ(store.file, "/bundle") << extra;
    EXPECT_EQ(store.certificates, "") << extra;
  }
}

TEST_F(CaStoreFiles, ABundleThatCannotBeReadIsLeftForTheErrorMessage) {
  const CaStore store = with_extra_certificates({.file = "/absent"}, file("extra", k_one));
  EXPECT_EQ(store.file, "/absent");
  EXPECT_EQ(store.certificates, "");
}

}  // namespace
}  // namespace yume::net
