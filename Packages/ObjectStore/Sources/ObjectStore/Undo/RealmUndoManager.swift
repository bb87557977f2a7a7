import StorageEngine
import RecordStore

/// Undoes and redoes the write transactions of one realm on one thread, queue or actor.
///
///     let undo = realm.undoManager               // transactions from here on can be undone
///     try realm.write { dog.name = "Rex" }
///     try undo.undo()                            // true; the previous name
///     try undo.redo()                            // true; "Rex"
///
/// An undo is an ordinary write transaction: it is recorded, synchronised and observed like any other. It reverts the
/// changes of the undone transaction, except where a later change by anyone, here or on another device, touched the
/// same:
///
/// * A value that was set is restored, unless it was set again since. An increment of an integer is subtracted.
/// * Elements that were inserted into a list, set or dictionary are removed. Removed elements are inserted again,
/// behind the element that preceded them. Insertions and removals of others stay.
/// * An object that was created is deleted. A deleted object is created again with its values, its key and the links to
/// it; live objects of the deleted one stay invalid.
///
/// Each transaction is one action, unless ``beginGrouping(named:)`` joins several. A new transaction clears the
/// redoable actions. Actions are kept in memory, as long as the realm is open on its thread, queue or actor, which
/// alone may use the manager.
public struct RealmUndoManager {
  let realm: Realm
  private let log: UndoLog

  init(_ realm: Realm) {
    self.realm = realm
    log = realm.view.changesetListener as? UndoLog ?? UndoLog()
    realm.view.changesetListener = log
  }

  /// Whether there is an action to undo.
  public var canUndo: Bool { !log.undoable.isEmpty }
  /// Whether there is an action to redo.
  public var canRedo: Bool { !log.redoable.isEmpty }
  /// The name of the action that ``undo()`` would undo; empty when there is none.
  public var undoActionName: String { log.undoable.last?.name ?? "" }
  /// The name of the action that ``redo()`` would redo; empty when there is none.
  public var redoActionName: String { log.redoable.last?.name ?? "" }

  /// The number of undoable actions that are kept; 0 for no limit. A negative number stops the program.
  public var levelsOfUndo: Int {
    get { log.limit }
    nonmutating set {
      rule(newValue >= 0, "levelsOfUndo cannot be negative.")
      log.limit = newValue
      if newValue > 0, log.undoable.count > newValue { log.undoable.removeFirst(log.undoable.count - newValue) }
    }
  }

  /// Names the next action.
  public func setActionName(_ name: String) {
    if log.open != nil { log.open?.name = name } else { log.nextName = name }
  }

  /// Joins the transactions until ``endGrouping()`` into one action. An inner group is part of the outer one.
  public func beginGrouping(named name: String = "") {
    log.depth += 1
    if log.open == nil { log.open = UndoLog.Group(name: name.isEmpty ? log.nextName : name) }
  }

  /// Ends the group of the last ``beginGrouping(named:)``. Without a group the program stops.
  public func endGrouping() {
    rule(log.depth > 0, "endGrouping() without beginGrouping().")
    log.depth -= 1
    guard log.depth == 0, let group = log.open else { return }
    log.open = nil
    log.nextName = ""
    log.push(group)
  }

  /// Joins the transactions of `body` into one action.
  ///
  /// - Throws: the error of `body`. Its committed transactions stay one action.
  public func group<R>(named name: String = "", _ body: () throws -> R) rethrows -> R {
    beginGrouping(named: name)
    defer { endGrouping() }
    return try body()
  }

  /// Runs `body`, whose transactions cannot be undone. Redoable actions stay.
  ///
  /// - Throws: the error of `body`.
  public func withoutTracking<R>(_ body: () throws -> R) rethrows -> R {
    let saved = log.mode
    log.mode = .paused
    defer { log.mode = saved }
    return try body()
  }

  /// Drops all undoable and redoable actions.
  public func removeAllActions() {
    log.undoable = []
    log.redoable = []
    if log.open != nil { log.open?.steps = [] }
  }

  /// Undoes the last action, in one write transaction. Within a transaction or a group the program stops.
  ///
  /// - Returns: whether anything changed: false when there is no action, and when later changes touched all of it.
  /// - Throws: ``Realm/Error`` when the disk fails; the action stays undoable then.
  /// - Complexity: O(*m* log *n*) for *m* changed values among *n* objects.
  @discardableResult
  public func undo() throws -> Bool {
    rule(log.depth == 0, "Cannot undo within a group. End it first.")
    guard let group = log.undoable.popLast() else { return false }
    do { return try revert(group, as: .undoing) } catch {
      log.undoable.append(group)
      throw error
    }
  }

  /// Redoes the action that was undone last, by the rules of ``undo()``.
  ///
  /// - Returns: whether anything changed.
  /// - Throws: ``Realm/Error`` when the disk fails; the action stays redoable then.
  @discardableResult
  public func redo() throws -> Bool {
    rule(log.depth == 0, "Cannot redo within a group. End it first.")
    guard let group = log.redoable.popLast() else { return false }
    do { return try revert(group, as: .redoing) } catch {
      log.redoable.append(group)
      throw error
    }
  }

  private func revert(_ group: UndoLog.Group, as mode: UndoLog.Mode) throws -> Bool {
    rule(!realm.isInWriteTransaction, "Cannot undo or redo within a write transaction.")
    let saved = (log.mode, log.nextName)
    (log.mode, log.nextName) = (mode, group.name)
    defer { (log.mode, log.nextName) = saved }
    let count = log.undoable.count + log.redoable.count
    try realm.write {
      try realm.view.edit { editor in
        for step in group.steps.reversed() { try step.revert(editor) }
      }
    }
    return log.undoable.count + log.redoable.count > count
  }
}

extension Realm {
  /// The undo manager of the realm on this thread, queue or actor. The first use begins to record transactions. A
  /// frozen realm stops the program.
  public var undoManager: RealmUndoManager {
    view.checkConfinement()
    rule(!isFrozen, "Frozen Realms do not change.")
    return RealmUndoManager(self)
  }
}

extension RealmView {
  /// Runs an edit without model classes in the open transaction.
  func edit<R>(_ body: (RealmEditor) throws -> R) throws -> R {
    guard let session else { violated("Cannot modify managed objects outside of a write transaction.") }
    defer { wrote() }
    return try body(RealmEditor(session))
  }
}
