import DataModel
import QueryLanguage
import QueryLanguageTestSupport
import TestKit
import Testing

@testable import RecordStore

/// The first objects of an order, kept up to date, against sorting all of them.
@Suite("windows of queries with LIMIT")
struct OrderedWindowTests {
  private struct Task {
    var due: Int64?
    var isDone: Bool
  }

  private static let schema = Schema([
    ObjectSchema(
      className: "Task", primaryKey: "id",
      properties: [
        Property(name: "id", type: .int), Property(name: "due", type: .int, isOptional: true),
        Property(name: "done", type: .bool),
        Property(name: "next", type: .object, objectClassName: "Task", isOptional: true),
      ])
  ])

  private static func query(_ text: String) throws -> KeyOrderedQuery {
    try KeyOrderedQuery(try ParsedQuery(parsing: text), className: "Task", schema: QuerySchema(schema))
  }

  private static func source(_ tasks: [Int64: Task]) -> MemorySource {
    let source = MemorySource(schema: schema)
    for (id, task) in tasks {
      source.add(
        "Task", ["id": .int(id), "due": task.due.map { .int($0) } ?? .null, "done": .bool(task.isDone)], key: .int(id))
    }
    return source
  }

  /// The outcome by the words of the query: what is not done, by the date and then the key, the first ones.
  private static func expected(_ tasks: [Int64: Task], isAscending: Bool?, limit: Int) -> [ObjectKey] {
    let open = tasks.filter { !$0.value.isDone }.sorted { left, right in
      let (first, second) = (left.value.due ?? .min, right.value.due ?? .min)
      guard let isAscending, first != second else { return left.key < right.key }
      return isAscending ? first < second : first > second
    }
    return open.prefix(limit).map { .int($0.key) }
  }

  @Test("give what a sort of all objects gives, after every change, until they say that they are used up")
  func law() throws {
    for seed in Seeds.some(60) {
      var random = SeededGenerator(seed: seed)
      let limit = Int.random(in: 0...4, using: &random)
      let (isAscending, sort): (Bool?, String) = random.one(of: [
        (true, "SORT(due ASC) "), (false, "SORT(due DESC) "), (nil, ""),
      ])
      let query = try Self.query("done == false \(sort)LIMIT(\(limit))")
      let order = try #require(query.plan.window)
      func filled(_ tasks: [Int64: Task]) throws -> OrderedWindow {
        let source = Self.source(tasks)
        var window = try #require(OrderedWindow(order, reserve: 2))
        for (id, task) in tasks where !task.isDone {
          let row = try #require(try source.table("Task")?.row(forKey: .int(id)))
          window.insert(.int(id), try order.ranking(in: source)(row))
        }
        return window
      }
      var tasks: [Int64: Task] = [:]
      var window = try filled(tasks)
      var refills = 0
      for step in 0..<120 {
        let id = Int64.random(in: 0..<14, using: &random)
        let due = random.oneIn(5) ? nil : Int64.random(in: 0..<6, using: &random)
        tasks[id] = random.oneIn(3) ? nil : Task(due: due, isDone: random.oneIn(4))
        let source = Self.source(tasks)
        let before = window.selected
        let isMoved = try query.update(
          &window, .int(id), at: try source.table("Task")?.row(forKey: .int(id)), in: source)
        if window.isUsedUp {
          window = try filled(tasks)
          refills += 1
        } else {
          #expect(isMoved || window.selected == before, "SEED=\(seed), step \(step)")
        }
        let expected = Self.expected(tasks, isAscending: isAscending, limit: limit)
        #expect(window.selected == expected, "SEED=\(seed), step \(step): \(query.plan.text)")
        #expect(expected.allSatisfy(window.selects) && window.selected.count <= limit, "SEED=\(seed), step \(step)")
        #expect(try query.window(in: source)?.selected == expected, "SEED=\(seed), step \(step)")
      }
      #expect(refills < 60, "SEED=\(seed): it is of use")
    }
  }

  @Test(
    "exist for SORT by own values and LIMIT alone",
    arguments: [
      ("done == false LIMIT(3)", true), ("done == false SORT(due ASC, id DESC) LIMIT(3)", true),
      ("done == false", false), ("done == false SORT(due ASC)", false), ("done == false LIMIT(5) SORT(due ASC)", false),
      ("done == false DISTINCT(due) LIMIT(3)", false), ("next.done == true SORT(due ASC) LIMIT(3)", false),
      ("done == false SORT(next.due ASC) LIMIT(3)", false), ("TRUEPREDICATE LIMIT(1001)", false),
    ])
  func kinds(_ text: String, _ hasWindow: Bool) throws {
    #expect(try Self.query(text).hasWindow == hasWindow)
  }
}
