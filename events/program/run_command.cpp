#include <fmt/format.h>

#include <charconv>
#include <memory>

#include "commands.hpp"
#include "components/file_kind.hpp"
#include "components/spec.hpp"
#include "model/make_error.hpp"
#include "rank_names.hpp"

namespace onecast::events {
namespace {

std::string_view name_of(OptionInfo::Kind kind) {
  static constexpr std::array<std::string_view, 6> kNames{"flag", "number", "decimal",
                                                          "text", "size",   "choice"};
  return kNames[static_cast<std::size_t>(kind)];
}

template <class Infos>
void describe(const char* kind, const Infos& infos) {
  for (const auto& [name, info] : infos) {
    const char* file = info.file == FileUse::none       ? ""
                       : info.file == FileUse::required ? "=FILE"
                                                        : "[=FILE]";
    fmt::print("{} {}{}: {}\n", kind, name, file, info.description);
    for (const OptionInfo& option : info.options) {
      std::string choices;
      for (const std::string& choice : option.choices)
        choices += (choices.empty() ? "" : "|") + choice;
      fmt::print("    {}={} ({}): {}\n", option.name,
                 choices.empty() ? std::string(name_of(option.kind)) : choices, option.otherwise,
                 option.description);
    }
  }
}

void describe_components(const std::vector<std::string>& libraries) {
  Registry registry = standard_components();
  for (const std::string& library : libraries) registry.load(library);
  describe("source", registry.sources());
  describe("outputer", registry.outputers());
  describe("waiter", registry.waiters());
}

}  // namespace

CLI::Validator whole_number() {
  return {[](std::string& text) -> std::string {
            std::uint64_t number = 0;
            const char* const end = text.data() + text.size();
            const auto [at, problem] = std::from_chars(text.data(), end, number);
            if (problem != std::errc() || at != end || number > INT64_MAX)
              return fmt::format("a whole number from 0 to {} was expected, not {}", INT64_MAX,
                                 text);
            text = fmt::to_string(number);
            return {};
          },
          ""};
}

void add_job_options(CLI::App& command, Job& job) {
  command.add_option("-t,--threads", job.options.threads, "the number of computing threads")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  command
      .add_option("-l,--lanes", job.options.lanes,
                  "the number of events processed at a time; 0: two for each thread")
      ->check(CLI::Range(0, 16384));
  command
      .add_option("-n,--events", job.options.events,
                  "the most events; with {rank} in the source, on each rank")
      ->transform(whole_number());
  command
      .add_option("--first", job.options.first,
                  "the first entry of the source; with {rank}, of each source")
      ->transform(whole_number());
  command.add_option("-p,--product", job.products, "a product; may be repeated (default: all)");
  command.add_option("--load", job.libraries, "shared library with components; may be repeated");
  command.add_option(
      "--json", job.json,
      "write the statistics to this file; -: to standard output instead of the text");
  command.add_option("--progress-fd", job.progress_fd,
                     "write the number of written events to this descriptor, a line each time");
  command.add_flag("-q,--quiet", job.quiet, "print no statistics");
}

void add_run(Program& program) {
  auto job = std::make_shared<Job>();
  auto lists = std::make_shared<bool>(false);
  CLI::App* command =
      program.app.add_subcommand("run",
                                 "Bring the events of a source to an outputer. Components "
                                 "are written Name=file:key=value:flag. With mpiexec, {rank} "
                                 "in a file name is the rank.");
  command->add_option("-s,--source", job->source, "the source of the events");
  command->add_option("-o,--outputer", job->outputer, "the outputer of the events")
      ->default_val("Dummy");
  command->add_option("-w,--waiter", job->waiter, "the waiter, which simulates work");
  command->add_flag("--list", *lists, "list the components and their options");
  add_job_options(*command, *job);
  command->callback([&program, job, lists] {
    if (*lists)
      return program.do_alone([job] {
        describe_components(job->libraries);
        return 0;
      });
    if (job->source.empty()) throw CLI::RequiredError("--source");
    program.job = [job](const std::shared_ptr<Team>& team) { return do_job(*job, team); };
  });
}

namespace {

std::string outputer_for(const std::string& path, FileKind kind, const std::string& layout,
                         const std::string& compression, const std::string& unit) {
  std::string text = kind == FileKind::pds    ? "PDS="
                     : kind == FileKind::root ? "ROOT="
                     : layout == "product"    ? "HDF5Product="
                     : layout == "batch"      ? "HDF5Batch="
                     : layout == "columnar"   ? "HDF5Columnar="
                                              : "HDF5Event=";
  text += escaped(path);
  const std::size_t colon = compression.find(':');
  if (!compression.empty()) {
    text += ":compression=" + compression.substr(0, colon);
    if (colon != std::string::npos) text += ":level=" + compression.substr(colon + 1);
  }
  if (!unit.empty()) text += ":unit=" + unit;
  return text;
}

}  // namespace

void add_convert(Program& program) {
  struct Given {
    std::string in, out, layout = "event", compression, unit;
    Job job;
  };
  auto given = std::make_shared<Given>();
  CLI::App* command = program.app.add_subcommand(
      "convert",
      "Copy the events of a file to a file of another kind: NAME.pds becomes PDS, NAME.root ROOT; "
      "NAME.h5, NAME.hdf5, NAME.hdf and a name without an ending HDF5. With mpiexec, {rank} in a "
      "name is the rank.");
  command->add_option("IN", given->in)->required();
  command->add_option("OUT", given->out)->required();
  const CLI::Option* layout =
      command->add_option("--layout", given->layout, "the layout of an HDF5 file")
          ->check(CLI::IsMember({"product", "event", "batch", "columnar"}))
          ->capture_default_str();
  command->add_option("--compression", given->compression,
                      "none, lz4, zstd:3, lzma:4 ...; default: that of the outputer");
  const CLI::Option* unit =
      command->add_option("--unit", given->unit, "for HDF5, what is compressed as one piece");
  add_job_options(*command, given->job);
  command->callback([&program, given, layout, unit] {
    const FileKind kind = kind_of_name(given->out).value_or(FileKind::hdf5);
    for (const CLI::Option* option : {layout, unit})
      if (kind != FileKind::hdf5 && option->count() != 0)
        throw argument_error("{}: is for HDF5; {} becomes {}", option->get_name(), given->out,
                             kind == FileKind::pds ? "PDS" : "ROOT");
    given->job.replaces = true;
    given->job.outputer =
        outputer_for(given->out, kind, given->layout, given->compression, given->unit);
    program.job = [given](const std::shared_ptr<Team>& team) {
      do_agreed(*team, [&] {
        const std::string source = source_for(with_rank(given->in, team->rank()));
        given->job.source =
            names_rank(given->in) ? with_file(source, split_name(given->in).first) : source;
      });
      return do_job(given->job, team);
    };
  });
}

}  // namespace onecast::events
