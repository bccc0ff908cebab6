// The program of `onecast bench scale`: see README.md.
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <map>
#include <onecast/onecast.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "../metadata/onecast_workload.hpp"
#include "layout.hpp"
#include "mail.hpp"
#include "measures.hpp"
#include "thread_rank.hpp"

namespace {

using onecast::Access;
using onecast::Dataset;
using onecast::Datatype;
using onecast::File;
using onecast::Shape;
using scale::Done;
using scale::Layout;
using scale::Mail;
using scale::Measures;
using scale::Messages;
using scale::Sockets;
using scale::ThreadRank;

/// Rank stacks are small, since there are thousands in a process.
constexpr std::size_t kStack = std::size_t{256} << 10U;

struct Options {
  std::string file;
  std::string json;
  std::string phases = "create,open_read,data";
  int ranks = 0;
  int ranks_per_node = 0;
  int processes = 0;
  int bases = 128;
  int zones = 32;
  int block = 4096;   // the bytes of each rank's block
  int equal = 65536;  // the bytes that all ranks write and read
  int budget = 0;     // the option metadata_budget of files that are read; 0: its default
};

[[noreturn]] void stop(const std::string& what) {
  std::cerr << "onecast_scale: " << what << "\n";
  std::_Exit(1);
}

Options options_of(int argc, char** argv) {
  Options options;
  const std::map<std::string, std::string*> texts = {
      {"--file", &options.file}, {"--json", &options.json}, {"--phases", &options.phases}};
  const std::map<std::string, int*> numbers = {
      {"--ranks", &options.ranks},         {"--ranks-per-node", &options.ranks_per_node},
      {"--processes", &options.processes}, {"--bases", &options.bases},
      {"--zones", &options.zones},         {"--block", &options.block},
      {"--equal", &options.equal},         {"--budget", &options.budget}};
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string value = argv[i + 1];
    if (const auto text = texts.find(argv[i]); text != texts.end())
      *text->second = value;
    else if (const auto number = numbers.find(argv[i]); number != numbers.end())
      std::from_chars(value.data(), value.data() + value.size(), *number->second);
    else
      stop(std::string(argv[i]) + " is no option of this program");
  }
  if (options.file.empty() || options.json.empty()) stop("--file and --json are needed");
  for (const auto& [name, number] : numbers)
    if (*number < (number == &options.budget ? 0 : 1))
      stop(name + " must be a whole number from 1");
  return options;
}

bool has_phase(const Options& options, const std::string& phase) {
  return ("," + options.phases + ",").find("," + phase + ",") != std::string::npos;
}

std::vector<std::string> steps_of(const Options& options) {
  std::vector<std::string> steps;
  const auto add = [&](const char* phase, std::initializer_list<const char*> names) {
    if (has_phase(options, phase)) steps.insert(steps.end(), names.begin(), names.end());
  };
  add("create", {"create", "flush", "close"});
  add("open_read", {"open", "read", "close after reading"});
  add("data", {"create arrays", "write_all", "write_all, equal", "close arrays", "open arrays",
               "read_all", "read_all, equal", "close arrays after reading"});
  return steps;
}

