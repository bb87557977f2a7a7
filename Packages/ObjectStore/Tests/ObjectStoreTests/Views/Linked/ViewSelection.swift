import TestKit

/// One query of a class in its parts, so that a test can evaluate the clauses by itself.
struct ViewSelection: Hashable {
  var className: String
  var condition = "TRUEPREDICATE"
  /// A path of fields by which matches are sorted.
  var sort: (path: String, isAscending: Bool)?
  /// A path of fields of whose values each counts once.
  var distinct: String?
  var limit: Int?
  /// A class and its field through which objects that link to a match are included.
  var include: (className: String, field: String)?

  /// The query in words.
  var text: String {
    var text = condition
    if let sort { text += " SORT(\(sort.path) \(sort.isAscending ? "ASC" : "DESC"))" }
    if let distinct { text += " DISTINCT(\(distinct))" }
    if let limit { text += " LIMIT(\(limit))" }
    if let include { text += " INCLUDE(@links.\(include.className).\(include.field))" }
    return text
  }

  static func == (left: Self, right: Self) -> Bool { left.className == right.className && left.text == right.text }

  func hash(into hasher: inout Hasher) {
    hasher.combine(className)
    hasher.combine(text)
  }

  /// The queries as clients send them: a text for a class with one, an array for one with several.
  static func json(_ selections: [ViewSelection]) -> String {
    let members = Dictionary(grouping: selections, by: \.className).sorted { $0.key < $1.key }.map { name, group in
      let texts = group.map { "\"\($0.text)\"" }
      return "\"\(name)\":" + (texts.count == 1 ? texts[0] : "[" + texts.joined(separator: ",") + "]")
    }
    return "{" + members.joined(separator: ",") + "}"
  }
}

/// The parts of which random queries of a class are made.
struct SelectionParts {
  var conditions: [String]
  var paths: [String]
  var includes: [(className: String, field: String)] = []

  /// A random query; half of them are conditions alone.
  func selection(of className: String, _ random: inout SeededGenerator) -> ViewSelection {
    var selection = ViewSelection(className: className, condition: random.one(of: conditions))
    if !random.oneIn(2) {
      if !random.oneIn(3) { selection.sort = (random.one(of: paths), random.oneIn(2)) }
      if random.oneIn(3) { selection.distinct = random.one(of: paths) }
      if !random.oneIn(3) { selection.limit = Int.random(in: 0...3, using: &random) }
    }
    if !includes.isEmpty, random.oneIn(4) { selection.include = random.one(of: includes) }
    return selection
  }
}

extension SeededGenerator {
  /// One of some elements.
  mutating func one<T>(of elements: [T]) -> T { elements[Int.random(in: 0..<elements.count, using: &self)] }
}
