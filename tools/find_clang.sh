#!/usr/bin/env bash
# Prints the newest clang++ that can link libFuzzer, or fails.
set -euo pipefail
for clang in clang++-21 clang++-20 clang++-19 clang++-18 clang++-17 clang++-16 clang++; do
  command -v "$clang" >/dev/null || continue
  printf '#include <source_location>\nextern "C" int LLVMFuzzerTestOneInput(const char*, long) { return std::source_location::current().line() > 0 ? 0 : 1; }\n' |
    "$clang" -std=c++20 -fsanitize=fuzzer,address -x c++ - -o /dev/null 2>/dev/null || continue
  command -v "$clang"
  exit
done
exit 1
