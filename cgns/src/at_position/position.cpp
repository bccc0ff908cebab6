#include <cstdarg>
#include <string_view>
#include <vector>

#include "api/lookup.hpp"

using namespace onecast::cgns;

namespace {

/// One step: a label and an index, or a name and 0.
struct Step {
  std::string_view where;
  int index;
};

bool is_end(const char* where) {
  return where == nullptr || *where == '\0' || std::string_view(where) == "end" ||
         std::string_view(where) == "END";
}

std::vector<Step> steps_in(va_list arguments) {
  std::vector<Step> steps;
  for (const char* where = va_arg(arguments, const char*); !is_end(where);
       where = va_arg(arguments, const char*)) {
    if (steps.size() == CG_MAX_GOTO_DEPTH)
      throw Failure("the path is more than 20 deep", CG_INCORRECT_PATH);
    steps.push_back({where, va_arg(arguments, int)});
  }
  return steps;
}

Node& named_child(Node& node, std::string_view name) {
  if (Node* child = node.find(trimmed(name))) return *child;
  throw Failure(node.path() + " has no node '" + std::string(name) + "'", CG_NODE_NOT_FOUND);
}

Node& labelled_child(Node& node, const Step& step) {
  const Label label = label_of(step.where);
  if (label == Label::BCData) {
    const bool is_dirichlet = step.index == Dirichlet;
    if (!is_dirichlet && step.index != Neumann)
      throw Failure("the index of BCData_t is neither Dirichlet nor Neumann", CG_INCORRECT_PATH);
    return named_child(node, is_dirichlet ? "DirichletData" : "NeumannData");
  }
  if (label == Label::other || child_row(node.label(), label) == nullptr)
    throw Failure("no " + std::string(step.where) + " stands below " + node.path(),
                  CG_INCORRECT_PATH);
  return child_at(node, label, step.index, CG_NODE_NOT_FOUND);
}

void take_step(const Step& step) {
  Position& position = session().position;
  if (step.where == "..") return position.leave();
  if (step.where == ".") return;
  if (position.steps().size() == CG_MAX_GOTO_DEPTH)
    throw Failure("the path is more than 20 deep", CG_INCORRECT_PATH);
  Node& node = position.node();
  Node& child = step.index == 0 ? named_child(node, step.where) : labelled_child(node, step);
  position.enter(child, index_of(child));
}

/// Takes the steps from the current position. If one fails, the position is lost.
void go(const std::vector<Step>& steps) {
  try {
    for (const Step& step : steps) take_step(step);
  } catch (...) {
    session().position.lose(session().position.file());
    throw;
  }
}

/// Leaves the current position for one in file `fn`. Returns the root of that file.
Node& leave_for(int fn) {
  Position& position = session().position;
  position.lose(position.file());
  Node& root = opened(fn).root();
  position.lose(fn);
  return root;
}

void go_to_base(int fn, int base) {
  Node& root = leave_for(fn);
  session().position.set(fn, base, child_at(root, Label::CGNSBase, base, CG_NODE_NOT_FOUND));
}

void check_relative(int fn) {
  opened(fn);
  if (session().position.file() != fn)
    throw Failure("the current position is not in file " + std::to_string(fn));
}

std::vector<Step> steps_of(std::string_view path) {
  std::vector<Step> steps;
  while (!path.empty()) {
    const auto end = path.find('/');
    if (end != 0) steps.push_back({path.substr(0, end), 0});
    path = end == std::string_view::npos ? "" : path.substr(end + 1);
  }
  return steps;
}

void go_along(int fn, const char* path) {
  if (path == nullptr || *path == '\0') throw Failure("the path is empty", CG_INCORRECT_PATH);
  std::vector<Step> steps = steps_of(path);
  if (*path != '/') {
    check_relative(fn);
    return go(steps);
  }
  if (steps.empty()) throw Failure("the root cannot be reached", CG_INCORRECT_PATH);
  Node* base = leave_for(fn).find(steps.front().where);
  if (base == nullptr || base->label() != Label::CGNSBase)
    throw Failure("there is no base '" + std::string(steps.front().where) + "'");
  session().position.set(fn, index_of(*base), *base);
  steps.erase(steps.begin());
  go(steps);
}

int goto_from(const char* function, int fn, int base, va_list arguments) {
  return guarded(function, [&] {
    const auto steps = steps_in(arguments);
    go_to_base(fn, base);
    go(steps);
  });
}

int gorel_from(const char* function, int fn, va_list arguments) {
  return guarded(function, [&] {
    const auto steps = steps_in(arguments);
    check_relative(fn);
    go(steps);
  });
}

}  // namespace

extern "C" {

// Only a function with variable arguments can make the va_list that goto_from takes.
int cg_goto(int fn, int B, ...) {
  va_list arguments;
  va_start(arguments, B);
  const int status = goto_from(__func__, fn, B, arguments);
  va_end(arguments);
  return status;
}

int cg_goto_f08(int fn, int B, ...) {
  va_list arguments;
  va_start(arguments, B);
  const int status = goto_from(__func__, fn, B, arguments);
  va_end(arguments);
  return status;
}

int cg_gorel(int fn, ...) {
  va_list arguments;
  va_start(arguments, fn);
  const int status = gorel_from(__func__, fn, arguments);
  va_end(arguments);
  return status;
}

int cg_gorel_f08(int fn, ...) {
  va_list arguments;
  va_start(arguments, fn);
  const int status = gorel_from(__func__, fn, arguments);
  va_end(arguments);
  return status;
}

int cg_gopath(int fn, const char* path) {
  return guarded(__func__, [&] { go_along(fn, path); });
}

int cg_golist(int fn, int B, int depth, char** label, int* num) {
  return guarded(__func__, [&] {
    if (depth < 0 || depth > CG_MAX_GOTO_DEPTH)
      throw Failure("the path is more than 20 deep", CG_INCORRECT_PATH);
    std::vector<Step> steps;
    for (int i = 0; i < depth && !is_end(label[i]); ++i) steps.push_back({label[i], num[i]});
    go_to_base(fn, B);
    go(steps);
  });
}

int cg_where(int* file_number, int* B, int* depth, char** label, int* num) {
  return guarded(__func__, [&] {
    const Position& position = session().position;
    static_cast<void>(position.node());
    *file_number = position.file();
    *B = position.base();
    const auto& steps = position.steps();
    *depth = static_cast<int>(steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (label != nullptr) give_text(steps[i].label, label[i]);
      if (num != nullptr) num[i] = steps[i].index;
    }
  });
}

}  // extern "C"
