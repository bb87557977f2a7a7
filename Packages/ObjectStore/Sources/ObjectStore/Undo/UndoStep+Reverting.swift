import DataModel
import RecordStore

extension UndoStep {
  /// Reverts the changes of the transaction that no later change touched.
  func revert(_ editor: RealmEditor) throws {
    let step = try known(by: editor)
    // All objects are created before any link is set.
    var returning: [(object: ObjectReference, fields: [String: StateDump.Item])] = []
    for item in step.erased where try editor.canHold(item.object) {
      if try editor.create(item.object) { returning.append(item) }
    }
    for (object, fields) in returning {
      let key = editor.schema[object.className]?.primaryKey
      try editor.set(fields.filter { $0.key != key && editor.declares($0.key, object) }, of: object)
    }
    for (object, changes) in step.changed {
      guard let current = try editor.object(object) else { continue }
      var reverted: [String: StateDump.Item] = [:]
      for (name, change) in changes {
        guard let item = current.fields[name] else { continue }
        reverted[name] = change.reverted(item)
      }
      try editor.set(reverted, of: object)
    }
    for object in step.created.reversed() { try editor.erase(object) }
  }
}

extension UndoStep.Change {
  /// The reverted value of the field, given its present one.
  func reverted(_ current: StateDump.Item) -> StateDump.Item {
    if isAddition, case .value(.int(let now)) = current, case .value(.int(let old)) = before,
      case .value(.int(let new)) = after
    {
      return .value(.int(now &+ (old &- new)))
    }
    return Self.merged(current, from: after, to: before)
  }

  /// Applies the difference from `after` to `before` to the present value. Parts that differ from `after` stay.
  private static func merged(
    _ current: StateDump.Item, from after: StateDump.Item, to before: StateDump.Item
  ) -> StateDump.Item {
    if current == after { return before }
    switch (current, after, before) {
    case (.list(let now), .list(let new), .list(let old)): return .list(merged(now, from: new, to: old))
    case (.set(let now), .set(let new), .set(let old)):
      return .set(now.subtracting(new.subtracting(old)).union(old.subtracting(new)))
    case (.dictionary(let now), .dictionary(let new), .dictionary(let old)):
      return .dictionary(merged(now, from: new, to: old))
    case (.embedded(let now), .embedded(let new), .embedded(let old)):
      return .embedded(merged(now, from: new, to: old))
    default: return current
    }
  }

  private static func merged(
    _ current: [String: StateDump.Item], from after: [String: StateDump.Item], to before: [String: StateDump.Item]
  ) -> [String: StateDump.Item] {
    var result = current
    for key in Set(after.keys).union(before.keys) where after[key] != before[key] {
      if current[key] == after[key] {
        result[key] = before[key]
      } else if let now = current[key], let new = after[key], let old = before[key] {
        result[key] = merged(now, from: new, to: old)
      }
    }
    return result
  }

  private static func merged(
    _ current: [StateDump.Item], from after: [StateDump.Item], to before: [StateDump.Item]
  ) -> [StateDump.Item] {
    let back = CollectionDiff(from: after, to: before)
    let others = CollectionDiff(from: after, to: current)
    let places = Dictionary(others.kept.map { ($0.old, $0.new) }, uniquingKeysWith: { first, _ in first })
    let kept = Dictionary(back.kept.map { ($0.new, $0.old) }, uniquingKeysWith: { first, _ in first })
    // Elements that moved. Those that were removed since stay removed.
    var moving: [StateDump.Item: [Int]] = [:]
    for position in back.deletions { moving[after[position], default: []].append(position) }
    let removed = Set(back.deletions.compactMap { places[$0] })
    // A restored element is inserted behind the element that preceded it.
    var behind: [Int: [StateDump.Item]] = [:]
    var anchor = -1
    for (position, item) in before.enumerated() {
      if let old = kept[position] {
        if let place = places[old] { anchor = place }
        continue
      }
      if let source = moving[item]?.popLast(), places[source] == nil { continue }
      behind[anchor, default: []].append(item)
    }
    var result = behind[-1] ?? []
    for (position, item) in current.enumerated() {
      if !removed.contains(position) { result.append(item) }
      result += behind[position] ?? []
    }
    return result
  }
}
