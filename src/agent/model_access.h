// SPDX-License-Identifier: MIT
// The way to the model: which server, with which credential. Asked before every request, because a
// token expires in the middle of a long turn, and told when the server refuses what it gave.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "auth/credential_chain.h"
#include "config/session_spec.h"
#include "core/event.h"
#include "gemini/api_error.h"
#include "gemini/endpoint.h"
#include "net/http.h"
#include "util/cancel.h"
#include "util/redactor.h"
#include "util/result.h"

namespace yume::agent {

struct Route {
  gemini::Endpoint endpoint;
  std::vector<net::Header> headers;
  std::vector<net::SecretHeader> credentials;
  net::Deadlines deadlines = {};
};

class ModelAccess {
 public:
  // The redactor learns every credential that is given out.
  ModelAccess(auth::CredentialChain& credentials, config::AccessSpec settings, Redactor& redactor);

  // May fetch a credential. Tells the host what was passed over on the way. auth error when there
  // is none.
  Result<Route> route(core::EventSink& sink, const CancelToken& cancel);

  // The server refused the last route. True: the next one is worth a try.
  bool refused(const gemini::ApiError& why, core::EventSink& sink);
  // The server took it: the next 401 is a new one.
  void accepted() { renewed_ = false; }

  // Servers have been seen to repeat a request's headers in their errors.
  void hide_credentials(std::string& text) const { redactor_.clean(text); }

 private:
  auth::CredentialChain& credentials_;
  config::AccessSpec settings_;
  Redactor& redactor_;
  std::optional<auth::Credential> last_;
  bool renewed_ = false;  // a 401 is answered with one fresh token
};

}  // namespace yume::agent
