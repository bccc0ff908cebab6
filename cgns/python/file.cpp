#include "file.hpp"

#include "grammar/names.hpp"
#include "nodes/hdf5_type.hpp"
#include "session/open_cgns.hpp"
#include "tree/copy.hpp"

namespace onecast::cgns {

namespace {

TransferRequest request_of(const Slice& slice, const Dataset& data) {
  TransferRequest request{.memory_type = hdf5_type(slice.node->type())};
  if (!slice.rows) return request;
  const auto [first, count] = *slice.rows;
  request.part = count == 0 ? Selection::none() : data.rows(first, first + count);
  return request;
}

Dataset data_of(const Slice& slice) {
  auto data = slice.node->data();
  if (!data) throw Failure(slice.node->path() + " has no value");
  return *data;
}

/// Returns the requests for a collective call, in one order on all ranks.
template <class Request>
std::vector<Request> requests_of(const std::vector<Slice>& slices, std::exception_ptr& failure) {
  std::vector<Request> requests;
  try {
    for (const Slice& slice : slices) {
      const Dataset data = data_of(slice);
      requests.emplace_back(data, slice.elements, request_of(slice, data));
    }
  } catch (...) {
    failure = std::current_exception();
    requests.clear();
  }
  return requests;
}

}  // namespace

CgnsFile::CgnsFile(const std::string& path, int mode, const Communicator* communicator) {
  const Mode how = static_cast<Mode>(mode);
  File file = open_hdf5(path, how, communicator);
  try {
    // For writing, the version is a node that the program sets.
    const auto version_node = how == Mode::read ? VersionNode::kept : VersionNode::plain;
    tree_ =
        std::make_unique<Tree>(file, how == Mode::write, TreeOptions{.version_node = version_node});
  } catch (...) {
    file.abandon("it could not be opened as a CGNS file");
    throw;
  }
}

void CgnsFile::read(const std::vector<Slice>& slices) {
  std::exception_ptr failure;
  const auto requests = requests_of<ReadRequest>(slices, failure);
  tree_->file().read_multi(requests, failure);
}

void CgnsFile::read_alone(const std::vector<Slice>& slices) {
  for (const Slice& slice : slices) {
    const Dataset data = data_of(slice);
    data.read(slice.elements, request_of(slice, data));
  }
}

void CgnsFile::write(const std::vector<Slice>& slices) {
  std::exception_ptr failure;
  const auto requests = requests_of<WriteRequest>(slices, failure);
  tree_->file().write_multi(requests, failure);
}

void CgnsFile::copy_to(CgnsFile& to) { copy_children(root(), to.root(), Links::kept); }

std::pair<std::size_t, bool> CgnsFile::adopt() {
  const std::size_t taken_in = tree_->take_in_values();
  const bool added = tree_->file().adopt();
  return {taken_in, added};
}

Node& create_checked(Node& parent, const char* name, const std::string& label, const Value& value) {
  const bool in_parts = value.type != ValueType::MT && value.bytes.empty();
  return parent.tree().create(parent, checked_name(name), label, value,
                              in_parts ? Storage::contiguous : Storage::automatic);
}

void create_checked_link(Node& parent, const char* name, const LinkTarget& target) {
  if (target.path.empty()) throw Failure("the path of the link " + std::string(name) + " is empty");
  parent.tree().create_link(parent, checked_name(name), target);
}

}  // namespace onecast::cgns
