#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "components/root_library.hpp"
#include "components/spec.hpp"
#include "hdf5/element_types.hpp"
#include "messages.hpp"
#include "model/files_beside.hpp"
#include "model/make_error.hpp"
#include "onecast/base/error.hpp"
#include "pds/pds_index.hpp"
#include "rank_names.hpp"
#include "replacement.hpp"
#include "signals.hpp"
#include "statistics_file.hpp"

namespace onecast::events {
namespace {

/// Returns the files of a component. In place of a file, a source may have another source with a
/// file.
std::vector<std::string> files_of(std::string component, const Registry& registry) {
  std::vector<std::string> files;
  while (true) {
    files.push_back(parse_spec(component).file);
    component = files.back();
    if (!registry.sources().contains(component.substr(0, component.find_first_of("=:"))))
      return files;
  }
}

/// True if both names lead to one file, which need not exist. A device does not count.
bool are_same(const std::string& a, const std::string& b) {
  std::error_code problem;
  if (a.empty() || b.empty()) return false;
  if (std::filesystem::exists(a, problem))
    return std::filesystem::is_regular_file(a, problem) &&
           std::filesystem::equivalent(a, b, problem);
  const auto place = std::filesystem::weakly_canonical(a, problem);
  return !problem && place == std::filesystem::weakly_canonical(b, problem) && !problem;
}

/// Throws if the job would overwrite its own source, which file locks may not prevent.
void require_other_target(const std::string& source, const std::string& outputer,
                          const Registry& registry) {
  std::error_code ignored;
  for (const std::string& read : files_of(source, registry))
    for (const std::string& written : files_of(outputer, registry))
      if (std::filesystem::exists(read, ignored) && are_same(read, written))
        throw argument_error(
            "{}: is a file of the source {}; a job cannot write over its own source", written,
            source);
}

/// Throws if the file for the statistics is a file of the component.
void require_other_file(const std::string& json, const std::string& component,
                        const Registry& registry) {
  if (component.empty() || json.empty()) return;
  for (const std::string& file : files_of(component, registry))
    if (are_same(json, file) || are_same(json, pds::Index::path_of(file)) ||
        are_same(json, journal_beside(file)))
      throw argument_error("--json: {}: is a file of {}; another file was expected", json,
                           component);
}

std::string name_of(const std::string& component) { return parse_spec(component).name; }

ComponentNames names_of(const Job& job) {
  return {"source " + name_of(job.source), "outputer " + name_of(job.outputer),
          job.waiter.empty() ? "" : "waiter " + name_of(job.waiter)};
}

/// Makes a component; errors name it, except errors of its options, which begin with its name.
template <class F>
auto made(const std::string& component, const std::string& called, F&& make) {
  try {
    return std::forward<F>(make)();
  } catch (const std::exception& error) {
    if (std::string_view(error.what()).starts_with(name_of(component) + ":")) throw;
    std::rethrow_exception(blamed(std::current_exception(), called));
  } catch (...) {
    std::rethrow_exception(blamed(std::current_exception(), called));
  }
}

/// The components of a job, made on all ranks.
struct Components {
  Registry registry = standard_components();
  std::unique_ptr<Source> source;
  std::unique_ptr<Outputer> outputer;
  std::unique_ptr<Waiter> waiter;

  /// Loads the libraries, and checks the names of files.
  void prepare(const Job& job, int rank) {
    for (const std::string& library : job.libraries) registry.load(library);
    for (const std::string& component : {job.source, job.outputer})
      load_root_if_named(registry, component);
    for (const std::string& component : {job.source, job.outputer, job.waiter})
      require_other_file(job.json, with_rank(component, rank), registry);
    require_other_target(with_rank(job.source, rank), with_rank(job.outputer, rank), registry);
  }

  /// @param target the outputer with the file of this rank
  void make(const Job& job, const std::string& target, const std::shared_ptr<Team>& team) {
    const int rank = team->rank();
    const auto writers = names_rank(job.outputer) ? alone() : team;
    const ComponentNames names = names_of(job);
    source = made(job.source, names.source,
                  [&] { return registry.source(with_rank(job.source, rank)); });
    if (!job.products.empty()) source = with_products(std::move(source), job.products);
    outputer =
        made(job.outputer, names.outputer, [&] { return registry.outputer(target, writers); });
    if (!job.waiter.empty())
      waiter = made(job.waiter, names.waiter,
                    [&] { return registry.waiter(with_rank(job.waiter, rank)); });
    if (writers->size() > 1 && !outputer->is_collective() && parse_spec(job.outputer).has_file)
      throw argument_error("{}: each rank writes a file of its own: name it with {{rank}}",
                           job.outputer);
  }
};

/// The outputer's file, of this rank or of all ranks. If the job replaces an existing file, it
/// writes another file, which takes its place at the end.
class Target {
 public:
  /// @collective
  Target(const Job& job, Team& team) : outputer_(with_rank(job.outputer, team.rank())) {
    if (!job.replaces) return;
    const bool is_own = names_rank(job.outputer);
    place_ = parse_spec(outputer_).file;
    do_agreed(team, [&] {
      if (is_own || team.rank() == 0) replacement_.emplace(place_);
    });
    std::string part = replacement_ ? replacement_->part() : "";
    if (!is_own) part = gather_texts(team, part).front();
    outputer_ = with_file(outputer_, part);
  }

