#pragma once

#include "base/namespaces.hpp"
#include "comm/mpi/mpi_names.hpp"

namespace onecast::comm {

/// A type that is freed at the end.
class MadeType {
 public:
  MadeType(const Mpi& mpi, MpiType type) : mpi_(mpi), type_(type) {}
  MadeType(const MadeType&) = delete;
  MadeType& operator=(const MadeType&) = delete;
  ~MadeType() { mpi_.type_free(type_); }
  [[nodiscard]] MpiType type() const { return type_; }

 private:
  const Mpi& mpi_;
  MpiType type_;
};

/// An operation that is freed at the end.
class MadeOp {
 public:
  MadeOp(const Mpi& mpi, Mpi::Combine* combine) : mpi_(mpi), op_(mpi.op_create(combine)) {}
  MadeOp(const MadeOp&) = delete;
  MadeOp& operator=(const MadeOp&) = delete;
  ~MadeOp() { mpi_.op_free(op_); }
  [[nodiscard]] MpiOp op() const { return op_; }

 private:
  const Mpi& mpi_;
  MpiOp op_;
};

}  // namespace onecast::comm
