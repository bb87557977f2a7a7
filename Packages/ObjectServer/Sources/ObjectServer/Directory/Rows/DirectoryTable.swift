/// A table of the directory whose rows are sealed.
enum DirectoryTable: String, CaseIterable, Sendable {
  case users, identities, logins, realms, grants, offers, renamed, withdrawals, changes, removed
  case apiKeys = "api_keys"
  case usedPaths = "used_paths"

  /// All columns but the seal, those of the primary key first.
  var columns: [String] {
    switch self {
    case .users: ["id", "administrator", "disabled", "created"]
    case .identities: ["provider", "name", "user", "password"]
    case .logins: ["id", "user", "app", "key", "created", "expires", "digest", "previous", "nonce", "rotated"]
    case .changes: ["number", "kind", "subject"]
    case .apiKeys: ["id", "user", "name", "digest", "disabled", "created"]
    case .realms: ["path", "folder", "creator", "created"]
    case .grants: ["path", "grantee", "level", "updated"]
    case .offers: ["digest", "user", "path", "level", "created", "expires", "token"]
    case .renamed: ["path", "target"]
    case .usedPaths: ["path"]
    case .withdrawals: ["path", "grantee", "at"]
    case .removed: ["id", "provider", "name"]
    }
  }

  /// All columns, the seal behind them.
  var sealedColumns: [String] { columns + ["seal"] }

  /// The columns that the table had in layout 6, which sealed them; nil for a table that is younger.
  var columnsOfLayout6: [String]? {
    switch self {
    case .logins: Array(columns.prefix(6))
    case .offers: ["token", "user", "path", "level", "created", "expires"]
    case .changes, .removed: nil
    case .users, .identities, .apiKeys, .realms, .grants, .renamed, .usedPaths, .withdrawals: columns
    }
  }

  /// Columns of the primary key.
  var keyCount: Int {
    switch self {
    case .removed: 3
    case .identities, .grants, .withdrawals: 2
    case .users, .logins, .apiKeys, .realms, .offers, .renamed, .usedPaths, .changes: 1
    }
  }
}

/// A row of a table of the directory.
struct DirectoryRow {
  /// The columns, and the seal behind them.
  let cells: [DirectoryValue]
  /// The columns without the seal.
  var values: [DirectoryValue] { Array(cells.dropLast()) }

  /// The text of a column; nil when it is null.
  func text(_ column: Int) -> String? { if case .text(let text) = cells[column] { text } else { nil } }
  /// The integer of a column; nil when it is null.
  func integer(_ column: Int) -> Int64? { if case .integer(let number) = cells[column] { number } else { nil } }
}