  [[nodiscard]] const std::string& outputer() const { return outputer_; }
  /// Does work that may fail with the name of the written file; errors give the name that users
  /// know.
  void naming_place(const std::function<void()>& work) const {
    try {
      work();
    } catch (const Error& error) {
      std::string text = error.what();
      const std::string part = parse_spec(outputer_).file;
      const std::size_t at = place_.empty() ? std::string::npos : text.find(part);
      if (at == std::string::npos) throw;
      throw Error(error.code(), text.replace(at, part.size(), place_), error.system_errno());
    }
  }
  /// Called on each rank when all ranks are done.
  void complete() {
    if (!replacement_) return;
    replacement_->complete();
    pds::Index::forget(place_);
  }

 private:
  std::string outputer_, place_;
  std::optional<Replacement> replacement_;
};

/// Reports what is not read of a file: events, if its writer was interrupted, or products.
void warn_of_what_is_missing(const Source& source, const std::string& file) {
  for (const std::string& column : source.left_out()) say("{}: {}: left out", file, column);
  if (source.is_interrupted())
    say("{}: its writer was interrupted; it has {} complete events", file,
        source.size().value_or(0));
}

/// Reports what PDS does not keep of products.
void warn_of_loss_in_pds(const ProductList& products) {
  const auto count = std::ranges::count_if(products.products, [&](const Product& product) {
    return hdf5::element_type(product, products.serializer).has_value();
  });
  if (count != 0)
    say("{} of {} products are numbers (serializer {}): PDS keeps them as "
        "bytes, filled up with zeros to whole words of 4 bytes, and not the serializer",
        count, products.size(), products.serializer);
  else if (!pds::keeps_serializer(products.serializer))
    say("PDS fills products up with zeros to whole words of 4 bytes, and does not keep the "
        "serializer {}",
        products.serializer);
}

/// Warns, once each, of what may surprise the user.
void warn(const Job& job, const Source& source, int rank) {
  if (rank == 0 || names_rank(job.source))
    warn_of_what_is_missing(source, parse_spec(with_rank(job.source, rank)).file);
  if (rank == 0 && name_of(job.outputer) == "PDS") warn_of_loss_in_pds(source.products());
}

/// Returns the statistics of all ranks together.
Statistics gathered(const Statistics& mine, Team& team) {
  std::vector<std::uint64_t> numbers{mine.events,
                                     mine.product_bytes,
                                     mine.bytes_written,
                                     mine.peak_memory,
                                     mine.stopped ? 1U : 0U,
                                     static_cast<std::uint64_t>(mine.seconds * 1e9),
                                     static_cast<std::uint64_t>(mine.processor_seconds * 1e9)};
  for (const auto& [stage, seconds] : mine.stages)
    numbers.push_back(static_cast<std::uint64_t>(seconds * 1e9));
  Statistics all;
  for (const auto& rank : team.gather(numbers)) {
    all.events += rank[0];
    all.product_bytes += rank[1];
    all.bytes_written += rank[2];
    all.peak_memory += rank[3];
    all.stopped = all.stopped || rank[4] != 0;
    all.seconds = std::max(all.seconds, static_cast<double>(rank[5]) * 1e-9);
    all.processor_seconds += static_cast<double>(rank[6]) * 1e-9;
    std::size_t at = 7;
    for (const auto& [stage, seconds] : mine.stages)
      all.stages[stage] += static_cast<double>(rank[at++]) * 1e-9;
  }
  return all;
}

void print(const Statistics& all) {
  const double seconds = std::max(all.seconds, 1e-9);
  fmt::print(
      "{} events in {:.3f} s: {:.0f} events/s, {:.1f} MB of products/s, {:.1f} MB written, "
      "{:.0f} MB of memory\n",
      all.events, all.seconds, static_cast<double>(all.events) / seconds,
      static_cast<double>(all.product_bytes) / seconds / 1e6,
      static_cast<double>(all.bytes_written) / 1e6, static_cast<double>(all.peak_memory) / 1e6);
  std::string stages;
  for (const auto& [stage, time] : all.stages)
    if (time >= 5e-4) stages += fmt::format("{}{} {:.3f}", stages.empty() ? "" : ", ", stage, time);
  if (!stages.empty()) fmt::print("seconds of threads: {}\n", stages);
}

/// Replaces invalid UTF-8, since names of files may have any bytes.
std::string as_text(const nlohmann::json& json) {
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + '\n';
}

std::string as_json(const Job& job, const Statistics& all, int ranks) {
  const nlohmann::json json{{"source", job.source},
                            {"outputer", job.outputer},
                            {"waiter", job.waiter},
                            {"threads", job.options.threads},
                            {"lanes", job.options.lanes_in_use()},
                            {"ranks", ranks},
                            {"events", all.events},
                            {"product_bytes", all.product_bytes},
                            {"bytes_written", all.bytes_written},
                            {"seconds", all.seconds},
                            {"processor_seconds", all.processor_seconds},
                            {"peak_memory", all.peak_memory},
                            {"stages", all.stages},
                            {"stopped", all.stopped}};
  return as_text(json);
}

/// Describes a failed job, so that nobody takes the file's previous contents for its result.
std::string as_json(const Job& job, const char* error) {
  return as_text({{"source", job.source}, {"outputer", job.outputer}, {"error", error}});
}

/// Writes lines with the number of events.
std::function<void(std::uint64_t)> progress_to(int descriptor) {
  const int flags = fcntl(descriptor, F_GETFL);
  if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY)
    throw argument_error("--progress-fd: {}: a descriptor that is open for writing was expected",
                         descriptor);
  return [descriptor](std::uint64_t events) {
    const std::string line = fmt::format("{}\n", events);
    static_cast<void>(!write(descriptor, line.data(), line.size()));
  };
}

/// Does the job on all ranks. @collective
Statistics done(Job& job, Components& components, const Target& target, Team& team) {
  const StopBySignal stop(team.rank() == 0);
  job.options.stop = &stop.requested();
  const bool is_apart = names_rank(job.source) && names_rank(job.outputer);
  Statistics mine;
  const auto run_it = [&] {
    Team self;
    target.naming_place([&] {
      mine = run(*components.source, *components.outputer, components.waiter.get(), job.options,
                 is_apart ? self : team);
    });
  };
  // A collective outputer has agreed on failures.
  if (components.outputer->is_collective())
    run_it();
  else
    do_agreed(team, run_it);
  if (team.rank() == 0 || names_rank(job.outputer))
    for (const std::string& what : components.outputer->left_out())
      say("{}: {}: left out", parse_spec(with_rank(job.outputer, team.rank())).file, what);
  components.outputer.reset();
  return gathered(mine, team);
}

}  // namespace

