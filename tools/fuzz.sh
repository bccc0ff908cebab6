#!/usr/bin/env bash
# Runs each fuzz program for its share of FUZZ_SECONDS. They start from what fuzz/make_seeds.py writes;
# what they learn is kept in build/corpus. The first finding ends the run.
set -euo pipefail
. "$(dirname "$0")/env.sh"
cd "$ONECAST_ROOT"
shopt -s nullglob
programs=("$ONECAST_BUILD_DIR"/fuzz/*_fuzz)
if [ ${#programs[@]} = 0 ]; then
  echo "fuzz: no fuzz programs"
  exit 0
fi
# Findings show the names of functions.
symbolizer=$(compgen -c llvm-symbolizer | sort -V | tail -n 1)
[ -z "$symbolizer" ] || export ASAN_SYMBOLIZER_PATH=${ASAN_SYMBOLIZER_PATH:-$(command -v "$symbolizer")}
# Freed memory must not count as memory in use.
export ASAN_OPTIONS=${ASAN_OPTIONS:-quarantine_size_mb=16}
python fuzz/make_seeds.py build/seeds
share=$((${FUZZ_SECONDS:-60} / ${#programs[@]}))
[ "$share" -gt 0 ] || share=1
for program in "${programs[@]}"; do
  name=$(basename "$program")
  mkdir -p "build/corpus/$name" "build/seeds/$name" build/findings
  echo "fuzz: $name, $share s"
  "$program" -max_total_time="$share" -timeout=5 -rss_limit_mb=512 -print_final_stats=1 \
    -verbosity=0 -artifact_prefix="build/findings/$name-" "build/corpus/$name" "build/seeds/$name"
done
echo "fuzz: ${#programs[@]} programs, no findings"
