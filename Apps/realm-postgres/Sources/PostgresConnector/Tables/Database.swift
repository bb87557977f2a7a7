import DataModel
import Foundation
import PostgresClient

/// The database of a connector: its tables, and the connector's own ones in the schema `openrealm`.
struct Database {
  let configuration: ConnectorConfiguration
  /// Writes to the tables, under the connector's replication origin.
  let connection: PostgresConnection
  /// Reads, and writes the connector's own tables, without an origin.
  let side: PostgresConnection

  /// Connects twice.
  init(_ configuration: ConnectorConfiguration) throws {
    self.configuration = configuration
    connection = try PostgresConnection(Self.parameters(configuration))
    side = try PostgresConnection(Self.parameters(configuration))
  }

  /// The parameters of a connection: output in forms that do not depend on the server's settings.
  static func parameters(_ configuration: ConnectorConfiguration) -> [String: String] {
    var parameters = configuration.connection
    parameters["application_name"] = "realm-postgres \(configuration.name)"
    parameters["client_encoding"] = "UTF8"
    parameters["keepalives_idle"] = "30"
    parameters["options"] =
      "-c DateStyle=ISO -c TimeZone=UTC -c bytea_output=hex -c extra_float_digits=1 -c standard_conforming_strings=on "
      + "-c client_min_messages=warning -c lock_timeout=0 -c statement_timeout=0 -c idle_in_transaction_session_timeout=0"
    return parameters
  }

  /// Makes the database if it is missing and the settings want it.
  ///
  /// - Throws: `PostgresError`
  static func create(_ configuration: ConnectorConfiguration) throws {
    guard configuration.createsDatabase, let name = configuration.connection["dbname"] else { return }
    var parameters = parameters(configuration)
    parameters["dbname"] = "postgres"
    let connection = try PostgresConnection(parameters)
    guard try connection.query("SELECT 1 FROM pg_database WHERE datname = $1", [name]).count == 0 else { return }
    try connection.query("CREATE DATABASE \(PostgresConnection.quoted(name))")
  }

  /// Makes the connector's own tables.
  func prepare() throws {
    try connection.query(
      """
      CREATE SCHEMA IF NOT EXISTS openrealm;
      CREATE TABLE IF NOT EXISTS openrealm.connectors (connector text PRIMARY KEY, generation text NOT NULL);
      CREATE TABLE IF NOT EXISTS openrealm.progress (connector text, realm text, version bigint NOT NULL, \
      salt bigint NOT NULL, slot_position pg_lsn, PRIMARY KEY (connector, realm));
      ALTER TABLE openrealm.progress ADD COLUMN IF NOT EXISTS slot_position pg_lsn;
      CREATE TABLE IF NOT EXISTS openrealm.loads (connector text, realm text, class text, last_key text, \
      rows bigint NOT NULL, is_done boolean NOT NULL, version bigint, salt bigint, PRIMARY KEY (connector, realm, class));
      CREATE TABLE IF NOT EXISTS openrealm.dead_letters (id bigserial PRIMARY KEY, at timestamptz NOT NULL DEFAULT now(), \
      connector text NOT NULL, direction text NOT NULL, position text NOT NULL, realm text NOT NULL, class text NOT NULL, \
      key text NOT NULL, reason text NOT NULL, content text, UNIQUE (connector, direction, position, realm, class, key));
      """)
  }

  /// The columns of the tables of the schema.
  func columns() throws -> [String: [String: TablePlan.Found]] {
    let rows = try side.query(
      """
      SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod), t.typcategory = 'A', t.typtype = 'e'
      FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
      JOIN pg_type t ON t.oid = a.atttypid
      WHERE n.nspname = $1 AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum
      """, [configuration.namespace])
    var columns: [String: [String: TablePlan.Found]] = [:]
    for row in 0..<rows.count {
      guard let table = rows[row, 0], let column = rows[row, 1], let type = rows[row, 2] else { continue }
      columns[table, default: [:]][column] = TablePlan.Found(
        type: type, isArray: rows[row, 3] == "t", isEnum: rows[row, 4] == "t")
    }
    return columns
  }

  /// Keeps a row that does not fit, with the reason.
  ///
  /// - Returns: false when it is kept already.
  func keep(_ letter: DeadLetter) throws -> Bool {
    try side.query(
      """
      INSERT INTO openrealm.dead_letters (connector, direction, position, realm, class, key, reason, content)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING
      """,
      [
        configuration.name, letter.direction.rawValue, letter.position, letter.realm, letter.className, letter.key,
        letter.reason, letter.content.isEmpty ? nil : letter.content,
      ].map { $0?.replacingOccurrences(of: "\0", with: "\\0") }
    ).affected > 0
  }
}

/// A row or an object that cannot be carried over.
struct DeadLetter: Sendable {
  enum Direction: String, Sendable {
    case toRealm = "to-realm"
    case toPostgres = "to-postgres"
  }

  var direction: Direction
  var position = ""
  var realm = ""
  var className: String
  var key: String
  var reason: String
  var content = ""
}
