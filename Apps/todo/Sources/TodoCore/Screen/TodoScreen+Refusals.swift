import TerminalUI
import TextWidth

/// The screen of a user who may only read.
extension TodoScreen {
  /// Says the rule when the user may only read; nil when edits may go on.
  mutating func readOnly() -> [ProgramAction<Effect>]? {
    guard let access = status.access, !access.mayEdit else { return nil }
    return fail(access.rule)
  }

  /// Takes a status, and tells what the server has refused since the last one. The text of a refused item stays: in the
  /// input line if that is open and empty, else for the next one.
  mutating func take(_ status: StoreStatus) -> [ProgramAction<Effect>] {
    let fresh = status.refused.dropFirst(self.status.refused.count)
    self.status = status
    guard !fresh.isEmpty else { return [] }
    // Refused additions come last: the notice names the last one.
    for refused in fresh.filter({ addedTitles[$0.key] == nil }) + fresh.filter({ addedTitles[$0.key] != nil }) {
      if let text = addedTitles[refused.key] { refusedText = text }
      let title = addedTitles[refused.key] ?? board.item(refused.key)?.title ?? board.list(refused.key)?.name
      refusals.append((title ?? "\(refused.kind) \(refused.key)", refused.reason))
    }
    if refusals.count > 100 { refusals.removeFirst(refusals.count - 100) }
    (undos, redos) = ([], [])
    if case .addingItem(let field) = mode, field.text.isEmpty { mode = .addingItem(takeRefusedText()) }
    let others = fresh.count > 1 ? " and \(fresh.count - 1) more" : ""
    return fail("the server refused '\(refusals.last?.title ?? "")'\(others); R shows what was refused")
  }

  /// An input line for a new item, with what was refused last.
  mutating func takeRefusedText() -> TextField {
    defer { refusedText = nil }
    return TextField(refusedText ?? "")
  }

  /// The last error and the trouble with the server in full; nil without either.
  var errorOverlay: HelpOverlay? {
    var entries: [(String, String)] = []
    if let lastError { entries.append(("Last", lastError)) }
    if let problem = status.problem { entries += [("Server", problem.message), ("To do", problem.remedy)] }
    return entries.isEmpty ? nil : HelpOverlay(title: "Errors", sections: [.init("In full", entries)])
  }

  /// The list of what was refused.
  var refusalOverlay: HelpOverlay {
    HelpOverlay(
      title: "Refused by the server",
      sections: [
        .init(status.access.map(\.rule) ?? "Not allowed", refusals.map { ($0.title.truncated(to: 30), $0.reason) })
      ])
  }
}
