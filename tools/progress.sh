# Steps of ./play and ./test: what each prints goes to a log, and meanwhile a line tells how far it is.

# how_far LOG: the share done. Playwright says at first how many tests there are, and has a line for each; Ninja and CTest
# tell it in each line: "[12/40] Building", "12/40 Test". A build inside another is added up with it: while the one prints, the other waits.
how_far() {
  local all
  all=$(head -c 20000 "$1" | sed -nE 's/^Running ([0-9]+) tests? using .*/\1/p')
  if [ -n "$all" ]; then
    grep -cE '^ +(✓|-) +[0-9]+ ' "$1" | awk -v all="$all" '{ printf "%d %%", 100 * $1 / all }'
    return
  fi
  sed 's/\x1b\[[0-9;]*[A-Za-z]//g' "$1" | grep -oE '^ *\[?[0-9]+/[0-9]+(\]| Test)' | tr -dc '0-9/\n' |
    awk -F/ '{ done[$2] = $1 } END { for (of in done) { n += done[of]; all += of }; if (all > 0) printf "%d %%", 100 * n / all }'
}

seconds_since() { awk -v begin="$1" -v end="$EPOCHREALTIME" 'BEGIN { print end - begin }'; }

# run_step NAME LOG COMMAND…: the command's status. The line stays unfinished, for whoever calls to end.
run_step() {
  local name=$1 log=$2 begin=$EPOCHREALTIME told=0 share status
  shift 2
  printf '%-36s' "$name"
  ("$@") >"$log" 2>&1 </dev/null &
  step_process=$!
  while kill -0 "$step_process" 2>/dev/null; do
    sleep 0.2
    local now
    now=$(seconds_since "$begin")
    now=${now%%.*}
    if [ -t 1 ] && [ "$now" -gt "$told" ]; then
      share=$(how_far "$log")
      printf '\r%-36s%7d s  %-8s' "$name" "$now" "$share"
      told=$now
    elif [ ! -t 1 ] && [ "$now" -ge $((told + 20)) ]; then
      share=$(how_far "$log")
      [ -n "$share" ] && printf '\n%-36s%7d s  %s' "  … $name" "$now" "$share"
      told=$now
    fi
  done
  wait "$step_process"
  status=$?
  step_process=
  if [ -t 1 ]; then printf '\r%-36s' "$name"; elif [ "$told" -gt 0 ]; then printf '\n%-36s' "$name"; fi
  printf '%7.1f s  ' "$(seconds_since "$begin")"
  return "$status"
}
