import Foundation
import ObjectStore

/// An object that is part of another one.
final class Place: EmbeddedObject {
  @Persisted var street: String
  @Persisted var number: Int
  @Persisted var tags: List<String>

  // Other packages' tests, in the same process, may have a class of this name.
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// An object without primary key: its identity is the file ident of its device and a count.
final class Loose: Object {
  @Persisted var maker: String
  @Persisted var value: Int

  // Other packages' tests, in the same process, may have a class of this name.
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// Proof of one transaction without primary key, linked to the one before: slips of two devices that became one object
/// are found missing.
final class Slip: Object {
  @Persisted var name: String
  @Persisted var before: Slip?
  @Persisted var list: List<Slip>
  @Persisted var anything: AnyRealmValue

  // Other packages' tests, in the same process, may have a class of this name.
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// An object with a field of every kind.
final class Card: Object {
  @Persisted(primaryKey: true) var _id: String
  @Persisted var flag: Bool
  @Persisted var amount: Decimal128?
  @Persisted var at: Date?
  @Persisted var bytes: Data
  @Persisted var unique: UUID?
  @Persisted var ratio: Float
  @Persisted var anything: AnyRealmValue
  @Persisted var numbers: MutableSet<Int>
  @Persisted var words: MutableSet<String>
  @Persisted var counts: Map<String, Int>
  @Persisted var mixed: Map<String, AnyRealmValue>
  @Persisted var mixedList: List<AnyRealmValue>
  @Persisted var cards: Map<String, Card?>
  @Persisted var links: MutableSet<Card>
  @Persisted var home: Place?
  @Persisted var places: List<Place>
  @Persisted var note: Note?

  // Other packages' tests, in the same process, may have a class of this name.
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}