void do_agreed(Team& team, const std::function<void()>& work) {
  std::exception_ptr failure;
  try {
    work();
  } catch (...) {
    failure = std::current_exception();
  }
  agree(team, failure);
}

int do_job(Job job, const std::shared_ptr<Team>& team) {
  job.quiet = job.quiet || job.json == "-";
  std::optional<StatisticsFile> json;
  do_agreed(*team, [&] {
    if (names_rank(job.json))
      throw argument_error("--json: {}: one file is written for all ranks", job.json);
    if (team->rank() == 0 && !job.json.empty()) json.emplace(job.json);
    if (job.progress_fd) job.options.progress = progress_to(*job.progress_fd);
  });
  std::optional<Target> target;  // outlives the outputer, which has its file open
  Components components;
  do_agreed(*team, [&] { components.prepare(job, team->rank()); });
  target.emplace(job, *team);
  do_agreed(*team,
            [&] { target->naming_place([&] { components.make(job, target->outputer(), team); }); });
  job.options.shares_source = !names_rank(job.source);
  job.options.names = names_of(job);
  do_agreed(*team, [&] { warn(job, *components.source, team->rank()); });
  try {
    const Statistics all = done(job, components, *target, *team);
    do_agreed(*team, [&] {
      if (!all.stopped) target->complete();
      if (team->rank() != 0) return;
      if (!job.quiet) print(all);
      if (json) json->write(as_json(job, all, team->size()));
      if (all.stopped)
        say("stopped by a signal after {} events{}", all.events,
            job.replaces ? "; nothing was replaced" : "");
    });
    return all.stopped ? 1 : 0;
  } catch (const std::exception& error) {
    if (json) json->write_if_possible(as_json(job, error.what()));
    throw;
  }
}

}  // namespace onecast::events
