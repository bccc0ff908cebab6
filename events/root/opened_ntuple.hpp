#pragma once

#include <TFile.h>

#include <ROOT/RNTupleDescriptor.hxx>
#include <ROOT/RNTupleReader.hxx>
#include <memory>
#include <string>

namespace onecast::events::root {

/// An RNTuple that is open for reading.
struct OpenedNTuple {
  std::unique_ptr<ROOT::RNTupleReader> reader;  ///< nullptr if the ntuple has no events
  ROOT::RNTupleDescriptor fields;               ///< used if there is no reader

  [[nodiscard]] const ROOT::RNTupleDescriptor& descriptor() {
    return reader ? reader->GetDescriptor() : fields;
  }
};
OpenedNTuple open_ntuple(TFile& file, const std::string& name);

}  // namespace onecast::events::root
