#include "support/files_through.hpp"

#include <utility>

#include "objects/files/file_access.hpp"
#include "support/file_states.hpp"

namespace onecast::test {

using files::FileAccess;

File create_through(TransportFactory factory, const std::string& path, const Communicator& comm,
                    const FileOptions& options) {
  return FileAccess::file(create_state(path, comm, options, std::move(factory)));
}

File open_through(TransportFactory factory, const std::string& path, Access access,
                  const Communicator& comm, const FileOptions& options) {
  return FileAccess::file(open_state(path, access, comm, options, std::move(factory)));
}

}  // namespace onecast::test
