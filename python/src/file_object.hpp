#pragma once

#include <memory>
#include <string>

#include "bindings.hpp"
#include "onecast/transport/random_access_file.hpp"

/// Returns a file for the core over a Python file object, which has read or readinto, write, seek
/// and truncate.
std::shared_ptr<onecast::RandomAccessFile> bytes_of_object(nb::object file, std::string name,
                                                           bool is_remote);

/// Called when no file is open in the object any more, though handles may remain.
void let_go_of_object(nb::handle file);
