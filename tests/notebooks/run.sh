#!/bin/sh
# The notebooks of the course under otter-grader and nbgrader, as a teacher would use them: the
# solution gets all points, the notebook as it is handed out none. Both graders bring a hundred
# packages, so this is no part of ./test. Usage: tests/notebooks/run.sh FOURFOLD
set -eu
program=$(realpath "${1:-target/debug/fourfold}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet otter-grader nbgrader
PATH="$work/venv/bin:$PATH"
"$program" course --out "$work/course" --seed 11
failed=0
for folder in "$work"/course/lesson-*/notebook; do
  name=$(basename "$folder"/nbgrader/source/*)
  if ! (cd "$folder/otter/teacher" && otter check "$name.ipynb" -t tests) > "$work/log" 2>&1 ||
    ! grep -q 'All tests passed' "$work/log"; then
    echo "otter-grader: the solution of $name does not pass"; cat "$work/log"; failed=1
  fi
  (cd "$folder/otter/student" && otter check "$name.ipynb" -t tests) > "$work/log" 2>&1 || true
  if grep -q 'All tests passed' "$work/log"; then
    echo "otter-grader: $name passes without a solution"; failed=1
  fi
  (
    cd "$folder/nbgrader"
    nbgrader generate_assignment "$name" --create
    mkdir -p "submitted/solved/$name" "submitted/empty/$name"
    cp "source/$name/$name.ipynb" "submitted/solved/$name/"
    cp "release/$name/$name.ipynb" "submitted/empty/$name/"
    nbgrader autograde "$name" --create
    nbgrader export
  ) > "$work/log" 2>&1 || { cat "$work/log"; failed=1; }
  if grep -q 'BEGIN\|HIDDEN' "$folder/nbgrader/release/$name/$name.ipynb"; then
    echo "nbgrader: $name is released with what is hidden"; failed=1
  fi
  for wanted in "solved 10.0" "empty 0.0"; do
    set -- $wanted
    score=$(awk -F, -v who="$1" '$4 == who { print $10 }' "$folder/nbgrader/grades.csv")
    if [ "$score" != "$2" ]; then
      echo "nbgrader: $name, $1: $score points instead of $2"; failed=1
    fi
  done
  echo "$name: done"
done
exit $failed