double seconds_of(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

Messages since(const Messages& now, const Messages& before) {
  return {now.sent - before.sent,
          now.received - before.received,
          now.bytes_sent - before.bytes_sent,
          now.bytes_received - before.bytes_received,
          now.away_sent - before.away_sent,
          now.away_received - before.away_received,
          now.away_bytes_sent - before.away_bytes_sent,
          now.away_bytes_received - before.away_bytes_received};
}

/// One rank, which does and measures the steps.
class Rank {
 public:
  Rank(const Options& options, Measures& measures, Mail& mail, int rank)
      : options_(options),
        measures_(measures),
        layout_(mail.layout()),
        rank_(rank),
        functions_(std::make_shared<ThreadRank>(mail, rank)),
        comm_(onecast::user_communicator(functions_)) {}

  void run() {
    note_memory();
    if (has_phase(options_, "create")) create();
    if (has_phase(options_, "open_read")) open_and_read();
    if (has_phase(options_, "data")) transfer();
    comm_ = {};
    measures_.meet();  // no rank sends to a process that has ended
  }

 private:
  void create() {
    step([&] {
      file_ = File::create(options_.file, comm_);
      onecast_bench::fill(*file_, options_.bases, options_.zones);
    });
    step([&] { file_->flush(); });
    step([&] { file_->close(); });
    forget_file();
  }

  void open_and_read() {
    Contents contents{};
    onecast::FileOptions reading;
    if (options_.budget != 0) reading.metadata_budget = static_cast<std::uint64_t>(options_.budget);
    step([&] { file_ = File::open(options_.file, Access::read_only, comm_, reading); });
    step([&] { onecast_bench::Walk(contents).group(file_->root()); });
    const auto zones =
        static_cast<std::uint64_t>(options_.bases) * static_cast<std::uint64_t>(options_.zones);
    const std::uint64_t groups = 1 + static_cast<std::uint64_t>(options_.bases) + 2 * zones;
    if (contents.groups != groups || contents.datasets != groups - 1 ||
        contents.attributes != 3 * (groups - 1))
      throw std::runtime_error("the file has other contents than were written");
    step([&] { file_->close(); });
    forget_file();
  }

  /// Each rank writes and reads its block; then all ranks write and read the same bytes.
  void transfer() {
    const std::string path = options_.file + ".arrays";
    const auto ranks = static_cast<std::uint64_t>(layout_.ranks());
    const auto me = static_cast<std::uint64_t>(rank_);
    const auto block = static_cast<std::uint64_t>(options_.block);
    std::vector<unsigned char> mine(block, static_cast<unsigned char>(rank_));
    std::optional<Dataset> blocks;
    std::optional<Dataset> equal;
    step([&] {
      file_ = File::create(path, comm_);
      blocks = file_->root().create_dataset("blocks",
                                            {Datatype::of<unsigned char>(), Shape{ranks, block}});
      equal = file_->root().create_dataset(
          "equal",
          {Datatype::of<unsigned char>(), Shape{static_cast<std::uint64_t>(options_.equal)}});
    });
    step([&] { blocks->write_all(mine, blocks->rows(me, me + 1)); });
    step([&] {
      equal->write_all(std::vector<unsigned char>(static_cast<std::size_t>(options_.equal), 7));
    });
    blocks.reset();
    equal.reset();
    step([&] { file_->close(); });
    forget_file();
    step([&] {
      file_ = File::open(path, Access::read_only, comm_);
      blocks = file_->root().open_dataset("blocks");
      equal = file_->root().open_dataset("equal");
    });
    std::vector<unsigned char> read(block);
    step([&] { blocks->read_all(read, blocks->rows(me, me + 1)); });
    if (read != mine) throw std::runtime_error("a rank read another block than it wrote");
    step([&] {
      const auto same = equal->read_all<unsigned char>();
      if (std::ranges::count(same, 7) != std::ssize(same))
        throw std::runtime_error("the ranks read other bytes than they wrote");
    });
    blocks.reset();
    equal.reset();
    step([&] { file_->close(); });
    forget_file();
  }

  /// Does one step together with all other ranks, and measures it.
  template <class Work>
  void step(Work&& work) {
    measures_.meet();
    const Messages messages = functions_->counts();
    const double seconds = seconds_of(CLOCK_MONOTONIC);
    const double cpu = seconds_of(CLOCK_THREAD_CPUTIME_ID);
    work();
    const onecast::IoStats io = file_->io_stats();
    Done& done = measures_.of_rank(step_, rank_);
    done = {.seconds = seconds_of(CLOCK_MONOTONIC) - seconds,
            .cpu = seconds_of(CLOCK_THREAD_CPUTIME_ID) - cpu,
            .messages = since(functions_->counts(), messages),
            .opens = io.opens - io_.opens,
            .reads = io.reads - io_.reads,
            .bytes_read = io.bytes_read - io_.bytes_read,
            .writes = io.writes - io_.writes,
            .bytes_written = io.bytes_written - io_.bytes_written,
            .collectives = io.collectives - io_.collectives};
    io_ = io;
    ++step_;
    note_memory();
  }

  /// The first rank of each process notes its memory, while no rank works.
  void note_memory() {
    measures_.meet();
    const int process = layout_.process_of(rank_);
    if (layout_.first(process) == rank_) measures_.of_process(step_, process) = scale::memory_now();
    measures_.meet();
  }

  void forget_file() {
    file_.reset();
    io_ = {};
  }

  const Options& options_;
  Measures& measures_;
  const Layout& layout_;
  int rank_;
  std::shared_ptr<ThreadRank> functions_;
  onecast::Communicator comm_;
  std::optional<File> file_;
  onecast::IoStats io_;   ///< of the file, until the present step
  std::size_t step_ = 0;  ///< the number of the present step
};

struct Start {
  const Options* options;
  Measures* measures;
  Mail* mail;
  int rank;
};

void* run_rank(void* argument) {
  const Start& start = *static_cast<Start*>(argument);
  try {
    Rank(*start.options, *start.measures, *start.mail, start.rank).run();
  } catch (const std::exception& error) {
    stop("rank " + std::to_string(start.rank) + ": " + error.what());
  }
  return nullptr;
}

/// Runs the ranks of one process as threads.
void run_process(const Options& options, Measures& measures, const Layout& layout, int process,
                 std::vector<int> sockets) {
  Mail mail(layout, process, std::move(sockets));
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStack);
  std::vector<Start> starts;
  for (int r = layout.first(process); r < layout.first(process + 1); ++r)
    starts.push_back({&options, &measures, &mail, r});
  std::vector<pthread_t> threads(starts.size());
  for (std::size_t i = 0; i < threads.size(); ++i)
    if (const int error = pthread_create(&threads[i], &attributes, run_rank, &starts[i]);
        error != 0)
      stop("no thread for rank " + std::to_string(starts[i].rank) + ": " + std::strerror(error));
  for (const pthread_t thread : threads) pthread_join(thread, nullptr);
}

