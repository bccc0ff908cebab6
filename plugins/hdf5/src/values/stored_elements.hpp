#pragma once

#include <onecast/base/error.hpp>
#include <utility>
#include <vector>

#include "handles/opening.hpp"
#include "library/errors.hpp"
#include "values/elements.hpp"

/// The common part of reading and writing if the library converts the elements.
namespace onecast_hdf5 {

/// Why the library cannot convert elements of this type; kDone if it can.
NotServed cannot_convert(Handle& of, const onecast::Datatype& type);
/// Memory for so many elements, each of which is of the id's type or has the size of a stored one.
std::vector<std::byte> room_for(Handle& of, h5::Id type, std::uint64_t count, std::size_t stored);

/// Elements that the library converts in place.
struct Conversion {
  h5::Id from;
  h5::Id to;
  std::uint64_t count;
  std::byte* elements;    ///< with room for the larger type
  std::byte* background;  ///< what members keep that `from` lacks; null: there are none
  h5::Id transfer;
};
/// Has the library convert elements. Returns why not if it has no such conversion; throws Failure
/// if the conversion fails: the native library would meet the same damage.
NotServed convert_elements(Library& library, const Conversion& conversion);

/// Calls read(), which reads values in the heaps of a file. There is one version of these heaps:
/// what Onecast does not support is damage, in which the native library may get lost.
template <class Read>
void read_values(Read read) {
  try {
    read();
  } catch (const onecast::Error& error) {
    if (error.code() != onecast::ErrorCode::unsupported) throw;
    throw Failure("H5E_HEAP_g", "H5E_CANTDECODE_g", error.what());
  }
}

/// While it exists, values that the library puts in the heaps of a file are kept.
class Collecting {
 public:
  Collecting(Opening& opening, onecast::NewValues& values)
      : opening_(opening), before_(std::exchange(opening.new_values, &values)) {}
  Collecting(const Collecting&) = delete;
  Collecting& operator=(const Collecting&) = delete;
  ~Collecting() { opening_.new_values = before_; }

 private:
  Opening& opening_;
  onecast::NewValues* before_;
};

/// True if Onecast converts elements of one type to the other.
bool converts(const onecast::Datatype& from, const onecast::Datatype& to);

}  // namespace onecast_hdf5
