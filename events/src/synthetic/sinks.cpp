#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "model/byte_file.hpp"
#include "synthetic/synthetic.hpp"

namespace onecast::events {
namespace {

class Dummy final : public Outputer {
 public:
  void begin(const ProductList&, const Expectation&) override {}
  bool takes_products() const override { return false; }
  std::uint64_t batch_events() const override { return 64; }
  EncodedEvent encode(const Event& event) override { return {event.identity, {}, {}}; }
  void write(const Batch&) override {}
};

class Serialize final : public Outputer {
 public:
  void begin(const ProductList&, const Expectation&) override {}
  std::uint64_t batch_events() const override { return 16; }
  void write(const Batch&) override {}
};

class TextDump final : public Outputer {
 public:
  explicit TextDump(const Request& request)
      : file_(request.file), shown_(static_cast<std::size_t>(request.options.number("bytes"))) {}

  void begin(const ProductList& products, const Expectation&) override {
    list_ = products;
    out_.emplace(file_.empty() ? ByteFile::standard_output() : ByteFile::create(file_));
  }
  bool blocks() const override { return true; }

  EncodedEvent encode(const Event& event) override {
    const Identity& id = event.identity;
    std::string text = fmt::format("run {} lumi {} event {}\n", id.run, id.lumi, id.event);
    for (std::size_t i = 0; i < event.products.size(); ++i) {
      const Bytes bytes = event.products[i];
      text += fmt::format("  {} {} {} bytes", list_.products[i].name, list_.products[i].class_name,
                          bytes.size());
      if (shown_ != 0 && !bytes.empty()) text += ' ';
      for (const std::byte b : bytes.first(std::min(bytes.size(), shown_)))
        text += fmt::format("{:02x}", static_cast<unsigned>(b));
      text += '\n';
    }
    const Bytes bytes = std::as_bytes(std::span(text));
    return {id, {bytes.begin(), bytes.end()}, {}};
  }
  void write(const Batch& batch) override {
    for (const EncodedEvent& event : batch.events) {
      const Bytes bytes = event.bytes;
      out_->append({&bytes, 1});
      bytes_written_ += bytes.size();
    }
  }
  void finish() override {
    if (out_) out_->close();
  }
  std::uint64_t bytes_written() const override { return bytes_written_; }

 private:
  std::string file_;
  std::size_t shown_;
  ProductList list_;
  std::optional<ByteFile> out_;
  std::uint64_t bytes_written_ = 0;
};

}  // namespace

OutputerInfo dummy_outputer() {
  return {.name = "Dummy",
          .description = "writes nothing",
          .file = FileUse::none,
          .options = {},
          .make = [](const Request&) { return std::make_unique<Dummy>(); }};
}

OutputerInfo serialize_outputer() {
  return {.name = "Serialize",
          .description = "serialises events, and writes nothing",
          .file = FileUse::none,
          .options = {},
          .make = [](const Request&) { return std::make_unique<Serialize>(); }};
}

OutputerInfo text_dump_outputer() {
  return {.name = "TextDump",
          .description = "a line for each event and product, in a file or on the standard output",
          .file = FileUse::optional,
          .options = {{.name = "bytes",
                       .kind = OptionInfo::Kind::number,
                       .otherwise = "0",
                       .description = "the number of bytes of a product that are shown"}},
          .make = [](const Request& request) { return std::make_unique<TextDump>(request); }};
}

}  // namespace onecast::events
