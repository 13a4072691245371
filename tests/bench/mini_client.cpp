// SPDX-License-Identifier: MIT
// The yardstick of the benchmark: the shortest plain program that does the same work as one turn of
// yume-cli. libcurl's easy interface, a JSON tree for every event, the history as one string, one
// flushed line per text delta. One thread, no options, no care for errors beyond stopping.
//
//   mini_client BASE_URL PROMPT
#include <curl/curl.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace {

using nlohmann::json;

constexpr std::size_t k_system_prompt_bytes = 8192;

void print(const json& line) {
  std::string text = line.dump(-1, ' ', true);
  text += '\n';
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

std::string request_prefix() {
  std::string prompt;
  while (prompt.size() < k_system_prompt_bytes) {
    prompt += "You are an agent that helps with the files of one directory. ";
  }
  const json string_type = {{"type", "string"}};
  const auto tool = [&](const char* name, const char* argument) {
    const json schema = {{"type", "object"}, {"properties", {{argument, string_type}}}};
    return json{{"name", name}, {"description", name}, {"parametersJsonSchema", schema}};
  };
  json request;
  request["systemInstruction"] = {{"parts", {{{"text", prompt}}}}};
  request["tools"] = {
      {{"functionDeclarations", {tool("Read", "file_path"), tool("Bash", "command")}}}};
  std::string text = request.dump();
  text.pop_back();
  return text + R"(,"contents":[)";
}

std::string read_file(const std::string& path) {
  const std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string run_command(const std::string& command) {
  std::string output;
  std::FILE* pipe = popen(("exec bash -c '" + command + "' 2>&1").c_str(), "r");
  std::array<char, 4096> block{};
  while (const std::size_t count = std::fread(block.data(), 1, block.size(), pipe)) {
    output.append(block.data(), count);
  }
  pclose(pipe);
  return output;
}

struct Reply {
  std::string buffer;
  std::string text;
  std::string parts;  // what goes back to the server
  std::vector<json> calls;
  bool finished = false;
};

void take_event(Reply& reply, std::string_view data) {
  const json event = json::parse(data);
  const json& candidate = event.at("candidates").at(0);
  for (const json& part : candidate.at("content").at("parts")) {
    if (part.contains("text")) {
      const std::string delta = part["text"];
      reply.text += delta;
      print({{"type", "text"}, {"content", delta}});
    } else if (part.contains("functionCall")) {
      reply.calls.push_back(part["functionCall"]);
      reply.parts += (reply.parts.empty() ? "" : ",") + part.dump();
    }
  }
  if (candidate.contains("finishReason")) reply.finished = true;
}

std::size_t on_body(char* data, std::size_t /*one*/, std::size_t length, void* context) {
  auto& reply = *static_cast<Reply*>(context);
  reply.buffer.append(data, length);
  std::size_t from = 0;
  for (std::size_t end = 0; (end = reply.buffer.find('\n', from)) != std::string::npos;) {
    std::string_view line = std::string_view(reply.buffer).substr(from, end - from);
    if (line.starts_with("data: ")) take_event(reply, line.substr(6));
    from = end + 1;
  }
  reply.buffer.erase(0, from);
  return length;
}

std::string answer_calls(const std::vector<json>& calls) {
  std::string parts;
  for (const json& call : calls) {
    const json& args = call.at("args");
    const bool read = call.at("name") == "Read";
    print({{"type", "tool_use"}, {"name", call["name"]}, {"input", args}});
    const std::string output =
        read ? read_file(args.at("file_path")) : run_command(args["command"]);
    print({{"type", "tool_result"}, {"content", output}});
    const json response = {{"name", call["name"]}, {"response", {{"output", output}}}};
    parts += (parts.empty() ? "" : ",") + json{{"functionResponse", response}}.dump();
  }
  return parts;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  print({{"type", "system"}, {"subtype", "init"}, {"model", "gemini-3.8-flash"}});
  curl_global_init(CURL_GLOBAL_DEFAULT);
  CURL* curl = curl_easy_init();
  const std::string url =
      std::string(argv[1]) + "/v1beta/models/gemini-3.8-flash:streamGenerateContent?alt=sse";
  curl_slist* headers = curl_slist_append(nullptr, "Content-Type: application/json");
  headers = curl_slist_append(headers, "x-goog-api-key: bench");
  headers = curl_slist_append(headers, "Expect:");
  curl_easy_setopt(curl, CURLOPT_URL, url.c_str());
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, &on_body);
  if (const char* authorities = std::getenv("SSL_CERT_DIR")) {
    curl_easy_setopt(curl, CURLOPT_CAINFO, nullptr);
    curl_easy_setopt(curl, CURLOPT_CAPATH, authorities);
  }

  std::string body = request_prefix();
  body += json{{"role", "user"}, {"parts", {{{"text", argv[2]}}}}}.dump();
  Reply reply;
  for (;;) {
    reply = {};
    body += "]}";
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, &reply);
    curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
    curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body.c_str());
    if (curl_easy_perform(curl) != CURLE_OK || !reply.finished) return 1;
    if (reply.calls.empty()) break;
    body.resize(body.size() - 2);
    body += R"(,{"role":"model","parts":[)" + reply.parts + "]}";
    body += R"(,{"role":"user","parts":[)" + answer_calls(reply.calls) + "]}";
  }
  print({{"type", "result"}, {"is_error", false}, {"result", reply.text}});
  curl_slist_free_all(headers);
  curl_easy_cleanup(curl);
  return 0;
}
