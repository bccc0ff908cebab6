#include "objects/nodes/generation.hpp"

#include "objects/nodes/open_file.hpp"

namespace onecast::nodes {

// The node itself does not know what a generation is.
Arena& Node::arena() const { return generation_ != nullptr ? generation_->arena : home_.arena(); }

}  // namespace onecast::nodes
