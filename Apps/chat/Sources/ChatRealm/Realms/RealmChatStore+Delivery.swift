import ChatCore
import RealmSwift

/// The way of messages to the server. On the queue.
extension RealmChatStore {
  /// Waits, beside everything else, until the server has what is in the outbox and has said what it undid; then settles the
  /// outbox. One wait at a time.
  func confirmOutbox() {
    guard !isConfirming, let session = realms.rooms.syncSession, !realms.outbox.objects(Outgoing.self).isEmpty else {
      return
    }
    isConfirming = true
    let keys = Set(realms.outbox.objects(Outgoing.self).map(\._id))
    session.wait(for: .upload, queue: queue) { [weak self] error in
      guard error == nil else {
        self?.isConfirming = false
        return
      }
      // The undoing of refused writes comes before the answer to this.
      session.wait(for: .download, queue: self?.queue) { [weak self] error in
        guard let self else { return }
        self.isConfirming = false
        guard error == nil else { return }
        // A refusal may concern messages of after the question, too: they are settled together.
        let isPartial = !self.realms.outbox.objects(Outgoing.self).allSatisfy { keys.contains($0._id) }
        if !isPartial || !self.refusals.hasNews { self.settleOutbox(keys) }
        self.confirmOutbox()
      }
    }
  }

  /// The server told of refused writes. While no message is on its way they concern something else.
  func takeRefusals() {
    if refusals.hasNews, !isConfirming, realms.outbox.objects(Outgoing.self).isEmpty { refusals.settle([]) }
    changed()
  }

  /// Takes messages out of the outbox that the server has, or has refused. A refused one is no longer on its page: the
  /// server's undoing took it off. Its text goes back into the draft of its room.
  func settleOutbox(_ keys: Set<String>) {
    realms.refresh()
    let kept = realms.outbox.objects(Outgoing.self).filter { keys.contains($0._id) }
    guard !kept.isEmpty else { return }
    var refused: [Post] = []
    for outgoing in kept {
      let page = realms.rooms.object(ofType: MessagePage.self, forPrimaryKey: outgoing.page)
      let isThere = page?.messages.contains { $0._id == outgoing._id } ?? false
      guard !isThere, refusals.hasNews || page != nil else { continue }
      refused.append(
        Post(
          key: outgoing._id, room: outgoing.room, body: outgoing.body, replyTo: outgoing.replyTo, sent: outgoing.sent))
    }
    // The draft first: a program that ends in between gives the text back twice, and loses nothing.
    for post in refused.reversed() {
      try? keep(post.room) { $0.draft = $0.draft.isEmpty ? post.body : post.body + " " + $0.draft }
    }
    try? realms.outbox.write { realms.outbox.delete(Array(kept)) }
    refusals.settle(refused)
    changed()
  }
}
