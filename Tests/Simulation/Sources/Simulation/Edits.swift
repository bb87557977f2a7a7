import ObjectStore
import TestKit

/// Random edits through live objects, as an app would make them.
enum Edits {
  /// Makes one to four edits in the current write transaction.
  static func make(in realm: Realm, using random: inout SeededGenerator) {
    for _ in 0...Int.random(in: 0..<4, using: &random) { makeOne(in: realm, using: &random) }
  }

  private static func makeOne(in realm: Realm, using random: inout SeededGenerator) {
    let key = Int.random(in: 0..<8, using: &random)
    guard let note = realm.object(ofType: Note.self, forPrimaryKey: key) else {
      let note = Note()
      note._id = key
      note.title = "note \(key)"
      realm.add(note)
      return
    }
    let weights = [
      (1, 0), (4, 1), (2, 2), (2, 3), (6, 4), (3, 5), (2, 6), (3, 7), (1, 8), (3, 9), (3, 10), (1, 11), (2, 12),
      (1, 13),
      (1, 14),
    ]
    switch random.pick(weights) {
    case 0: realm.delete(note)
    case 1: note.title = "title \(Int.random(in: 0..<1_000, using: &random))"
    case 2: note.count += Int.random(in: -5...5, using: &random)
    case 3: note.due = random.oneIn(3) ? nil : Double(Int.random(in: 0..<100, using: &random))
    case 4:
      let tag = "tag \(Int.random(in: 0..<1_000, using: &random))"
      note.tags.insert(tag, at: Int.random(in: 0...note.tags.count, using: &random))
    case 5 where !note.tags.isEmpty:
      note.tags.remove(at: Int.random(in: 0..<note.tags.count, using: &random))
    case 6 where !note.tags.isEmpty:
      note.tags[Int.random(in: 0..<note.tags.count, using: &random)] = "set \(key)"
    case 7 where note.tags.count > 1:
      let from = Int.random(in: 0..<note.tags.count, using: &random)
      let to = Int.random(in: 0..<note.tags.count, using: &random)
      if from != to { note.tags.move(from: from, to: to) }
    case 8: note.tags.removeAll()
    case 9: note.parent = some(in: realm, using: &random)
    case 10: if let child = some(in: realm, using: &random) { note.children.append(child) }
    case 11 where !note.children.isEmpty:
      note.children.remove(at: Int.random(in: 0..<note.children.count, using: &random))
    case 12 where note.children.count > 1:
      let from = Int.random(in: 0..<note.children.count, using: &random)
      let to = Int.random(in: 0..<note.children.count, using: &random)
      if from != to { note.children.move(from: from, to: to) }
    case 13: remake(note, in: realm, using: &random)
    case 14 where !note.children.isEmpty:
      if let child = some(in: realm, using: &random) {
        note.children[Int.random(in: 0..<note.children.count, using: &random)] = child
      }
    default: break
    }
  }

  /// A note with a random key, when there is one.
  private static func some(in realm: Realm, using random: inout SeededGenerator) -> Note? {
    realm.object(ofType: Note.self, forPrimaryKey: Int.random(in: 0..<8, using: &random))
  }

  /// Deletes a note and makes another one with its key in the same transaction, linked to from elsewhere or not.
  private static func remake(_ note: Note, in realm: Realm, using random: inout SeededGenerator) {
    let key = note._id
    realm.delete(note)
    let new = Note()
    new._id = key
    new.title = "another \(key)"
    realm.add(new)
    if random.oneIn(2) { some(in: realm, using: &random)?.parent = new }
    if random.oneIn(2) { some(in: realm, using: &random)?.children.append(new) }
    if random.oneIn(3) { new.parent = some(in: realm, using: &random) }
  }
}
