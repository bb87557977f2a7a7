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
    switch random.pick([(1, 0), (4, 1), (2, 2), (2, 3), (6, 4), (3, 5), (2, 6), (3, 7), (1, 8), (2, 9), (2, 10), (1, 11)]) {
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
    case 9: note.parent = realm.object(ofType: Note.self, forPrimaryKey: Int.random(in: 0..<8, using: &random))
    case 10:
      if let child = realm.object(ofType: Note.self, forPrimaryKey: Int.random(in: 0..<8, using: &random)) {
        note.children.append(child)
      }
    case 11 where !note.children.isEmpty:
      note.children.remove(at: Int.random(in: 0..<note.children.count, using: &random))
    default: break
    }
  }
}
