/// The share of one connection in a ``ReceiveBudget``. On the loop only.
public final class ReceiveAccount {
  let ident: ReceivePool.Ident
  let standing: ReceiveBudget.Standing
  let wake: () -> Void
  let cut: () -> Void
  private let budget: ReceiveBudget
  private var bytes = 0
  private var isOpen = true

  init(
    budget: ReceiveBudget, ident: ReceivePool.Ident, standing: ReceiveBudget.Standing, wake: @escaping () -> Void,
    cut: @escaping () -> Void
  ) {
    self.budget = budget
    self.ident = ident
    self.standing = standing
    self.wake = wake
    self.cut = cut
  }

  /// The number of bytes that may be read; 0 when the connection has to wait until it is woken. O(1).
  public func room(atMost most: Int) -> Int { isOpen ? budget.room(for: self, atMost: most) : most }

  /// Records the bytes that the connection holds after it received some. O(1).
  public func hold(_ bytes: Int, received: Int) {
    guard isOpen, received > 0 || bytes != self.bytes else { return }
    self.bytes = bytes
    budget.hold(self, bytes, received: received)
  }

  /// Records that the connection does not want to read for a while: it neither waits for room nor keeps the overdraft.
  public func pause() { if isOpen { budget.pause(self) } }

  /// Removes the connection with all that it holds.
  public func close() {
    guard isOpen else { return }
    isOpen = false
    budget.close(self)
  }
}
