#pragma once

#include <functional>

#include "base/address.hpp"
#include "base/namespaces.hpp"
#include "objects/nodes/node.hpp"

namespace onecast::copy {

/// Calls each(object, its address in references) for the objects of the same file to which
/// references in the elements of a dataset, as all ranks know them, and in the attributes of an
/// object, lead. Throws Error for references that lead to no object, and those of a read.
void for_each_referenced(Node& source, bool with_attributes,
                         const std::function<void(Node&, Address)>& each);

}  // namespace onecast::copy
