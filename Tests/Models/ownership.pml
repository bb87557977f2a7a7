/* Who may write a shard of a cluster: lease, fence, pause, take-over, hand-over, and fail-over of the database.
 *
 * One shard with one realm. Each of the WRITES writes of clients is sent to any node, again and again, until one acknowledges it. A step of
 * a node is one statement, one answer or one message; between two steps it may rest while the others take as many as they like, so a node may
 * be paused anywhere, and wakes up with what it believed then. There is no clock: a lease ends whenever it likes. Nodes are killed or lose
 * their connections FAULTS times in all; a COMMIT that was on the way is executed later, or never. A shard has at most EPOCHS owners.
 *
 *   default      one database
 *   -DSTANDBY    with a standby, which has commits some time after the primary, and commits wait for it. Once the primary starts anew, and
 *                then shows also what the standby has not; once the standby takes the place of the primary
 *
 * What must hold:
 *   1  a version is appended once and follows the one before it; a write is appended once
 *   2  an entry is committed under the newest epoch of its shard: so epochs never go down along the log, and one node writes at a time
 *   3  who appends has all that earlier owners wrote
 *   4  an acknowledged write is in the log, and in that of the standby which takes the primary's place
 *
 * Each of these leaves one rule out, and must break one of the four:
 *   -DNO_FENCE    the owner of the shard is not asked
 *   -DNO_LOCK     it is asked without FOR SHARE (or with FOR KEY SHARE, which lets the epoch change)
 *   -DNO_KEY      the version of an entry is no key of the table, and need not follow the last one
 *   -DEARLY_REPLY a write is acknowledged when its COMMIT is sent
 *   -DSTANDBY -DNO_SYNC     commits do not wait for the standby
 *   -DSTANDBY -DNO_CONFIRM  a write that was found in the log is acknowledged before a commit of the reader's own has returned
 *   -DSTANDBY -DNO_RELOAD   a cache goes on after the connection was lost in the middle of filling it or of an append
 * And -DREACHED breaks all runs in which a take-over, a hand-over and a write found in the log came before the last write was acknowledged:
 * there must be one.
 */
#ifndef NODES
#define NODES 2
#endif
#ifndef WRITES
#define WRITES 2
#endif
#ifndef FAULTS
#define FAULTS 1
#endif
#ifndef EPOCHS
#define EPOCHS 3
#endif
#ifdef STANDBY
#define STANDBYS 1
#else
#define STANDBYS 0
#endif
#if STANDBYS && !defined(NO_SYNC)
#define WAITS 1   /* commits wait for the standby */
#else
#define WAITS 0
#endif
#define RECORDS (WRITES + 1 + EPOCHS)
#define BIT(write) (1 << write)
#define ALL (BIT(WRITES + 1) - 2)

/* The append of a node: it has passed the fence, has inserted the entry, has sent COMMIT; the entry is in the database's log; the answer of
 * COMMIT has come, and the entry is in the node's cache. */
#define NONE 0
#define FENCED 1
#define INSERTED 2
#define SENT 3
#define WRITTEN 4
#define ANSWERED 5
#define CACHED 6

typedef Append { byte state; byte write; byte epoch; byte version; byte end }
typedef Node {
  byte incarnation;
  bit connected;
  bit owns; byte epoch;     /* what the node believes */
  byte claim;               /* where its UPDATE of the shard ends in the database's log, until the answer comes; else 0 */
  bit loaded;               /* the cache is filled: */
  byte have; byte seen;     /* with so many versions, and these writes */
  bit confirmed; byte read  /* a commit has returned since it was; where the database's log ended then */
}
typedef Record { bit isEntry; byte node; byte incarnation; byte epoch; byte write; byte version }

Node node[NODES + 1];
Append append[NODES + 1];
Append orphan[NODES + 1];   /* a COMMIT on the way when the connection was lost */
bit lease[NODES + 1];

/* The database's log, how much of it reads see, and how much the standby has. */
Record record[RECORDS];
byte written, visible, replicated;
/* What reads see: the shard's row; the realm's newest version and writes; its version when the shard got this owner. */
byte owner, incarnation, epoch;
byte version, stored, inherited;
/* Locks: appends that hold the shard's row, whether a change of that row is under way, whether an entry is. */
byte sharers;
bit changing, inserting;

byte acknowledged, faults;
bit restarted, promoted;
#ifdef REACHED
bit tookOver, handedOver, found;
#define NOTE(what) what = 1
#else
#define NOTE(what) skip
#endif
hidden byte i;

#ifdef NO_KEY
#define MAY_INSERT 1
#else
#define MAY_INSERT !inserting
#endif
#define LIVE(n) (node[n].connected)
#define OWNER(n) (owner == n && incarnation == node[n].incarnation && epoch == node[n].epoch)

