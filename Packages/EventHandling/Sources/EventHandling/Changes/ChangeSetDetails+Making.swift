import DataModel
import ObjectStore
import RecordStore
import struct SubscriptionMatching.ObjectChange

extension [String: ChangeSetDetails] {
  /// The changes of a commit by class, as the feed tells them.
  init(_ changes: [SubscriptionMatching.ObjectChange], schema: Schema, previous: Realm?, current: Realm?) {
    self.init()
    var properties: [String: [String]] = [:]
    for change in changes {
      let names =
        properties[change.className] ?? schema[change.className]?.properties.map(\.name) ?? []
      properties[change.className] = names
      add(
        ModificationDetails(
          previous: previous, current: current,
          reference: ObjectReference(className: change.className, key: change.key),
          previousValues: change.before.map { Self.named($0, names) },
          currentValues: change.after.map { Self.named($0, names) }),
        isInsertion: change.before == nil, isDeletion: change.after == nil)
    }
  }

  /// The differences of two states by class.
  ///
  /// - Throws: `RecordStoreError` when a state cannot be read.
  /// - Complexity: O(*n*) in the objects of both states; one object of each is in memory at a time.
  init(from old: RealmContents?, to new: RealmContents, previous: Realm?, current: Realm?) throws {
    self.init()
    let known = Set(old?.schema.objectSchema.map(\.className) ?? [])
    for layout in new.schema.objectSchema where layout.kind != .embedded {
      try new.forEachObject(of: layout.className) { record in
        let before = known.contains(layout.className) ? try old?.object(record.reference) : nil
        guard before != record else { return true }
        add(
          ModificationDetails(
            previous: previous, current: current, reference: record.reference,
            previousValues: before.map { Self.own($0) }, currentValues: Self.own(record)),
          isInsertion: before == nil, isDeletion: false)
        return true
      }
    }
    guard let old else { return }
    for layout in old.schema.objectSchema where layout.kind != .embedded {
      try old.forEachObject(of: layout.className) { record in
        guard try new.object(record.reference) == nil else { return true }
        add(
          ModificationDetails(
            previous: previous, current: current, reference: record.reference, previousValues: Self.own(record),
            currentValues: nil),
          isInsertion: false, isDeletion: true)
        return true
      }
    }
  }

  /// The differences of two states in some objects, by class.
  ///
  /// - Throws: `RecordStoreError` when a state cannot be read.
  /// - Complexity: O(*n*) in the objects that are named.
  init(
    of objects: Set<ObjectReference>, from old: RealmContents?, to new: RealmContents, previous: Realm?, current: Realm?
  ) throws {
    self.init()
    let known = Set(old?.schema.objectSchema.map(\.className) ?? [])
    for object in objects {
      let before = known.contains(object.className) ? try old?.object(object) : nil
      let after = new.schema[object.className] == nil ? nil : try new.object(object)
      guard before != after else { continue }
      add(
        ModificationDetails(
          previous: previous, current: current, reference: object, previousValues: before.map { Self.own($0) },
          currentValues: after.map { Self.own($0) }),
        isInsertion: before == nil, isDeletion: after == nil)
    }
  }

  private mutating func add(_ details: ModificationDetails, isInsertion: Bool, isDeletion: Bool) {
    let name = details.reference.className
    if isInsertion {
      if isDeletion { return }
      self[name, default: ChangeSetDetails()].insertions.append(details)
    } else if isDeletion {
      self[name, default: ChangeSetDetails()].deletions.append(details)
    } else {
      self[name, default: ChangeSetDetails()].modifications.append(details)
    }
  }

  private static func named(_ values: [DataModel.Value], _ names: [String]) -> [String: DataModel.Value] {
    [String: DataModel.Value](zip(names, values), uniquingKeysWith: { first, _ in first })
  }

  private static func own(_ record: ObjectRecord) -> [String: DataModel.Value] {
    record.fields.compactMapValues { item in if case .value(let value) = item { value } else { nil } }
  }
}
