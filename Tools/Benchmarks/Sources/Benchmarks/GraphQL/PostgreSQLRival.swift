import Foundation

/// A PostgreSQL of this machine with the same people, started for one measurement in a folder of its own, asked through libpq.
///
/// The library is opened by name: who builds the benchmarks needs neither it nor the server.
final class PostgreSQLRival {
  private typealias Handle = OpaquePointer
  private typealias Text = UnsafePointer<CChar>

  private let library: Library
  private let connection: Handle
  private let server: PostgreSQLServer
  /// The process that answers the connection.
  let backend: Int32

  private struct Library {
    let connect: @convention(c) (Text) -> Handle?
    let status: @convention(c) (Handle) -> CInt
    let errorMessage: @convention(c) (Handle) -> Text?
    let execute: @convention(c) (Handle, Text) -> Handle?
    let prepare: @convention(c) (Handle, Text, Text, CInt, OpaquePointer?) -> Handle?
    let executePrepared:
      @convention(c) (Handle, Text, CInt, OpaquePointer?, OpaquePointer?, OpaquePointer?, CInt) -> Handle?
    let resultStatus: @convention(c) (Handle) -> CInt
    let value: @convention(c) (Handle, CInt, CInt) -> Text?
    let length: @convention(c) (Handle, CInt, CInt) -> CInt
    let clear: @convention(c) (Handle) -> Void
    let finish: @convention(c) (Handle) -> Void
    let backend: @convention(c) (Handle) -> CInt

    init() throws {
      guard let library = dlopen("libpq.so.5", RTLD_NOW) else { throw BenchmarkFailure("libpq is not installed") }
      func symbol<Function>(_ name: String, _: Function.Type = Function.self) throws -> Function {
        guard let address = dlsym(library, name) else { throw BenchmarkFailure("libpq has no \(name)") }
        // unsafeBitCast: each property above has the type that libpq-fe.h declares for its function.
        return unsafeBitCast(address, to: Function.self)
      }
      connect = try symbol("PQconnectdb")
      status = try symbol("PQstatus")
      errorMessage = try symbol("PQerrorMessage")
      execute = try symbol("PQexec")
      prepare = try symbol("PQprepare")
      executePrepared = try symbol("PQexecPrepared")
      resultStatus = try symbol("PQresultStatus")
      value = try symbol("PQgetvalue")
      length = try symbol("PQgetlength")
      clear = try symbol("PQclear")
      finish = try symbol("PQfinish")
      backend = try symbol("PQbackendPID")
    }
  }

  /// - Throws: ``BenchmarkFailure`` with the reason when there is no PostgreSQL, or it does not start.
  init(_ people: [PersonValues]) throws {
    library = try Library()
    server = try PostgreSQLServer()
    connection = try Self.connection(server.parameters, library)
    backend = library.backend(connection)
    try execute("CREATE TABLE person(id bigint PRIMARY KEY, name text NOT NULL, age bigint NOT NULL)")
    for start in stride(from: 0, to: people.count, by: 1_000) {
      let rows = people[start..<min(start + 1_000, people.count)].map { "(\($0.id),'\($0.name)',\($0.age))" }
      try execute("INSERT INTO person VALUES " + rows.joined(separator: ","))
    }
    try execute("VACUUM ANALYZE person")
  }

  /// Makes the question for the first people ready; ``answer(_:)`` asks it.
  func prepare(_ count: Int) throws {
    let text =
      "SELECT json_build_object('data', json_build_object('persons', json_agg(p)))::text FROM "
      + "(SELECT id, name, age FROM person ORDER BY id LIMIT \(count)) p"
    try take(library.prepare(connection, "first\(count)", text, 0, nil))
  }

  /// The JSON of the first people.
  @discardableResult
  func answer(_ count: Int) throws -> [UInt8] {
    guard let result = library.executePrepared(connection, "first\(count)", 0, nil, nil, nil, 0),
      library.resultStatus(result) == 2, let text = library.value(result, 0, 0)
    else { throw BenchmarkFailure("PostgreSQL did not answer") }
    defer { library.clear(result) }
    return Array(UnsafeRawBufferPointer(start: text, count: Int(library.length(result, 0, 0))))
  }

  func stop() {
    library.finish(connection)
    server.stop()
  }

  private func execute(_ text: String) throws { try take(library.execute(connection, text)) }

  private func take(_ result: Handle?) throws {
    guard let result else { throw BenchmarkFailure("PostgreSQL did not answer") }
    defer { library.clear(result) }
    guard library.resultStatus(result) <= 2 else {
      throw BenchmarkFailure("PostgreSQL: " + (library.errorMessage(connection).map { String(cString: $0) } ?? ""))
    }
  }

  /// A connection to a server that starts, within 30 s.
  private static func connection(_ parameters: [String: String], _ library: Library) throws -> Handle {
    let place = parameters.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
    let deadline = monotonicSeconds() + 30
    while true {
      guard let connection = library.connect(place) else { throw BenchmarkFailure("libpq has no memory") }
      if library.status(connection) == 0 { return connection }
      let reason = library.errorMessage(connection).map { String(cString: $0) } ?? ""
      library.finish(connection)
      guard monotonicSeconds() < deadline else { throw BenchmarkFailure("PostgreSQL: \(reason)") }
      usleep(100_000)
    }
  }
}
