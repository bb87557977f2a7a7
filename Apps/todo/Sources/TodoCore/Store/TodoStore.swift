/// Where lists are kept. Used by one thread.
public protocol TodoStore: AnyObject {
  /// Everything there is, now.
  func board() throws -> Board

  /// Performs an edit in one write transaction.
  ///
  /// - Returns: what undoes it, and what was left out.
  /// - Throws: ``EditError`` when a list or item is gone; the store's own error when it cannot write.
  func perform(_ edit: Edit) throws -> Performed
}

/// What performing an edit did.
public struct Performed: Equatable, Sendable {
  /// What undoes it; nil if nothing changed.
  public var inverse: Edit?
  /// What was left out because somebody else had changed it.
  public var skipped: [String]

  public init(inverse: Edit?, skipped: [String] = []) {
    self.inverse = inverse
    self.skipped = skipped
  }
}

/// A store in memory, for tests and previews.
public final class MemoryTodoStore: TodoStore {
  private var current: Board

  /// A store that holds a board.
  public init(_ board: Board = Board()) { current = board }

  public func board() -> Board { current }

  public func perform(_ edit: Edit) throws -> Performed {
    let plan = try EditPlan(edit, on: current)
    current = plan.steps.reduce(current) { $0.after($1) }
    return Performed(inverse: plan.inverse, skipped: plan.skipped)
  }
}
