/// Runs a ``TerminalProgram`` on a ``Terminal``: the one owner of its effects.
///
///     let terminal = try CursesTerminal()
///     let runner = ProgramRunner(Counter(), on: terminal)
///     try runner.run { effect in … }
///
/// Everything happens on the thread that calls ``run(perform:)``, except ``Mailbox/post(_:)``.
public final class ProgramRunner<Program: TerminalProgram> {
  /// Messages of other threads for the program.
  public let mailbox: Mailbox<Program.Message>
  private let terminal: any Terminal
  private var program: Program

  /// A runner.
  public init(_ program: Program, on terminal: any Terminal) {
    self.program = program
    self.terminal = terminal
    mailbox = Mailbox(selfPipe: terminal.selfPipe)
  }

  /// Runs until the program quits or the process is asked to end, and gives the terminal back, also when
  /// an error is thrown.
  ///
  /// - Parameter perform: does what the program wants. What it throws ends the program; trouble that the
  ///   user should see belongs into a message instead.
  /// - Throws: ``TerminalError`` when the terminal has gone away, and the errors of `perform`.
  /// - Returns: the program as it was at the end.
  @discardableResult
  public func run(perform: (Program.Effect) throws -> Void) throws -> Program {
    defer { terminal.close() }
    guard try handle(.started(terminal.size), perform) else { return program }
    show()
    while true {
      let occurrences = try terminal.wait()
      for event in occurrences.events {
        guard try handle(.input(event), perform) else { return program }
      }
      for message in mailbox.takeAll() {
        guard try handle(.message(message), perform) else { return program }
      }
      if occurrences.isEnding { return program }
      show()
    }
  }

  private func handle(
    _ event: ProgramEvent<Program.Message>, _ perform: (Program.Effect) throws -> Void
  ) throws -> Bool {
    for action in program.update(event) {
      switch action {
      case .perform(let effect): try perform(effect)
      case .quit: return false
      case .suspend: terminal.suspend()
      case .redraw: terminal.redraw()
      case .bell: terminal.bell()
      }
    }
    return true
  }

  private func show() {
    var canvas = Canvas(size: terminal.size)
    program.view(&canvas)
    terminal.show(canvas.buffer, cursor: canvas.cursor)
  }
}
