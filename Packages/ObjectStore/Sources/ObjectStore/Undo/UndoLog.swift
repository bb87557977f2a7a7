import StorageEngine

/// What can be undone and redone in one view of a realm.
final class UndoLog: ChangesetListener {
  struct Group {
    var name: String
    var steps: [UndoStep] = []
  }

  /// What becomes of the next transaction.
  enum Mode { case tracking, paused, undoing, redoing }

  var undoable: [Group] = []
  var redoable: [Group] = []
  var mode = Mode.tracking
  var open: Group?
  var depth = 0
  var nextName = ""
  var limit = 0

  /// Notes a transaction that was committed.
  func note(_ changeset: [UInt8], from before: Frame, to after: Frame) throws {
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
