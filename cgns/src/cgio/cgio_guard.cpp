#include "cgio/cgio_guard.hpp"

#include <cstring>

#include "grammar/names.hpp"

namespace onecast::cgns::cgio {

LastError& last_error() {
  static LastError error;
  return error;
}

int report(int code, const char* text) noexcept {
  LastError& error = last_error();
  error.code = code;
  try {
    error.text = text;
  } catch (...) {
    error.text.clear();  // there is no memory for a text; the number remains
  }
  if (error.exit_code != 0) cgio_error_exit(nullptr);
  return code;
}

OpenFile& file_of(int cgio_num) {
  try {
    return session().file(cgio_num);
  } catch (const Failure& failure) {
    throw Failure(failure.what(), CGIO_ERR_BAD_CGIO);
  }
}

OpenFile& writable_file_of(int cgio_num) {
  OpenFile& file = file_of(cgio_num);
  if (file.mode == Mode::read)
    throw Failure("the file is open for reading only", CGIO_ERR_READ_ONLY);
  return file;
}

Node& node_of(OpenFile& file, double id) {
  Node* node = session().ids.find(id);
  if (node == nullptr || &node->tree() != file.tree.get())
    throw Failure("the id is that of no node of the file", kBadNode);
  return *node;
}

Node& reached(Node& node) {
  try {
    static_cast<void>(node.group());
  } catch (const Failure& failure) {
    throw Failure(failure.what(), kLinkLeadsNowhere);
  }
  return node;
}

std::string given_name(const char* name) {
  const std::string_view text = trimmed(given(name, "the name"));
  if (text.empty()) throw Failure("the name is empty", kNameEmpty);
  if (text.size() > kLongestName)
    throw Failure("the name '" + std::string(text) + "' has more than 32 characters", kTextTooLong);
  try {
    return checked_name(name);
  } catch (const Failure& failure) {
    throw Failure(failure.what(), kBadName);
  }
}

std::string given_label(const char* label) {
  const std::string_view text = given(label, "the label");
  if (text.size() > kLongestName)
    throw Failure("the label '" + std::string(text) + "' has more than 32 characters",
                  kTextTooLong);
  return std::string(text);
}

ValueType given_type(const char* type) {
  try {
    return value_type_of(given(type, "the data type"));
  } catch (const Failure& failure) {
    throw Failure(failure.what(), kBadType);
  }
}

void give(std::string_view text, char* out) {
  std::memcpy(given(out, "the memory for a text"), text.data(), text.size());
  out[text.size()] = '\0';
}

}  // namespace onecast::cgns::cgio
