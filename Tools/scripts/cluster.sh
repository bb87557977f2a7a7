#!/usr/bin/env bash
# A cluster on this machine: a PostgreSQL with a synchronous standby, three nodes, and haproxy in front of them.
#
#   cluster.sh [start]                 starts all, waits until it answers, and prints the addresses
#   cluster.sh check                   two users write one list through different nodes; all see everything
#   cluster.sh status                  what runs, and how many realms each node has
#   cluster.sh verify                  prints what the record of realms must not be; nothing when one node wrote each realm at a time
#   cluster.sh kill NODE | run NODE    kill -9; starts it again
#   cluster.sh upgrade NODE            stops it, and starts it with the programs in BIN. Needs FORMER
#   cluster.sh pause NAME | resume NAME            SIGSTOP, SIGCONT
#   cluster.sh failover [cut]          the primary is stopped at once, or cut off and goes on by itself; the standby takes its place,
#                                      and gets a standby of its own
#   cluster.sh part NAME [OTHER] | join NAME       cuts NAME off from all, or from OTHER; and back. Needs NETWORK=namespaces
#   cluster.sh clock NODE MILLISECONDS             sets the node's wall clock off by so much. Needs CLOCKS=apart
#   cluster.sh owner                   the node that had the newest realm last
#   cluster.sh unfence                 lets former owners of realms write: verify must find it when it happens
#   cluster.sh stop                    ends all, and removes the folder
#
# NAME is a node (a, b, c) or a database (pg1, pg2). Environment, which start remembers for the other calls:
#   CLUSTER   the folder of everything (else openrealm-cluster-UID in the temporary folder)
#   BIN       the folder of realm-object-server and todo (else that of the release build)
#   FORMER    the folder of realm-object-server of another release, with which nodes run until they are upgraded
#   PORT      the balancer's port (9080); the nodes have the next three, the databases the two after these
#   LEASE     seconds that a node which is not heard of keeps its realms (10)
#   NETWORK   'loopback', or 'namespaces': each part in a network namespace of its own, at 10.231.0.x, which takes root
#   CLOCKS    'same', or 'apart': nodes run with wall clocks of their own, which 'clock' sets
#   FSYNC     'off' for databases that are quick, and do not survive a failure of the machine
#   STANDBY   'late' for a standby that commits do not wait for, and that is cut off a second before a fail-over: it loses writes
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
dir=${CLUSTER:-${TMPDIR:-/tmp}/openrealm-cluster-$(id -u)}
nodes=(a b c)
databases=(pg1 pg2)

fail() { echo "cluster: $*" >&2; exit 1; }
say() { echo "cluster: $*"; }

front_port=${PORT:-9080} lease=${LEASE:-10} network=${NETWORK:-loopback} fsync=${FSYNC:-on} standby=${STANDBY:-synchronous} bin=${BIN:-}
clocks=${CLOCKS:-same} former=${FORMER:-}
# shellcheck source=/dev/null
[ ! -e "$dir/settings" ] || . "$dir/settings"
[ -n "$bin" ] || bin=$(swift build --no-color-diagnostics -c release --package-path "$root" --show-bin-path)

# --- addresses, and a network namespace for each part, on one bridge

number() { case $1 in a) echo 1 ;; b) echo 2 ;; c) echo 3 ;; pg1) echo 4 ;; pg2) echo 5 ;; *) fail "there is no '$1'" ;; esac; }
front() { if [ "$network" = loopback ]; then echo 127.0.0.1; else echo 10.231.0.1; fi; }
host() { if [ "$network" = loopback ]; then echo 127.0.0.1; else echo "10.231.0.1$(number "$1")"; fi; }
port() { echo $((front_port + $(number "$1"))); }
space() { echo "realm-$1"; }
# The beginning of a command line that runs in the network of a part.
inside() { prefix=(); [ "$network" = loopback ] || prefix=(ip netns exec "$(space "$1")"); }

