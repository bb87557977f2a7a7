import Foundation
import RealmSwift
import TestKit
import Testing
import TodoCore
@testable import TodoRealm

@Suite("A store of lists in a realm")
struct RealmTodoStoreTests {
  /// A file that goes with the test.
  private func withFile(_ body: (Realm.Configuration) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("todo-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(
      Realm.Configuration(
        fileURL: folder.appendingPathComponent("lists.realm"), objectTypes: [TodoList.self, TodoItem.self],
        recordsChangesets: true))
  }

  private func withStore(_ body: (RealmTodoStore) throws -> Void) throws {
    try withFile { try body(RealmTodoStore($0)) }
  }

  private func item(_ key: String, _ title: String) -> Item {
    Item(key: key, fields: ItemFields(title: title, created: Date(timeIntervalSince1970: 1_700_000_000)))
  }

  @Test("keeps every field")
  func fields() throws {
    try withStore { store in
      let full = Item(
        key: "k",
        fields: ItemFields(
          title: "Zażółć 世界 🎉", isDone: true, priority: 3, due: Day(text: "2026-11-21"), notes: "a\nb",
          created: Date(timeIntervalSince1970: 1_700_000_000), completed: Date(timeIntervalSince1970: 1_700_000_001)))
      _ = try store.perform(
        .several([.createList(ItemList(key: "l", name: "L", order: 1)), .createItems([full], list: "l", at: .last)]))
      let board = try store.board()
      #expect(board == Board(lists: [ItemList(key: "l", name: "L", order: 1, items: [full])]))
    }
  }

  @Test("rolls an edit back that fails in the middle")
  func rollback() throws {
    try withStore { store in
      let edit = TodoEdit.several([.createList(ItemList(key: "l", name: "L")), .deleteItems(["gone"])])
      #expect(throws: EditError.itemIsGone) { try store.perform(edit) }
      let board = try store.board()
      #expect(board == Board())
    }
  }

  @Test("shows an item once, in the first of the lists that hold it")
  func doubled() throws {
    try withFile { configuration in
      let store = try RealmTodoStore(configuration)
      _ = try store.perform(
        .several([
          .createList(ItemList(key: "h", name: "Home", order: 1)),
          .createList(ItemList(key: "w", name: "Work", order: 2)),
          .createItems([item("a", "a"), item("b", "b")], list: "w", at: .last),
        ]))
      let queue = DispatchQueue(label: "another device")
      try queue.sync {
        let realm = try Realm(configuration: configuration, queue: queue)
        guard let item = realm.object(ofType: TodoItem.self, forPrimaryKey: "b") else { return }
        try realm.write {
          for list in realm.objects(TodoList.self) { list.items.append(objectsIn: [item, item]) }
        }
      }
      let lists = try store.board().lists
      #expect(lists.map { $0.items.map(\.key) } == [["b"], ["a"]])
    }
  }

  @Test("tells of what another store writes, and shows it")
  func following() throws {
    var random = SeededGenerator(seed: Seeds.seed ?? 1)
    try withFile { configuration in
      let stores = [try RealmTodoStore(configuration), try RealmTodoStore(configuration)]
      let changed = ChangeSignal()
      stores[0].onChange { changed.raise() }
      _ = try stores[1].perform(.createList(ItemList(key: "h", name: "Home", order: 1)))
      #expect(changed.wait(seconds: 30))
      for step in 0..<(Seeds.runs ?? 60) {
        let edit = random.edit(on: try stores[0].board())
        let index = random.next() % 2 == 0 ? 0 : 1
        _ = try? stores[index].perform(edit)
        let boards = try stores.map { try $0.board() }
        let fresh = try RealmTodoStore(configuration).board()
        #expect(boards == [fresh, fresh], "SEED=\(Seeds.seed ?? 1) step \(step): \(edit)")
      }
    }
  }

  @Test("does what the store in memory does, edit by edit")
  func model() throws {
    var random = SeededGenerator(seed: Seeds.seed ?? 1)
    for run in 0..<(Seeds.runs ?? 8) {
      try withStore { store in
        let memory = MemoryTodoStore()
        let start = TodoEdit.several([
          .createList(ItemList(key: "h", name: "Home", order: 1)),
          .createList(ItemList(key: "w", name: "Work", order: 2)),
          .createItems(["a", "b", "c", "d"].map { item($0, $0) }, list: "h", at: .last),
        ])
        for step in 0..<40 {
          let edit = step == 0 ? start : random.edit(on: memory.board())
          let expected = try? memory.perform(edit)
          let result = try? store.perform(edit)
          #expect(result == expected, "SEED=\(Seeds.seed ?? 1) run \(run) step \(step): \(edit)")
          let board = try store.board()
          #expect(board == memory.board(), "SEED=\(Seeds.seed ?? 1) run \(run) step \(step): \(edit)")
        }
      }
    }
  }
}

extension SeededGenerator {
  /// An edit that may fit a board.
  mutating func edit(on board: Board) -> TodoEdit {
    let list = board.lists.randomElement(using: &self)?.key ?? "none"
    let items = board.lists.flatMap(\.items)
    let key = items.randomElement(using: &self)?.key ?? "none"
    let now = Date(timeIntervalSince1970: Double(next() % 2_000_000_000))
    switch next() % 9 {
    case 0: return .createList(ItemList(key: "l\(next() % 6)", name: "L\(next() % 3)", order: Double(next() % 3)))
    case 1: return .renameList(key: list, from: "", to: "N\(next() % 4)")
    case 2: return next() % 3 == 0 ? .deleteList(key: list) : .several([])
    case 3:
      let new = (0...next() % 2).map { _ in
        Item(key: "i\(next() % 100_000)", fields: ItemFields(title: "t\(next() % 9)", created: now))
      }
      return .createItems(new, list: list, at: place(items))
    case 4:
      return .changeItem(
        key: key,
        [
          .title(from: "", to: "t\(next() % 4)"), .done(from: false, to: next() % 2 == 0),
          .completed(from: nil, to: now),
        ],
        ifUnchanged: next() % 4 == 0)
    case 5, 6: return .moveItem(key: key, list: list, at: place(items))
    case 7: return .deleteItems(items.filter { _ in next() % 3 == 0 }.map(\.key))
    default: return .several([edit(on: board), edit(on: board)])
    }
  }

  private mutating func place(_ items: [Item]) -> ListPosition {
    switch next() % 4 {
    case 0: .first
    case 1: .last
    case 2: .index(Int(next() % 6))
    default: .after(items.randomElement(using: &self)?.key, otherwise: Int(next() % 6))
    }
  }
}
