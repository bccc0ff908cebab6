// Reads and writes whole events as blobs: a TTree `Events` with offsets, blob and EventID, and a
// TTree `Meta` with one entry that describes them. Older programs write one branch, offsetsAndBlob,
// which uproot cannot read.
#include <TBranch.h>
#include <TClass.h>
#include <TFile.h>
#include <TTree.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <utility>

#include "identity_columns.hpp"
#include "model/make_error.hpp"
#include "root_components.hpp"
#include "root_errors.hpp"
#include "root_file.hpp"

namespace onecast::events::root {
namespace {

/// The offsets of the products in the blob, from 0 on, with its end.
using Offsets = std::vector<std::uint32_t>;
using Blob = std::vector<char>;
using OffsetsAndBlob = std::pair<Offsets, Blob>;
constexpr const char* kBlob = "offsetsAndBlob";
constexpr const char* kOffsets = "offsets";
constexpr const char* kOnlyBlob = "blob";
constexpr const char* kBlobClass = "pair<vector<unsigned int>,vector<char> >";

struct EventId {
  std::uint32_t run, lumi;
  std::uint64_t event;
};

/// The entry of Meta.
struct Meta {
  std::vector<std::string> names, classes;
  std::string serializer, compression = "None";
  std::vector<std::string>* names_at = &names;
  std::vector<std::string>* classes_at = &classes;
  std::string* serializer_at = &serializer;
  std::string* compression_at = &compression;

  /// Calls `each` with the name and address of each branch.
  template <class F>
  void branches(F&& each) {
    each("products", names_at);
    each("classes", classes_at);
    each("serializer", serializer_at);
    each("compression", compression_at);
  }
};

class BlobOutputer final : public RootFileOutputer {
 public:
  explicit BlobOutputer(const Request& request)
      : RootFileOutputer(request), pair_(request.options.flag("pair")) {}

  void write(const Batch& batch) override {
    for (const EncodedEvent& event : batch.events) {
      if (event.bytes.size() > UINT32_MAX / 4)
        throw unsupported_error("{}: event {}: {} bytes; ROOT takes up to 1 GiB", path(),
                                event.identity.event, event.bytes.size());
      blob_.first.assign(1, 0);
      for (const std::uint64_t end : event.ends)
        blob_.first.push_back(static_cast<std::uint32_t>(end));
      blob_.second.resize(event.bytes.size());
      if (!event.bytes.empty())
        std::memcpy(blob_.second.data(), event.bytes.data(), event.bytes.size());
      id_ = {event.identity.run, event.identity.lumi, event.identity.event};
      checked(path(), [&] {
        if (tree_->Fill() < 0) throw Error(ErrorCode::io, path() + ": " + take_report());
      });
    }
  }

 private:
  void begin_events(const ProductList& products) override {
    Meta meta;
    for (const Product& product : products.products) {
      meta.names.push_back(product.name);
      meta.classes.push_back(product.class_name);
    }
    meta.serializer = products.serializer;
    auto* tree = new TTree(kMeta, "");  // the file owns it
    meta.branches([&](const char* name, auto*& at) { tree->Branch(name, &at); });
    tree->Fill();
    tree->Write();
    tree->ResetBranchAddresses();
    tree_ = new TTree("Events", "");
    if (pair_) {
      tree_->Branch(kBlob, kBlobClass, &both_at_);
    } else {
      tree_->Branch(kOffsets, &first_at_);
      tree_->Branch(kOnlyBlob, &second_at_);
    }
    tree_->Branch(kEventId, &id_, kEventIdLeaves);
  }

  bool pair_;
  OffsetsAndBlob blob_;
  OffsetsAndBlob* both_at_ = &blob_;
  Offsets* first_at_ = &blob_.first;
  Blob* second_at_ = &blob_.second;
  EventId id_{};
  TTree* tree_ = nullptr;
};

class BlobSource final : public Source {
 public:
  BlobSource(std::unique_ptr<TFile> file, const std::string& name)
      : file_(std::move(file)), tree_(file_->Get<TTree>(name.c_str())) {
    read_meta();
    if (tree_->GetBranch(kEventId) == nullptr)
      throw format_error("{}: no branch {}", file_->GetName(), kEventId);
    if (tree_->GetBranch(kBlob) != nullptr) {
      tree_->SetBranchAddress(kBlob, &both_at_);
    } else {
      tree_->SetBranchAddress(kOffsets, &first_at_);
      tree_->SetBranchAddress(kOnlyBlob, &second_at_);
    }
    tree_->SetBranchAddress(kEventId, &id_);
  }