make_network() {
  [ "$network" = namespaces ] || return 0
  command -v ip >/dev/null || fail "there is no 'ip' here; on Debian: apt-get install iproute2"
  remove_network
  ip link add realm0 type bridge
  ip addr add 10.231.0.1/24 dev realm0
  ip link set realm0 up
  local name space
  for name in "${nodes[@]}" "${databases[@]}"; do
    space=$(space "$name")
    ip netns add "$space"
    ip link add "$space" type veth peer name eth0 netns "$space"
    ip link set "$space" master realm0 up
    ip -n "$space" addr add "$(host "$name")/24" dev eth0
    ip -n "$space" link set lo up
    ip -n "$space" link set eth0 up
  done
}
remove_network() {
  [ "$network" = namespaces ] || return 0
  local name
  # The interface on its own: sockets that wait for an end keep a removed namespace for a while, and with it what is in there.
  for name in "${nodes[@]}" "${databases[@]}"; do
    ip link del "$(space "$name")" 2>/dev/null || true
    ip netns del "$(space "$name")" 2>/dev/null || true
  done
  ip link del realm0 2>/dev/null || true
}
part() {
  [ "$network" = namespaces ] || fail "a part has a network of its own only with NETWORK=namespaces"
  if [ -z "${2:-}" ]; then ip link set "$(space "$1")" down; return; fi
  ip -n "$(space "$1")" route replace blackhole "$(host "$2")/32"
  ip -n "$(space "$2")" route replace blackhole "$(host "$1")/32"
}
join() {
  [ "$network" = namespaces ] || return 0
  local other
  ip link set "$(space "$1")" up
  for other in "${nodes[@]}" "${databases[@]}"; do
    ip -n "$(space "$1")" route del blackhole "$(host "$other")/32" 2>/dev/null || true
    ip -n "$(space "$other")" route del blackhole "$(host "$1")/32" 2>/dev/null || true
  done
}

# --- processes: NAME.pid in the folder; only what was started here is sent a signal

