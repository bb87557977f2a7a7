import Foundation
import Synchronization
import TestKit

/// Passes bytes between apps and the server; connections can be cut and stalled.
final class Proxy: Sendable {
  private struct State {
    var sockets: Set<Int32> = []
    var target: UInt16 = 0
    var isStalled = false
  }
  private let state = Mutex(State())
  let port: UInt16

  init() throws {
    let (listener, port) = try LoopbackSocket.listen()
    self.port = port
    Thread.detachNewThread { [weak self] in
      while true {
        let client = accept(listener, nil, nil)
        guard client >= 0, let self else { break }
        self.serve(client)
      }
    }
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
    guard let server = LoopbackSocket.connect(to: target) else {
      close(client)
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
    LoopbackSocket.pass(from: source, to: target) { [self] in
      while isStalled { Thread.sleep(forTimeInterval: 0.01) }
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
