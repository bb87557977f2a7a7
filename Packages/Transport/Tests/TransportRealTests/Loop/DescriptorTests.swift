import Foundation
import Glibc
import Synchronization
import Testing
import Transport
import TransportReal

@Suite("A server without file descriptors")
struct DescriptorTests {
  @Test("the loop does not spin without descriptors, and serves again when some are free")
  func exhausted() async {
    await #expect(processExitsWith: .success) {
      alarm(30)
      let loopback = try await Loopback.start()
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      limit.rlim_cur = 96
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      // Sockets that need no further descriptor to connect.
      let clients = (0..<20).map { _ in socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) }
      let hoard = Hoard()
      for _ in 0..<3 { Thread.detachNewThread { hoard.take() } }
      // No sleep of tasks: Dispatch ends the process when it finds no descriptor for its timers.
      usleep(100_000)
      for client in clients {
        connect(client, toPort: loopback.port)
        usleep(10_000)
      }
      // The loop turns: inside of libuv's own loop over the waiting connections nothing else would run.
      await withCheckedContinuation { continuation in loopback.loop.execute { continuation.resume() } }
      hoard.giveBack()
      for client in clients { close(client) }
      while true {
        let answer = try? await loopback.network.response(to: HTTPClientRequest(url: loopback.url(.http)))
        if answer?.status == 200 { exit(0) }
        usleep(100_000)
      }
    }
  }
}

/// Takes every file descriptor there is, also the one that libuv keeps back and gives up for a moment.
private final class Hoard: Sendable {
  private let isOver = Atomic<Bool>(false)
  private let takers = Atomic<Int>(0)

  func take() {
    takers.add(1, ordering: .relaxed)
    var taken: [Int32] = []
    while !isOver.load(ordering: .relaxed) {
      let descriptor = dup(0)
      if descriptor >= 0 { taken.append(descriptor) }
    }
    for descriptor in taken { close(descriptor) }
    takers.subtract(1, ordering: .releasing)
  }

  /// Returns when every descriptor is given back.
  func giveBack() {
    isOver.store(true, ordering: .relaxed)
    while takers.load(ordering: .acquiring) > 0 { usleep(1_000) }
  }
}

private func connect(_ descriptor: Int32, toPort port: Int) {
  _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = in_port_t(UInt16(clamping: port)).bigEndian
  address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
  withUnsafeBytes(of: &address) { bytes in
    guard let base = bytes.baseAddress else { return }
    _ = Glibc.connect(
      descriptor, base.assumingMemoryBound(to: sockaddr.self), socklen_t(MemoryLayout<sockaddr_in>.size))
  }
}
