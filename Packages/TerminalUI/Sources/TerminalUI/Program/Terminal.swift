/// A screen and its keyboard. ``CursesTerminal`` is the real one.
public protocol Terminal: AnyObject {
  /// Rows and columns now.
  var size: Size { get }
  /// Wakes ``wait()``.
  var selfPipe: SelfPipe { get }

  /// Sleeps until something happens.
  ///
  /// - Returns: what happened; ``TerminalOccurrences/isEnding`` once the process is asked to end.
  /// - Throws: ``TerminalError`` when the terminal has gone away.
  func wait() throws -> TerminalOccurrences

  /// Makes the screen look like a picture, sending only what changed.
  func show(_ picture: CellBuffer, cursor: Point?)
  /// Draws everything at the next ``show(_:cursor:)``.
  func redraw()
  /// Gives the terminal back to the shell, stops the process, and takes the terminal again.
  func suspend()
  /// Rings the bell.
  func bell()
  /// Gives the terminal back for good.
  func close()
}

/// The events that woke a program.
public struct TerminalOccurrences: Sendable {
  /// Keys, pastes, mouse and size changes, in order.
  public var events: [InputEvent]
  /// The process has been asked to end (SIGTERM, SIGHUP, SIGINT).
  public var isEnding: Bool

  /// Occurrences; none of them unless given.
  public init(events: [InputEvent] = [], isEnding: Bool = false) {
    self.events = events
    self.isEnding = isEnding
  }
}
