// SPDX-License-Identifier: MIT
#include "tools/web/html_tree.h"

#include <csetjmp>
#include <cstddef>
#include <cstdlib>

namespace yume::tools::web {

// Everything gumbo allocates, in a list of its own: gumbo frees a tree by recursion, as deep as the
// page likes. It also stops a parse that takes too much. gumbo has no way to report a failed
// allocation, so the way out is a jump over its frames, which are C and own nothing but what is in
// this list.
class HtmlTree::Memory {
 public:
  Memory(const platform::Clock& clock, const HtmlBudget& budget)
      : clock_(clock), budget_(budget), deadline_(clock.steady_now() + budget.time) {}
  ~Memory() {
    while (first_ != nullptr) {
      Block* next = first_->next;
      std::free(first_);
      first_ = next;
    }
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  // Null when the budget is used up.
  const GumboNode* parse(std::string_view html) {
    GumboOptions options = kGumboDefaultOptions;
    options.allocator = &allocate;
    options.deallocator = &release;
    options.userdata = this;
    options.max_errors = 0;
    if (setjmp(out_of_budget_) != 0) return nullptr;
    const GumboOutput* output = gumbo_parse_with_options(&options, html.data(), html.size());
    return output == nullptr ? nullptr : output->root;
  }

 private:
  struct alignas(std::max_align_t) Block {
    Block* previous;
    Block* next;
    std::size_t size;
  };

  // A tag takes at least one allocation, and what happens between two of them is at worst one walk
  // up the open elements.
  static constexpr unsigned k_allocations_per_look = 64;

  static void* allocate(void* self, std::size_t size) {
    auto& memory = *static_cast<Memory*>(self);
    const bool late = ++memory.allocations_ % k_allocations_per_look == 0 &&
                      memory.clock_.steady_now() > memory.deadline_;
    const bool fits = size <= memory.budget_.memory &&
                      memory.used_ + size + sizeof(Block) <= memory.budget_.memory;
    void* raw = late || !fits ? nullptr : std::malloc(size + sizeof(Block));
    if (raw == nullptr) std::longjmp(memory.out_of_budget_, 1);
    auto* block = new (raw) Block{.previous = nullptr, .next = memory.first_, .size = size};
    if (memory.first_ != nullptr) memory.first_->previous = block;
    memory.first_ = block;
    memory.used_ += size + sizeof(Block);
    return block + 1;
  }

  static void release(void* self, void* given) {
    if (given == nullptr) return;
    auto& memory = *static_cast<Memory*>(self);
    Block* block = static_cast<Block*>(given) - 1;
    memory.used_ -= block->size + sizeof(Block);
    if (block->previous != nullptr) block->previous->next = block->next;
    if (block->next != nullptr) block->next->previous = block->previous;
    if (memory.first_ == block) memory.first_ = block->next;
    std::free(block);
  }

  const platform::Clock& clock_;
  HtmlBudget budget_;
  platform::SteadyTime deadline_;
  Block* first_ = nullptr;
  std::size_t used_ = 0;
  unsigned allocations_ = 0;
  std::jmp_buf out_of_budget_;
};

HtmlTree::HtmlTree(std::unique_ptr<Memory> memory, const GumboNode* root)
    : memory_(std::move(memory)), root_(root) {}
HtmlTree::HtmlTree(HtmlTree&&) noexcept = default;
HtmlTree& HtmlTree::operator=(HtmlTree&&) noexcept = default;
HtmlTree::~HtmlTree() = default;

Result<HtmlTree> HtmlTree::parse(std::string_view html, const platform::Clock& clock,
                                 const HtmlBudget& budget) {
  auto memory = std::make_unique<Memory>(clock, budget);
  const GumboNode* root = memory->parse(html);
  if (root == nullptr) {
    return Error{.code = ErrorCode::too_large,
                 .message = "its HTML takes too much time or memory to be read"};
  }
  return HtmlTree(std::move(memory), root);
}

}  // namespace yume::tools::web
