public import ChangesetOT
public import DataModel
public import RecordStore

/// A realm as it was at a position: a present state, and the objects that were different then.
///
/// Holds the snapshot of the present state.
public struct AdapterState {
  /// The position.
  public let position: SaltedServerVersion
  /// A state at the position or after it.
  public let contents: RealmContents
  /// The fields that objects had at the position, of all that changed since; nil for one that did not exist.
  let past: [ObjectReference: [String: StateDump.Item]?]

  init(
    position: SaltedServerVersion, contents: RealmContents, past: [ObjectReference: [String: StateDump.Item]?]
  ) {
    self.position = position
    self.contents = contents
    self.past = past
  }

  /// A state as it is.
  public init(position: SaltedServerVersion, contents: RealmContents) {
    self.init(position: position, contents: contents, past: [:])
  }

  /// The classes of the state; they may have more properties than at the position.
  public var schema: Schema { contents.schema }

  /// Some objects of a class at the position, in the order of the present state.
  ///
  /// - Parameters:
  ///   - offset: the number of objects of the present state that are left out.
  ///   - count: the most objects of the present state that are looked at.
  /// - Returns: the objects, and whether there are more in the present state.
  /// - Throws: `RecordStoreError` when the file cannot be read.
  public func page(
    of className: String, from offset: Int, count: Int
  ) throws -> (records: [ObjectRecord], looked: Int) {
    let page = try contents.page(of: className, from: offset, count: count).records
    let records = page.compactMap { record -> ObjectRecord? in
      guard let then = past[record.reference] else { return record }
      return then.map { ObjectRecord(reference: record.reference, fields: known($0, of: className)) }
    }
    return (records, page.count)
  }

  /// The objects of the position that were deleted since.
  ///
  /// - Throws: `RecordStoreError` when the file cannot be read.
  public func deleted() throws -> [ObjectRecord] {
    try past.compactMap { object, fields in
      guard let fields, contents.schema[object.className] != nil, try contents.object(object) == nil else {
        return nil
      }
      return ObjectRecord(reference: object, fields: known(fields, of: object.className))
    }
  }

  private func known(_ fields: [String: StateDump.Item], of className: String) -> [String: StateDump.Item] {
    let names = Set(contents.schema[className]?.properties.map(\.name) ?? [])
    return fields.filter { names.contains($0.key) }
  }
}
