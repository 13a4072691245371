// SPDX-License-Identifier: MIT
#include "app/first_login.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>

namespace yume::app {
namespace {

TEST(FirstLoginText, HasFiveLinesThatFitATerminal) {
  for (const LoginWays& ways : {LoginWays{}, LoginWays{.gcloud = true}, LoginWays{.windows = true},
                                LoginWays{.gcloud = true, .windows = true}}) {
    std::istringstream text(first_login_text(ways));
    int count = 0;
    for (std::string line; std::getline(text, line); ++count) {
      EXPECT_LT(line.size(), 80U) << line;
    }
    EXPECT_EQ(count, 5);
  }
}

TEST(FirstLoginText, AsksOnlyWhereGcloudIs) {
  EXPECT_TRUE(first_login_text({.gcloud = true}).ends_with("?"));
  EXPECT_TRUE(first_login_text({}).ends_with("\n"));
  EXPECT_NE(first_login_text({}).find("install gcloud"), std::string::npos);
  EXPECT_NE(first_login_text({}).find("export GEMINI_API_KEY=<the key>"), std::string::npos);
  EXPECT_NE(first_login_text({.windows = true}).find("$env:GEMINI_API_KEY = "), std::string::npos);
}

// Those of programs and scripts never get as far as the terminal, which tests do not have.
TEST(MayOfferLogin, NeedsAPersonAtATerminal) {
  Options options;
  options.prompt = "hello";
  options.person_answers = true;
  EXPECT_FALSE(may_offer_login(options));
}

}  // namespace
}  // namespace yume::app
