import Foundation

/// A descriptor that can be read once somebody has called ``wake()``. Safe to use from any thread.
final class WakeSignal: Sendable {
  /// The descriptor, for poll.
  let descriptor: Int32
  private let writer: Int32

  init() {
    var ends: [Int32] = [-1, -1]
    _ = pipe(&ends)
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    (descriptor, writer) = (ends[0], ends[1])
  }

  deinit {
    close(descriptor)
    close(writer)
  }

  /// Makes the descriptor readable. A full pipe is readable anyway.
  func wake() {
    var byte: UInt8 = 1
    _ = write(writer, &byte, 1)
  }

  /// Makes it unreadable.
  func clear() {
    var bytes = [UInt8](repeating: 0, count: 256)
    while read(descriptor, &bytes, bytes.count) > 0 {}
  }
}
