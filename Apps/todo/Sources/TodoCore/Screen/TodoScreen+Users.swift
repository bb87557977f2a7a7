import TerminalUI
import TextWidth

/// The owner of the lists, the rights of the user, the others who have access, and those who are here.
extension TodoScreen {
  /// Asks the server; says why when there is none to ask.
  mutating func askForUsers() -> [ProgramAction<Effect>] {
    switch status.connection {
    case .local: return fail("log in first: todo login --server URL --user NAME")
    case .offline: return fail("offline: o goes online")
    case .connecting, .connected, .disconnected, .elsewhere:
      notice = ("asking the server", false)
      return [.perform(.askForUsers)]
    }
  }

  /// Shows the answer, unless the user has begun something else meanwhile.
  mutating func show(_ users: [ListUser]) {
    guard mode == .browsing else { return }
    notice = nil
    var sections: [HelpOverlay.Section] = []
    if let access = status.access {
      let right =
        switch access.level {
        case .read: "you may only read"
        case .write: "you may read and change"
        case .manage: "you may read, change and share"
        }
      let place = access.isOwn ? "your own lists" : access.place
      sections.append(.init(place, [("", right)]))
    }
    func row(_ user: ListUser) -> (String, String) { (user.name.truncated(to: 24), user.state) }
    let here = users.filter { $0.sessions > 0 }, others = users.filter { $0.sessions == 0 }
    sections.append(.init("Here now", here.isEmpty ? [("", "nobody")] : here.map(row)))
    if !others.isEmpty { sections.append(.init("Not here", others.map(row))) }
    mode = .help(HelpOverlay(title: "Who", sections: sections))
  }
}