/// Starts the processes, and ends all of them if one fails.
void run_all(const Options& options, Measures& measures, const Layout& layout) {
  Sockets sockets(layout.processes());
  std::vector<pid_t> started;
  for (int p = 0; p < layout.processes(); ++p) {
    const pid_t child = fork();
    if (child < 0) stop("fork failed");
    if (child == 0) {
      run_process(options, measures, layout, p, sockets.keep(p));
      std::_Exit(0);
    }
    started.push_back(child);
  }
  sockets.close_all();
  bool failed = false;
  while (!started.empty()) {
    int status = 0;
    std::erase(started, wait(&status));
    if (status == 0 || failed) continue;
    failed = true;
    for (const pid_t other : started) kill(other, SIGKILL);
  }
  if (failed) stop("a process failed");
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = options_of(argc, argv);
  const Layout layout(options.ranks, options.ranks_per_node, options.processes);
  Measures measures(layout, steps_of(options));
  digest_enabled = 0;
  run_all(options, measures, layout);
  std::ofstream out(options.json);
  out << "{\n\"format\": \"onecast-bench-scale 1\",\n\"library\": \"Onecast " ONECAST_VERSION
         "\",\n\"ranks_per_node\": "
      << options.ranks_per_node << ",\n\"bases\": " << options.bases
      << ",\n\"zones\": " << options.zones << ",\n";
  measures.save(out);
  out << "\n}\n";
  if (!out.flush()) stop(options.json + " cannot be written");
  return 0;
}
