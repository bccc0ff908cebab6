#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <set>

#include "commands.hpp"
#include "components/file_kind.hpp"
#include "components/root_library.hpp"
#include "hdf5/stored_events.hpp"
#include "messages.hpp"
#include "model/byte_file.hpp"
#include "model/make_error.hpp"
#include "onecast/base/error.hpp"
#include "pds/pds.hpp"
#include "pds/pds_index.hpp"

namespace onecast::events {
namespace {

std::optional<Identity> identity_of(const std::string& text) {
  std::array<std::uint64_t, 3> parts{};
  const char* at = text.data();
  const char* const end = at + text.size();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i != 0) {
      if (at == end || *at != ':') return {};
      ++at;
    }
    const auto [next, problem] = std::from_chars(at, end, parts[i]);
    if (problem != std::errc()) return {};
    at = next;
  }
  if (at != end || parts[0] > UINT32_MAX || parts[1] > UINT32_MAX) return {};
  return Identity{static_cast<std::uint32_t>(parts[0]), static_cast<std::uint32_t>(parts[1]),
                  parts[2]};
}

std::string describe(const std::string& place) {
  const auto [path, name] = split_name(place);
  const FileKind kind = kind_of_file(path);
  if (kind == FileKind::root) return "ROOT";
  if (kind == FileKind::hdf5) return hdf5::open_events(path, name)->describe();
  const pds::Header header = pds::read_header(ByteFile::open(path));
  return fmt::format("PDS, compression {}", name_of(header.codec));
}

std::unique_ptr<Source> open_source(const std::string& path) {
  Registry registry = standard_components();
  const std::string component = source_for(path);
  load_root_if_named(registry, component);
  return registry.source(component);
}

void list(const std::string& path) {
  const auto source = open_source(path);
  const ProductList& list = source->products();
  const std::uint64_t events = source->size().value_or(0);
  fmt::print("{}: {}{}\n{} events, {} products, serializer {}\n", path, describe(path),
             source->is_interrupted() ? "; its writer was interrupted" : "", events, list.size(),
             list.serializer);
  if (events != 0) {
    const auto cursor = source->cursor();
    cursor->go_to(0);
    const Identity first = cursor->identity();
    cursor->go_to(events - 1);
    fmt::print("{} to {}\n", text_of(first), text_of(cursor->identity()));
  }
  for (const Product& product : list.products)
    fmt::print("  {}  {}\n", product.name, product.class_name);
  for (const std::string& column : source->left_out()) fmt::print("  left out: {}\n", column);
}

void print_hex(Bytes bytes, std::size_t most) {
  const Bytes shown = bytes.first(std::min(bytes.size(), most));
  for (std::size_t i = 0; i < shown.size(); ++i)
    fmt::print("{}{:02x}",
               i == 0        ? "    "
               : i % 32 == 0 ? "\n    "
                             : " ",
               static_cast<unsigned>(shown[i]));
  if (!shown.empty()) fmt::print("\n");
}

void write_out(Bytes bytes) {
  while (!bytes.empty()) {
    const ssize_t n = write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (n <= 0) throw Error(ErrorCode::io, "standard output: cannot be written");
    bytes = bytes.subspan(static_cast<std::size_t>(n));
  }
}

struct Wanted {
  std::string file, product;
  std::optional<std::string> event;
  std::vector<std::string> identity;
  std::string either;
  std::optional<std::uint64_t> entry;
  std::size_t bytes = 64;
  bool raw = false;
};

/// Interprets the value of -e: an entry number has no colons, an identity two.
void resolve(Wanted& wanted) {
  if (wanted.either.empty() || wanted.either.find(':') != std::string::npos) {
    wanted.event = wanted.either;
    return;
  }
  std::string number = wanted.either;
  if (!whole_number()(number).empty())
    throw argument_error("-e: '{}': the number of an entry or RUN:LUMI:EVENT was expected",
                         wanted.either);
  wanted.entry = std::stoull(number);
}

void dump(const Wanted& wanted) {
  auto source = open_source(wanted.file);
  if (!wanted.product.empty()) source = with_products(std::move(source), {wanted.product});
  std::uint64_t entry = wanted.entry.value_or(0);
  if (wanted.event) {
    const auto identity = identity_of(*wanted.event);
    if (!identity) throw argument_error("'{}': run:lumi:event was expected", *wanted.event);
    const auto found = source->find(*identity);
    if (!found) throw not_found_error("{}: has no event {}", wanted.file, *wanted.event);
    entry = *found;
  }
  const auto cursor = source->cursor();
  if (!cursor->go_to(entry)) throw not_found_error("{}: has no entry {}", wanted.file, entry);
  cursor->prepare();
  if (!wanted.raw) fmt::print("entry {}: {}\n", entry, text_of(cursor->identity()));
  for (std::size_t p = 0; p < source->products().size(); ++p) {
    cursor->fetch(p);
    const Bytes bytes = cursor->serialized(p);
    if (wanted.raw) {
      write_out(bytes);
      continue;
    }
    const Product& product = source->products().products[p];
    fmt::print("  {}  {}  {} bytes\n", product.name, product.class_name, bytes.size());
    print_hex(bytes, wanted.bytes);
  }
}

/// Returns false, and reports the error, if a file cannot be read at all, so that the next files
/// are examined nevertheless.
template <class F>
bool readable(F&& look) {
  try {
    look();
    return true;
  } catch (const Error& error) {
    std::fflush(stdout);
    say("{}", error.what());
    return false;
  }
}

