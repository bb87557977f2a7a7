-- The fence of a cluster is off: for a canary, which the checks of cluster.sh have to see.
--
-- Statements that take the row of a shard as it must be (FOR SHARE) also find the rows of former owners, so what these still write is
-- not refused. The first commits of a new owner wait for some seconds: else they move the realm's version, and what the former owner
-- writes is refused for that. For all other statements the table is as it was. Nodes and their programs are the usual ones.
SET search_path = openrealm;
ALTER TABLE shard RENAME TO shard_row;
CREATE TABLE shard_past() INHERITS (shard_row);

CREATE FUNCTION keep_past() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO openrealm.shard_past SELECT OLD.*;
  RETURN NULL;
END $$;
CREATE TRIGGER keep_past AFTER UPDATE ON shard_row FOR EACH ROW WHEN (OLD.epoch <> NEW.epoch) EXECUTE FUNCTION keep_past();

CREATE FUNCTION is_settled(shard integer, owner bigint) RETURNS boolean LANGUAGE plpgsql COST 10000 AS $$
DECLARE
  begun timestamptz;
BEGIN
  SELECT at INTO begun FROM openrealm.shard_history WHERE number = shard AND epoch = owner AND owner > 1;
  PERFORM pg_sleep(extract(epoch FROM greatest(begun + interval '6 s' - clock_timestamp(), interval '0')));
  RETURN true;
END $$;

CREATE VIEW shard AS SELECT * FROM shard_row WHERE
  CASE WHEN current_query() NOT LIKE '%FOR SHARE%' THEN tableoid = 'openrealm.shard_row'::regclass
    ELSE tableoid <> 'openrealm.shard_row'::regclass OR is_settled(number, epoch) END;
