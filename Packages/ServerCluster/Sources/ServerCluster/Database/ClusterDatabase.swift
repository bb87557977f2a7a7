import Foundation
public import ObjectServer
public import PostgresClient
import Synchronization

/// The PostgreSQL database of a cluster: connections of one node, which are made when they are needed and used again.
///
///     let database = try ClusterDatabase("postgresql://db.example.com/realms")
///     let now = try database.perform { try $0.query("SELECT now()")[0, 0] }
///
/// Functions block. From any thread.
public final class ClusterDatabase: Sendable {
  private let parameters: [String: String]
  private let idle = Mutex<[PostgresConnection]>([])
  /// The connections that are kept while nobody uses them.
  private static let kept = 16

  /// Connects, and makes the tables of the cluster when they are missing.
  ///
  /// - Throws: ``ServerError/Code/clusterFailure`` when the address is none, the database cannot be reached, or was made by a newer
  ///   release.
  public init(_ address: String) throws(ServerError) {
    do {
      var parameters = try PostgresConnection.parameters(of: address)
      parameters["application_name"] = parameters["application_name"] ?? "openrealm"
      parameters["connect_timeout"] = parameters["connect_timeout"] ?? "5"
      // A statement of a node that went away ends with its connection: keep-alives of the system find that out.
      parameters["keepalives_idle"] = parameters["keepalives_idle"] ?? "5"
      parameters["keepalives_interval"] = parameters["keepalives_interval"] ?? "2"
      parameters["keepalives_count"] = parameters["keepalives_count"] ?? "3"
      parameters["tcp_user_timeout"] = parameters["tcp_user_timeout"] ?? "10000"
      self.parameters = parameters
      try repeating { try ClusterSchema.install(on: $0) }
    } catch { throw Self.failure(error) }
  }

  /// Calls `body` with a connection that nobody else uses meanwhile. A connection that was lost is not used again.
  ///
  /// - Throws: the error of `body`; ``PostgresError`` when no connection can be made.
  public func perform<Value>(_ body: (PostgresConnection) throws -> Value) throws -> Value {
    let connection = try idle.withLock { $0.popLast() } ?? connect()
    defer {
      // When one connection is lost, so are those that were made before.
      if !connection.isAlive { forgetConnections() }
      if connection.isAlive, !connection.isInTransaction {
        idle.withLock { if $0.count < Self.kept { $0.append(connection) } }
      }
    }
    return try body(connection)
  }

  /// Calls `body` as ``perform(_:)``, and again when a conflict rolled it back, five times at most, or once when its connection was found
  /// lost.
  ///
  /// - Throws: as ``perform(_:)``.
  public func repeating<Value>(_ body: (PostgresConnection) throws -> Value) throws -> Value {
    var attempts = 0
    var hasReconnected = false
    while true {
      do { return try perform(body) } catch let error as PostgresError {
        if error.isConnectionLost {
          forgetConnections()
          guard !hasReconnected else { throw error }
          hasReconnected = true
        } else {
          attempts += 1
          guard error.isConflict, attempts < 5 else { throw error }
          Thread.sleep(forTimeInterval: 0.01 * Double(attempts))
        }
      }
    }
  }

  /// A connection of the caller's own, which sees the tables of the cluster.
  ///
  /// - Throws: ``PostgresError`` when it cannot be made.
  public func connect() throws -> PostgresConnection {
    let connection = try PostgresConnection(parameters)
    try connection.query(
      "SET search_path = \(ClusterSchema.name); SET bytea_output = 'hex'; SET client_encoding = 'UTF8'")
    // A commit counts when it is on the disk of the database, and of its synchronous standby if it has one.
    try connection.query(
      """
      SELECT set_config('synchronous_commit', 'on', false) 
      WHERE current_setting('synchronous_commit') IN ('off', 'local', 'remote_write')
      """)
    return connection
  }

  /// Drops the idle connections, which may be those of a server that was replaced.
  public func forgetConnections() { idle.withLock { $0 = [] } }

  /// An error of the database as one of the server.
  static func failure(_ error: any Error) -> ServerError {
    if let error = error as? ServerError { return error }
    return ServerError(
      .clusterFailure, "the database of the cluster failed",
      remedy: "check that PostgreSQL runs and that the address in 'storage' is right", cause: error)
  }
}

extension PostgresError {
  /// Whether the transaction was rolled back in favour of another one: a serialization failure, a deadlock, or a lock that it did not get
  /// in its time.
  var isConflict: Bool { state.hasPrefix("40") || state == "55P03" }
}
