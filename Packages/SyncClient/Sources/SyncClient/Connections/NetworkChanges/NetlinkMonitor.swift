import Dispatch
import Glibc
import Synchronization

/// Listens to Linux for changes of interfaces, addresses and routes, on a netlink socket. Needs no rights. Where the system
/// gives no such socket, it tells nothing.
final class NetlinkMonitor: NetworkChangeSource {
  // Numbers of <linux/netlink.h> and <linux/rtnetlink.h>.
  private static let routeProtocol: Int32 = 0
  /// Links, and addresses and routes of IPv4 and IPv6.
  private static let groups: UInt32 = 0x1 | 0x10 | 0x40 | 0x100 | 0x400

  /// `struct sockaddr_nl`
  private struct Address {
    var family = UInt16(AF_NETLINK)
    var padding: UInt16 = 0
    var process: UInt32 = 0
    var groups: UInt32
  }

  func observe(_ handler: @escaping @Sendable () -> Void) -> any Sendable {
    guard let descriptor = Self.open() else { return NetlinkObservation(nil) }
    let source = DispatchSource.makeReadSource(
      fileDescriptor: descriptor, queue: DispatchQueue(label: "realm-sync-netlink"))
    source.setEventHandler {
      if Self.drain(descriptor) { handler() }
    }
    source.setCancelHandler { close(descriptor) }
    source.resume()
    return NetlinkObservation(source)
  }

  private static func open() -> Int32? {
    let flags = Int32(SOCK_RAW.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    let descriptor = socket(AF_NETLINK, flags, routeProtocol)
    guard descriptor >= 0 else { return nil }
    var address = Address(groups: groups)
    let isBound = withUnsafeBytes(of: &address) { bytes in
      bytes.withMemoryRebound(to: sockaddr.self) { pointer in
        bind(descriptor, pointer.baseAddress, socklen_t(bytes.count)) == 0
      }
    }
    guard isBound else {
      close(descriptor)
      return nil
    }
    return descriptor
  }

  /// Reads all that waits. Lost messages (`ENOBUFS`) count as an announcement.
  private static func drain(_ descriptor: Int32) -> Bool {
    var isAnnounced = false
    var buffer = [UInt8](repeating: 0, count: 32 << 10)
    while true {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count > 0 {
        isAnnounced = NetlinkMessages.announceNetwork(Array(buffer.prefix(count))) || isAnnounced
      } else if count < 0, errno == ENOBUFS {
        isAnnounced = true
      } else if count < 0, errno == EINTR {
        continue
      } else {
        return isAnnounced
      }
    }
  }
}

/// Keeps a netlink socket open.
private final class NetlinkObservation: @unchecked Sendable {
  // @unchecked Sendable: set once; a source may be cancelled from any thread.
  private let source: (any DispatchSourceRead)?

  init(_ source: (any DispatchSourceRead)?) { self.source = source }

  deinit { source?.cancel() }
}
