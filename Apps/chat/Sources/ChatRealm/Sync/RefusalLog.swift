import ChatCore
import RealmSwift
import Synchronization

/// The writes that the server undid since the program started, in order. Used from any thread.
final class RefusalLog: Sendable {
  private struct State {
    var all: [Refusal] = []
    /// The refusals that the server told, before it is known whether a message was meant.
    var news: [Refusal] = []
    var changed: (@Sendable () -> Void)?
  }
  private let state = Mutex(State())

  /// The number of refused writes that are remembered.
  private static let limit = 1_000
  /// The classes that a message touches.
  private static let ofMessages: Set<String> = ["Message", "MessagePage", "PublicChatRoom", "PrivateChatRoom"]

  /// The refused writes, those of messages with their text.
  var all: [Refusal] { state.withLock { $0.all } }
  /// Whether the server told of something that is not settled.
  var hasNews: Bool { state.withLock { !$0.news.isEmpty } }

  /// Sets the function that is called after each change, on any thread.
  func onChange(_ changed: @escaping @Sendable () -> Void) { state.withLock { $0.changed = changed } }

  /// Takes note of an error of a session: the writes that the server refused. Those that messages may have made count when
  /// ``settle(_:)`` says so.
  func note(_ error: any Error) {
    guard let writes = (error as? SyncError)?.compensatingWriteInfo, !writes.isEmpty else { return }
    let changed = state.withLock { state in
      for write in writes {
        let refusal = Refusal(kind: write.objectType, reason: write.reason)
        if Self.ofMessages.contains(write.objectType) {
          state.news.append(refusal)
        } else {
          state.all.append(refusal)
        }
      }
      state.news = state.news.suffix(Self.limit)
      return state.changed
    }
    changed?()
  }

  /// The outbox is settled: these messages were refused. Without any, what the server told concerned other writes.
  func settle(_ posts: [Post]) {
    let changed = state.withLock { state in
      let reason = state.news.first { $0.kind == "MessagePage" } ?? state.news.first
      if posts.isEmpty {
        state.all += state.news
      } else {
        state.all += posts.map {
          Refusal(kind: "Message", reason: reason?.reason ?? "the server undid it", post: $0)
        }
      }
      state.news = []
      state.all = state.all.prefix(Self.limit).map { $0 }
      return state.changed
    }
    changed?()
  }
}
