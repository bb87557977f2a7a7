import TerminalUI
import TextWidth

extension ChatScreen {
  /// Takes a status, and tells what the server has refused since the last one. The text of a refused message is in the
  /// draft of its room; where something is being written, it comes before that.
  mutating func take(_ status: ChatStatus) -> [ProgramAction<Effect>] {
    let fresh = status.refusals.dropFirst(self.status.refusals.count)
    self.status = status
    guard !fresh.isEmpty else { return [] }
    for refusal in fresh {
      let room = refusal.post.flatMap { chat.room($0.room)?.name }
      let title = refusal.post.map { "\(room ?? "a room"): \($0.body)" } ?? refusal.kind
      refusals.append((TextCleaning.line(title), TextCleaning.line(refusal.reason)))
    }
    // Each comes before what stands there, so that the first is first.
    for refusal in fresh.reversed() { if let post = refusal.post { giveBack(post) } }
    if refusals.count > 100 { refusals.removeFirst(refusals.count - 100) }
    let first = fresh.first { $0.post != nil } ?? fresh.first
    let others = fresh.count > 1 ? " and \(fresh.count - 1) more" : ""
    let what = first?.post.map { "'\($0.body.truncated(to: 20))'" } ?? "a change of \(first?.kind ?? "")"
    let keys = focus == .input ? "Esc, R" : "R"
    let place = first?.post == nil ? "" : ", given back below"
    return fail("the server refused \(what)\(others) (\(keys): why)\(place)")
  }

  private mutating func giveBack(_ post: Post) {
    chat.messages.removeAll { $0.key == post.key }
    if let typed = inputs[post.room]?.text {
      inputs[post.room] = TextField(typed.isEmpty ? post.body : post.body + " " + typed)
    }
    if replies[post.room] == nil { replies[post.room] = post.replyTo }
  }
}
