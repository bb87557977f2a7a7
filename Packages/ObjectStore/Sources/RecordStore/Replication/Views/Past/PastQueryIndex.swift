import DataModel
import QueryLanguage

/// An index of the present, corrected for the rows that held something else at a past version.
struct PastQueryIndex: QueryIndex {
  let present: any QueryIndex
  /// The values at the version of the rows that held something else; nil for those that did not live.
  let moved: [QueryRow: Value?]

  func rows(matching probe: IndexProbe, limit: Int) throws -> [QueryRow]? {
    let reach = limit.addingReportingOverflow(moved.count)
    guard let found = try present.rows(matching: probe, limit: reach.overflow ? .max : reach.partialValue) else {
      return nil
    }
    var rows = found.filter { moved.index(forKey: $0) == nil }
    for (row, value) in moved { if let value, probe.finds(value) { rows.append(row) } }
    return rows.count > limit ? nil : rows
  }
}

extension IndexProbe {
  /// Whether the probe finds rows with a value.
  func finds(_ value: Value) -> Bool {
    switch self {
    case .equal(let wanted): return value == wanted
    case .prefix(let bytes):
      if case .string(let text) = value { return text.utf8.starts(with: bytes) } else { return false }
    case .range(let lower, let upper):
      if value == .null { return false }
      if let lower {
        let order = value.compareInSortOrder(lower.value)
        if order < 0 || order == 0 && !lower.isInclusive { return false }
      }
      if let upper {
        let order = value.compareInSortOrder(upper.value)
        if order > 0 || order == 0 && !upper.isInclusive { return false }
      }
      return true
    }
  }
}
