import CNcurses
import Glibc
import TextWidth

/// The terminal of this process, through ncurses. There can be one at a time, used by one thread.
///
/// The terminal is given back by ``close()``, when this object goes, and when the process crashes.
public final class CursesTerminal: Terminal {
  /// The time after which a lone ESC counts as the Escape key, in milliseconds.
  private static let escapeDelay: Int32 = 30

  /// Wakes ``wait()``, also from signal handlers.
  public let selfPipe: SelfPipe
  /// Rows and columns as of the last ``wait()``.
  public private(set) var size: Size
  private var decoder = KeyDecoder()
  private var shown: CellBuffer?
  private var mustRedraw = false
  private var isOpen = true

  /// Takes over the terminal on standard input and output.
  ///
  /// - Throws: ``TerminalError`` when there is none, or its type is unknown.
  public init(mouse: Bool = true) throws {
    selfPipe = try SelfPipe()
    switch Int(terminal_open(mouse ? 1 : 0)) {
    case 0: break
    case -1: throw TerminalError.notATerminal
    default: throw TerminalError.unknownType
    }
    terminal_watch_signals(selfPipe.signalDescriptor)
    size = Self.currentSize()
  }

  deinit { close() }

  /// Gives the terminal back for good. Does nothing the second time.
  public func close() {
    guard isOpen else { return }
    isOpen = false
    terminal_close()
    terminal_unwatch_signals()
  }

  private static func currentSize() -> Size {
    var (rows, columns): (Int32, Int32) = (0, 0)
    terminal_size(&rows, &columns)
    return Size(rows: Int(rows), columns: Int(columns))
  }

  /// Sleeps until a key, a signal or a wake.
  ///
  /// - Throws: ``TerminalError`` of code `inputEnded` when the terminal has gone away.
  public func wait() throws -> TerminalOccurrences {
    var descriptors = [
      pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
      pollfd(fd: selfPipe.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    let count = poll(&descriptors, 2, decoder.mayBeEscape ? Self.escapeDelay : -1)
    if count == 0 { return TerminalOccurrences(events: decoder.flush()) }
    var occurrences = TerminalOccurrences()
    if descriptors[0].revents != 0 { occurrences.events += try readKeys() }
    if descriptors[1].revents != 0 { take(signals: selfPipe.drain(), &occurrences) }
    return occurrences
  }

  private func readKeys() throws -> [InputEvent] {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(STDIN_FILENO, &bytes, bytes.count)
    if count < 0, errno == EINTR || errno == EAGAIN { return [] }
    guard count > 0 else { throw TerminalError.inputEnded }
    return decoder.decode(bytes.prefix(count))
  }

  private func take(signals: [UInt8], _ occurrences: inout TerminalOccurrences) {
    for signal in Set(signals).map(Int32.init) {
      switch signal {
      case SIGWINCH:
        size = Self.currentSize()
        terminal_resize(Int32(size.rows), Int32(size.columns))
        shown = nil
        occurrences.events.append(.resize(size))
      case SIGTERM, SIGHUP, SIGINT, SIGQUIT: occurrences.isEnding = true
      case SIGTSTP: suspend()
      case SIGCONT: redraw()
      default: break
      }
    }
  }

  /// Sends the cells that differ from those shown.
  ///
  /// - Complexity: O(*rows* · *columns*) comparisons.
  public func show(_ picture: CellBuffer, cursor: Point?) {
    for run in picture.differences(from: shown) { draw(run) }
    shown = picture
    if let cursor {
      terminal_cursor(Int32(cursor.row), Int32(cursor.column), 1)
    } else {
      terminal_cursor(0, 0, 0)
    }
    terminal_flush(mustRedraw ? 1 : 0)
    mustRedraw = false
  }

  private func draw(_ run: CellRun) {
    for (offset, cell) in run.cells.enumerated() where !cell.isRightHalf {
      let scalars = cell.character.drawable.map(\.value)
      terminal_put(
        Int32(run.row), Int32(run.column + offset), scalars, Int32(scalars.count), Int32(cell.width),
        UInt32(cell.style.attributes.rawValue), Self.index(cell.style.foreground), Self.index(cell.style.background))
    }
  }

  private static func index(_ color: Color?) -> Int32 { color.map { Int32($0.index) } ?? -1 }

  /// Draws everything at the next ``show(_:cursor:)``.
  public func redraw() { mustRedraw = true }

  /// Rings the bell.
  public func bell() { terminal_bell() }

  /// Gives the terminal to the shell and stops the process until SIGCONT.
  public func suspend() {
    terminal_suspend()
    terminal_stop_process()
    terminal_resume()
    mustRedraw = true
  }
}
