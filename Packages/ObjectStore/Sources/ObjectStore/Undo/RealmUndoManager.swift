import StorageEngine

/// Takes back the write transactions of one realm handle, and does them again.
///
///     let undo = realm.undoManager               // from here on, transactions of this handle can be undone
///     try realm.write { dog.name = "Rex" }
///     try undo.undo()                            // true; the name is what it was
///     try undo.redo()                            // true; "Rex"
///
/// Undoing is an ordinary write transaction: it is recorded, synchronised and observed like any other. It takes back what
/// the undone transaction did and nobody changed since; what others did meanwhile, on this device or elsewhere, stays:
///
/// * A value that was set goes back, unless it was set again meanwhile. An integer that was incremented is decremented.
/// * Elements that were put into a list, set or dictionary leave it; those that were taken out return, behind the element
///   that they stood behind. What others put in or took out stays so.
/// * An object that was made is deleted. One that was deleted comes back with its values, its key and the links to it; live
///   objects of before stay invalid.
///
/// Each transaction is one action, unless ``beginGrouping(named:)`` joins several. A new transaction ends what can be redone.
/// Actions are kept in memory and end with the realm.
public struct RealmUndoManager {
  let realm: Realm
  private let log: UndoLog

  init(_ realm: Realm) {
    self.realm = realm
    log = realm.view.changesetListener as? UndoLog ?? UndoLog()
    realm.view.changesetListener = log
  }

  /// Whether there is something to undo.
  public var canUndo: Bool { !log.undoable.isEmpty }
  /// Whether there is something to redo.
  public var canRedo: Bool { !log.redoable.isEmpty }
  /// What was given as the name of the action that ``undo()`` takes back; empty when it has none.
  public var undoActionName: String { log.undoable.last?.name ?? "" }
  /// The name of the action that ``redo()`` does again.
  public var redoActionName: String { log.redoable.last?.name ?? "" }

  /// How many actions are kept; 0 for all.
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

  /// Joins the transactions until ``endGrouping()`` into one action. Groups within groups are part of the outer one.
  public func beginGrouping(named name: String = "") {
    log.depth += 1
    if log.open == nil { log.open = UndoLog.Group(name: name.isEmpty ? log.nextName : name) }
  }

  public func endGrouping() {
    rule(log.depth > 0, "endGrouping() without beginGrouping().")
    log.depth -= 1
    guard log.depth == 0, let group = log.open else { return }
    log.open = nil
    log.nextName = ""
    log.push(group)
  }

  /// Joins the transactions of `body` into one action.
  public func group<R>(named name: String = "", _ body: () throws -> R) rethrows -> R {
    beginGrouping(named: name)
    defer { endGrouping() }
    return try body()
  }

  /// Runs `body` without noting its transactions: they cannot be undone, and what can be redone stays.
  public func withoutTracking<R>(_ body: () throws -> R) rethrows -> R {
    let saved = log.mode
    log.mode = .paused
    defer { log.mode = saved }
    return try body()
  }

  /// Forgets everything that can be undone and redone.
  public func removeAllActions() {
    log.undoable = []
    log.redoable = []
    if log.open != nil { log.open?.steps = [] }
  }

  /// Takes the last action back.
  ///
  /// - Returns: whether anything changed: false when there is no action, and when others changed all of it since.
  /// - Throws: ``Realm/Error`` when the disk fails; the action can be undone again then.
  @discardableResult
  public func undo() throws -> Bool {
    rule(log.depth == 0, "Cannot undo within a group. End it first.")
    guard let group = log.undoable.popLast() else { return false }
    do { return try revert(group, as: .undoing) } catch {
      log.undoable.append(group)
      throw error
    }
  }

  /// Does again what was undone last. The same rules hold.
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
  /// Undo and redo of the write transactions of this handle. They are noted from the first use of this property on.
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
