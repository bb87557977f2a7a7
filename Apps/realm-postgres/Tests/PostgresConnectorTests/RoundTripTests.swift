import DataModel
import Foundation
import PostgresClient
import PostgresClientTestSupport
import TestKit
import Testing

@testable import PostgresConnector

@Suite("round trips", .serialized, .enabled(if: PostgresServer.isThere))
struct RoundTripTests {
  private static let types = """
    CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy with "quotes"');
    CREATE TABLE parents (id uuid PRIMARY KEY, name text);
    CREATE TABLE rows (id bigint PRIMARY KEY, c_small smallint, c_int integer, c_big bigint, c_bool boolean, c_text text,
      c_varchar varchar(40), c_char character(12), c_json json, c_jsonb jsonb, c_vector tsvector, c_uuid_text uuid,
      c_bytea_text bytea, c_mood mood, c_real real, c_double double precision, c_numeric numeric, c_scaled numeric(20,4),
      c_tz timestamptz, c_ts timestamp, c_date date, c_bytea bytea, c_uuid uuid, c_ints bigint[], c_texts text[],
      c_times timestamptz[], c_set jsonb, c_dictionary jsonb, c_place jsonb, c_mixed jsonb,
      c_parent uuid REFERENCES parents DEFERRABLE INITIALLY DEFERRED);
    CREATE TABLE rows_c_list (oid bigint REFERENCES rows ON DELETE CASCADE, idx integer, target text, PRIMARY KEY (oid, idx));
    CREATE TABLE rows_c_links (oid bigint REFERENCES rows ON DELETE CASCADE, idx integer, target uuid REFERENCES parents,
      PRIMARY KEY (oid, idx));
    CREATE TABLE rows_c_split (oid bigint PRIMARY KEY REFERENCES rows ON DELETE CASCADE, city text, zip integer);
    """

  private static let settings = """
    [postgres]
    create-schema = false
    [realm]
    path = "/types"
    [tables]
    Row = "rows"
    Parent = "parents"
    [embedded]
    "Row.c_split" = "table"
    [class.Parent]
    primary-key = "id"
    id = "uuid"
    name = "string?"
    [class.Place]
    embedded = true
    city = "string?"
    zip = "int?"
    [class.Row]
    primary-key = "id"
    id = "int"
    c_small = "int?"
    c_int = "int?"
    c_big = "int?"
    c_bool = "bool?"
    c_text = "string?"
    c_varchar = "string?"
    c_char = "string?"
    c_json = "string?"
    c_jsonb = "string?"
    c_vector = "string?"
    c_uuid_text = "string?"
    c_bytea_text = "string?"
    c_mood = "string?"
    c_real = "float?"
    c_double = "double?"
    c_numeric = "decimal128?"
    c_scaled = "decimal128?"
    c_tz = "date?"
    c_ts = "date?"
    c_date = "date?"
    c_bytea = "data?"
    c_uuid = "uuid?"
    c_ints = "int?[]"
    c_texts = "string?[]"
    c_times = "date?[]"
    c_set = "int<>"
    c_dictionary = "string?{}"
    c_place = "Place"
    c_mixed = "mixed"
    c_parent = "Parent"
    c_list = "string?[]"
    c_links = "Parent[]"
    c_split = "Place"
    """

