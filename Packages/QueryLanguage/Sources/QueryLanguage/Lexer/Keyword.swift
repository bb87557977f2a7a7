/// A reserved word.
enum Keyword: String, CaseIterable {
  case and, or, not, `in`
  case any, some, all, none
  case beginswith, endswith, contains, like, between, text
  case geowithin, geobox, geocircle, geopolygon, subquery, obj
  case truepredicate, falsepredicate
  case sort, distinct, limit, ascending, descending, binary, include
  case first, last, size
  case `true`, `false`, null

  /// The spellings that count in the native dialect; the other dialects take any.
  enum Spelling { case anyCase, lowerOrUpper }

  var spelling: Spelling {
    switch self {
    case .not, .in, .any, .some, .all, .none, .first, .last, .size, .true, .false: .lowerOrUpper
    case .and, .or, .beginswith, .endswith, .contains, .like, .between, .text, .geowithin, .geobox, .geocircle,
      .geopolygon, .subquery, .obj, .truepredicate, .falsepredicate, .sort, .distinct, .limit, .ascending, .descending,
      .binary, .include, .null:
      .anyCase
    }
  }

  /// Whether a property of that name can be written without `$K`.
  var mayBeName: Bool {
    switch self {
    case .in, .beginswith, .endswith, .contains, .like, .between, .text, .sort, .distinct, .limit, .ascending,
      .descending, .binary, .include, .first, .last, .size:
      true
    case .and, .or, .not, .any, .some, .all, .none, .geowithin, .geobox, .geocircle, .geopolygon, .subquery, .obj,
      .truepredicate, .falsepredicate, .true, .false, .null:
      false
    }
  }

  /// The operator between two sides that the word is; nil for a word that is none, or has a form of its own.
  var comparison: ComparisonOperation? {
    switch self {
    case .in: .in
    case .beginswith: .beginsWith
    case .endswith: .endsWith
    case .contains: .contains
    case .like: .like
    case .text: .text
    case .and, .or, .not, .any, .some, .all, .none, .between, .geowithin, .geobox, .geocircle, .geopolygon, .subquery,
      .obj, .truepredicate, .falsepredicate, .sort, .distinct, .limit, .ascending, .descending, .binary, .include,
      .first, .last, .size, .true, .false, .null:
      nil
    }
  }

  private static let words: [String: Keyword] = {
    var words: [String: Keyword] = [:]
    for keyword in allCases { words[keyword.rawValue] = keyword }
    words["fulltext"] = .text
    words["asc"] = .ascending
    words["desc"] = .descending
    words["bin"] = .binary
    words["nil"] = .null
    return words
  }()

  /// The keyword that a word is in a dialect.
  init?(_ word: String, dialect: QueryDialect) {
    guard word.utf8.count <= 14, let keyword = Self.anySpelling(of: word, dialect: dialect) else { return nil }
    if dialect == .realm, keyword.spelling == .lowerOrUpper {
      guard word == word.lowercased() || word == word.uppercased() else { return nil }
    }
    self = keyword
  }

  /// The keyword that a word would be if letter case did not matter.
  static func anySpelling(of word: String, dialect: QueryDialect = .realm) -> Keyword? {
    let lower = word.lowercased()
    if dialect == .nspredicate {
      if lower == "yes" { return .true }
      if lower == "no" { return .false }
    }
    return words[lower]
  }
}