/* Reads see one record more. */
inline appear() {
  if
  :: record[visible].isEntry ->
    assert(record[visible].version == version + 1);
    assert(!(stored & BIT(record[visible].write)));
    assert(record[visible].epoch == epoch);
    version++; stored = stored | BIT(record[visible].write)
  :: else ->
    owner = record[visible].node; incarnation = record[visible].incarnation; epoch = record[visible].epoch; inherited = version
  fi;
  visible++
}

inline clear(a) { a.state = NONE; a.write = 0; a.epoch = 0; a.version = 0; a.end = 0 }

inline unlock() {
#if !defined(NO_FENCE) && !defined(NO_LOCK)
  sharers--
#else
  skip
#endif
}

/* Transactions whose records reads see have ended. */
inline finish() {
  i = 1;
  do
  :: i > NODES -> break
  :: else ->
    if
    :: append[i].state == WRITTEN && append[i].end <= visible -> append[i].state = ANSWERED; inserting = 0; unlock()
    :: else
    fi;
    if
    :: orphan[i].state == WRITTEN && orphan[i].end <= visible -> clear(orphan[i]); inserting = 0; unlock()
    :: else
    fi;
    i++
  od;
  if :: changing && !record[visible - 1].isEntry -> changing = 0 :: else fi;
  i = 0
}

/* A record is written: without a standby to wait for, everybody sees it. */
inline log() {
  written++;
  if :: !WAITS -> appear(); finish() :: else fi;
  if :: !STANDBYS -> replicated = written :: else fi
}

inline commit(a) {
  record[written].isEntry = 1; record[written].epoch = a.epoch; record[written].write = a.write; record[written].version = a.version;
  a.state = WRITTEN; a.end = written + 1;
  log()
}

inline give(whom) {
  record[written].isEntry = 0; record[written].node = whom; record[written].incarnation = node[whom].incarnation; record[written].epoch = epoch + 1;
  changing = 1;
  log()
}

inline drop(whose) {
  node[whose].loaded = 0; node[whose].have = 0; node[whose].seen = 0; node[whose].confirmed = 0; node[whose].read = 0
}
inline leave(whose) { node[whose].owns = 0; node[whose].epoch = 0; drop(whose) }

/* A cache of which the node does not know whether it is in the log, or all of the log, is dropped. What the node believed of the shard
 * stays. */
inline doubt(whose) {
#ifndef NO_RELOAD
  if
  :: !node[whose].confirmed || (append[whose].state != NONE && append[whose].state != CACHED) -> drop(whose)
  :: else
  fi
#else
  skip
#endif
}

/* The database rolls back what was not to be committed yet. */
inline disconnect(whose) {
  node[whose].connected = 0; node[whose].claim = 0;
  doubt(whose);
  if
  :: append[whose].state == FENCED -> unlock()
  :: append[whose].state == INSERTED -> inserting = 0; unlock()
  :: append[whose].state == SENT || append[whose].state == WRITTEN ->
    orphan[whose].state = append[whose].state; orphan[whose].write = append[whose].write; orphan[whose].epoch = append[whose].epoch;
    orphan[whose].version = append[whose].version; orphan[whose].end = append[whose].end
  :: else
  fi;
  clear(append[whose])
}

inline acknowledge(given) {
  assert(stored & BIT(given));
  acknowledged = acknowledged | BIT(given);
#ifdef REACHED
  assert(!(tookOver && handedOver && found && acknowledged == ALL))
#endif
}

