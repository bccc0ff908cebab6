#pragma once

#include <memory>
#include <string>

#include "bindings.hpp"
#include "onecast/transport/random_access_file.hpp"

/// A file object of Python, which has read or readinto, write, seek and truncate, for the core.
std::shared_ptr<onecast::RandomAccessFile> bytes_of_object(nb::object file, std::string name,
                                                           bool is_remote);

/// When no file is open in it any more, though handles may be there.
void let_go_of_object(nb::handle file);
