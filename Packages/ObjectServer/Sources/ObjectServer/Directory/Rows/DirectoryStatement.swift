/// A statement of the directory in a dialect of SQL. Values are parameters, never a part of the text, so the texts are few.
struct DirectoryStatement {
  let dialect: SQLDialect
  private(set) var text: String
  private(set) var values: [DirectoryValue] = []

  init(_ text: String, _ dialect: SQLDialect) {
    self.dialect = dialect
    self.text = text
  }

  mutating func add(_ part: String) { text += part }

  mutating func add(_ names: [String]) {
    for (index, name) in names.enumerated() {
      if index > 0 { text += ", " }
      text += dialect.name(name)
    }
  }

  mutating func add(_ value: DirectoryValue) { text += parameter(value) }

  mutating func add(_ row: [DirectoryValue]) {
    for (index, value) in row.enumerated() {
      if index > 0 { text += ", " }
      add(value)
    }
  }

  /// Adds the word WHERE and a condition, if it is one.
  mutating func add(where condition: DirectoryCondition) {
    if case .all(let parts) = condition, parts.isEmpty { return }
    text += " WHERE "
    add(condition)
  }

  private mutating func parameter(_ value: DirectoryValue) -> String {
    values.append(value)
    return dialect.parameter(values.count)
  }

  private mutating func add(_ condition: DirectoryCondition) {
    switch condition {
    case .all(let parts): add(parts, " AND ", none: "1 = 1")
    case .any(let parts): add(parts, " OR ", none: "1 = 0")
    // Databases find rows by an index with these, and not with the comparisons that take NULL for a value.
    case .equals(let column, let value): value.isNull ? add(column, " IS NULL") : add(column, " = ", value)
    case .differs(let column, let value): value.isNull ? add(column, " IS NOT NULL") : add(column, " <> ", value)
    case .less(let column, let value): add(column, " < ", value)
    case .atMost(let column, let value): add(column, " <= ", value)
    case .greater(let column, let value): add(column, " > ", value)
    case .contains(let column, let part): text += dialect.contains(dialect.name(column), parameter(.text(part)))
    case .lacks(let column, let part):
      text += "NOT (" + dialect.contains(dialect.name(column), parameter(.text(part))) + ")"
    case .isAmong(let column, let other, let table, let condition):
      text += dialect.name(column) + " IN (SELECT " + dialect.name(other) + " FROM " + dialect.name(table.rawValue)
      add(where: condition)
      text += ")"
    }
  }

  private mutating func add(_ parts: [DirectoryCondition], _ word: String, none: String) {
    guard !parts.isEmpty else { return text += none }
    for (index, part) in parts.enumerated() {
      if index > 0 { text += word }
      guard part.isCompound else {
        add(part)
        continue
      }
      text += "("
      add(part)
      text += ")"
    }
  }

  private mutating func add(_ column: String, _ words: String) { text += dialect.name(column) + words }

  private mutating func add(_ column: String, _ sign: String, _ value: DirectoryValue) {
    text += dialect.name(column) + sign
    add(value)
  }
}

extension DirectoryCondition {
  fileprivate var isCompound: Bool {
    switch self {
    case .all, .any: true
    case .equals, .differs, .less, .atMost, .greater, .contains, .lacks, .isAmong: false
    }
  }
}
