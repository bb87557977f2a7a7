import DataModel
import Foundation
import TestKit
import Testing

@testable import ObjectStore
@testable import RecordStore

final class UndoNote: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var title: String
  @Persisted var count: Int
  @Persisted var tags: List<String>
  @Persisted var parent: UndoNote?
  @Persisted var part: UndoPart?
  @Persisted var children: List<UndoNote>
}

final class UndoPart: EmbeddedObject {
  @Persisted var size: Int
  @Persisted var name: String
}

@Suite struct UndoTests {
  let realm: Realm

  init() throws {
    realm = try Realm(
      configuration: Realm.Configuration(
        inMemoryIdentifier: UUID().uuidString, objectTypes: [UndoNote.self, UndoPart.self]))
    try realm.write { realm.create(UndoNote.self, value: ["id": 1, "title": "one", "tags": ["a", "b", "c"]]) }
    _ = realm.undoManager
  }

  private var note: UndoNote { realm.object(ofType: UndoNote.self, forPrimaryKey: 1) ?? UndoNote() }
  private func dump() throws -> String { try realm.file.dump().description }

  /// A write from elsewhere: another device, or another part of the app.
  private func others(_ body: () throws -> Void) throws {
    try realm.undoManager.withoutTracking { try realm.write { try body() } }
  }

  @Test func whatIsUndoneIsAsBeforeAndWhatIsRedoneAsAfter() throws {
    let undo = realm.undoManager
    var states = [try dump()]
    try realm.write { note.title = "two" }
    states.append(try dump())
    try realm.write {
      note.count += 5
      note.tags.move(from: 0, to: 2)
      note.part = UndoPart(value: ["size": 3])
    }
    states.append(try dump())
    try realm.write {
      let child = realm.create(UndoNote.self, value: ["id": 2, "title": "child"])
      note.children.append(child)
      child.parent = note
    }
    states.append(try dump())
    try realm.write { if let child = note.children.first { realm.delete(child) } }
    states.append(try dump())
    for state in states.dropLast().reversed() {
      #expect(try undo.undo())
      #expect(try dump() == state)
    }
    #expect(try !undo.undo())
    for state in states.dropFirst() {
      #expect(try undo.redo())
      #expect(try dump() == state)
    }
    #expect(!undo.canRedo)
  }

  @Test func whatOthersChangedSinceStays() throws {
    let undo = realm.undoManager
    try realm.write {
      note.title = "mine"
      note.count += 10
      note.tags.insert("new", at: 1)
      note.tags.removeLast()
    }
    try others {
      note.title = "theirs"
      note.count += 1
      note.tags.insert("first", at: 0)
      note.tags.append("last")
    }
    #expect(try undo.undo())
    #expect(note.title == "theirs")
    #expect(note.count == 11)
    #expect(Array(note.tags) == ["first", "a", "b", "c", "last"])
    #expect(try undo.redo())
    #expect(note.count == 11)
    #expect(Array(note.tags) == ["first", "a", "new", "b", "last"])
  }

  @Test func partsOfEmbeddedObjectsAreUndoneByThemselves() throws {
    try others { note.part = UndoPart(value: ["size": 1, "name": "x"]) }
    try realm.write { note.part?.size = 2 }
    try others { note.part?.name = "y" }
    #expect(try realm.undoManager.undo())
    #expect(note.part?.size == 1)
    #expect(note.part?.name == "y")
  }

  @Test func deletedObjectsComeBackWithTheirLinks() throws {
    try others {
      for id in 2...4 { note.children.append(realm.create(UndoNote.self, value: ["id": id])) }
      realm.object(ofType: UndoNote.self, forPrimaryKey: 4)?.parent = note.children[1]
    }
    let before = try dump()
    try realm.write { realm.delete(note.children[1]) }
    #expect(note.children.count == 2)
    #expect(try realm.undoManager.undo())
    #expect(try dump() == before)
  }

  @Test func groupsAreOneActionAndHaveNames() throws {
    let undo = realm.undoManager
    let before = try dump()
    try undo.group(named: "Rename") {
      try realm.write { note.title = "x" }
      try undo.group { try realm.write { note.title = "y" } }
    }
    let after = try dump()
    #expect(undo.undoActionName == "Rename")
    try undo.undo()
    #expect(try dump() == before)
    #expect(undo.redoActionName == "Rename")
    try undo.redo()
    #expect(try dump() == after)
    #expect(undo.undoActionName == "Rename")
  }

  @Test func aNewTransactionEndsWhatCanBeRedone() throws {
    let undo = realm.undoManager
    try realm.write { note.title = "x" }
    try undo.undo()
    #expect(undo.canRedo)
    try realm.write { note.title = "z" }
    #expect(!undo.canRedo)
    undo.levelsOfUndo = 1
    try realm.write { note.title = "w" }
    try undo.undo()
    #expect(note.title == "z")
    #expect(!undo.canUndo)
  }

  @Test func cancelledAndEmptyTransactionsAreNoActions() throws {
    try realm.write {}
    realm.beginWrite()
    note.title = "never"
    realm.cancelWrite()
    #expect(!realm.undoManager.canUndo)
  }

  @Test func anyTransactionIsUndoneAndRedone() throws {
    for seed in Seeds.some(20) {
      var edits = LiveEdits(seed: seed)
      let realm = try Realm(configuration: memoryConfiguration(recordsChangesets: seed % 2 == 0))
      let undo = realm.undoManager
      var states = [try realm.file.dump()]
      for _ in 0..<12 {
        try realm.write { for _ in 0..<Int.random(in: 1...5, using: &edits.random) { edits.edit(realm) } }
        let state = try realm.file.dump()
        if state != states.last { states.append(state) }
      }
      for state in states.dropLast().reversed() {
        try undo.undo()
        #expect(try realm.file.dump() == state, "seed \(seed)")
      }
      for state in states.dropFirst() {
        try undo.redo()
        #expect(try realm.file.dump() == state, "seed \(seed)")
      }
    }
  }
}
