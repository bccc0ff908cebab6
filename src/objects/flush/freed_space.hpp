#pragma once

#include "base/namespaces.hpp"
#include "objects/files/file_state.hpp"

/// What a flush does with space that is not used any more.
namespace onecast::flush {

/// Gives space back to the disk, so that a flush finds room after something larger did not fit: the
/// remains of a failed write take space, too.
void give_back_unused_space(FileState& file);

/// Begins a page list in a file without one, if freed space adds up. A list takes a walk over the
/// whole file, so one process does without as long as the file grows little by freed space. Each
/// time the file has grown by an eighth of its size (at least 64 KiB), it gets a list if at least
/// an eighth of its growth since the last flush was freed. From then on freed space is used again,
/// also in later sessions.
void list_if_freed_space_adds_up(FileState& file);

}  // namespace onecast::flush
