import TerminalUI
import TextWidth

extension ChatScreen {
  /// Takes a status, and tells what the server has refused since the last one. The text of a refused message comes back
  /// into the input line of its room, before what is being written there.
  mutating func take(_ status: ChatStatus) -> [ProgramAction<Effect>] {
    let fresh = status.refusals.dropFirst(self.status.refusals.count)
    self.status = status
    guard !fresh.isEmpty else { return [] }
    var actions: [ProgramAction<Effect>] = []
    for refusal in fresh {
      let room = refusal.post.flatMap { chat.room($0.room)?.name }
      let title = refusal.post.map { "\(room ?? "a room"): \($0.body)" } ?? refusal.kind
      refusals.append((TextCleaning.line(title), TextCleaning.line(refusal.reason)))
      if let post = refusal.post { actions += giveBack(post) }
    }
    if refusals.count > 100 { refusals.removeFirst(refusals.count - 100) }
    let last = fresh.last { $0.post != nil } ?? fresh.last
    let others = fresh.count > 1 ? " and \(fresh.count - 1) more" : ""
    let what = last?.post.map { "'\($0.body.truncated(to: 20))'" } ?? "a change of \(last?.kind ?? "")"
    return actions + fail("the server refused \(what)\(others): \(last?.reason ?? "")  (R shows all)")
  }

  private mutating func giveBack(_ post: Post) -> [ProgramAction<Effect>] {
    chat.messages.removeAll { $0.key == post.key }
    let current = inputs[post.room]?.text ?? chat.room(post.room)?.draft ?? ""
    let text = current.isEmpty ? post.body : post.body + " " + current
    inputs[post.room] = TextField(text)
    if replies[post.room] == nil { replies[post.room] = post.replyTo }
    guard post.room != roomKey, chat.room(post.room) != nil else { return [] }
    return perform(.keepDraft(room: post.room, text: text))
  }
}
