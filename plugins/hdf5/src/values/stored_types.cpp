#include "values/stored_types.hpp"

#include <array>
#include <map>
#include <utility>
#include <vector>

#include "values/types.hpp"

namespace onecast_hdf5 {
namespace {

/// The types that a library has been given so far.
struct StoredTypes {
  unsigned start = 0;            ///< of the library; what was made before ended with it
  std::unique_ptr<Handle> file;  ///< that stands for any file
  std::map<std::vector<std::byte>, h5::Id> ids;
};

StoredTypes& types_of(Library& library) {
  // Never destroyed: libraries may call the plug-in until the process ends.
  static auto* const kAll = new std::array<StoredTypes, Library::kMost>();
  StoredTypes& types = (*kAll)[library.slot()];
  if (!types.file) types.file = std::make_unique<Handle>(library, h5::IdType::file, nullptr);
  if (types.start != library.start()) {
    types.start = library.start();
    types.ids.clear();
  }
  return types;
}

h5::Id made_in(Handle& file, h5::Id in_memory) {
  const Registering now(&file);
  Library& library = file.library;
  return library.call.H5VLget_file_type(&file, library.connector(), in_memory);
}

}  // namespace

h5::Id stored_type_id(Opening& opening, const onecast::Datatype& type) {
  Library& library = opening.library();
  if (!type.points_elsewhere()) return known_id(library, type);
  StoredTypes& types = types_of(library);
  auto bytes = encoded_type(type);
  if (const auto found = types.ids.find(bytes); found != types.ids.end()) return found->second;
  const h5::Id in_memory = type_id(library, type);
  if (in_memory < 0) return in_memory;
  const InFile now(opening.shared_from_this());
  const h5::Id made = made_in(*types.file, in_memory);
  library.call.H5Tclose(in_memory);
  if (made >= 0) types.ids.emplace(std::move(bytes), made);
  return made;
}

InFile::InFile(std::shared_ptr<Opening> opening)
    : opening_(std::move(opening)),
      any_(*types_of(opening_->library()).file),
      before_(std::exchange(any_.stands_for, &opening_->file_handle())) {}

InFile::~InFile() { any_.stands_for = before_; }

}  // namespace onecast_hdf5
