#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <utility>

#include "commands.hpp"
#include "components/file_kind.hpp"
#include "hdf5/join.hpp"
#include "messages.hpp"
#include "model/byte_file.hpp"
#include "onecast/base/error.hpp"
#include "pds/pds.hpp"
#include "pds/pds_index.hpp"

namespace onecast::events {
namespace {

/// Makes a file by work(PLACE.part), which then takes its place, with the rights of the old one.
/// What was there stays until then; what is no file, as a pipe, is written itself.
template <class Work>
auto replaced(const std::string& place, Work&& work) {
  struct stat old{};
  const bool is_there = stat(place.c_str(), &old) == 0;
  if (is_there && !S_ISREG(old.st_mode)) return std::forward<Work>(work)(place);
  const auto require = [&](bool is_done) {
    if (!is_done)
      throw Error(ErrorCode::io, fmt::format("{}: {}", place, std::strerror(errno)), errno);
  };
  require(!is_there || access(place.c_str(), W_OK) == 0);
  const std::string part = place + ".part";
  for (const std::string& path : {place, part}) ByteFile::require_closed(path);
  const bool is_new = access(part.c_str(), F_OK) != 0;
  try {
    auto result = std::forward<Work>(work)(part);
    require(!is_there || chmod(part.c_str(), old.st_mode & 07777U) == 0);
    require(std::rename(part.c_str(), place.c_str()) == 0);
    return result;
  } catch (...) {
    if (is_new) unlink(part.c_str());
    throw;
  }
}

/// Throws if one of the files is what the joined ones become, or pass through.
void require_others(const std::vector<std::string>& in, const std::string& place) {
  std::error_code ignored;
  for (const std::string& path : in)
    for (const std::string& taken : {place, place + ".part"})
      if (std::filesystem::equivalent(path, taken, ignored))
        throw Error(ErrorCode::invalid_argument, fmt::format("{}: is joined to itself", path));
}

void join(const std::vector<std::string>& in, const std::string& out) {
  const std::string place = behind_links(out);
  require_others(in, place);
  const FileKind kind = kind_of_file(in.front());
  for (const std::string& path : in)
    if (kind_of_file(path) != kind)
      throw Error(ErrorCode::invalid_argument,
                  fmt::format("{} and {} are of different kinds", in.front(), path));
  const JoinReport report = replaced(place, [&](const std::string& part) {
    return kind == FileKind::pds ? pds::join(part, in) : hdf5::join(part, in);
  });
  if (kind == FileKind::pds) pds::Index::forget(out);
  for (const std::string& path : report.interrupted)
    say("{}: its writer was interrupted; what it has is joined", path);
  for (const std::string& path : report.recoded)
    say("{}: its chunks have other sizes than those of {}; its events were "
        "compressed anew",
        path, in.front());
  if (report.repeated)
    say("{}: several events are {}, and maybe others are there more than "
        "once; `onecast-events check` names them",
        out, text_of(*report.repeated));
}

void make_index(const std::string& path) {
  if (kind_of_file(path) == FileKind::hdf5) {
    hdf5::make_index(path);
    return;
  }
  const ByteFile file = ByteFile::open(path);
  pds::Index::made_of(file, pds::read_header(file)).save(file);
}

}  // namespace

void add_cat(Program& program) {
  struct Given {
    std::string out;
    std::vector<std::string> in;
  };
  auto given = std::make_shared<Given>();
  CLI::App* command = program.app.add_subcommand(
      "cat",
      "Join files of one layout, with equal products and compression: what is stored is "
      "copied as it is. Where the sizes of compressed chunks differ, events are compressed anew.");
  command->add_option("out", given->out)->required();
  command->add_option("in", given->in)->required();
  command->callback([&program, given] {
    program.do_alone([given] {
      join(given->in, given->out);
      return 0;
    });
  });
}

void add_index(Program& program) {
  auto paths = std::make_shared<std::vector<std::string>>();
  CLI::App* command = program.app.add_subcommand(
      "index", "Make the index of a file anew: beside a PDS file, in an HDF5 file.");
  command->add_option("file", *paths)->required();
  command->callback([&program, paths] {
    program.do_alone([paths] {
      for (const std::string& path : *paths) make_index(path);
      return 0;
    });
  });
}

}  // namespace onecast::events