  /// Rows whose values come from a seed, as PostgreSQL's own functions make them.
  private static func fill(_ connection: PostgresConnection, seed: Int, count: Int) throws {
    try connection.query(
      """
      SELECT setseed(0.\(seed));
      INSERT INTO parents SELECT gen_random_uuid(), 'parent ' || n FROM generate_series(1, 20) n;
      INSERT INTO rows SELECT n, (random() * 65535 - 32768)::int, (random() * 4e9 - 2e9)::int,
        (random() * 9e18)::bigint * CASE WHEN random() < 0.5 THEN -1 ELSE 1 END, random() < 0.5,
        CASE WHEN random() < 0.1 THEN NULL ELSE repeat(chr(32 + (random() * 90)::int), (random() * 30)::int) || E'\\t\\n\\\\ä€😀''"' END,
        md5(n::text), substr(md5(n::text), 1, (random() * 12)::int), json_build_object('a', n, 'b', ARRAY[1, 2])::json,
        jsonb_build_object('k', random(), 'n', NULL), to_tsvector('simple', 'the word ' || n), gen_random_uuid(),
        decode(md5(n::text), 'hex'), (ARRAY['sad', 'ok', 'happy with "quotes"']::mood[])[1 + (random() * 2)::int],
        CASE WHEN n % 50 = 0 THEN 'NaN' WHEN n % 50 = 1 THEN '-Infinity' ELSE random() * 1e10 END::real,
        CASE WHEN n % 50 = 2 THEN 'NaN' WHEN n % 50 = 3 THEN 'Infinity' ELSE (random() - 0.5) * 1e300 END,
        CASE WHEN n % 50 = 4 THEN 'NaN' ELSE ((random() * 1e15)::bigint::text || '.' || lpad(((random() * 1e15)::bigint)::text, 16, '0'))::numeric END,
        (random() * 1e12)::numeric(20, 4),
        timestamptz '0001-01-01' + random() * interval '5000 years' + (random() * 1e6)::int * interval '1 microsecond',
        timestamp '1900-01-01' + random() * interval '300 years', date '0001-01-01' + (random() * 1e6)::int,
        CASE WHEN random() < 0.1 THEN ''::bytea ELSE decode(md5(random()::text) || '00ff5c', 'hex') END, gen_random_uuid(),
        ARRAY[n, NULL, -n], ARRAY['a b', '{c,"d"}', NULL, '', 'NULL', E'\\\\'], ARRAY[now(), NULL, timestamptz '2000-02-29 23:59:59.999999+00'],
        '[-5, 1, 2]', jsonb_build_object('x', 'y', 'z', NULL), CASE WHEN random() < 0.3 THEN NULL ELSE jsonb_build_object('city', 'Ulm', 'zip', n) END,
        (ARRAY['1', '"text"', 'true', NULL, '{"$decimal": "1.50"}', '{"$list": [1, {"$double": "0.5"}]}']::jsonb[])[1 + n % 6],
        (SELECT id FROM parents ORDER BY id OFFSET n % 20 LIMIT 1)
        FROM generate_series(1, \(count)) n;
      INSERT INTO rows_c_list SELECT id, i, CASE WHEN random() < 0.2 THEN NULL ELSE md5(random()::text) END FROM rows, generate_series(0, (random() * 4)::int) i;
      INSERT INTO rows_c_links SELECT r.id, p.n - 1, p.id FROM rows r, (SELECT id, row_number() OVER (ORDER BY id) n FROM parents) p WHERE p.n <= r.id % 4;
      INSERT INTO rows_c_split SELECT id, md5(id::text), id::int FROM rows WHERE id % 3 > 0;
      """)
  }

  private static func texts(_ connection: PostgresConnection) throws -> [String: [String]] {
    try connection.query("SET TimeZone = 'UTC'; SET DateStyle = 'ISO'; SET extra_float_digits = 1")
    var texts: [String: [String]] = [:]
    for (table, order) in [
      ("parents", "id"), ("rows", "id"), ("rows_c_list", "oid, idx"), ("rows_c_links", "oid, idx"),
      ("rows_c_split", "oid"),
    ] {
      let rows = try connection.query("SELECT t::text FROM \(table) t ORDER BY \(order)")
      texts[table] = (0..<rows.count).map { rows[$0, 0] ?? "" }
    }
    return texts
  }

  @Test("random rows of every mapped type are the same after database, realm, database", arguments: [1, 7])
  func law(_ seed: Int) async throws {
    let from =
      "name = \"from\"\n"
      + Self.settings.replacingOccurrences(
        of: "path = \"/types\"", with: "path = \"/types\"\ninitialize-from-postgres = true")
    let scene = try await ConnectorScene(from) { connection in
      try connection.query(Self.types)
      try Self.fill(connection, seed: seed, count: 200)
      try connection.query("CREATE DATABASE other")
    }
    let other = try PostgresConnection(scene.database.parameters("other"))
    try other.query(Self.types)
    scene.start()
    try await eventually { scene.connector.progress.isLive }
    #expect(scene.connector.progress.deadLetters == 0)
    var back = try ConnectorConfiguration(toml: "name = \"back\"\n" + Self.settings)
    back.connection = scene.database.parameters("other")
    let second = PostgresConnector(scene.server, back)
    let work = Task { try await second.run() }
    try await eventually { second.progress.isLive }
    #expect(second.progress.deadLetters == 0)
    let (before, after) = try (Self.texts(scene.connection), Self.texts(other))
    for (table, rows) in before {
      #expect(after[table]?.count == rows.count)
      #expect(zip(rows, after[table] ?? []).first { $0 != $1 }.map { "\($0)" } == nil)
    }
    // And live: a change of every column of one row.
    try scene.connection.query(
      "UPDATE rows SET c_text = 'new', c_numeric = 0.0000001, c_tz = '1969-12-31 23:59:59.999999+00', c_ints = '{7}', c_set = '[9]', "
        + "c_dictionary = '{\"x\": \"w\"}', c_place = '{\"city\": null, \"zip\": 1}', c_bytea = '\\x00', c_bool = NULL WHERE id = 1"
    )
    try await eventually { try Self.texts(other)["rows"]?.first == Self.texts(scene.connection)["rows"]?.first }
    second.stop()
    try await work.value
    await scene.end()
  }
}
