#pragma once

#include <memory>

#include "handles/opening.hpp"

/// The types with which the library converts elements as they are stored: values of variable length
/// and references are places in a file there. The library looks into the file of such a type, tells
/// the types of different files apart, and keeps each conversion that it has found until it ends.
/// So these types are made once for all files: their file stands for the one whose elements are
/// being converted.
namespace onecast_hdf5 {

/// The id of a type of stored elements, which stays open; -1 if the library cannot make it.
h5::Id stored_type_id(Opening& opening, const onecast::Datatype& type);

/// While it exists, the values of stored elements are those of this file.
class InFile {
 public:
  explicit InFile(std::shared_ptr<Opening> opening);
  InFile(const InFile&) = delete;
  InFile& operator=(const InFile&) = delete;
  ~InFile();

 private:
  std::shared_ptr<Opening> opening_;
  Handle& any_;
  Handle* before_;
};

}  // namespace onecast_hdf5