proctype Server(byte n) {
  byte w;
end:
  do
#if !STANDBYS
  :: d_step { LIVE(n) && !lease[n] -> lease[n] = 1 }
#endif

  /* Takes a shard that nobody has, or whose owner's lease has ended, or is no more. */
  :: d_step {
    LIVE(n) && !node[n].owns && !node[n].claim && !sharers && !changing && epoch < EPOCHS &&
      (!owner || !lease[owner] || incarnation != node[owner].incarnation) ->
    if :: owner && owner != n -> NOTE(tookOver) :: else fi;
    node[n].epoch = epoch + 1; node[n].claim = written + 1;
    give(n)
  }
  :: d_step { LIVE(n) && node[n].claim && node[n].claim <= visible -> node[n].claim = 0; node[n].owns = 1 }

  /* Finds that it owns the shard. */
  :: d_step {
    LIVE(n) && !node[n].owns && !node[n].claim && owner == n && incarnation == node[n].incarnation ->
    node[n].owns = 1; node[n].epoch = epoch
  }

  /* Fills its cache, and commits something in the same connection. */
  :: d_step {
    LIVE(n) && node[n].owns && !node[n].loaded ->
    node[n].loaded = 1; node[n].have = version; node[n].seen = stored; node[n].read = visible;
#ifdef NO_CONFIRM
    node[n].confirmed = 1
#endif
  }
  :: d_step { LIVE(n) && node[n].loaded && !node[n].confirmed && (!WAITS || replicated >= node[n].read) -> node[n].confirmed = 1; node[n].read = 0 }

  /* A write arrives. One that the cache has is acknowledged, else it is appended, if the shard is this node's. */
  :: atomic {
    LIVE(n) && node[n].loaded && append[n].state == NONE && acknowledged != ALL ->
    select(w : 1 .. WRITES);
    if
    :: d_step { !(acknowledged & BIT(w)) && (node[n].seen & BIT(w)) -> if :: node[n].confirmed -> NOTE(found); acknowledge(w) :: else fi }
#ifndef NO_FENCE
    :: d_step { !(acknowledged & BIT(w)) && !(node[n].seen & BIT(w)) && !changing && !OWNER(n) -> leave(n) }
    :: d_step { !(acknowledged & BIT(w)) && !(node[n].seen & BIT(w)) && !changing && OWNER(n) ->
#ifndef NO_LOCK
      sharers++;
#endif
#else
    :: d_step { !(acknowledged & BIT(w)) && !(node[n].seen & BIT(w)) ->
#endif
      append[n].state = FENCED; append[n].write = w; append[n].epoch = node[n].epoch
    }
    :: else   /* it was acknowledged, or waits for a change of the row */
    fi;
    w = 0
  }
  /* INSERT waits for another transaction's entry of the same version, and is refused when there is one. */
  :: d_step {
    LIVE(n) && append[n].state == FENCED && MAY_INSERT ->
    if
#ifndef NO_KEY
    :: node[n].have != version -> unlock(); clear(append[n]); drop(n)
#endif
    :: else ->
      assert(node[n].have >= inherited);
      inserting = 1; append[n].state = INSERTED; append[n].version = node[n].have + 1
    fi
  }
  :: d_step {
    LIVE(n) && append[n].state == INSERTED -> append[n].state = SENT;
#ifdef EARLY_REPLY
    acknowledge(append[n].write)
#endif
  }
  :: d_step {
    LIVE(n) && append[n].state == ANSWERED ->
    append[n].state = CACHED; node[n].have++; node[n].seen = node[n].seen | BIT(append[n].write); node[n].confirmed = 1; node[n].read = 0
  }
  :: d_step { append[n].state == CACHED -> acknowledge(append[n].write); clear(append[n]) }

  /* Hands the shard over, with nothing under way. */
  :: atomic {
    LIVE(n) && node[n].owns && append[n].state == NONE && !sharers && !changing && epoch < EPOCHS && OWNER(n) ->
    select(w : 1 .. NODES);
    if
    :: d_step { w == n -> skip }
    :: d_step { w != n -> leave(n); NOTE(handedOver); give(w) }
    fi;
    w = 0
  }

  /* The connection is lost; whether a COMMIT on the way was executed is unknown. */
  :: d_step { LIVE(n) && faults < FAULTS && orphan[n].state == NONE && append[n].state != CACHED -> faults++; disconnect(n) }
  :: d_step { !LIVE(n) -> node[n].connected = 1 }
  /* The process is killed and started again. */
  :: d_step {
    faults < FAULTS && orphan[n].state == NONE ->
    faults++; disconnect(n); leave(n); node[n].incarnation++
  }
  od
}

/* What happens by itself: leases end, commits are executed, the standby receives. */
proctype Database(byte n) {
end:
  do
#if !STANDBYS
  :: d_step { lease[n] -> lease[n] = 0 }
#endif
  :: d_step { append[n].state == SENT -> commit(append[n]) }
  :: d_step { orphan[n].state == SENT -> commit(orphan[n]) }
  :: d_step { orphan[n].state == SENT -> inserting = 0; unlock(); clear(orphan[n]) }
  od
}

#if STANDBYS
/* Nobody is connected any more, and nothing is under way. */
inline down() {
  i = 1;
  do
  :: i > NODES -> break
  :: else ->
    node[i].connected = 0; node[i].claim = 0; clear(orphan[i]); doubt(i);
    if :: append[i].state != CACHED -> clear(append[i]) :: else fi;
    i++
  od;
  sharers = 0; changing = 0; inserting = 0; i = 0
}

proctype Standby() {
end:
  do
  :: d_step {
    replicated < written -> replicated++;
    if :: visible < replicated -> appear(); finish() :: else fi
  }
  /* The primary starts anew. What waited for the standby is seen all the same. */
  :: d_step {
    !restarted && !promoted -> restarted = 1; down();
    do :: visible < written -> appear() :: else -> break od;
    i = 0
  }
  /* The standby takes the primary's place. On the old one no commit ever ends again. */
  :: d_step {
    !promoted -> promoted = 1; down();
    written = replicated; visible = 0; owner = 0; incarnation = 0; epoch = 0; version = 0; stored = 0; inherited = 0;
    do :: visible < written -> appear() :: else -> break od;
    assert((acknowledged & stored) == acknowledged)
  }
  od
}
#endif

init {
  atomic {
    i = 1;
    do
    :: i > NODES -> break
    :: else -> node[i].incarnation = 1; node[i].connected = 1; run Server(i); run Database(i); i++
    od;
    i = 0;
#if STANDBYS
    run Standby()
#endif
  }
}