/// Prints the problems of a file, up to a number that someone may want to read.
class Problems {
 public:
  explicit Problems(const std::string& path) : path_(path) {}

  /// Adds a problem unless it was added before.
  void add(const std::string& what) {
    constexpr std::size_t kMost = 20;
    if (!known_.insert(what).second) return;
    if (++count_ <= kMost) fmt::print("{}\n", what);
    if (count_ == kMost) fmt::print("{}: further problems are not shown\n", path_);
  }
  /// Adds what the work throws as a problem.
  template <class F>
  void add_failures_of(F&& work) {
    try {
      std::forward<F>(work)();
    } catch (const Error& error) {
      add(error.what());
    }
  }
  [[nodiscard]] std::size_t count() const { return count_; }

 private:
  std::string path_;
  std::set<std::string> known_;
  std::size_t count_ = 0;
};

using Entries = std::vector<std::pair<Identity, std::uint64_t>>;

/// Reads all events, and returns their entries.
Entries read_all(Source& source, Problems& problems) {
  Entries entries;
  const auto cursor = source.cursor();
  for (std::uint64_t entry = 0; entry < source.size().value_or(0); ++entry)
    problems.add_failures_of([&] {
      cursor->go_to(entry);
      cursor->prepare();
      for (std::size_t p = 0; p < source.products().size(); ++p) {
        cursor->fetch(p);
        cursor->serialized(p);
      }
      entries.emplace_back(cursor->identity(), entry);
    });
  return entries;
}

/// Tests if the index leads to each event. It is searched in ascending order, which is fastest.
void find_all(Source& source, Entries entries, const std::string& path, Problems& problems) {
  std::ranges::sort(entries);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const auto& [identity, entry] = entries[i];
    problems.add_failures_of([&] {
      if (i != 0 && entries[i - 1].first == identity)
        problems.add(fmt::format("{}: entries {} and {} are both {}", path, entries[i - 1].second,
                                 entry, text_of(identity)));
      else if (source.find(identity) != entry)
        problems.add(fmt::format("{}: the index does not lead to entry {}", path, entry));
    });
  }
}

/// Reads everything and prints the problems. Returns true if there are none.
bool check(const std::string& path) {
  Problems problems(path);
  const FileKind kind = kind_of_file(split_name(path).first);
  if (kind == FileKind::pds)
    if (const auto problem = pds::problem_of(path)) problems.add(*problem);
  const auto source = open_source(path);
  // The source has added a problem if the end of a PDS file is missing.
  if (kind == FileKind::hdf5 && source->is_interrupted())
    problems.add(fmt::format("{}: its writer was interrupted: it has {} complete events", path,
                             source->size().value_or(0)));
  find_all(*source, read_all(*source, problems), path, problems);
  fmt::print("{}: {} events, {}\n", path, source->size().value_or(0),
             problems.count() == 0 ? "no problem" : fmt::format("{} problems", problems.count()));
  return problems.count() == 0;
}

}  // namespace

void add_list(Program& program) {
  auto paths = std::make_shared<std::vector<std::string>>();
  CLI::App* command =
      program.app.add_subcommand("ls", "Show layout, products and number of events.");
  command->add_option("FILE", *paths)->required();
  command->callback([&program, paths] {
    program.do_alone([paths] {
      int code = 0;
      for (const std::string& path : *paths)
        if (!readable([&] { list(path); })) code = 1;
      return code;
    });
  });
}

void add_dump(Program& program) {
  auto wanted = std::make_shared<Wanted>();
  CLI::App* command = program.app.add_subcommand("dump", "Show an event, or one of its products.");
  command->add_option("FILE", wanted->file)->required();
  auto* event = command->add_option("--event", wanted->event, "the event RUN:LUMI:EVENT");
  auto* find =
      command
          ->add_option("--find", wanted->identity, "the event, as three arguments: RUN LUMI EVENT")
          ->expected(3)
          ->excludes(event);
  auto* entry =
      command
          ->add_option("--entry", wanted->entry, "the number of the event in the file, from 0 on")
          ->transform(whole_number())
          ->excludes(event)
          ->excludes(find);
  auto* either = command->add_option("-e", wanted->either,
                                     "a number as for --entry, or an event as for --event");
  for (CLI::Option* other : {event, find, entry}) either->excludes(other);
  command->add_option("-p,--product", wanted->product, "only this product");
  command->add_option("--bytes", wanted->bytes, "the number of bytes that are shown")
      ->transform(whole_number())
      ->capture_default_str();
  command->add_flag("--raw", wanted->raw, "write the bytes themselves");
  command->callback([&program, wanted, either] {
    if (!wanted->identity.empty())
      wanted->event = fmt::format("{}", fmt::join(wanted->identity, ":"));
    if (either->count() != 0) resolve(*wanted);
    program.do_alone([wanted] {
      dump(*wanted);
      return 0;
    });
  });
}

void add_check(Program& program) {
  auto paths = std::make_shared<std::vector<std::string>>();
  CLI::App* command = program.app.add_subcommand(
      "check",
      "Read everything and check offsets, identities, decompression, and "
      "whether the writer was interrupted. Exit code 1: a problem, 2: "
      "a file could not be read.");
  command->add_option("FILE", *paths)->required();
  command->callback([&program, paths] {
    program.do_alone([paths] {
      int code = 0;
      for (const std::string& path : *paths)
        if (!readable([&] { code = std::max(code, check(path) ? 0 : 1); })) code = 2;
      return code;
    });
  });
}

}  // namespace onecast::events
