import CLibUV
import Glibc

/// An IPv4 or IPv6 address with its port.
struct SocketAddress: Sendable {
  private var storage: sockaddr_storage

  /// The address in `text`, when it is one rather than a name.
  init?(literal text: String, port: Int) {
    guard (0...65_535).contains(port) else { return nil }
    storage = sockaddr_storage()
    let isRead = withUnsafeMutableBytes(of: &storage) { bytes -> Bool in
      guard let base = bytes.baseAddress else { return false }
      return uv_ip4_addr(text, Int32(port), base.assumingMemoryBound(to: sockaddr_in.self)) == 0
        || uv_ip6_addr(text, Int32(port), base.assumingMemoryBound(to: sockaddr_in6.self)) == 0
    }
    guard isRead else { return nil }
  }

  /// A copy of a system address; nil for other families.
  init?(_ address: UnsafePointer<sockaddr>) {
    let count: Int
    switch Int32(address.pointee.sa_family) {
    case AF_INET: count = MemoryLayout<sockaddr_in>.size
    case AF_INET6: count = MemoryLayout<sockaddr_in6>.size
    default: return nil
    }
    storage = sockaddr_storage()
    withUnsafeMutableBytes(of: &storage) { $0.copyMemory(from: UnsafeRawBufferPointer(start: address, count: count)) }
  }

  /// The local or remote address of a socket.
  init?(_ get: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<Int32>) -> Int32) {
    var found = sockaddr_storage()
    var count = Int32(MemoryLayout<sockaddr_storage>.size)
    let code = withUnsafeMutableBytes(of: &found) { bytes -> Int32 in
      guard let base = bytes.baseAddress else { return -1 }
      return get(base.assumingMemoryBound(to: sockaddr.self), &count)
    }
    guard code == 0 else { return nil }
    storage = found
  }

  func withPointer<Result>(_ body: (UnsafePointer<sockaddr>) -> Result) -> Result {
    withUnsafePointer(to: storage) { pointer in
      body(UnsafeRawPointer(pointer).assumingMemoryBound(to: sockaddr.self))
    }
  }

  var port: Int {
    get { withUnsafeBytes(of: storage) { bytes in Int(bytes[2]) << 8 | Int(bytes[3]) } }
    set {
      withUnsafeMutableBytes(of: &storage) { bytes in
        bytes[2] = UInt8(truncatingIfNeeded: newValue >> 8)
        bytes[3] = UInt8(truncatingIfNeeded: newValue)
      }
    }
  }

  var host: String {
    var text = [CChar](repeating: 0, count: 64)
    withPointer { address in
      let raw = UnsafeRawPointer(address)
      if Int32(address.pointee.sa_family) == AF_INET {
        uv_ip4_name(raw.assumingMemoryBound(to: sockaddr_in.self), &text, text.count)
      } else {
        uv_ip6_name(raw.assumingMemoryBound(to: sockaddr_in6.self), &text, text.count)
      }
    }
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// `host:port`, an IPv6 address in brackets.
  var description: String {
    let host = host
    return host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
  }
}
