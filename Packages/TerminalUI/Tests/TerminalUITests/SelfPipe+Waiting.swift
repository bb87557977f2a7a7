import Glibc
@testable import TerminalUI

extension SelfPipe {
  /// Sleeps until woken.
  func sleepForTests() {
    var descriptors = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
    _ = poll(&descriptors, 1, -1)
    _ = drain()
  }
}
