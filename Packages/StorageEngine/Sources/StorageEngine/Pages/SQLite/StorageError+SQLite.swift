import SQLiteDatabase

extension StorageError {
  /// The storage error for a failure of SQLite.
  init(_ error: SQLiteError, doing what: String) {
    let code: Code =
      switch error.kind {
      case .notADatabase: .notAStore
      case .corrupt: .corrupt
      case .busy: .locked
      case .diskFull: .diskFull
      case .readOnly, .permissionDenied: .permissionDenied
      case .cannotOpen: .cannotOpen
      case .tooLarge: .tooLarge
      case .ioFailed, .outOfMemory, .constraint, .other: .ioFailed
      }
    self.init(code, "Could not \(what). \(error.remedy)", cause: error)
  }
}

/// Calls `body`, and turns errors of SQLite into ``StorageError``.
func translating<R>(_ what: @autoclosure () -> String, _ body: () throws -> R) throws -> R {
  do {
    return try body()
  } catch let error as SQLiteError {
    throw StorageError(error, doing: what())
  }
}
