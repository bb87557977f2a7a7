import DataModel
import RecordStore
import TestKit

/// A query of a device's subscriptions, twice: as its text for the server, and as a condition over dumped objects for the check.
struct ViewQuery: Sendable {
  /// The class that is queried.
  var className: String
  /// The query for the server.
  var text: String
  /// Whether the server can serve the query.
  var isServable = true
  /// Whether the query selects an object with these fields.
  var selects: @Sendable ([String: StateDump.Item]) -> Bool

  private init(
    _ className: String, _ text: String, isServable: Bool = true,
    _ selects: @escaping @Sendable ([String: StateDump.Item]) -> Bool
  ) {
    self.className = className
    self.text = text
    self.isServable = isServable
    self.selects = selects
  }

  /// Up to three queries of each class that a device edits; now and then one that the server must refuse.
  static func some(for device: String, everyType: Bool, using random: inout SeededGenerator) -> [ViewQuery] {
    var queries = [receipts(of: device, using: &random)]
    for _ in 0..<Int.random(in: 0...3, using: &random) { queries.append(notes(using: &random)) }
    if everyType {
      for _ in 0..<Int.random(in: 0...2, using: &random) { queries.append(cards(using: &random)) }
      if !random.oneIn(4) { queries.append(loose(of: device, using: &random)) }
      if !random.oneIn(4) { queries.append(slips(of: device, using: &random)) }
    }
    if random.oneIn(12) { queries.append(ViewQuery("Note", "nothing == 1", isServable: false) { _ in false }) }
    return queries
  }

  private static func receipts(of device: String, using random: inout SeededGenerator) -> ViewQuery {
    switch Int.random(in: 0..<5, using: &random) {
    case 0: ViewQuery("Receipt", "_id BEGINSWITH '\(device) '") { $0.text("_id").hasPrefix("\(device) ") }
    case 1:
      ViewQuery("Receipt", "_id ENDSWITH '3' OR _id CONTAINS '1'") {
        $0.text("_id").hasSuffix("3") || $0.text("_id").contains("1")
      }
    default: ViewQuery("Receipt", "TRUEPREDICATE") { _ in true }
    }
  }

  private static func notes(using random: inout SeededGenerator) -> ViewQuery {
    let number = Int64.random(in: -4...6, using: &random)
    switch Int.random(in: 0..<9, using: &random) {
    case 0: return ViewQuery("Note", "_id < \(number)") { $0.integer("_id") < number }
    case 1: return ViewQuery("Note", "count >= \(number)") { $0.integer("count") >= number }
    case 2:
      return ViewQuery("Note", "count != \(number) AND NOT _id IN {1, 3, 5}") {
        $0.integer("count") != number && ![1, 3, 5].contains($0.integer("_id"))
      }
    case 3: return ViewQuery("Note", "title BEGINSWITH 'note'") { $0.text("title").hasPrefix("note") }
    case 4:
      return ViewQuery("Note", "title CONTAINS '\(abs(number))' OR count < 0") {
        $0.text("title").contains("\(abs(number))") || $0.integer("count") < 0
      }
    case 5: return ViewQuery("Note", "due == nil") { $0.double("due") == nil }
    case 6:
      return ViewQuery("Note", "due >= \(number * 10)") { $0.double("due").map { $0 >= Double(number * 10) } ?? false }
    case 7: return ViewQuery("Note", "FALSEPREDICATE") { _ in false }
    default: return ViewQuery("Note", "TRUEPREDICATE") { _ in true }
    }
  }

  private static func cards(using random: inout SeededGenerator) -> ViewQuery {
    switch Int.random(in: 0..<5, using: &random) {
    case 0: ViewQuery("Card", "flag == true") { $0["flag"] == .value(.bool(true)) }
    case 1:
      ViewQuery("Card", "amount == nil OR flag == true") {
        $0["amount"] == .value(.null) || $0["flag"] == .value(.bool(true))
      }
    case 2: ViewQuery("Card", "unique == nil") { $0["unique"] == .value(.null) }
    case 3: ViewQuery("Card", "_id IN {'card 0', 'card 2'}") { ["card 0", "card 2"].contains($0.text("_id")) }
    default: ViewQuery("Card", "TRUEPREDICATE") { _ in true }
    }
  }

  private static func loose(of device: String, using random: inout SeededGenerator) -> ViewQuery {
    switch Int.random(in: 0..<3, using: &random) {
    case 0: ViewQuery("Loose", "value >= 50") { $0.integer("value") >= 50 }
    case 1: ViewQuery("Loose", "maker == '\(device)'") { $0.text("maker") == device }
    default: ViewQuery("Loose", "TRUEPREDICATE") { _ in true }
    }
  }

  private static func slips(of device: String, using random: inout SeededGenerator) -> ViewQuery {
    switch Int.random(in: 0..<3, using: &random) {
    case 0:
      ViewQuery("Slip", "name ENDSWITH '2' OR name ENDSWITH '4'") {
        $0.text("name").hasSuffix("2") || $0.text("name").hasSuffix("4")
      }
    case 1: ViewQuery("Slip", "name BEGINSWITH '\(device) '") { $0.text("name").hasPrefix("\(device) ") }
    default: ViewQuery("Slip", "TRUEPREDICATE") { _ in true }
    }
  }
}

extension [String: StateDump.Item] {
  fileprivate func integer(_ field: String) -> Int64 {
    if case .value(.int(let number))? = self[field] { number } else { .min }
  }

  fileprivate func double(_ field: String) -> Double? {
    if case .value(.double(let number))? = self[field] { number } else { nil }
  }

  fileprivate func text(_ field: String) -> String {
    if case .value(.string(let text))? = self[field] { text } else { "" }
  }
}
