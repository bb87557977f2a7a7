public import ChangesetOT
public import DataModel
import CommitFeed
public import RecordStore

/// The objects that transactions touched since a position, for a connector that carries present states and no single steps.
public struct ChangedObjects {
  /// Each object once, in the order in which it was touched first.
  public let objects: [ObjectReference]
  /// Whether classes or properties were added or erased.
  public let hasSchemaChanges: Bool
  /// The realm at ``position``. Holds the snapshot.
  public let contents: RealmContents
  /// The position that a connector has once it has carried the states over.
  public let position: SaltedServerVersion
  /// The number of transactions.
  public let transactions: Int
  let changes: [ObjectReference: Versions]

  /// The last versions that changed an object.
  public struct Versions: Hashable, Sendable {
    /// The last one that inserted or deleted it; nil when none did.
    public internal(set) var whole: ServerVersion?
    /// The last ones by the properties of which they changed something.
    public internal(set) var properties: [String: ServerVersion] = [:]

    /// No version.
    public init() {}

    /// Takes the versions of later transactions.
    public mutating func merge(_ later: Versions) {
      whole = later.whole ?? whole
      properties.merge(later.properties) { $1 }
    }
  }

  /// Whether an object is among them.
  public func touches(_ object: ObjectReference) -> Bool { changes[object] != nil }

  /// The properties of an object of which something changed; nil for one that was inserted or deleted meanwhile.
  public func properties(of object: ObjectReference) -> Set<String>? {
    changes[object].flatMap { $0.whole == nil ? Set($0.properties.keys) : nil }
  }

  /// The last versions that changed an object; nil when none of the transactions did.
  public func versions(of object: ObjectReference) -> Versions? { changes[object] }
}

extension RealmAdapter {
  /// Every object that others have touched since the position, up to the newest transaction; nil when nothing came.
  ///
  ///     while let changed = try adapter.changedObjects() {
  ///       for object in changed.objects { try table.upsert(object, try changed.contents.object(object)) }
  ///       try adapter.advance(to: changed.position)
  ///     }
  ///
  /// States of several transactions become one. Moves the reading position, in memory.
  ///
  /// - Parameter includesOwn: whether what the adapter itself wrote counts, too, as for a comparison of both sides.
  /// - Throws: as ``current()``.
  /// - Complexity: O(*n*) in the bytes of the transactions, of which one batch at a time is in memory.
  public mutating func changedObjects(includesOwn: Bool = false) throws -> ChangedObjects? {
    var objects: [ObjectReference] = []
    var changes: [ObjectReference: ChangedObjects.Versions] = [:]
    var hasSchemaChanges = false
    var transactions = 0
    var last: FeedBatch?
    while let batch = try nextBatch() {
      last = batch
      for commit in batch.commits where includesOwn || commit.author != ident {
        transactions += 1
        for instruction in try commit.instructions() {
          let (object, property): (ObjectReference, String?)
          switch instruction {
          case .addTable, .eraseTable, .addColumn, .eraseColumn:
            hasSchemaChanges = true
            continue
          case .createObject(let creation): (object, property) = (creation.object, nil)
          case .eraseObject(let erasure): (object, property) = (erasure.object, nil)
          case .update(let step): (object, property) = (step.target.object, step.target.field)
          case .addInteger(let step): (object, property) = (step.target.object, step.target.field)
          case .arrayInsert(let step): (object, property) = (step.target.object, step.target.field)
          case .arrayMove(let step): (object, property) = (step.target.object, step.target.field)
          case .arrayErase(let step): (object, property) = (step.target.object, step.target.field)
          case .clear(let step): (object, property) = (step.target.object, step.target.field)
          case .setInsert(let step): (object, property) = (step.target.object, step.target.field)
          case .setErase(let step): (object, property) = (step.target.object, step.target.field)
          }
          if changes[object] == nil { objects.append(object) }
          var versions = changes[object] ?? ChangedObjects.Versions()
          if let property { versions.properties[property] = commit.version } else { versions.whole = commit.version }
          changes[object] = versions
        }
      }
      if batch.reachedEnd { break }
    }
    guard let last else { return nil }
    return ChangedObjects(
      objects: objects, hasSchemaChanges: hasSchemaChanges, contents: last.contents(), position: last.end,
      transactions: transactions, changes: changes)
  }
}
