import ChangesetOT
import DataModel
import TestKit

@testable import ObjectStore
@testable import RecordStore

/// A file that many transactions over every type of property made, with the edits to go on with.
func typedFile(_ seed: UInt64, edits count: Int = 80) throws -> (realm: Realm, edits: TypeEdits) {
  var edits = TypeEdits(seed: seed)
  let realm = try Realm(configuration: typesConfiguration(recordsChangesets: true))
  for _ in 0..<max(1, count / 4) { try realm.write { for _ in 0..<4 { edits.edit(realm) } } }
  return (realm, edits)
}

/// A file as ``typedFile(_:edits:)`` makes it, in which fields of every kind link to objects that were erased elsewhere.
func unresolvedFile(_ seed: UInt64) throws -> RealmFile {
  let (realm, _) = try typedFile(seed)
  try realm.write {
    let items = (10...13).map { realm.create(Item.self, value: ["id": $0], update: .modified) }
    for holder in realm.objects(Holder.self) {
      var random = SeededGenerator(seed: seed &+ UInt64(holder.id))
      let found = { (id: Int) in realm.object(ofType: Item.self, forPrimaryKey: id) }
      holder.link = items[Int.random(in: 0..<4, using: &random)]
      holder.any = AnyModel.list([.item(10), .dictionary(["a": .item(11)])]).value(found)
      holder.anys.append(AnyModel.dictionary(["b": .item(12)]).value(found))
      holder.anyMap["c"] = AnyModel.item(13).value(found)
      for item in items.shuffled(using: &random) {
        holder.links.insert(item, at: Int.random(in: 0...holder.links.count, using: &random))
        holder.linkSet.insert(item)
        holder.anySet.insert(.object(item))
        holder.linkMap["\(item.id)"] = item
      }
    }
  }
  try realm.file.eraseElsewhere("Item", startingWith: Int(seed % 2))
  return realm.file
}

extension RealmFile {
  /// Erases every other object of a class as somebody else's transaction does: links to it keep its name.
  func eraseElsewhere(_ name: String, startingWith start: Int) throws {
    let keys = try dump().objects[name]?.keys.sorted { "\($0)" < "\($1)" } ?? []
    let erasures = keys.enumerated().filter { $0.offset % 2 == start % 2 }.map { _, key in
      Instruction.eraseObject(EraseObject(object: ObjectReference(className: name, key: key)))
    }
    let origin = ChangesetOrigin(timestamp: OriginTimestamp(1), file: .server)
    try write(isRecorded: false) { session in
      try ChangesetApplier(writer: session.writer).apply(Changeset(instructions: erasures, origin: origin))
    }
  }
}
