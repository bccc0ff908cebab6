#include <cstdio>
#include <cstdlib>
#include <utility>

#include "cgio/cgio_guard.hpp"
#include "grammar/names.hpp"

using namespace onecast::cgns;
using namespace onecast::cgns::cgio;

extern "C" {

void cgio_error_code(int* errcode, int* file_type) {
  const int code = last_error().code;
  if (errcode != nullptr) *errcode = code;
  if (file_type != nullptr) *file_type = code > 0 ? CGIO_FILE_HDF5 : CGIO_FILE_NONE;
}

int cgio_error_message(char* error_msg) {
  const LastError& error = last_error();
  const std::string text = error.code == CGIO_ERR_NONE ? "no error" : error.text;
  if (error_msg != nullptr) give(shortened(text, CGIO_MAX_ERROR_LENGTH), error_msg);
  return error.code;
}

void cgio_error_exit(const char* msg) {
  LastError& error = last_error();
  const int exit_code = std::exchange(error.exit_code, 0);  // closing the files may fail, too
  const int code = error.code;
  const std::string text = error.text;
  const bool has_message = msg != nullptr && *msg != '\0';
  std::fflush(stdout);
  if (has_message) std::fprintf(stderr, "%s", msg);
  if (code != CGIO_ERR_NONE) std::fprintf(stderr, "%s%s", has_message ? ": " : "", text.c_str());
  std::fprintf(stderr, "\n");
  cgio_cleanup();
  std::exit(exit_code != 0 ? exit_code : -1);
}

void cgio_error_abort(int abort_flag) { last_error().exit_code = abort_flag; }

}  // extern "C"
