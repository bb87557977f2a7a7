import Foundation

/// Plain blocking sockets between processes of this machine, for test peers that share no code with `Transport`.
public enum LoopbackSocket {
  /// A socket that listens on a port of this machine.
  ///
  /// - Parameter port: 0 for a free one.
  /// - Returns: the descriptor, which the caller closes, and the port.
  /// - Throws: ``Failure`` when the port is taken or the system has no socket left.
  public static func listen(on port: UInt16 = 0) throws -> (descriptor: Int32, port: UInt16) {
    let bound = try bound(to: port)
    guard Foundation.listen(bound.descriptor, 64) == 0 else { throw failure(closing: bound.descriptor) }
    return bound
  }

  /// A socket that is bound to a port of this machine and does not listen.
  ///
  /// - Parameters:
  ///   - port: 0 for a free one.
  ///   - isShared: whether other sockets that are shared, too, may bind the same port by its number.
  /// - Returns: the descriptor, which the caller closes, and the port.
  /// - Throws: ``Failure`` when the port is taken or the system has no socket left.
  static func bound(to port: UInt16 = 0, isShared: Bool = false) throws -> (descriptor: Int32, port: UInt16) {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var on = Int32(isShared ? 1 : 0)
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
    var address = address(port)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        bind(descriptor, generic, length) == 0 && getsockname(descriptor, generic, &length) == 0
      }
    }
    guard isBound else { throw failure(closing: descriptor) }
    return (descriptor, UInt16(bigEndian: address.sin_port))
  }

  /// The failure of a system call on a socket.
  public struct Failure: Error {
    /// The system's error number.
    public var code: Int32
  }

  private static func failure(closing descriptor: Int32) -> Failure {
    let failure = Failure(code: errno)
    close(descriptor)
    return failure
  }

  /// A connection to a port of this machine; nil when the port refuses.
  public static func connect(to port: UInt16) -> Int32? {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = address(port)
    let isConnected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Foundation.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isConnected else {
      close(descriptor)
      return nil
    }
    return descriptor
  }

  /// Sends all bytes; false when the peer closed.
  @discardableResult
  public static func send(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let part = UnsafeRawBufferPointer(rebasing: rest)
      let count = Foundation.send(descriptor, part.baseAddress, part.count, Int32(MSG_NOSIGNAL))
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Forwards bytes until one side ends.
  ///
  /// - Parameter pause: called before each portion is passed on; it returns when the portion may go.
  public static func pass(from source: Int32, to target: Int32, pause: () -> Void = {}) {
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = recv(source, &buffer, buffer.count, 0)
      pause()
      guard count > 0, buffer.withUnsafeBytes({ send(UnsafeRawBufferPointer(rebasing: $0[..<count]), to: target) })
      else { break }
    }
  }

  private static func address(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }
}
