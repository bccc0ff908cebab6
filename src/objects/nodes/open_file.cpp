#include "objects/nodes/open_file.hpp"

#include <fmt/format.h>

#include "onecast/base/error.hpp"
#include "types/complex_numbers.hpp"

namespace onecast::nodes {

bool OpenFile::allows_threads() const {
  return comm().allows_threads() && !(options_.mpi_io && comm().is_self());
}

void OpenFile::throw_closed() const {
  throw Error(ErrorCode::state, fmt::format("{}: the file is closed", path()));
}

void OpenFile::throw_read_only() const {
  require_open();
  throw Error(ErrorCode::state,
              fmt::format("{}: the file is open for reading only{}", path(),
                          name_.why_read_only.empty() ? "" : ": " + name_.why_read_only));
}

void OpenFile::throw_in_use() const {
  throw Error(
      ErrorCode::unsupported,
      fmt::format("{}: not supported: changing a file that another program has open for "
                  "writing, or had when it ended (onecast recover clears the mark of a writer "
                  "for readers, h5clear -s any mark)",
                  path()));
}

Datatype OpenFile::stored_type(const Datatype& type) const {
  return is_for_old_readers() ? without_complex_class(type) : type;
}

void OpenFile::start_decoding(const std::uint64_t& file_size) {
  new_blocks_.emplace(*store_);
  structures_.emplace(*new_blocks_, file_size);
  shared_.emplace(*structures_, store_->extension().shared_messages);
}

std::shared_ptr<const void> OpenFile::forget_decoded_metadata() {
  auto before = arena_.renew();
  encoded_.forget();
  equal_attributes_.forget();
  structures_->begin_again();
  shared_.emplace(*structures_, store_->extension().shared_messages);
  return before;
}

}  // namespace onecast::nodes
