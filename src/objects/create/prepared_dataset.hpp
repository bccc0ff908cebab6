#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/namespaces.hpp"
#include "format/objects/fill_value_message.hpp"
#include "objects/tree/node.hpp"

namespace onecast::create {

/// What a copy of a dataset takes from its model, and nobody can ask for.
struct Model {
  /// For its times, and whether the fill value is undefined.
  const FillValueMessage* fill;
  /// Contiguous data has no place.
  bool unallocated;
  /// The pipeline as it is stored. Null: it is made of the options' filters.
  const std::vector<FilterSpec>* filters;
  /// The chunks are those of the model, which may be larger than the dataset.
  bool has_its_chunks;
};

/// Makes a dataset in a group, under a name that is free.
using MakeDataset = std::function<Node&(Node& group, std::string_view name)>;

/// Checks all that can be wrong with a new dataset, and changes nothing; what is returned makes it,
/// without its value, unless it is compact. `where`: as errors begin. Everything given must live as
/// long as the result.
MakeDataset prepare_dataset(FileState& file, std::string where, const Datatype& type,
                            const Dataspace& space, std::span<const std::byte> data,
                            const DatasetOptions& options, const Model& model);

}  // namespace onecast::create
