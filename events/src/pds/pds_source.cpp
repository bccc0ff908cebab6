#include <fmt/format.h>

#include "model/byte_file.hpp"
#include "model/make_error.hpp"
#include "model/pool.hpp"
#include "pds/pds.hpp"
#include "pds/pds_index.hpp"

namespace onecast::events::pds {
namespace {

class PdsCursor final : public Cursor {
 public:
  PdsCursor(const ByteFile& file, const Header& header, Index& index,
            Pool<std::vector<std::byte>>& pool)
      : file_(file),
        header_(header),
        index_(index),
        pool_(pool),
        products_(header.products.size()) {}

  bool go_to(std::uint64_t number) override {
    if (number >= index_.size()) {
      index_.require_no_damage();
      return false;
    }
    number_ = number;
    if (is_plain()) kept_ = pool_.take();
    entry_ = index_.read(number, is_plain() ? *kept_ : stored_);
    return true;
  }

  Identity identity() const override { return entry_.start.identity; }

  void prepare() override {
    const RecordStart& start = entry_.start;
    if ((is_plain() || start.payload_bytes() == 0) && start.size != start.payload_bytes())
      throw format_error("{}: has {} bytes, and says {}", where(), start.payload_bytes(),
                         start.size);
    if (!is_plain()) unpack();
    const Bytes payload = *kept_;
    split_payload(is_plain() ? payload.subspan(RecordStart::kBytes) : payload, products_, where());
  }

  std::size_t fetch(std::size_t product) override { return products_[product].size(); }
  Bytes serialized(std::size_t product) override { return products_[product]; }
  std::shared_ptr<const void> keeper() override { return kept_; }

 private:
  [[nodiscard]] bool is_plain() const { return header_.codec == Codec::none; }
  void unpack() {
    const RecordStart& start = entry_.start;
    kept_ = pool_.take();
    kept_->clear();
    if (start.payload_bytes() == 0) return;
    const Bytes packed =
        Bytes(stored_).subspan(RecordStart::kBytes, static_cast<std::size_t>(start.stored_bytes()));
    check_ratio(header_.codec, packed.size(), start.unpacked_bytes(), where());
    kept_->resize(static_cast<std::size_t>(start.unpacked_bytes()));
    decompress(header_.codec, packed, *kept_, where());
  }
  [[nodiscard]] std::string where() const {
    return fmt::format("{}: event {} at byte {}", file_.path(), number_, entry_.offset);
  }

  const ByteFile& file_;
  const Header& header_;
  Index& index_;
  std::uint64_t number_ = 0;
  Entry entry_;
  Pool<std::vector<std::byte>>& pool_;
  std::vector<std::byte> stored_;                 ///< the record of a compressed event
  std::shared_ptr<std::vector<std::byte>> kept_;  ///< the record, or its unpacked bytes
  std::vector<Bytes> products_;
};

class PdsSource final : public Source {
 public:
  explicit PdsSource(const std::string& path)
      : file_(ByteFile::open(path)),
        header_(read_header(file_)),
        index_(Index::of(file_, header_)),
        size_(index_.size() + (index_.damage() ? 1 : 0)),
        is_interrupted_(index_.incomplete_bytes() != 0) {}

  const ProductList& products() const override { return header_.products; }
  std::optional<std::uint64_t> size() const override { return size_; }
  bool is_interrupted() const override { return is_interrupted_; }
  bool blocks() const override { return true; }
  std::unique_ptr<Cursor> cursor() override {
    return std::make_unique<PdsCursor>(file_, header_, index_, pool_);
  }
  std::optional<std::uint64_t> find(const Identity& identity) override {
    const auto found = index_.find(identity);
    if (!found) index_.require_no_damage();  // the event may lie after the damage
    return found;
  }

 private:
  ByteFile file_;
  Header header_;
  Index index_;
  // These values stay the same if the index is made anew.
  std::uint64_t size_;  ///< counts a damaged event, so that reading it reports the damage
  bool is_interrupted_;
  Pool<std::vector<std::byte>> pool_;
};

}  // namespace

Header read_header(const ByteFile& file) {
  std::vector<std::byte> bytes(kStartBytes);
  bytes.resize(file.read(0, bytes));
  const std::uint64_t size = header_bytes(bytes, file.path());
  if (size > file.size())
    throw format_error("{}: header: {} bytes, the file has {}", file.path(), size, file.size());
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
