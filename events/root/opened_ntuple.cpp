#include "opened_ntuple.hpp"

#include <ROOT/RError.hxx>
#include <ROOT/RNTuple.hxx>
#include <ROOT/RNTupleSerialize.hxx>
#include <ROOT/RNTupleZip.hxx>
#include <cstddef>
#include <string_view>
#include <vector>

#include "model/make_error.hpp"

namespace onecast::events::root {
namespace {

/// Returns a part of the file, which has `bytes` bytes and is compressed to `stored`.
std::vector<std::byte> unzipped(TFile& file, std::uint64_t at, std::uint64_t stored,
                                std::uint64_t bytes) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 30U;
  if (stored > bytes || bytes > kMost)
    throw format_error("{}: a description of {} bytes, compressed to {}", file.GetName(), bytes,
                       stored);
  std::vector<std::byte> from(stored);
  std::vector<std::byte> to(bytes);
  if (file.ReadBuffer(reinterpret_cast<char*>(from.data()), static_cast<Long64_t>(at),
                      static_cast<Int_t>(stored)))
    throw io_error("{}: cannot be read", file.GetName());
  ROOT::Internal::RNTupleDecompressor::Unzip(from.data(), stored, bytes, to.data());
  return to;
}

/// Reads the description without the list of pages, since ROOT accepts no cluster without events
/// there.
ROOT::RNTupleDescriptor without_pages(TFile& file, const std::string& name) {
  const std::unique_ptr<ROOT::RNTuple> anchor(file.Get<ROOT::RNTuple>(name.c_str()));
  if (!anchor) throw not_found_error("{}: there is no RNTuple {}", file.GetName(), name);
  const auto header =
      unzipped(file, anchor->GetSeekHeader(), anchor->GetNBytesHeader(), anchor->GetLenHeader());
  const auto footer =
      unzipped(file, anchor->GetSeekFooter(), anchor->GetNBytesFooter(), anchor->GetLenFooter());
  using ROOT::Internal::RNTupleSerializer;
  ROOT::Internal::RNTupleDescriptorBuilder builder;
  builder.SetVersion(anchor->GetVersionEpoch(), anchor->GetVersionMajor(),
                     anchor->GetVersionMinor(), anchor->GetVersionPatch());
  RNTupleSerializer::DeserializeHeader(header.data(), header.size(), builder).ThrowOnError();
  RNTupleSerializer::DeserializeFooter(footer.data(), footer.size(), builder).ThrowOnError();
  return builder.MoveDescriptor();
}

}  // namespace

OpenedNTuple open_ntuple(TFile& file, const std::string& name) {
  try {
    return {ROOT::RNTupleReader::Open(name, file.GetName()), {}};
  } catch (const ROOT::RException& error) {
    if (!std::string_view(error.what()).starts_with("empty cluster")) throw;
    OpenedNTuple opened{nullptr, without_pages(file, name)};
    if (opened.fields.GetNEntries() != 0) throw;
    return opened;
  }
}

}  // namespace onecast::events::root
