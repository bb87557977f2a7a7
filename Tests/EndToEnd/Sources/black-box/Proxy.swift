import Foundation
import Synchronization

/// Passes bytes between apps and the server, as long as nobody cuts the connections or holds them up.
final class Proxy: Sendable {
  private struct State {
    var sockets: Set<Int32> = []
    var target: UInt16 = 0
    var isStalled = false
  }
  private let state = Mutex(State())
  let port: UInt16

  init() throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = Self.loopback(0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, length) == 0 && listen(listener, 64) == 0
          && getsockname(listener, address, &length) == 0
      }
    }
    guard isListening else { throw CocoaError(.fileReadUnknown) }
    port = UInt16(bigEndian: address.sin_port)
    Thread.detachNewThread { [weak self] in
      while true {
        let client = accept(listener, nil, nil)
        guard client >= 0, let self else { break }
        self.serve(client)
      }
    }
  }

  private static func loopback(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }

  var target: UInt16 {
    get { state.withLock { $0.target } }
    set { state.withLock { $0.target = newValue } }
  }

  /// Whether nothing is passed on, and connections stay open.
  var isStalled: Bool {
    get { state.withLock { $0.isStalled } }
    set { state.withLock { $0.isStalled = newValue } }
  }

  /// Cuts every connection.
  func cut() {
    let sockets = state.withLock { $0.sockets }
    for socket in sockets { shutdown(socket, Int32(SHUT_RDWR)) }
  }

  private func serve(_ client: Int32) {
    let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = Self.loopback(target)
    let isConnected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isConnected else {
      close(client)
      close(server)
      return
    }
    state.withLock { state in
      state.sockets.insert(client)
      state.sockets.insert(server)
    }
    // The one that ends last closes both.
    let halves = Counter(2)
    for (source, target) in [(client, server), (server, client)] {
      Thread.detachNewThread { [self] in
        copy(from: source, to: target)
        guard halves.countDown() == 0 else { return }
        state.withLock { state in
          state.sockets.remove(client)
          state.sockets.remove(server)
        }
        close(client)
        close(server)
      }
    }
  }

  private func copy(from source: Int32, to target: Int32) {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(source, &buffer, buffer.count, 0)
      while isStalled { Thread.sleep(forTimeInterval: 0.01) }
      guard count > 0 else { break }
      var sent = 0
      while sent < count {
        let some = buffer.withUnsafeBytes { bytes in
          send(target, bytes.baseAddress?.advanced(by: sent), count - sent, Int32(MSG_NOSIGNAL))
        }
        guard some > 0 else { break }
        sent += some
      }
      guard sent == count else { break }
    }
    shutdown(source, Int32(SHUT_RDWR))
    shutdown(target, Int32(SHUT_RDWR))
  }
}

/// Counts down, from any thread.
private final class Counter: Sendable {
  private let value: Mutex<Int>
  init(_ value: Int) { self.value = Mutex(value) }
  func countDown() -> Int {
    value.withLock { value in
      value -= 1
      return value
    }
  }
}
