import DataModel
import Foundation
import RecordStore

/// The list of changes that a reset could not keep, written for people: as JSON, or for an encrypted realm as a realm
/// file under the same key, because the list holds the realm's data.
struct LostChangesExport: Codable, Equatable {
  /// One change with the reason of its loss.
  struct Change: Codable, Equatable {
    var madeAt: Date
    var transaction: UInt64
    var className: String
    var key: String
    var field: String?
    var change: String
    var reason: String

    init(_ change: LostChange) {
      madeAt = Date(timeIntervalSince1970: Double(change.madeAt.unixMilliseconds) / 1000)
      transaction = change.version.rawValue
      className = change.className
      key = change.key
      field = change.field
      self.change = change.change
      reason = change.reason
    }
  }

  var reason: String
  var changes: [Change]
}

extension LostChangesExport {
  private static let className = "LostChange"

  private static let schema = Schema([
    ObjectSchema(
      className: className,
      properties: [
        Property(name: "madeAt", type: .date), Property(name: "transaction", type: .int),
        Property(name: "className", type: .string), Property(name: "key", type: .string),
        Property(name: "field", type: .string, isOptional: true), Property(name: "change", type: .string),
        Property(name: "reason", type: .string), Property(name: "reset", type: .string),
      ])
  ])

  /// Writes a new realm file with one object per change; each carries ``reason``.
  func write(toRealm path: String, encryptionKey: [UInt8]) throws {
    let file = try RealmFile.open(.file(path: path), options: RealmFile.Options(encryptionKey: encryptionKey))
    try file.edit { editor in
      try editor.addClasses(Self.schema)
      for change in changes {
        let object = ObjectReference(className: Self.className, key: try editor.makeKey(for: Self.className))
        try editor.create(object)
        let values: [String: Value] = [
          "madeAt": .timestamp(Timestamp(change.madeAt)), "transaction": .int(Int64(clamping: change.transaction)),
          "className": .string(change.className), "key": .string(change.key),
          "field": change.field.map { .string($0) } ?? .null, "change": .string(change.change),
          "reason": .string(change.reason), "reset": .string(reason),
        ]
        try editor.set(values.mapValues { .value($0) }, of: object)
      }
    }
  }
}
