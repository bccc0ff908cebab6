#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/namespaces.hpp"
#include "format/objects/fill_value_message.hpp"
#include "objects/nodes/node.hpp"

namespace onecast::create {

/// The properties that a copy takes from its model and that options cannot express.
struct Model {
  /// Gives the times, and says whether the fill value is undefined.
  const FillValueMessage* fill;
  /// True if contiguous data has no place.
  bool unallocated;
  /// The pipeline as it is stored; null: it is made from the filters of the options.
  const std::vector<FilterSpec>* filters;
  /// True if the chunks are those of the model, which may be larger than the dataset.
  bool has_its_chunks;
};

/// Makes a dataset in a group, under a name that is free.
using MakeDataset = std::function<Node&(Node& group, std::string_view name)>;

/// Checks everything that can be wrong with a new dataset, and changes nothing. The returned
/// function makes the dataset, without its value unless it is compact. `where` is the text with
/// which errors begin. All arguments must live as long as the result.
MakeDataset prepare_dataset(FileState& file, std::string where, const Datatype& type,
                            const Dataspace& space, std::span<const std::byte> data,
                            const DatasetOptions& options, const Model& model);

}  // namespace onecast::create
