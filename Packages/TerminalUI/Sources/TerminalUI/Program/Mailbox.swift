import Synchronization

/// A queue of messages into a running program, from any thread. A message wakes the program at once.
///
/// Messages of one thread arrive in the order in which they were posted.
public final class Mailbox<Message: Sendable>: Sendable {
  private let messages = Mutex<[Message]>([])
  private let selfPipe: SelfPipe

  /// A mailbox that wakes the reader of a pipe.
  public init(selfPipe: SelfPipe) { self.selfPipe = selfPipe }

  /// Leaves a message. Never blocks; may be called on any thread, also after the program has ended.
  public func post(_ message: Message) {
    let wasEmpty = messages.withLock { waiting in
      defer { waiting.append(message) }
      return waiting.isEmpty
    }
    if wasEmpty { selfPipe.wake() }
  }

  /// Takes all messages.
  public func takeAll() -> [Message] {
    messages.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
  }
}
