import Glibc

/// A port of 127.0.0.1 that nobody else is given as long as this lives.
///
///     let reserved = try ReservedPort()
///     // Connecting to reserved.port is refused until something listens on it, which may stop and listen again.
///
/// A server that stopped leaves its port to whoever asks for one, such as an outgoing connection of another test.
public final class ReservedPort: Sendable {
  /// The number of the port.
  public let port: Int
  private let descriptor: Int32

  /// Reserves a free port.
  /// - Throws: ``Failure`` when the system has none.
  public init() throws {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    // Lets others bind the port who ask for it by its number, and say this, too.
    var isShared: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isShared, socklen_t(MemoryLayout<Int32>.size))
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(descriptor, address, length) == 0 && getsockname(descriptor, address, &length) == 0
      }
    }
    self.descriptor = descriptor
    port = Int(UInt16(bigEndian: address.sin_port))
    guard isBound else { throw Failure(code: errno) }
  }

  deinit { close(descriptor) }

  /// No port could be had.
  public struct Failure: Error {
    /// The system's error number.
    public var code: Int32
  }
}
