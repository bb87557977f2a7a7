import Foundation
import TestKit
import Testing
@testable import TodoCore

@Suite("An edit")
struct EditPlanTests {
  private func store() -> MemoryTodoStore {
    MemoryTodoStore(
      Board(lists: [
        ItemList(
          key: "h", name: "Home", order: 1, items: ["a", "b", "c", "d"].map { Item(key: $0, fields: fields($0)) }),
        ItemList(key: "w", name: "Work", order: 2, items: ["x"].map { Item(key: $0, fields: fields($0)) }),
      ]))
  }

  private func keys(_ store: MemoryTodoStore, _ list: String = "h") -> String {
    store.board().list(list)?.items.map(\.key).joined() ?? "-"
  }

  @Test(
    "moves an item, and back",
    arguments: [
      ("c", "h", ListPosition.first, "cabd"), ("a", "h", .last, "bcda"), ("a", "h", .index(2), "bcad"),
      ("d", "h", .after("a", otherwise: 0), "adbc"), ("d", "h", .after(nil, otherwise: 9), "dabc"),
      ("a", "h", .after("gone", otherwise: 1), "bacd"), ("a", "h", .index(99), "bcda"), ("b", "w", .first, "acd"),
    ])
  func move(_ key: String, _ list: String, _ place: ListPosition, _ expected: String) throws {
    let store = store()
    let before = store.board()
    let done = try store.perform(.moveItem(key: key, list: list, at: place))
    #expect(keys(store) == expected)
    _ = try store.perform(try #require(done.inverse))
    #expect(store.board() == before)
  }

  @Test("that changes nothing writes nothing")
  func nothing() throws {
    let store = store()
    for edit in [
      TodoEdit.moveItem(key: "a", list: "h", at: .first), .renameList(key: "h", from: "", to: "Home"), .several([]),
      .changeItem(key: "a", [.title(from: "old", to: "a")], ifUnchanged: false),
    ] {
      let plan = try EditPlan(edit, on: store.board())
      #expect(plan.steps == [])
      #expect(plan.inverse == nil)
    }
  }

  @Test("of something that is gone says so")
  func gone() {
    let store = store()
    #expect(throws: EditError.itemIsGone) { try store.perform(.moveItem(key: "?", list: "h", at: .first)) }
    #expect(throws: EditError.listIsGone) { try store.perform(.moveItem(key: "a", list: "?", at: .first)) }
    #expect(throws: EditError.itemIsGone) { try store.perform(.deleteItems(["?"])) }
    #expect(throws: EditError.listExists("Home")) { try store.perform(.createList(ItemList(key: "h", name: "Home"))) }
  }

  @Test("undone leaves what somebody else changed since")
  func undoBesideOthers() throws {
    let store = store()
    let done = try store.perform(
      .changeItem(key: "a", [.title(from: "a", to: "A"), .priority(from: 0, to: 2)], ifUnchanged: false))
    _ = try store.perform(.changeItem(key: "a", [.title(from: "A", to: "theirs")], ifUnchanged: false))
    let undone = try store.perform(try #require(done.inverse))
    #expect(undone.skipped == ["title of 'theirs'"])
    #expect(store.board().item("a")?.title == "theirs")
    #expect(store.board().item("a")?.priority == 0)
  }

  @Test("undone puts back what was deleted, where it was, though neighbours moved")
  func undoDelete() throws {
    let store = store()
    let done = try store.perform(.deleteItems(["b", "c", "x"]))
    #expect(keys(store) == "ad")
    _ = try store.perform(.moveItem(key: "a", list: "h", at: .last))
    _ = try store.perform(try #require(done.inverse))
    #expect(keys(store) == "dabc")
    #expect(keys(store, "w") == "x")
    let list = try store.perform(.deleteList(key: "h"))
    #expect(store.board().lists.map(\.key) == ["w"])
    _ = try store.perform(try #require(list.inverse))
    #expect(keys(store) == "dabc")
  }

  @Test("at random, undone and done again, gives the boards before and after")
  func random() throws {
    var random = SeededGenerator(seed: Seeds.seed ?? 1)
    for run in 0..<(Seeds.runs ?? 500) {
      let store = store()
      for step in 0..<6 {
        let before = store.board()
        guard let done = try? store.perform(random.edit(on: before)) else { continue }
        let after = store.board()
        guard let inverse = done.inverse else {
          #expect(after == before, "SEED=\(Seeds.seed ?? 1) run \(run) step \(step)")
          continue
        }
        let undone = try store.perform(inverse)
        #expect(store.board() == before, "SEED=\(Seeds.seed ?? 1) run \(run) step \(step)")
        _ = try store.perform(try #require(undone.inverse))
        #expect(store.board() == after, "SEED=\(Seeds.seed ?? 1) run \(run) step \(step)")
      }
    }
  }
}

extension SeededGenerator {
  /// An edit that may fit a board.
  mutating func edit(on board: Board) -> TodoEdit {
    let list = board.lists.randomElement(using: &self)
    let items = board.lists.flatMap(\.items)
    let item = items.randomElement(using: &self)
    let key = item?.key ?? "none"
    switch Int.random(in: 0...8, using: &self) {
    case 0: return .createList(ItemList(key: "l\(next() % 8)", name: "L\(next() % 3)", order: Double(next() % 3)))
    case 1: return .renameList(key: list?.key ?? "", from: list?.name ?? "", to: "N\(next() % 4)")
    case 2: return next() % 3 == 0 ? .deleteList(key: list?.key ?? "") : .several([])
    case 3:
      let new = (0..<Int(next() % 3)).map { _ in
        Item(key: "i\(next())", fields: ItemFields(title: nastyText(lines: false)))
      }
      return .createItems(new, list: list?.key ?? "", at: place(items))
    case 4:
      return .changeItem(
        key: key, [.title(from: item?.title ?? "", to: "t\(next() % 4)"), .done(from: false, to: next() % 2 == 0)],
        ifUnchanged: false)
    case 5, 6: return .moveItem(key: key, list: list?.key ?? "", at: place(items))
    case 7: return .deleteItems(items.filter { _ in next() % 3 == 0 }.map(\.key))
    default: return .several([edit(on: board), edit(on: board)])
    }
  }

  private mutating func place(_ items: [Item]) -> ListPosition {
    switch Int.random(in: 0...3, using: &self) {
    case 0: .first
    case 1: .last
    case 2: .index(Int(next() % 6))
    default: .after(items.randomElement(using: &self)?.key, otherwise: Int(next() % 6))
    }
  }
}
