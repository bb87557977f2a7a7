extension ClusterSchema {
  /// The counters of ``PostgresAccountLimits``, and the functions that change them. Keys are digests, so rows are short whatever clients
  /// send. Each function is one statement of a node, locks the rows of its event in the order of their kinds, and removes at most eight
  /// rows that have expired, more than it adds. Its commit does not wait for a disk: a database that loses power may forget the last
  /// counts.
  static let limits = [
    """
    CREATE TABLE account_counter(
      kind smallint NOT NULL, key bytea NOT NULL, level double precision NOT NULL, updated timestamptz NOT NULL,
      expires timestamptz NOT NULL, PRIMARY KEY (kind, key))
    """,
    "CREATE INDEX account_counter_by_expiry ON account_counter(expires)",
    """
    CREATE TABLE known_network(
      name bytea NOT NULL, network bytea NOT NULL, used timestamptz NOT NULL, PRIMARY KEY (name, network))
    """,
    "CREATE INDEX known_network_by_network ON known_network(network, used)",
    "CREATE INDEX known_network_by_use ON known_network(used)",
    counterWait, counterLevel, removeExpired, admit, settle, paceMail,
  ]

  /// The seconds until a counter admits an event, by the rule in the last four: one whose first delay is 0 is a rate.
  private static let counterWait = """
    CREATE FUNCTION counter_wait(
      level float8, quiet float8, free float8, first float8, cap float8, forgiving float8
    ) RETURNS float8 LANGUAGE sql IMMUTABLE AS $$
      SELECT CASE
        WHEN first = 0 THEN greatest(0, (greatest(0, level - quiet / forgiving) + 1 - free) * forgiving)
        WHEN level > free THEN greatest(0, least(cap, first * 2 ^ least(level - free - 1, 30)) - quiet)
        ELSE 0 END
    $$
    """

  /// The level of a counter with one more event; time has forgiven some, in whole steps unless the counter is a rate.
  private static let counterLevel = """
    CREATE FUNCTION counter_level(
      level float8, quiet float8, free float8, first float8, forgiving float8, beyond float8
    ) RETURNS float8 LANGUAGE sql IMMUTABLE AS $$
      SELECT CASE
        WHEN first = 0 THEN greatest(0, level - quiet / forgiving) + 1
        ELSE least(greatest(0, level - floor(quiet / forgiving)) + 1, free + beyond) END
    $$
    """

  /// Removes counters that have nothing to tell any more; those that another transaction has are passed over.
  private static let removeExpired = """
    CREATE FUNCTION remove_expired_counters(instant timestamptz) RETURNS void LANGUAGE sql AS $$
      DELETE FROM account_counter WHERE (kind, key) IN (
        SELECT kind, key FROM account_counter WHERE expires < instant ORDER BY expires LIMIT 8
        FOR UPDATE SKIP LOCKED)
    $$
    """

  /// Counts an event in all its counters, or in none when one of them does not admit it; in the first one alone when its network is one of
  /// the owner's. What is refused writes nothing unless it met another attempt.
  private static let admit = """
    CREATE FUNCTION admit_event(
      kinds smallint[], keys bytea[], frees float8[], firsts float8[], caps float8[], forgivings float8[], beyond float8,
      owner bytea, origin bytea, moment float8, OUT microseconds bigint, OUT counters integer
    ) LANGUAGE plpgsql AS $$
    DECLARE
      instant timestamptz := coalesce(to_timestamp(moment), clock_timestamp());
      longest float8;
    BEGIN
      PERFORM set_config('synchronous_commit', 'off', true);
      counters := array_length(kinds, 1);
      IF EXISTS (SELECT FROM known_network WHERE name = owner AND network = origin) THEN counters := 1; END IF;
      FOR round IN 1..2 LOOP
        IF round = 2 THEN
          FOR i IN 1..counters LOOP
            INSERT INTO account_counter AS c VALUES (kinds[i], keys[i], 0, instant, instant)
            ON CONFLICT (kind, key) DO UPDATE SET level = c.level;
          END LOOP;
        END IF;
        SELECT max(counter_wait(
          c.level, greatest(0, extract(epoch FROM instant - c.updated)), frees[i], firsts[i], caps[i], forgivings[i]))
        INTO longest
        FROM generate_series(1, counters) AS i JOIN account_counter AS c ON c.kind = kinds[i] AND c.key = keys[i];
        microseconds := ceil(round(coalesce(longest, 0)::numeric * 1000000, 3));
        IF microseconds > 0 THEN RETURN; END IF;
      END LOOP;
      UPDATE account_counter AS c
      SET level = n.level, updated = greatest(c.updated, instant),
        expires = greatest(c.updated, instant) + n.level * forgivings[n.i] * interval '1 second'
      FROM (
        SELECT i, counter_level(
          o.level, greatest(0, extract(epoch FROM instant - o.updated)), frees[i], firsts[i], forgivings[i], beyond) AS level
        FROM generate_series(1, counters) AS i JOIN account_counter AS o ON o.kind = kinds[i] AND o.key = keys[i]) AS n
      WHERE c.kind = kinds[n.i] AND c.key = keys[n.i];
      PERFORM remove_expired_counters(instant);
    END $$
    """

  /// Takes an event back. A success forgets the first counter, and remembers the network as one of the owner's: of a name those of the
  /// latest logins, as many names for each network, none that was not used for long.
  private static let settle = """
    CREATE FUNCTION settle_event(
      kinds smallint[], keys bytea[], succeeded boolean, owner bytea, origin bytea, per_name integer, per_network integer,
      days float8, moment float8
    ) RETURNS void LANGUAGE plpgsql AS $$
    DECLARE
      instant timestamptz := coalesce(to_timestamp(moment), clock_timestamp());
    BEGIN
      PERFORM set_config('synchronous_commit', 'off', true);
      FOR i IN 1..array_length(kinds, 1) LOOP
        IF succeeded AND i = 1 THEN
          DELETE FROM account_counter WHERE kind = kinds[i] AND key = keys[i];
        ELSE
          UPDATE account_counter SET level = greatest(0, level - 1) WHERE kind = kinds[i] AND key = keys[i];
        END IF;
      END LOOP;
      PERFORM remove_expired_counters(instant);
      IF NOT succeeded THEN RETURN; END IF;
      INSERT INTO known_network AS k VALUES (owner, origin, instant)
      ON CONFLICT (name, network) DO UPDATE SET used = greatest(k.used, excluded.used);
      DELETE FROM known_network WHERE (name, network) IN (
        SELECT name, network FROM known_network WHERE name = owner ORDER BY used DESC, network OFFSET per_name
        FOR UPDATE SKIP LOCKED);
      DELETE FROM known_network WHERE (name, network) IN (
        SELECT name, network FROM known_network WHERE network = origin ORDER BY used DESC, name OFFSET per_network LIMIT 8
        FOR UPDATE SKIP LOCKED);
      DELETE FROM known_network WHERE (name, network) IN (
        SELECT name, network FROM known_network WHERE used < instant - days * interval '1 day' ORDER BY used LIMIT 8
        FOR UPDATE SKIP LOCKED);
    END $$
    """

  /// The microseconds until a message may be sent, which counts as sent then; NULL for one that is not to be sent. A row's `updated` is
  /// the time of the message that was ordered last.
  private static let paceMail = """
    CREATE FUNCTION pace_mail(
      subject bytea, address bytea, pause float8, longest float8, moment float8
    ) RETURNS bigint LANGUAGE plpgsql AS $$
    DECLARE
      instant timestamptz := coalesce(to_timestamp(moment), clock_timestamp());
      own timestamptz;
      shared timestamptz;
      due timestamptz;
    BEGIN
      PERFORM set_config('synchronous_commit', 'off', true);
      INSERT INTO account_counter AS c VALUES (\(mailKinds.subject), subject, 0, '-infinity', instant)
      ON CONFLICT (kind, key) DO UPDATE SET level = c.level RETURNING updated INTO own;
      IF own + pause * interval '1 second' > instant THEN RETURN NULL; END IF;
      INSERT INTO account_counter AS c VALUES (\(mailKinds.address), address, 0, '-infinity', instant)
      ON CONFLICT (kind, key) DO UPDATE SET level = c.level RETURNING updated INTO shared;
      due := least(
        instant + longest * interval '1 second', greatest(instant, shared + pause * interval '1 second'));
      UPDATE account_counter SET updated = due, expires = due + pause * interval '1 second'
      WHERE (kind, key) IN ((\(mailKinds.subject), subject), (\(mailKinds.address), address));
      PERFORM remove_expired_counters(instant);
      RETURN round(extract(epoch FROM due - instant) * 1000000);
    END $$
    """

  /// The kinds of the rows of messages, beside those of counters.
  private static let mailKinds = (subject: 100, address: 101)
}
