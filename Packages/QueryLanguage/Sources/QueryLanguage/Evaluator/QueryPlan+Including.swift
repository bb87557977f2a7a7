import DataModel

/// INCLUDE, from the included object back to the matches.
extension QueryPlan {
  /// The objects of the class from which a path of INCLUDE leads to an object at one of its backlink steps, whether they match
  /// or not; nil when more rows would have to be looked at than may be.
  ///
  /// - Parameter left: the rows that may be looked at; afterwards what is left of them, 0 when they did not suffice.
  /// - Throws: the errors of the source.
  public func objectsIncluding(
    _ row: QueryRow, of className: String, in source: any QuerySource, left: inout Int
  ) throws -> Set<QueryRow>? {
    let execution = Execution(source)
    var found: Set<QueryRow> = []
    for path in includes {
      for (position, hop) in path.hops.enumerated() {
        guard case .backlinks(className, _) = hop else { continue }
        var rows: Set<QueryRow> = [row]
        for index in (0...position).reversed() where !rows.isEmpty {
          let from = index == 0 ? path.className : path.hops[index - 1].target
          guard let origins = try Self.origins(of: rows, by: path.hops[index], from: from, execution, &left) else {
            return nil
          }
          rows = origins
        }
        found.formUnion(rows)
      }
    }
    return found
  }

  /// The rows of a class from which a hop leads to one of some rows; nil when there are more than may be looked at.
  private static func origins(
    of rows: Set<QueryRow>, by hop: ResolvedPath.Hop, from className: String, _ execution: Execution, _ left: inout Int
  ) throws -> Set<QueryRow>? {
    guard let target = try execution.reader(hop.target) else { return [] }
    var found: [QueryRow] = []
    for row in rows {
      switch hop {
      case .backlinks(_, let property): try target.appendLinkedRows(of: property, row: row, to: &found)
      case .link(let property, _), .keyed(let property, _, _), .collection(let property, _, _):
        try target.table.appendBacklinks(of: row, from: className, property: property, to: &found)
      }
      if found.count > left {
        left = 0
        return nil
      }
    }
    left -= found.count
    found.removeAll { $0 < 0 }
    guard hop.takesPart else { return Set(found) }
    var step = ResolvedPath(className: className, written: "")
    step.hops = [hop]
    let reader = PathReader(execution: execution)
    return try Set(found).filter { try !rows.isDisjoint(with: reader.rows(step, $0)) }
  }
}

extension ResolvedPath.Hop {
  /// Whether only some of the links in the property are followed.
  fileprivate var takesPart: Bool {
    switch self {
    case .link, .backlinks: false
    case .keyed: true
    case .collection(_, _, let selector): selector != .all
    }
  }
}
