// SPDX-License-Identifier: MIT
// Visits a variant with one function for each alternative. Without a function that takes anything,
// a new alternative fails to compile in every place that has to know about it.
#pragma once

#include <concepts>

namespace yume {

template <class... Handlers>
struct Overloaded : Handlers... {
  using Handlers::operator()...;
};
template <class... Handlers>
Overloaded(Handlers...) -> Overloaded<Handlers...>;

// The alternatives that mean nothing to a visitor, named one by one.
template <class... Alternatives>
struct PassOver {
  template <class Alternative>
  requires(std::same_as<Alternative, Alternatives> || ...) void operator()(
      const Alternative& /*alternative*/) const {}
};

// The same answer for each of the alternatives it names.
template <auto k_answer, class... Alternatives>
struct Constant {
  template <class Alternative>
  requires(std::same_as<Alternative, Alternatives> || ...) auto operator()(
      const Alternative& /*alternative*/) const {
    return k_answer;
  }
};

}  // namespace yume
