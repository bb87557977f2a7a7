import CLibPQ
import Foundation

/// The changes of a publication from a logical replication slot, as `pgoutput` sends them. One task at a time may use it.
public final class ReplicationStream: @unchecked Sendable {
  /// A message of the server.
  public enum Message: Sendable {
    /// Data of `pgoutput`.
    case data([UInt8])
    /// The server has nothing newer than a position, and may ask for an answer.
    case keepalive(end: LogPosition, wantsAnswer: Bool)
  }

  private let connection: PostgresConnection

  /// Starts to stream.
  ///
  /// - Parameters:
  ///   - parameters: of a connection, to which `replication=database` is added.
  ///   - slot: its name; it exists.
  ///   - publication: its name.
  ///   - start: transactions that end before it are not sent, nor those that were confirmed.
  /// - Throws: ``PostgresError``, as when another process uses the slot.
  public init(_ parameters: [String: String], slot: String, publication: String, from start: LogPosition) throws {
    var parameters = parameters
    parameters["replication"] = "database"
    connection = try PostgresConnection(parameters)
    _ = try connection.checked(
      PQexec(
        connection.handle,
        "START_REPLICATION SLOT \(PostgresConnection.quoted(slot)) LOGICAL \(start) "
          + "(proto_version '1', publication_names '\(PostgresConnection.quoted(publication))', messages 'true')"))
  }

  /// The next message; nil when none has arrived.
  ///
  /// - Throws: ``PostgresError`` when the connection is lost or the stream ends.
  public func next() throws -> Message? {
    var buffer: UnsafeMutablePointer<CChar>?
    var count = PQgetCopyData(connection.handle, &buffer, 1)
    if count == 0 {
      // Only now: libpq reads all that has arrived, and moves what is unread of it each time.
      guard PQconsumeInput(connection.handle) == 1 else { throw connection.lost() }
      count = PQgetCopyData(connection.handle, &buffer, 1)
    }
    switch count {
    case 0: return nil
    case -1, -2: throw PostgresError(message: "the replication stream ended", isConnectionLost: true)
    default:
      guard let buffer else { return nil }
      defer { PQfreemem(buffer) }
      let bytes = buffer.withMemoryRebound(to: UInt8.self, capacity: Int(count)) {
        [UInt8](UnsafeBufferPointer(start: $0, count: Int(count)))
      }
      switch bytes.first {
      case UInt8(ascii: "w") where bytes.count >= 25: return .data(Array(bytes[25...]))
      case UInt8(ascii: "k") where bytes.count >= 18:
        return .keepalive(end: LogPosition(Self.number(bytes[1..<9])), wantsAnswer: bytes[17] != 0)
      default: throw PostgresError(message: "the replication stream has an unknown message", isConnectionLost: true)
      }
    }
  }

  /// Waits until the server has sent something, or a descriptor can be read.
  public func wait(or descriptor: Int32, milliseconds: Int32) {
    var polls = [
      pollfd(fd: PQsocket(connection.handle), events: Int16(POLLIN), revents: 0),
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
    ]
    _ = poll(&polls, 2, milliseconds)
  }

  /// Tells the server that everything before a position is durable here: it keeps its log from there on.
  ///
  /// - Parameter wantsAnswer: whether the server is asked for a keepalive with the position that it has reached.
  /// - Throws: ``PostgresError`` when the connection is lost.
  public func confirm(_ position: LogPosition, wantsAnswer: Bool = false) throws {
    var message: [UInt8] = [UInt8(ascii: "r")]
    for _ in 0..<3 { message += Self.bytes(position.rawValue) }
    let microseconds = UInt64(max(0, (Date().timeIntervalSince1970 - 946_684_800) * 1_000_000))
    message += Self.bytes(microseconds)
    message.append(wantsAnswer ? 1 : 0)
    let sent = message.withUnsafeBytes {
      PQputCopyData(connection.handle, $0.baseAddress?.assumingMemoryBound(to: CChar.self), Int32($0.count))
    }
    guard sent == 1, PQflush(connection.handle) == 0 else { throw connection.lost() }
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }

  private static func bytes(_ number: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
  }
}
