#include "onecast/check/check.hpp"

#include <array>

#include "capi/growing_struct.hpp"
#include "capi/guard.hpp"
#include "capi/returned_memory.hpp"
#include "onecast/capi/check.h"

using namespace onecast;
using namespace onecast::capi;

namespace {

std::array<const std::string*, 4> texts_of(const Finding& f) {
  return {&f.path, &f.structure, &f.field, &f.what};
}

onecast_finding* returned_findings(const std::vector<Finding>& findings) {
  std::size_t bytes = 0;
  for (const Finding& f : findings)
    for (const std::string* text : texts_of(f)) bytes += text->size() + 1;
  ReturnedBlock block(findings.size(), sizeof(onecast_finding), bytes);
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const Finding& f = findings[i];
    onecast_finding& given = block.entries<onecast_finding>()[i];
    given.kind = static_cast<onecast_finding_kind>(f.kind);
    given.address = f.address.value_or(ONECAST_NO_ADDRESS);
    given.path = block.put(f.path);
    given.structure = block.put(f.structure);
    given.field = block.put(f.field);
    given.what = block.put(f.what);
  }
  return static_cast<onecast_finding*>(block.release());
}

onecast_check_report report_of(const CheckReport& all) {
  onecast_check_report given = {};
  given.file_size = all.file_size;
  given.user_block = all.user_block;
  given.end_of_file = all.end_of_file;
  given.metadata_bytes = all.metadata_bytes;
  given.raw_data_bytes = all.raw_data_bytes;
  given.compact_bytes = all.compact_bytes;
  given.free_bytes = all.free_bytes;
  given.unaccounted_bytes = all.unaccounted_bytes;
  given.metadata_pieces = all.metadata_pieces;
  given.superblock_version = all.superblock_version;
  given.walked = all.walked ? 1 : 0;
  given.damaged = all.is_damaged() ? 1 : 0;
  return given;
}

}  // namespace

onecast_status onecast_check_file(const char* path, int data, onecast_check_report* report,
                                  size_t size, size_t* count, onecast_finding** findings) {
  return guard_listing(findings, count, [&] {
    CheckOptions options;
    options.data = data != 0;
    const CheckReport all = check_file(required_text(path, "path"), options);
    if (report != nullptr) give_struct(report, size, report_of(all), "report");
    if (findings != nullptr) *findings = returned_findings(all.findings);
    if (count != nullptr) *count = all.findings.size();
  });
}
