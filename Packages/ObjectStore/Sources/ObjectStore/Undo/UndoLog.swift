import StorageEngine
import RecordStore

/// The undoable and redoable actions of one view.
final class UndoLog: ChangesetListener {
  /// An action: one transaction, or several in a group.
  struct Group {
    var name: String
    var steps: [UndoStep] = []
  }

  /// The stack that the next transaction is pushed to; none while paused.
  enum Mode { case tracking, paused, undoing, redoing }

  var undoable: [Group] = []
  var redoable: [Group] = []
  var mode = Mode.tracking
  /// The group that is open; nil when none is.
  var open: Group?
  /// The number of nested groups.
  var depth = 0
  var nextName = ""
  /// The most undoable actions; 0 for no limit.
  var limit = 0

  /// Adds a committed transaction to the stack that the mode selects.
  func note(_ changeset: [UInt8], from before: ReadView, to after: ReadView) throws {
    guard mode != .paused, !changeset.isEmpty else { return }
    let step = try UndoStep(changeset, from: before, to: after)
    guard !step.isEmpty else { return }
    switch mode {
    case .undoing: redoable.append(Group(name: nextName, steps: [step]))
    case .redoing: push(Group(name: nextName, steps: [step]))
    case .tracking, .paused:
      redoable = []
      if open != nil { open?.steps.append(step) } else { push(Group(name: nextName, steps: [step])) }
      if open == nil { nextName = "" }
    }
  }

  func push(_ group: Group) {
    guard !group.steps.isEmpty else { return }
    undoable.append(group)
    if limit > 0, undoable.count > limit { undoable.removeFirst(undoable.count - limit) }
  }
}
