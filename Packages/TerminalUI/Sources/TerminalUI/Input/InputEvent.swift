/// Something that the user or the terminal did.
public enum InputEvent: Equatable, Sendable {
  case key(Key)
  /// Text that was pasted, at most ``KeyDecoder/pasteLimit`` bytes of it; may hold line breaks.
  case paste(String)
  case mouse(Mouse)
  /// The terminal has another size now.
  case resize(Size)
}

/// A button of the mouse, or its wheel, at a position.
public struct Mouse: Equatable, Sendable {
  /// The kind of mouse event.
  public enum Action: Equatable, Sendable {
    case press, release, wheelUp, wheelDown
  }

  /// The button or wheel movement.
  public var action: Action
  /// The cell under the mouse.
  public var position: Point

  /// A mouse event.
  public init(_ action: Action, at position: Point) {
    self.action = action
    self.position = position
  }
}
