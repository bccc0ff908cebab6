// Threads of one process write a file together: a communicator of functions, without MPI.

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <onecast/onecast.hpp>
#include <set>
#include <stdexcept>
#include <thread>
#include <tuple>
#include <vector>

// The messages between the threads, and the threads that cannot go on.
struct Mail {
  std::mutex mutex;
  std::condition_variable changed;
  std::map<std::tuple<int, int, int>, std::deque<std::vector<std::byte>>> boxes;
  std::set<int> failed;
};

class ThreadRank final : public onecast::PointToPoint {
 public:
  ThreadRank(Mail& mail, int rank, int size) : mail_(mail), rank_(rank), size_(size) {}

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return size_; }

  void send(int to, int tag, std::span<const std::byte> bytes) override {
    const std::scoped_lock lock(mail_.mutex);
    mail_.boxes[{rank_, to, tag}].emplace_back(bytes.begin(), bytes.end());
    mail_.changed.notify_all();
  }
  void receive(int from, int tag, std::span<std::byte> bytes) override {
    std::unique_lock lock(mail_.mutex);
    auto& box = mail_.boxes[{from, rank_, tag}];
    mail_.changed.wait(lock, [&] { return !box.empty() || mail_.failed.contains(from); });
    if (box.empty()) throw std::runtime_error("that rank has failed");
    std::copy(box.front().begin(), box.front().end(), bytes.begin());
    box.pop_front();
  }
  void fail(std::string_view /*reason*/) noexcept override {
    const std::scoped_lock lock(mail_.mutex);
    mail_.failed.insert(rank_);
    mail_.changed.notify_all();
  }
  [[nodiscard]] bool any_thread() const override { return true; }

 private:
  Mail& mail_;
  int rank_;
  int size_;
};

void program(const onecast::Communicator& comm) {
  const auto rank = static_cast<std::uint64_t>(comm.rank());
  const auto size = static_cast<std::uint64_t>(comm.size());
  onecast::File file = onecast::File::create("threads_as_ranks.h5", comm);
  onecast::Dataset x = file.root().create_dataset(
      "x", {onecast::Datatype::of<double>(), onecast::Dataspace({size, 3})});
  x.write_all(std::vector<double>(3, static_cast<double>(rank)), x.rows(rank, rank + 1));
  file.close();
}

int main() {
  constexpr int kRanks = 4;
  Mail mail;
  std::vector<std::thread> threads;
  for (int r = 0; r < kRanks; ++r)
    threads.emplace_back([&, r] {
      program(onecast::user_communicator(std::make_shared<ThreadRank>(mail, r, kRanks)));
    });
  for (std::thread& thread : threads) thread.join();

  const onecast::File file = onecast::File::open("threads_as_ranks.h5");
  const auto all = file.root().open_dataset("x").read<double>();
  return all.size() == 12 && all.front() == 0 && all.back() == 3 ? 0 : 1;
}
