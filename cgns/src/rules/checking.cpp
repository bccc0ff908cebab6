#include "rules/checking.hpp"

#include "grammar/failure.hpp"
#include "onecast/base/error.hpp"
#include "rules/node_rules.hpp"

namespace onecast::cgns {

std::vector<Violation> check(Tree& tree) {
  std::vector<Violation> found;
  // The walk is depth first, in the order of the file.
  std::vector<Node*> waiting{&tree.root()};
  while (!waiting.empty()) {
    Node& node = *waiting.back();
    waiting.pop_back();
    Rules rules{node, found};
    rules.check_stored_form();
    if (node.is_link()) continue;
    try {
      const auto& children = node.sound_children();
      for (auto child = children.rbegin(); child != children.rend(); ++child)
        waiting.push_back(child->get());
      for (const std::string& what : node.damage()) rules.add(what);
      if (!node.damage().empty()) continue;
    } catch (const Failure& failure) {
      rules.add(failure.what());
      continue;
    } catch (const Error& error) {
      rules.add(error.what());
      continue;
    }
    rules.check_grammar();
  }
  return found;
}

}  // namespace onecast::cgns
