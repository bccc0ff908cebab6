#include <filesystem>
#include <memory>

#include "commands.hpp"
#include "components/file_kind.hpp"
#include "hdf5/join.hpp"
#include "messages.hpp"
#include "model/byte_file.hpp"
#include "model/make_error.hpp"
#include "pds/pds.hpp"
#include "pds/pds_index.hpp"
#include "replacement.hpp"
#include "signals.hpp"

namespace onecast::events {
namespace {

/// Throws if one of the files is the target of the join.
void require_others(const std::vector<std::string>& in, const std::string& out) {
  std::error_code ignored;
  for (const std::string& path : in)
    if (std::filesystem::equivalent(path, out, ignored))
      throw argument_error("{}: is joined to itself", path);
}

void join(const std::vector<std::string>& in, const std::string& out) {
  require_others(in, out);
  const FileKind kind = kind_of_file(in.front());
  if (kind == FileKind::root)
    throw unsupported_error(
        "{}: is a ROOT file: `onecast events cat` makes columns of several, and hadd of ROOT joins "
        "them",
        in.front());
  if (kind_of_name(out).value_or(kind) != kind)
    throw argument_error("{}: {} becomes a file of its kind, of which this is no name", out,
                         in.front());
  for (const std::string& path : in)
    if (kind_of_file(path) != kind)
      throw argument_error("{} and {} are of different kinds", in.front(), path);
  Replacement replacement(out);
  const EndBySignal ends;
  const JoinReport report = kind == FileKind::pds ? pds::join(replacement.part(), in)
                                                  : hdf5::join(replacement.part(), in);
  replacement.complete();
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
  const FileKind kind = kind_of_file(path);
  if (kind == FileKind::root) throw unsupported_error("{}: a ROOT file has no index", path);
  if (kind == FileKind::hdf5) {
    hdf5::make_index(path);
    return;
  }
  const ByteFile file = ByteFile::open(path);
  const pds::Index index = pds::Index::made_of(file, pds::read_header(file));
  index.require_no_damage();  // before the target is replaced
  index.save(file);
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
      "Join files of one layout, with equal products and compression. Stored bytes are copied. If "
      "the sizes of compressed chunks differ, events are compressed again.");
  command->add_option("OUT", given->out)->required();
  command->add_option("IN", given->in)->required();
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
      "index", "Write the index of a file again: beside a PDS file, in an HDF5 file.");
  command->add_option("FILE", *paths)->required();
  command->callback([&program, paths] {
    program.do_alone([paths] {
      for (const std::string& path : *paths) make_index(path);
      return 0;
    });
  });
}

}  // namespace onecast::events
