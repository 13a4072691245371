// SPDX-License-Identifier: MIT
#include "tools/args.h"
#include "tools/descriptions.h"
#include "tools/text_file.h"
#include "tools/web_tools.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace yume::tools {
namespace {

using web::SearchAnswer;
using web::SearchRequest;
using web::SearchSource;

constexpr std::size_t k_longest_query = 2'000;

std::string source_lines(const std::vector<SearchSource>& sources) {
  std::string lines;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    lines += "\n[" + std::to_string(i + 1) + "] " + sources[i].title + " (" + sources[i].url + ")";
  }
  return lines;
}

core::ToolOutcome run_search(const SearchRequest& request, const ToolContext& context) {
  const auto start = context.clock.steady_now();
  auto answer = context.search->search(request, context.cancel);
  if (!answer.ok()) {
    return failed_running("The search for \"" + request.query +
                          "\" failed: " + answer.error().message);
  }
  const std::chrono::duration<double> took = context.clock.steady_now() - start;
  core::ToolOutcome outcome;
  outcome.content = "Web search results for \"" + request.query + "\":\n\n" + answer->text;
  outcome.content += answer->sources.empty()
                         ? "\n\nNo sources were named: this may not be from the web."
                         : "\n\nSources:" + source_lines(answer->sources);
  outcome.details = core::WebSearched{.query = request.query,
                                      .answer = std::move(answer->text),
                                      .sources = std::move(answer->sources),
                                      .took = took};
  return outcome;
}

class WebSearchTool final : public Tool {
 public:
  const ToolSpec& spec() const override { return spec_; }

  Plan plan(const nlohmann::json& input, const ToolContext& context) const override {
    ArgReader args(spec_.name, input);
    SearchRequest request{.query = args.required_string("query"),
                          .allowed_domains = args.optional_strings("allowed_domains"),
                          .blocked_domains = args.optional_strings("blocked_domains")};
    if (auto problem = args.problems()) return *problem;
    if (context.search == nullptr) {
      return refused_input("WebSearch is not available in this session.");
    }
    if (request.query.size() < 2 || request.query.size() > k_longest_query) {
      return refused_input("`query` must have 2 to 2000 characters.");
    }
    if (!request.allowed_domains.empty() && !request.blocked_domains.empty()) {
      return refused_input("Give either `allowed_domains` or `blocked_domains`, not both.");
    }
    core::SearchesWeb action{request.query};
    return PlannedCall{.action = std::move(action),
                       .run = [request = std::move(request)](const ToolContext& running) {
                         return run_search(request, running);
                       }};
  }

 private:
  ToolSpec spec_{
      .name = "WebSearch",
      .description = std::string(description_text("web_search")),
      .input_schema = {R"({"type":"object","properties":{)"
                       R"("query":{"type":"string","description":"What to find out"},)"
                       R"("allowed_domains":{"type":"array",)"
                       R"("description":"Only results from these hosts",)"
                       R"("items":{"type":"string"}},)"
                       R"("blocked_domains":{"type":"array",)"
                       R"("description":"No results from these hosts",)"
                       R"("items":{"type":"string"}}},)"
                       R"("required":["query"],"additionalProperties":false})"},
      .schema_form = SchemaForm::plain,
      .effect = Effect::reads_only,
  };
};

}  // namespace

std::unique_ptr<Tool> make_web_search_tool() {
  return std::make_unique<WebSearchTool>();
}

}  // namespace yume::tools
