#!/usr/bin/env bash
# Runs each fuzz program for its share of FUZZ_SECONDS. What they learn is kept in build/corpus;
# fuzz/corpus/NAME, where there is one, is where they start. The first finding ends the run.
set -euo pipefail
. "$(dirname "$0")/env.sh"
cd "$ONECAST_ROOT"
shopt -s nullglob
programs=("$ONECAST_BUILD_DIR"/fuzz/*_fuzz)
if [ ${#programs[@]} = 0 ]; then
  echo "fuzz: no fuzz programs"
  exit 0
fi
# Function names in the findings.
symbolizer=$(compgen -c llvm-symbolizer | sort -V | tail -n 1)
[ -z "$symbolizer" ] || export ASAN_SYMBOLIZER_PATH=${ASAN_SYMBOLIZER_PATH:-$(command -v "$symbolizer")}
share=$((${FUZZ_SECONDS:-60} / ${#programs[@]}))
[ "$share" -gt 0 ] || share=1
for program in "${programs[@]}"; do
  name=$(basename "$program")
  mkdir -p "build/corpus/$name" build/findings
  seeds=()
  [ ! -d "fuzz/corpus/$name" ] || seeds+=("fuzz/corpus/$name")
  echo "fuzz: $name, $share s"
  "$program" -max_total_time="$share" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
    -verbosity=0 -artifact_prefix="build/findings/$name-" "build/corpus/$name" "${seeds[@]}"
done
echo "fuzz: ${#programs[@]} programs, no findings"