  const ProductList& products() const override { return products_; }
  std::optional<std::uint64_t> size() const override {
    return static_cast<std::uint64_t>(tree_->GetEntries());
  }
  bool blocks() const override { return true; }
  std::unique_ptr<Cursor> cursor() override { return std::make_unique<BlobCursor>(*this); }

 private:
  struct BlobCursor final : Cursor {
    explicit BlobCursor(BlobSource& of) : source(of) {}
    bool go_to(std::uint64_t entry) override {
      if (entry >= *source.size()) return false;
      source.read(entry);
      event = source.blob_;
      id = {source.id_.run, source.id_.lumi, source.id_.event};
      return true;
    }
    Identity identity() const override { return id; }
    std::size_t fetch(std::size_t product) override {
      return event.first[product + 1] - event.first[product];
    }
    Bytes serialized(std::size_t product) override {
      return std::as_bytes(std::span(event.second)).subspan(event.first[product], fetch(product));
    }

    BlobSource& source;
    Identity id;
    OffsetsAndBlob event;
  };

  void read_meta() {
    auto* tree = file_->Get<TTree>(kMeta);
    Meta meta;
    if (tree == nullptr || tree->GetEntries() != 1)
      throw format_error("{}: {}: a tree with one entry was expected", file_->GetName(), kMeta);
    meta.branches([&](const char* name, auto*& at) { tree->SetBranchAddress(name, &at); });
    tree->GetEntry(0);
    tree->ResetBranchAddresses();
    if (meta.names.size() != meta.classes.size())
      throw format_error("{}: {}: {} products, {} classes", file_->GetName(), kMeta,
                         meta.names.size(), meta.classes.size());
    products_.serializer = meta.serializer;
    for (std::size_t i = 0; i < meta.names.size(); ++i)
      products_.products.push_back({meta.names[i], meta.classes[i]});
  }

  void read(std::uint64_t entry) {
    const std::string where = fmt::format("{}: entry {}", file_->GetName(), entry);
    checked(where, [&] {
      if (tree_->GetEntry(static_cast<Long64_t>(entry)) < 0)
        throw Error(ErrorCode::format, where + ": cannot be read: " + take_report());
    });
    const std::vector<std::uint32_t>& offsets = blob_.first;
    const bool fit = offsets.size() == products_.size() + 1 && std::ranges::is_sorted(offsets) &&
                     offsets.back() <= blob_.second.size();
    if (!fit)
      throw format_error("{}: {} offsets of {} products in {} bytes", where, offsets.size(),
                         products_.size(), blob_.second.size());
  }

  std::unique_ptr<TFile> file_;
  TTree* tree_;
  ProductList products_;
  OffsetsAndBlob blob_;
  OffsetsAndBlob* both_at_ = &blob_;
  Offsets* first_at_ = &blob_.first;
  Blob* second_at_ = &blob_.second;
  EventId id_{};
};

}  // namespace

bool has_blobs(TFile& file, TTree& tree) {
  auto* described = file.Get<TTree>(kMeta);
  if (described == nullptr) return false;  // products may have these names
  const auto have = [](TTree& of, std::initializer_list<const char*> names) {
    return std::ranges::all_of(names, [&](const char* name) { return of.GetBranch(name); });
  };
  return have(*described, {"products", "classes", "serializer"}) &&
         (have(tree, {kEventId, kBlob}) || have(tree, {kEventId, kOffsets, kOnlyBlob}));
}

std::unique_ptr<Source> blob_source(std::unique_ptr<TFile> file, const std::string& tree) {
  return std::make_unique<BlobSource>(std::move(file), tree);
}

OutputerInfo blob_outputer() {
  std::vector<OptionInfo> options = root_compression_options();
  options.push_back({.name = "pair",
                     .kind = OptionInfo::Kind::flag,
                     .otherwise = "false",
                     .description = "one branch offsetsAndBlob, as older programs have it"});
  return {.name = "ROOTEvent",
          .description = "a ROOT file: a TTree with each event as one blob",
          .file = FileUse::required,
          .options = options,
          .make = [](const Request& request) { return std::make_unique<BlobOutputer>(request); }};
}

}  // namespace onecast::events::root
