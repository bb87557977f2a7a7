/// A place for lists. Used by one thread.
public protocol TodoStore: AnyObject {
  /// Everything there is, now.
  func board() throws -> Board

  /// Performs an edit in one write transaction.
  ///
  /// - Returns: what undoes it, and what was left out.
  /// - Throws: ``EditError`` when a list or item is gone; the store's own error when it cannot write.
  func perform(_ edit: TodoEdit) throws -> Performed
}

/// The outcome of an edit.
public struct Performed: Equatable, Sendable {
  /// The edit that undoes it; nil if nothing changed.
  public var inverse: TodoEdit?
  /// Fields left out because another user had changed them.
  public var skipped: [String]

  /// The outcome of an edit.
  public init(inverse: TodoEdit?, skipped: [String] = []) {
    self.inverse = inverse
    self.skipped = skipped
  }
}

/// A store in memory, for tests and previews.
public final class MemoryTodoStore: TodoStore {
  private var current: Board

  /// A store that holds a board.
  public init(_ board: Board = Board()) { current = board }

  /// The board.
  public func board() -> Board { current }

  /// Performs an edit on the board.
  ///
  /// - Throws: ``EditError`` when a list or item is gone.
  public func perform(_ edit: TodoEdit) throws -> Performed {
    let plan = try EditPlan(edit, on: current)
    current = plan.steps.reduce(current) { $0.after($1) }
    return Performed(inverse: plan.inverse, skipped: plan.skipped)
  }
}
