import DataModel
import TestKit

@testable import RecordStore

/// A query in words, and as a function of an object's fields.
struct ViewQuery: Sendable {
  let text: String
  let selects: @Sendable ([String: StateDump.Item]) -> Bool

  private static func int(_ fields: [String: StateDump.Item], _ name: String) -> Int64? {
    if case .value(.int(let value))? = fields[name] { value } else { nil }
  }

  private static func string(_ fields: [String: StateDump.Item], _ name: String) -> String? {
    if case .value(.string(let value))? = fields[name] { value } else { nil }
  }

  private static let pets: [ViewQuery] = [
    ViewQuery(text: "age > 3") { (int($0, "age") ?? 0) > 3 },
    ViewQuery(text: "age BETWEEN {2, 6}") { (2...6).contains(int($0, "age") ?? 0) },
    ViewQuery(text: "age IN {1, 3, 5, 7}") { (int($0, "age") ?? 0) % 2 == 1 && int($0, "age") != 9 },
    ViewQuery(text: "name == nil") { string($0, "name") == nil },
    ViewQuery(text: "name BEGINSWITH 'x' OR age == 0") {
      string($0, "name")?.hasPrefix("x") == true || int($0, "age") == 0
    },
    ViewQuery(text: "NOT age < 5") { (int($0, "age") ?? 0) >= 5 },
    ViewQuery(text: "TRUEPREDICATE") { _ in true }, ViewQuery(text: "FALSEPREDICATE") { _ in false },
  ]

  private static let items: [ViewQuery] = [
    ViewQuery(text: "n > 2003") { (int($0, "n") ?? 0) > 2003 },
    ViewQuery(text: "n < 3001") { (int($0, "n") ?? 0) < 3001 },
    ViewQuery(text: "o == nil") { int($0, "o") == nil }, ViewQuery(text: "o != nil") { int($0, "o") != nil },
    ViewQuery(text: "s BEGINSWITH 't2' OR s == ''") {
      string($0, "s")?.hasPrefix("t2") == true || string($0, "s") == ""
    },
    ViewQuery(text: "_id > 2") { (int($0, "_id") ?? 0) > 2 }, ViewQuery(text: "TRUEPREDICATE") { _ in true },
  ]

  /// Queries for some of the classes.
  static func randomSet(_ random: inout SeededGenerator) -> [String: ViewQuery] {
    var set: [String: ViewQuery] = [:]
    for name in ["Dog", "Cat"] where !random.oneIn(5) { set[name] = random.pick(pets) }
    if !random.oneIn(5) { set["Item"] = random.pick(items) }
    return set
  }

  /// The set as clients send it.
  static func json(_ set: [String: ViewQuery]) -> String {
    "{" + set.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\"\($0.value.text)\"" }.joined(separator: ",") + "}"
  }
}
