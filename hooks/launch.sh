# Sourced by the launchers with the variables `root` (where gov is installed), `part` and `why` set, and the agent's name
# in $1. Asks the daemon, and where that gives no answer starts the hook in Node. Agents take a crash, a missing program
# or an odd exit code for "allow": here every end but 0 and 2 becomes a refusal with one clear line.
#
# `why` is empty when an agent calls. The daemon's client comes back here with a word for why the daemon did not answer,
# and in `request` the id under which it was asked.

fail() {
  if [ "$part" != gate ]; then
    echo "gov: $1; this event is not recorded" >&2
    exit 0
  fi
  # Monitor mode lets pass, also when gov is broken. Only a file that says so plainly counts.
  if [ -n "$config" ] && [ -r "$config/config.json" ] &&
    grep -q '"mode"[[:space:]]*:[[:space:]]*"monitor"' "$config/config.json" 2>/dev/null; then
    echo "gov: $1; the call goes on unrecorded (monitor mode)" >&2
    exit 0
  fi
  echo "gov: $1; the call is blocked" >&2
  exit 2
}

# ask AGENT CLIENT…: ends with the daemon's answer. Comes back where none runs (`why` says so), or where the client can't be
# started, and so has read nothing: 126 and 127, it was built for another machine.
ask() {
  why=absent
  [ -S "$daemon/socket" ] || return 0
  agent=$1
  shift
  "$@" "$root" "$daemon" "$build" "$part" "$agent" "$PWD"
  status=$?
  # Not 0 and 2, with which programs end by accident.
  case $status in
    10) exit 0 ;;
    12) exit 2 ;;
    126 | 127) why= ;;
    *) fail "the daemon's client ended with status $status: run \`gov doctor\`" ;;
  esac
}

# The same place as in src/base/gov-paths.ts.
if [ -n "${GOV_HOME:-}" ]; then
  config=$GOV_HOME/config
else
  case "${XDG_CONFIG_HOME:-}" in
    /*) config=$XDG_CONFIG_HOME/gov ;;
    *) config=${HOME:+$HOME/.config/gov} ;;
  esac
fi

if [ -z "$why" ]; then
  request=
  if [ -n "${GOV_HOME:-}" ]; then
    daemon=$GOV_HOME/state/daemon
  else
    case "${XDG_STATE_HOME:-}" in
      /*) daemon=$XDG_STATE_HOME/gov/daemon ;;
      *) daemon=${HOME:-}/.local/state/gov/daemon ;;
    esac
  fi
  build=
  case "${GOV_DAEMON:-}:${GOV_TRACE_TIMING:-}:$daemon:${HOME:-}" in
    off:*) ;;
    *::/*:/*)
      if [ -r "$root/dist/build-id" ]; then IFS= read -r build < "$root/dist/build-id" || build=; fi
      ;;
  esac
  # The compiled client is there where the build found a C compiler; Perl nearly everywhere.
  if [ -n "$build" ] && [ -x "$root/dist/ask-daemon" ]; then ask "$1" "$root/dist/ask-daemon"; fi
  if [ -n "$build" ] && [ -z "$why" ] && [ -r "$root/hooks/ask-daemon.pl" ]; then
    perl=/usr/bin/perl
    if [ ! -x "$perl" ]; then perl=$(command -v perl) || perl=; fi
    unset PERL5OPT PERL5LIB PERLLIB PERL5DB PERLIO PERL_UNICODE
    if [ -x "$perl" ]; then ask "$1" "$perl" "$root/hooks/ask-daemon.pl"; fi
  fi
fi

# `gov init` writes down which Node it ran on: an agent that was started from a desktop often has no `node` in PATH.
node=
if [ -n "$config" ] && [ -r "$config/node" ]; then IFS= read -r node < "$config/node" || :; fi
if [ ! -x "$node" ]; then node=$(command -v node) || node=; fi
for place in /usr/local/bin/node /opt/homebrew/bin/node /usr/bin/node; do
  if [ -x "$node" ]; then break; fi
  node=$place
done
[ -x "$node" ] || fail 'Node is not found: install it, or run `gov init` again'
[ -r "$root/dist/hook.cjs" ] || fail "$root/dist/hook.cjs is missing: run \`npm run build\` there"

# Variables that make Node load other code, or print what an agent would take for an answer.
unset NODE_OPTIONS NODE_PATH NODE_DEBUG NODE_V8_COVERAGE NODE_COMPILE_CACHE NODE_EXTRA_CA_CERTS NODE_PENDING_DEPRECATION

"$node" "$root/dist/hook.cjs" "$part" "$1" "$why" "$request"
status=$?
case $status in
  0 | 2) exit $status ;;
esac
fail "the hook ended with status $status: run \`gov doctor\`"
