// SPDX-License-Identifier: MIT
#include "platform/sandbox_places.h"

#include <algorithm>
#include <map>

#include "util/path_order.h"

namespace yume::platform {
namespace {

namespace fs = std::filesystem;
using Paths = std::vector<fs::path>;

void sort_once(Paths& paths) {
  std::sort(paths.begin(), paths.end());
  paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
}

Paths real_ones(const Paths& given, const RealPath& real_path) {
  Paths real;
  for (const fs::path& path : given) {
    if (fs::path found = real_path(path); !found.empty()) real.push_back(std::move(found));
  }
  sort_once(real);
  return real;
}

// A link inside a folder that commands can change may be the work of one: where it leads to is not
// opened to the next, unless that is in the same folder.
Paths real_writable(const Paths& given, const RealPath& real_path) {
  Paths real;
  for (const fs::path& path : given) {
    fs::path found = real_path(path);
    const bool leads_away = std::any_of(given.begin(), given.end(), [&](const fs::path& outer) {
      return lies_strictly_inside(path, outer) && !lies_inside(found, real_path(outer));
    });
    if (!found.empty() && !leads_away) real.push_back(std::move(found));
  }
  sort_once(real);
  return real;
}

bool is_inside_any(const fs::path& path, const Paths& roots) {
  return std::any_of(roots.begin(), roots.end(),
                     [&](const fs::path& root) { return lies_inside(path, root); });
}

bool contains_any(const fs::path& root, const Paths& paths) {
  return std::any_of(paths.begin(), paths.end(),
                     [&](const fs::path& path) { return lies_inside(path, root); });
}

// The entry of `top` that is, or contains, what lies inside it.
fs::path entry_on_the_way(const fs::path& top, const fs::path& inner) {
  const auto [end, next] = std::mismatch(top.begin(), top.end(), inner.begin(), inner.end());
  return top / *next;
}

// The innermost of those that contain `path` and are not `path`; null when there is none.
const fs::path* innermost_around(const fs::path& path, const Paths& roots) {
  const fs::path* found = nullptr;
  for (const fs::path& root : roots) {
    if (!lies_strictly_inside(path, root)) continue;
    if (found == nullptr || lies_inside(root, *found)) found = &root;
  }
  return found;
}

// The writable tree to which the folder around `path` belongs; null when that is read-only.
const fs::path* writable_tree_around(const fs::path& path, const SandboxPlaces& places) {
  const fs::path* writable = innermost_around(path, places.writable);
  const fs::path* read_only = innermost_around(path, places.read_only);
  if (writable == nullptr || read_only == nullptr) return writable;
  return lies_strictly_inside(*writable, *read_only) ? writable : nullptr;
}

// Of several kinds for one path the strongest counts.
class Steps {
 public:
  void add(MountKind kind, const fs::path& path) {
    const auto [entry, is_new] = kinds_.try_emplace(path, kind);
    if (!is_new) entry->second = std::max(entry->second, kind);
  }
  [[nodiscard]] std::vector<MountStep> list() const {
    std::vector<MountStep> steps;
    for (const auto& [path, kind] : kinds_) steps.push_back({kind, path});
    return steps;
  }

 private:
  std::map<fs::path, MountKind> kinds_;  // by components: a folder comes before what is in it
};

// Renaming a folder on the way to something read-only, and making another one in its place, would
// be as good as changing it.
void pin_way(const fs::path& outer, const fs::path& inner, Steps& steps) {
  for (fs::path folder = inner.parent_path(); lies_strictly_inside(folder, outer);
       folder = folder.parent_path()) {
    steps.add(MountKind::pinned, folder);
  }
}

}  // namespace

SandboxPlaces real_places(const Sandbox& sandbox, const RealPath& real_path) {
  SandboxPlaces places{.writable = real_writable(sandbox.writable, real_path),
                       .read_only = real_ones(sandbox.read_only, real_path),
                       .closed = real_ones(sandbox.closed, real_path),
                       .closed_sockets = real_ones(sandbox.closed_sockets, real_path)};
  const auto is_closed = [&places](const fs::path& path) {
    return is_inside_any(path, places.closed);
  };
  std::erase_if(places.read_only, is_closed);
  std::erase_if(places.writable, [&](const fs::path& path) {
    return is_closed(path) ||
           std::binary_search(places.read_only.begin(), places.read_only.end(), path);
  });
  std::erase_if(places.closed_sockets,
                [&](const fs::path& path) { return contains_any(path, places.writable); });
  return places;
}

Paths trees_without(const fs::path& top, const Paths& without, const ListFolder& list) {
  if (is_inside_any(top, without)) return {};
  // What must be left out, by the entry of `top` in which it lies.
  std::map<fs::path, Paths> by_entry;
  for (const fs::path& path : without) {
    if (lies_inside(path, top)) by_entry[entry_on_the_way(top, path)].push_back(path);
  }
  if (by_entry.empty()) return {top};
  Paths trees;
  for (const fs::path& entry : list(top)) {
    const auto found = by_entry.find(entry);
    if (found == by_entry.end()) {
      trees.push_back(entry);
      continue;
    }
    Paths inner = trees_without(entry, found->second, list);
    std::move(inner.begin(), inner.end(), std::back_inserter(trees));
  }
  return trees;
}

Paths changeable_trees(const SandboxPlaces& places, const ListFolder& list) {
  Paths without = places.closed;
  // In a folder that is taken apart anyway they can be left out; elsewhere that would cost too
  // much.
  std::copy_if(
      places.read_only.begin(), places.read_only.end(), std::back_inserter(without),
      [&](const fs::path& path) { return contains_any(path.parent_path(), places.closed); });
  Paths trees;
  for (const fs::path& root : places.writable) {
    const bool is_whole = !contains_any(root, places.closed);
    Paths parts = is_whole ? Paths{root} : trees_without(root, without, list);
    std::move(parts.begin(), parts.end(), std::back_inserter(trees));
  }
  sort_once(trees);
  return trees;
}

std::vector<MountStep> plan_mounts(const SandboxPlaces& places) {
  Steps steps;
  for (const fs::path& path : places.writable) {
    if (writable_tree_around(path, places) == nullptr) steps.add(MountKind::writable, path);
  }
  for (const fs::path& path : places.read_only) {
    const fs::path* outer = writable_tree_around(path, places);
    if (outer == nullptr) continue;
    steps.add(MountKind::read_only, path);
    pin_way(*outer, path, steps);
  }
  for (const Paths& closed : {places.closed, places.closed_sockets}) {
    for (const fs::path& path : closed) {
      if (innermost_around(path, places.closed) == nullptr) steps.add(MountKind::closed, path);
    }
  }
  return steps.list();
}

}  // namespace yume::platform
