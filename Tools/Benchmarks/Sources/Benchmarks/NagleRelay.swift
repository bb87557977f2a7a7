import Foundation
import Synchronization
import TestKit

/// Passes bytes on between clients and a server, over sockets towards the server on which Nagle's algorithm is on: what was
/// not acknowledged yet holds back what is sent next, unless the server acknowledges at once.
final class NagleRelay: Sendable {
  let port: Int
  private let listener: Int32
  private let open = Mutex<[Int32]>([])

  init(to target: Int) throws {
    let (listener, port) = try LoopbackSocket.listen()
    self.listener = listener
    self.port = Int(port)
    Thread { [self] in accept(to: target) }.start()
  }

  func stop() {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
    for descriptor in open.withLock({ $0 }) { shutdown(descriptor, Int32(SHUT_RDWR)) }
  }

  private func accept(to target: Int) {
    while true {
      let client = Glibc.accept(listener, nil, nil)
      guard client >= 0 else { return }
      var on: Int32 = 1
      // Only what goes to the server is held back: the client itself gets its answers at once.
      setsockopt(client, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
      guard let server = LoopbackSocket.connect(to: UInt16(clamping: target)) else {
        close(client)
        continue
      }
      open.withLock { $0 += [client, server] }
      Thread { Self.pass(from: client, to: server) }.start()
      Thread { Self.pass(from: server, to: client) }.start()
    }
  }

  private static func pass(from source: Int32, to target: Int32) {
    LoopbackSocket.pass(from: source, to: target)
    shutdown(target, Int32(SHUT_WR))
  }
}
