import Glibc

/// A port of 127.0.0.1 that the system gives to no other socket as long as this value lives.
///
///     let reserved = try ReservedPort()
///     // Connecting to reserved.port is refused until something listens on it, which may stop and listen again.
///
/// Without a reservation the port of a stopped server may go to another socket, such as an outgoing connection of another
/// test.
public final class ReservedPort: Sendable {
  /// The number of the port.
  public let port: Int
  private let descriptor: Int32

  /// Reserves a free port.
  ///
  /// - Throws: ``LoopbackSocket/Failure`` when the system has none.
  public init() throws {
    let bound = try LoopbackSocket.bound(isShared: true)
    descriptor = bound.descriptor
    port = Int(bound.port)
  }

  deinit { close(descriptor) }
}
