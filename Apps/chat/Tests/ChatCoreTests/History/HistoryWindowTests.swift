import Foundation
import TestKit
import Testing
@testable import ChatCore

@Suite("The window into a room's history")
struct HistoryWindowTests {
  @Test("begins with the newest pages, then asks for those before a page key")
  func steps() {
    var window = HistoryWindow(room: "r")
    #expect(window.queries == [HistoryQuery(name: "tail.r", room: "r", limit: 2)])
    let first = window.stepBack(from: Cast.date(40))
    #expect(first)
    #expect(
      window.queries == [
        HistoryQuery(name: "tail.r", room: "r", since: Cast.date(40)),
        HistoryQuery(name: "older.r.1", room: "r", before: Cast.date(40), limit: 2),
      ])
    _ = window.stepBack(from: Cast.date(20))
    #expect(window.queries.map(\.name) == ["tail.r", "older.r.1", "older.r.2"])
  }

  @Test("does not ask twice for the same pages, nor where there is none")
  func ends() {
    var window = HistoryWindow(room: "r")
    let steps = [nil, Cast.date(40), Cast.date(40)].map { window.stepBack(from: $0) }
    #expect(steps == [false, true, false])
    #expect(window.queries.count == 2)
  }

  @Test("leaves no gap, whatever is written while it grows")
  func gaps() {
    for seed in Seeds.some(60) {
      var random = SeededGenerator(seed: seed)
      var pages = (0..<Int.random(in: 0...12, using: &random)).map { Cast.date($0) }
      var window = HistoryWindow(room: "r")
      for _ in 0..<20 {
        if Bool.random(using: &random) {
          pages.append(Cast.date(pages.count))
        } else {
          _ = window.stepBack(from: Self.held(window, pages).min())
        }
        let held = Self.held(window, pages)
        let expected = held.min().map { oldest in Set(pages.filter { $0 >= oldest }) } ?? []
        #expect(held == expected, "SEED=\(seed)")
        #expect(held.count >= min(2, pages.count), "SEED=\(seed)")
      }
      while window.stepBack(from: Self.held(window, pages).min()) {}
      #expect(Self.held(window, pages) == Set(pages), "SEED=\(seed)")
    }
  }

  /// The pages that a server sends for the subscriptions of a window.
  private static func held(_ window: HistoryWindow, _ pages: [Date]) -> Set<Date> {
    Set(
      window.queries.flatMap { query in
        let found = pages.filter { page in
          (query.since.map { page >= $0 } ?? true) && (query.before.map { page < $0 } ?? true)
        }
        return found.sorted(by: >).prefix(query.limit ?? found.count)
      })
  }
}
