/// Which items of a list are shown.
public struct ItemFilter: Equatable, Sendable {
  /// By their state.
  public enum State: String, CaseIterable, Equatable, Sendable {
    case all, open, done
  }

  /// The state that items must have.
  public var state: State
  /// All words of this text must occur in the title or notes, whatever their case.
  public var text: String

  /// A filter.
  public init(state: State = .all, text: String = "") {
    self.state = state
    self.text = text
  }

  /// Whether everything is shown.
  public var isOff: Bool { state == .all && text.allSatisfy(\.isWhitespace) }

  /// The items that are shown, in their order.
  public func apply(to items: [Item]) -> [Item] {
    let words = text.lowercased().split(whereSeparator: \.isWhitespace)
    return items.filter { item in
      guard state == .all || item.isDone == (state == .done) else { return false }
      guard !words.isEmpty else { return true }
      let content = (item.title + "\n" + item.notes).lowercased()
      return words.allSatisfy { content.contains($0) }
    }
  }
}
