import ChangesetOT
import DataModel
import StorageEngine

/// One field of a class as the file keeps it. Immutable: a change of schema makes new ones.
package final class FieldLayout: Sendable {
  /// The stored name, as changesets say it.
  package let name: String
  package let column: ColumnID
  /// The type of each value; ``PropertyType/object`` for links, ``PropertyType/any`` for mixed.
  package let type: PropertyType
  package let collection: CollectionKind
  /// Whether a value may be null; always true for single links and mixed.
  package let isNullable: Bool
  /// The class linked to; empty for links to any class, nil for everything that is no link.
  package let target: String?
  /// The ordered index over the values, if one is kept.
  package let index: IndexID?
  /// The backlink index, target row to origin row; for fields that can hold links.
  package let backlinks: IndexID?
  /// Second and further links from one row to one target; for fields that can hold several.
  let repeats: IndexID?

  package init(
    name: String, column: ColumnID, type: PropertyType, collection: CollectionKind, isNullable: Bool,
    target: String? = nil,
    index: IndexID? = nil, backlinks: IndexID? = nil, repeats: IndexID? = nil
  ) {
    self.name = name
    self.column = column
    self.type = type
    self.collection = collection
    self.isNullable = isNullable
    self.target = target
    self.index = index
    self.backlinks = backlinks
    self.repeats = repeats
  }

  /// The field with another index over its values, or with none.
  package func indexed(by index: IndexID?) -> FieldLayout {
    FieldLayout(
      name: name, column: column, type: type, collection: collection, isNullable: isNullable, target: target,
      index: index, backlinks: backlinks, repeats: repeats)
  }

  /// Links to one class.
  package var isFixedLink: Bool { target.map { !$0.isEmpty } ?? false }
  /// Holds values that may link to any class: mixed, and links without a target class.
  var isFree: Bool { type == .any || target?.isEmpty == true }
  package var canLink: Bool { isFixedLink || isFree }

  /// The type of the storage column.
  var columnType: ColumnType {
    switch collection {
    case .list: return .list
    case .set, .dictionary: return .map
    case .single: break
    }
    switch type {
    case .int: return .int
    case .bool: return .bool
    case .string: return .string
    case .data: return .data
    case .date: return .timestamp
    case .float: return .float
    case .double: return .double
    case .objectId: return .objectId
    case .decimal128: return .decimal128
    case .UUID: return .uuid
    case .object: return isFixedLink ? .link : .mixed
    case .any, .linkingObjects: return .mixed
    }
  }

  /// Whether index entries are integers; otherwise they are ordered byte strings.
  var hasIntegerIndex: Bool { (type == .int || type == .bool) && !isNullable && collection == .single }

  /// The payload type of values; nil for mixed.
  var payloadType: PayloadType? {
    switch type {
    case .int: .int
    case .bool: .bool
    case .string: .string
    case .data: .data
    case .date: .timestamp
    case .float: .float
    case .double: .double
    case .objectId: .objectId
    case .decimal128: .decimal128
    case .UUID: .uuid
    case .object: .link
    case .any, .linkingObjects: nil
    }
  }
}

extension PropertyType {
  /// The property type of values of a payload type; nil for the markers that are no type of a field.
  init?(_ payload: PayloadType?) {
    switch payload {
    case nil: self = .any
    case .int?: self = .int
    case .bool?: self = .bool
    case .string?: self = .string
    case .data?: self = .data
    case .timestamp?: self = .date
    case .float?: self = .float
    case .double?: self = .double
    case .decimal128?: self = .decimal128
    case .link?: self = .object
    case .objectId?: self = .objectId
    case .uuid?: self = .UUID
    case .null?, .objectValue?, .dictionary?, .erased?, .list?, .set?: return nil
    }
  }
}
