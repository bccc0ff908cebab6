#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/namespaces.hpp"
#include "onecast/base/error.hpp"
#include "onecast/check/check.hpp"

namespace onecast::check {

/// The findings, each one once.
class FindingLog {
 public:
  explicit FindingLog(std::uint64_t limit) : limit_(limit) {}

  void add(Finding finding);
  /// `detail` names the part of the object, before the text of the error. `start` is the address of
  /// the structure that was read last.
  void add(const Error& error, const std::string& path, const std::string& detail = {},
           std::optional<std::uint64_t> start = {});

  /// Runs `work`; an Error becomes a finding. Returns false if there was one. Errors of the
  /// operating system are rethrown.
  template <class F>
  bool attempt(const std::string& path, const std::string& detail, F&& work) {
    try {
      std::forward<F>(work)();
      return true;
    } catch (const Error& error) {
      add(error, path, detail);
      return false;
    }
  }

  [[nodiscard]] std::vector<Finding> take() { return std::move(findings_); }
  [[nodiscard]] std::vector<NamedCount> counts() const;

 private:
  std::uint64_t limit_;
  std::vector<Finding> findings_;
  std::array<std::uint64_t, 4> counts_{};
  std::unordered_set<std::string> known_;
  std::unordered_set<std::uint64_t> damaged_;  ///< addresses
};

}  // namespace onecast::check
