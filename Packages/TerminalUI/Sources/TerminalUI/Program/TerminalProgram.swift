/// A program with a screen, as a value: events change it, and what it looks like follows from what it is.
///
///     struct Counter: TerminalProgram {
///       var count = 0
///       mutating func update(_ event: ProgramEvent<Never>) -> [ProgramAction<Never>] {
///         switch event {
///         case .input(.key(.up)): count += 1
///         case .input(.key(.character("q"))): return [.quit]
///         default: break
///         }
///         return []
///       }
///       func view(_ canvas: inout Canvas) { canvas.write("count: \(count)", row: 0) }
///     }
///
/// Neither function performs anything: what is to be done is answered as ``ProgramAction`` values, and done
/// by the owner of the ``ProgramRunner``.
public protocol TerminalProgram {
  /// A message of another thread to the program.
  associatedtype Message: Sendable
  /// Work to be done outside of the program.
  associatedtype Effect: Sendable

  /// Takes an event.
  mutating func update(_ event: ProgramEvent<Message>) -> [ProgramAction<Effect>]

  /// Draws everything. Called after events, at most once for all that arrived together.
  func view(_ canvas: inout Canvas)
}

/// An event of a program.
public enum ProgramEvent<Message: Sendable>: Sendable {
  /// The first event: the screen is there, and this large.
  case started(Size)
  case input(InputEvent)
  /// From another thread, through the ``Mailbox``.
  case message(Message)
}

/// An action that a program asks for.
public enum ProgramAction<Effect: Sendable>: Sendable {
  case perform(Effect)
  /// End the program.
  case quit
  /// Give the terminal back to the shell, as Ctrl-Z does, until the user returns.
  case suspend
  /// Draw the whole screen anew, in case something else wrote on it.
  case redraw
  case bell
}

extension ProgramAction: Equatable where Effect: Equatable {}
