#include <fmt/format.h>

#include "model/byte_file.hpp"
#include "model/pool.hpp"
#include "onecast/base/error.hpp"
#include "pds/pds.hpp"
#include "pds/pds_index.hpp"

namespace onecast::events::pds {
namespace {

class PdsSource;

class PdsCursor final : public Cursor {
 public:
  PdsCursor(const ByteFile& file, const Header& header, const Index& index,
            Pool<std::vector<std::byte>>& pool)
      : file_(file),
        header_(header),
        index_(index),
        pool_(pool),
        products_(header.products.size()) {}

  bool go_to(std::uint64_t entry) override {
    if (entry >= index_.entries().size()) {
      index_.require_no_damage();
      return false;
    }
    entry_ = entry;
    const Index::Entry& found = index_.entries()[entry];
    if (header_.codec == Codec::none) payload_ = pool_.take();
    std::vector<std::byte>& stored = header_.codec == Codec::none ? *payload_ : stored_;
    stored.resize(static_cast<std::size_t>(found.start.payload_bytes()));
    if (file_.read(found.offset + RecordStart::kBytes, stored) != stored.size())
      throw Error(ErrorCode::format, where() + ": the file ends within it");
    return true;
  }

  Identity identity() const override { return index_.entries()[entry_].start.identity; }

  void prepare() override {
    const RecordStart& start = index_.entries()[entry_].start;
    if (header_.codec != Codec::none) unpack(start);
    if ((header_.codec == Codec::none || stored_.empty()) && start.size != start.payload_bytes())
      throw Error(ErrorCode::format, fmt::format("{}: has {} bytes, and says {}", where(),
                                                 start.payload_bytes(), start.size));
    split_payload(*payload_, products_, where());
  }

  std::size_t fetch(std::size_t product) override { return products_[product].size(); }
  Bytes serialized(std::size_t product) override { return products_[product]; }
  std::shared_ptr<const void> keeper() override { return payload_; }

 private:
  void unpack(const RecordStart& start) {
    payload_ = pool_.take();
    payload_->clear();
    if (stored_.empty()) return;
    const Bytes packed = Bytes(stored_).first(static_cast<std::size_t>(start.stored_bytes()));
    check_ratio(header_.codec, packed.size(), start.unpacked_bytes(), where());
    payload_->resize(static_cast<std::size_t>(start.unpacked_bytes()));
    decompress(header_.codec, packed, *payload_, where());
  }
  [[nodiscard]] std::string where() const {
    return fmt::format("{}: event {} at byte {}", file_.path(), entry_,
                       index_.entries()[entry_].offset);
  }

  const ByteFile& file_;
  const Header& header_;
  const Index& index_;
  std::uint64_t entry_ = 0;
  Pool<std::vector<std::byte>>& pool_;
  std::vector<std::byte> stored_;                    ///< of a compressed event
  std::shared_ptr<std::vector<std::byte>> payload_;  ///< of the event
  std::vector<Bytes> products_;
};

class PdsSource final : public Source {
 public:
  explicit PdsSource(const std::string& path)
      : file_(ByteFile::open(path)),
        header_(read_header(file_)),
        index_(Index::of(file_, header_)) {}

  const ProductList& products() const override { return header_.products; }
  std::optional<std::uint64_t> size() const override {
    return index_.entries().size() + (index_.damage() ? 1 : 0);  // reading that one says why
  }
  bool is_interrupted() const override { return index_.incomplete_bytes() != 0; }
  bool blocks() const override { return true; }
  std::unique_ptr<Cursor> cursor() override {
    return std::make_unique<PdsCursor>(file_, header_, index_, pool_);
  }
  std::optional<std::uint64_t> find(const Identity& identity) override {
    const auto found = index_.find(identity);
    if (!found) index_.require_no_damage();  // it may lie behind
    return found;
  }

 private:
  ByteFile file_;
  Header header_;
  Index index_;
  Pool<std::vector<std::byte>> pool_;
};

}  // namespace

Header read_header(const ByteFile& file) {
  std::vector<std::byte> bytes(kStartBytes);
  bytes.resize(file.read(0, bytes));
  const std::uint64_t size = header_bytes(bytes, file.path());
  if (size > file.size())
    throw Error(ErrorCode::format, fmt::format("{}: header: {} bytes, the file has {}", file.path(),
                                               size, file.size()));
  bytes.resize(static_cast<std::size_t>(size));
  file.read(0, bytes);
  return decode_header(bytes, file.path());
}

SourceInfo pds_source() {
  return {.name = "PDS",
          .description = "events of a PDS file, with an index kept in FILE.index",
          .file = FileUse::required,
          .options = {},
          .make = [](const Request& request) { return std::make_unique<PdsSource>(request.file); }};
}

}  // namespace onecast::events::pds