background() {
  local name=$1; shift
  (cd / && exec setsid nohup "${prefix[@]}" "$@") >>"$dir/$name.log" 2>&1 </dev/null &
  echo $! >"$dir/$name.pid"
}
pid() {
  local pid
  pid=$(cat "$dir/$1.pid" 2>/dev/null) || return 1
  tr '\0' ' ' 2>/dev/null <"/proc/$pid/cmdline" | grep -qF "$dir/" || return 1
  echo "$pid"
}
signal() {
  local pid
  pid=$(pid "$1") || fail "$1 does not run"
  kill "-$2" "$pid"
}
# Sends a signal, and waits for the end; after fifteen seconds there is no other way.
end() {
  local pid
  pid=$(pid "$1") || return 0
  kill "-$2" "$pid" 2>/dev/null || true
  kill -CONT "$pid" 2>/dev/null || true
  for _ in $(seq 300); do pid "$1" >/dev/null || return 0; sleep 0.05; done
  kill -KILL "$pid" 2>/dev/null || true
}
# The status of an answer to GET, such as 200; nothing when there is none.
status_of() {
  local line=
  {
    exec 3<>"/dev/tcp/$1/$2" || return 0
    printf 'GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' "$3" >&3
    read -r -t 2 line <&3 || true
    exec 3>&-
  } 2>/dev/null
  line=${line#* }
  echo "${line%% *}"
}
await() {
  local what=$1; shift
  for _ in $(seq 600); do ! "$@" || return 0; sleep 0.1; done
  fail "$what; see the logs in $dir"
}

# --- PostgreSQL, under a user that is not root

programs=
for folder in "${POSTGRES_BIN:-}" $(printf '%s\n' /usr/lib/postgresql/*/bin | sort -rV); do
  [ ! -x "$folder/initdb" ] || { programs=$folder; break; }
done
user=()
[ "$(id -u)" -ne 0 ] || user=(setpriv --reuid=nobody --regid=nogroup --clear-groups env "HOME=$dir")

other() { if [ "$1" = pg1 ]; then echo pg2; else echo pg1; fi; }
primary() { cat "$dir/primary"; }
# An empty folder for a database. Its user goes through the folder of the cluster, in which all else is its owner's.
make_folder() { rm -rf "${dir:?}/$1"; mkdir -m 700 "$dir/$1"; [ "$(id -u)" -ne 0 ] || chown nobody:nogroup "$dir/$1"; }
sql() { inside "$1"; "${prefix[@]}" "$programs/psql" -XAtq -h "$(host "$1")" -p "$(port "$1")" -U postgres -d "${3:-realm}" -c "$2"; }
answers() { pid "$1" >/dev/null && sql "$1" "SELECT 1" postgres >/dev/null 2>&1; }
receives() { [ "$(sql "$(other "$1")" "SELECT count(*) FROM pg_stat_replication WHERE sync_state = '$([ "$standby" = late ] && echo async || echo sync)'" postgres)" = 1 ]; }
copies() {
  make_folder "$1"
  inside "$1"
  (cd / && "${prefix[@]}" "${user[@]}" "$programs/pg_basebackup" -h "$(host "$2")" -p "$(port "$2")" -U postgres -D "$dir/$1" -c fast) 2>>"$dir/$1.log"
}
is_primary() { [ "$(sql "$1" "SELECT pg_is_in_recovery()" postgres 2>/dev/null)" = f ]; }
storage() { echo "postgresql://postgres@$(host pg1):$(port pg1),$(host pg2):$(port pg2)/realm?target_session_attrs=read-write"; }

# Commits of a primary wait for the other database, unless that does not exist yet.
configure_database() {
  "${user[@]}" tee "$dir/$1/server.conf" >/dev/null <<CONF
listen_addresses = '$(host "$1")'
port = $(port "$1")
unix_socket_directories = ''
synchronous_commit = on
synchronous_standby_names = '$([ "$standby" = late ] || echo "${2:-}")'
track_commit_timestamp = on
primary_conninfo = 'host=$(host "$(other "$1")") port=$(port "$(other "$1")") user=postgres application_name=$1'
wal_sender_timeout = 5s
wal_receiver_timeout = 5s
wal_retrieve_retry_interval = 500ms
wal_keep_size = 256MB
max_connections = 200
fsync = $fsync
CONF
}
start_database() {
  inside "$1"
  prefix+=("${user[@]}")
  background "$1" "$programs/postgres" -D "$dir/$1"
  await "$1 does not answer" answers "$1"
}
make_primary() {
  echo pg1 >"$dir/primary"
  make_folder pg1
  (cd / && "${user[@]}" "$programs/initdb" -D "$dir/pg1" -U postgres -A trust -E UTF8 --locale=C.UTF-8 --no-sync) >>"$dir/pg1.log" 2>&1
  echo "include 'server.conf'" | "${user[@]}" tee -a "$dir/pg1/postgresql.conf" >/dev/null
  printf 'host %s all 0.0.0.0/0 trust\n' all replication | "${user[@]}" tee -a "$dir/pg1/pg_hba.conf" >/dev/null
  configure_database pg1
  start_database pg1
  sql pg1 "CREATE DATABASE realm" postgres
}
# A standby of the database that is primary now, for which commits wait from then on.
make_standby() {
  local from
  from=$(other "$1")
  # A network that has just come back has no route for a moment.
  await "$1 cannot copy $from" copies "$1" "$from"
  "${user[@]}" touch "$dir/$1/standby.signal"
  configure_database "$1" "$from"
  start_database "$1"
  configure_database "$from" "$1"
  sql "$from" "SELECT pg_reload_conf()" postgres >/dev/null
  await "$1 does not receive" receives "$1"
}
failover() {
  local old new
  old=$(primary) new=$(other "$old")
  if [ "$standby" = late ]; then
    part "$new" "$old"
    sleep 1
  fi
  if [ "${1:-}" = cut ]; then part "$old"; else end "$old" QUIT; fi
  (cd / && "${user[@]}" "$programs/pg_ctl" promote -s -D "$dir/$new")
  await "$new does not become the primary" is_primary "$new"
  echo "$new" >"$dir/primary"
  say "$new is the primary"
  [ "$standby" != late ] || join "$new"
  if [ "${1:-}" = cut ]; then
    sleep 3
    end "$old" QUIT
    join "$old"
  fi
  make_standby "$old"
  say "$old is its standby"
}

# --- wall clocks of nodes: NODE.clock has the milliseconds by which one is off

make_clocks() {
  [ "$clocks" = apart ] || return 0
  local compiler name
  compiler=$(command -v clang || command -v cc) || fail "there is no C compiler here, for the clocks of nodes; on Debian: apt-get install gcc"
  "$compiler" -shared -fPIC -O2 -o "$dir/wall-clock.so" "$root/Tools/scripts/wall-clock.c"
  for name in "${nodes[@]}"; do printf '%-15s\n' 0 >"$dir/$name.clock"; done
}
# In place, since the node reads it all the time.
clock() {
  [ "$clocks" = apart ] || fail "nodes have clocks of their own only with CLOCKS=apart"
  printf '%-15s\n' "$2" 1<>"$dir/$1.clock"
}

# --- nodes and the balancer

run_node() {
  mkdir -p "$dir/$1"
  cat >"$dir/$1.toml" <<CONF
data = "$dir/$1"
host = "$(host "$1")"
port = $(port "$1")
storage = "$(storage)"
node = "$1"
node-address = "http://$(host "$1"):$(port "$1")"
lease-seconds = $lease
registration = "all"
anonymous = "all"
partition-access = "write"
no-first-administrator = true
account-rate = 1_000
connection-rate = 1_000
CONF
  inside "$1"
  [ "$clocks" = same ] || prefix+=(env "WALL_CLOCK=$dir/$1.clock" "LD_PRELOAD=$dir/wall-clock.so")
  local programs=$bin
  [ -z "$former" ] || [ -e "$dir/$1.upgraded" ] || programs=$former
  background "$1" "$programs/realm-object-server" --config "$dir/$1.toml"
}
upgrade() {
  [ -n "$former" ] || fail "nodes run another release first only with FORMER=folder"
  end "$1" TERM
  touch "$dir/$1.upgraded"
  run_node "$1"
  await "node $1 does not answer" ready "$1"
}
ready() { pid "$1" >/dev/null && [ "$(status_of "$(host "$1")" "$(port "$1")" /health/ready)" = 200 ]; }
balanced() { [ "$(status_of "$(front)" "$front_port" /health/ready)" = 200 ]; }
start_balancer() {
  local name
  cat >"$dir/haproxy.cfg" <<CONF
global
  stats socket $dir/haproxy.sock mode 600 level admin
defaults
  mode http
  option forwardfor
  option redispatch
  retries 2
  timeout connect 2s
  timeout client 75s
  timeout server 75s
  timeout tunnel 1h
frontend clients
  bind $(front):$front_port
  default_backend nodes
backend nodes
  balance leastconn
  option httpchk GET /health/ready
  http-check expect status 200
  default-server check inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
CONF
  for name in "${nodes[@]}"; do echo "  server $name $(host "$name"):$(port "$name")" >>"$dir/haproxy.cfg"; done
  prefix=()
  background haproxy haproxy -db -f "$dir/haproxy.cfg"
  await "the balancer does not answer" balanced
}

# --- verbs

start() {
  [ ! -e "$dir" ] || fail "$dir is there already: 'cluster.sh stop' ends that cluster"
  [ -n "$programs" ] || fail "PostgreSQL is not installed: 'make deps' installs it"
  command -v haproxy >/dev/null || fail "there is no 'haproxy' here; on Debian: apt-get install haproxy"
  mkdir -p "$dir"
  chmod 711 "$dir"
  printf '%s=%q\n' former "$former" front_port "$front_port" lease "$lease" network "$network" fsync "$fsync" standby "$standby" clocks "$clocks" bin "$bin" \
    >"$dir/settings"
  make_clocks
  make_network
  make_primary
  make_standby pg2
  local name
  for name in "${nodes[@]}"; do run_node "$name"; done
  for name in "${nodes[@]}"; do await "node $name does not answer" ready "$name"; done
  start_balancer
  say "clients: http://$(front):$front_port"
  for name in "${nodes[@]}"; do say "node $name: http://$(host "$name"):$(port "$name"), data in $dir/$name, log in $dir/$name.log"; done
  say "storage: $(storage)"
}
stop() {
  [ -e "$dir/settings" ] || { say "nothing runs in $dir"; return; }
  local name
  for name in haproxy "${nodes[@]}"; do end "$name" KILL; done
  for name in "${databases[@]}"; do end "$name" QUIT; done
  remove_network
  rm -rf "$dir"
}
status() {
  local name pid
  for name in haproxy "${nodes[@]}" "${databases[@]}"; do
    pid=$(pid "$name") && say "$name runs as process $pid" || say "$name does not run"
  done
  say "primary: $(primary)"
  "$bin/realm-object-server" cluster status --storage "$(storage)"
}

owner() {
  sql "$(primary)" "SELECT h.node FROM openrealm.realm r JOIN openrealm.shard_history h ON h.number = r.shard AND h.node <> ''
    ORDER BY r.number DESC, h.epoch DESC LIMIT 1"
}
unfence() { sql "$(primary)" "$(cat "$root/Tools/scripts/fence-off.sql")"; }

silent_nodes() { sql "$(primary)" "SELECT string_agg(name, ', ' ORDER BY name) FROM openrealm.node WHERE expires <= clock_timestamp()"; }
none_is_silent() { [ -z "$(silent_nodes)" ]; }

# All nodes run and renew their leases. The record of each realm is whole; each commit has the epoch of an owner of its shard, and was
# made before the next owner took it.
verify() {
  local name
  for name in "${nodes[@]}"; do pid "$name" >/dev/null || echo "node $name has ended by itself"; done
  for _ in $(seq 100); do ! none_is_silent || break; sleep 0.1; done
  none_is_silent || echo "the lease is not renewed by node $(silent_nodes)"
  sql "$(primary)" "
    SET search_path = openrealm;
    WITH entry AS (
      SELECT path, shard, c.version, c.epoch, lag(c.version) OVER w AS before, lag(c.epoch) OVER w AS epoch_before,
        pg_xact_commit_timestamp(c.xmin) AS committed
      FROM realm_commit c JOIN realm r ON r.number = c.realm WINDOW w AS (PARTITION BY c.realm ORDER BY c.version))
    SELECT path || ': version ' || version || ' follows ' || before FROM entry WHERE version <> before + 1
    UNION ALL
    SELECT path || ': version ' || version || ' of epoch ' || epoch || ' follows one of epoch ' || epoch_before
      FROM entry WHERE epoch < epoch_before
    UNION ALL
    SELECT path || ': version ' || version || ' has epoch ' || epoch || ', which no owner had' FROM entry e
      WHERE NOT EXISTS (SELECT 1 FROM shard_history h WHERE h.number = e.shard AND h.epoch = e.epoch)
    UNION ALL
    SELECT path || ': version ' || version || ' of epoch ' || e.epoch || ' was committed when epoch ' || h.epoch || ' had begun'
      FROM entry e JOIN shard_history h ON h.number = e.shard AND h.epoch = e.epoch + 1 WHERE committed > at
    UNION ALL
    SELECT path || ': the newest version is ' || version || ', the newest commit ' || newest FROM realm
      JOIN (SELECT realm, max(version) AS newest FROM realm_commit GROUP BY realm) c ON c.realm = number WHERE newest <> version
    UNION ALL
    SELECT 'shard ' || number || ': epoch ' || epoch || ' began before the one before it' FROM (
      SELECT number, epoch, at, lag(at) OVER (PARTITION BY number ORDER BY epoch) AS before FROM shard_history) s WHERE at < before"
}

# Ann has two devices, at the balancer and at node a; Bob has two, at b and c. All write one list.
check() {
  local work=$dir/check-$$ user
  rm -rf "$work"; mkdir -p "$work"
  device() { local name=$1; shift; "$bin/todo" --data "$work/$name" --wait 60 "$@"; }
  log_in() { REALM_PASSWORD="$2-secret" device "$1" --server "http://$3" --user "$2" login "${@:4}" >/dev/null; }
  log_in ann-front "ann$$" "$(front):$front_port" --register
  log_in bob-b "bob$$" "$(front):$front_port" --register
  rm -rf "$work/bob-b"
  log_in ann-a "ann$$" "$(host a):$(port a)"
  log_in bob-b "bob$$" "$(host b):$(port b)"
  log_in bob-c "bob$$" "$(host c):$(port c)"
  device ann-front --list Inbox add "through the balancer" >/dev/null
  device ann-front --list Inbox share "bob$$" --write >/dev/null
  device ann-a sync >/dev/null
  device ann-a --list Inbox add "through node a" >/dev/null
  for user in bob-b bob-c; do device $user --list Inbox --of "ann$$" list >/dev/null; done
  device bob-b --list Inbox --of "ann$$" add "through node b" >/dev/null
  device bob-c --list Inbox --of "ann$$" add "through node c" >/dev/null
  for user in ann-front ann-a; do device $user sync >/dev/null; device $user --list Inbox list --json >"$work/$user.json"; done
  for user in bob-b bob-c; do
    device $user --of "ann$$" sync >/dev/null; device $user --list Inbox --of "ann$$" list --json >"$work/$user.json"
  done
  local way
  for user in ann-a bob-b bob-c; do
    cmp -s "$work/ann-front.json" "$work/$user.json" || { diff "$work/ann-front.json" "$work/$user.json" >&2; fail "$user sees another list"; }
  done
  for way in "the balancer" "node a" "node b" "node c"; do
    grep -q "through $way" "$work/ann-front.json" || fail "what was written through $way is missing"
  done
  rm -rf "$work"
  say "four devices of two users see the same four items, each written through another way in"
}

verb=${1:-start}
[ "$verb" = start ] || [ "$verb" = stop ] || [ -e "$dir/settings" ] || fail "no cluster runs in $dir: 'cluster.sh start' starts one"
name=${2:-}
case $verb in
  start | stop | status | verify | check | owner | unfence) "$verb" ;;
  failover) failover "$name" ;;
  kill) end "$name" KILL ;;
  run) run_node "$name"; await "node $name does not answer" ready "$name" ;;
  upgrade) upgrade "$name" ;;
  pause) signal "$name" STOP ;;
  resume) signal "$name" CONT ;;
  clock) clock "$name" "${3:?}" ;;
  part) part "$name" "${3:-}" ;;
  join) join "$name" ;;
  *) sed -n '2,29s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
