import TerminalUI

/// Runs a program without a terminal, one event at a time, and shows what its screen would look like.
///
///     let test = TestTerminal(Counter(), rows: 24, columns: 80)
///     test.press(.up)
///     #expect(test.line(0) == "count: 1")
///
/// The screen is kept by applying only the differences between pictures, as the real terminal does.
public final class TestTerminal<Program: TerminalProgram> {
  /// The program now.
  public private(set) var program: Program
  /// The effects asked for so far; see also ``takeEffects()``.
  public private(set) var effects: [Program.Effect] = []
  /// Whether the program has quit. It then takes no more events.
  public private(set) var hasQuit = false
  /// The number of rings of the bell.
  public private(set) var bells = 0
  /// The screen.
  public private(set) var screen: CellBuffer
  /// The position of the cursor; nil if it is hidden.
  public private(set) var cursor: Point?
  /// The number of cells that the last event changed.
  public private(set) var changedCells = 0

  private var size: Size
  private let performer: ((Program.Effect) -> [Program.Message])?

  /// Starts a program.
  ///
  /// - Parameter performer: does what the program wants, at once, and answers the messages that come back.
  public init(
    _ program: Program, rows: Int = 24, columns: Int = 80,
    performing performer: ((Program.Effect) -> [Program.Message])? = nil
  ) {
    self.program = program
    self.performer = performer
    size = Size(rows: rows, columns: columns)
    screen = CellBuffer(size: size)
    send(.started(size))
  }

  /// Presses keys, one after the other.
  public func press(_ keys: Key...) {
    for key in keys { send(.input(.key(key))) }
  }

  /// Types text, scalar by scalar, as a keyboard does.
  public func type(_ text: String) {
    for scalar in text.unicodeScalars { send(.input(.key(.character(Character(scalar))))) }
  }

  /// Pastes text.
  public func paste(_ text: String) { send(.input(.paste(text))) }

  /// Clicks.
  public func click(row: Int, column: Int) {
    send(.input(.mouse(Mouse(.press, at: Point(row: row, column: column)))))
  }

  /// Gives the screen another size.
  public func resize(rows: Int, columns: Int) {
    size = Size(rows: rows, columns: columns)
    screen = CellBuffer(size: size)
    send(.input(.resize(size)))
  }

  /// Delivers a message, as another thread would.
  public func post(_ message: Program.Message) { send(.message(message)) }

  /// Takes what the program wanted to be done since the last call.
  public func takeEffects() -> [Program.Effect] {
    defer { effects = [] }
    return effects
  }

  /// Delivers an event and draws.
  public func send(_ event: ProgramEvent<Program.Message>) {
    deliver(event)
    var canvas = Canvas(size: size)
    program.view(&canvas)
    let runs = canvas.buffer.differences(from: screen)
    for run in runs { screen.apply(run) }
    changedCells = runs.reduce(0) { $0 + $1.cells.count }
    precondition(screen == canvas.buffer, "the differences do not lead to the picture")
    cursor = canvas.cursor
  }

  private func deliver(_ event: ProgramEvent<Program.Message>) {
    guard !hasQuit else { return }
    for action in program.update(event) {
      switch action {
      case .perform(let effect):
        effects.append(effect)
        for message in performer?(effect) ?? [] { deliver(.message(message)) }
      case .quit: hasQuit = true
      case .bell: bells += 1
      case .suspend, .redraw: break
      }
    }
  }

  /// The text of the screen, without spaces at the ends of lines.
  public var text: String { screen.text }

  /// The text of one line.
  public func line(_ row: Int) -> String { screen.text(row: row) }

  /// The first line that contains a text; nil if none does.
  public func line(containing text: String) -> String? {
    (0..<size.rows).map { line($0) }.first { $0.contains(text) }
  }

  /// The lines whose cell in a column is drawn in reverse, as a selection is.
  public func reversedLines(atColumn column: Int = 0) -> [String] {
    (0..<size.rows)
      .filter { screen.cell(row: $0, column: column).style.attributes.contains(.reverse) }
      .map { line($0) }
  }
}
