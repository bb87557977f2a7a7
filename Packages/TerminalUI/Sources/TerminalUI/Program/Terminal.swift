/// A screen and its keyboard. ``CursesTerminal`` is the real one.
public protocol Terminal: AnyObject {
  /// Rows and columns now.
  var size: Size { get }
  /// Wakes ``wait()``.
  var waker: Waker { get }

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
  func bell()
  /// Gives the terminal back for good.
  func close()
}

/// What woke a program.
public struct TerminalOccurrences: Sendable {
  public var events: [InputEvent]
  /// The process has been asked to end (SIGTERM, SIGHUP, SIGINT).
  public var isEnding: Bool

  public init(events: [InputEvent] = [], isEnding: Bool = false) {
    self.events = events
    self.isEnding = isEnding
  }
}
