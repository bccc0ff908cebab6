// Keeps an HDF5 file in memory: an object of the program takes the place of a path.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <onecast/onecast.hpp>
#include <span>
#include <string>
#include <vector>

class Buffer final : public onecast::RandomAccessFile {
 public:
  [[nodiscard]] std::string name() const override { return "<buffer>"; }

  std::size_t read_at(std::uint64_t offset, std::span<std::byte> out) override {
    if (offset >= bytes_.size()) return 0;
    const auto rest = std::span(bytes_).subspan(offset);
    const std::size_t count = std::min(out.size(), rest.size());
    std::copy_n(rest.begin(), count, out.begin());
    return count;
  }
  void write_at(std::uint64_t offset, std::span<const std::byte> bytes) override {
    if (offset + bytes.size() > bytes_.size()) bytes_.resize(offset + bytes.size());
    std::copy(bytes.begin(), bytes.end(), std::span(bytes_).subspan(offset).begin());
  }
  std::uint64_t size() override { return bytes_.size(); }
  void truncate(std::uint64_t size) override { bytes_.resize(size); }

 private:
  std::vector<std::byte> bytes_;
};

int main() {
  const auto buffer = std::make_shared<Buffer>();
  onecast::File file = onecast::File::create(buffer);
  file.root().create_dataset("x", {3}, {1.0, 2.0, 3.0});
  file.close();

  file = onecast::File::open(buffer);
  const bool same =
      file.root().open_dataset("x").read<double>() == std::vector<double>{1.0, 2.0, 3.0};
  file.close();
  return same ? 0 : 1;
}
