import DataModel

extension QueryPlan {
  /// The way the plan runs, as text: scan or index, the conditions in the order of their cost, the clauses.
  ///
  ///     try plan.explain(in: source)
  ///     // query    age > 40 and name BEGINSWITH "A"
  ///     // access   scan of Person, 1000000 objects in 3907 clusters
  ///     // filter   all of
  ///     // filter     age in 41 ... (column, cost 2)
  ///     // filter     name BEGINSWITH (column, cost 10)
  ///
  /// - Parameter source: the snapshot whose indexes and sizes decide the access; nil leaves out that line.
  /// - Throws: the errors of the source.
  public func explain(in source: (any QuerySource)? = nil) throws -> String {
    var lines = ["query    \(text)"]
    if let source {
      let execution = Execution(source)
      if let table = try execution.reader(className)?.table {
        if let (rows, condition) = try IndexChooser(table: table).candidates(for: predicate) {
          lines.append("access   index over \(className).\(condition.name), \(rows.count) candidates")
        } else {
          lines.append("access   scan of \(className), \(table.rowCount) objects in \(table.clusterCount) clusters")
        }
      }
    }
    describe(predicate, indent: "", into: &lines)
    for (position, stage) in stages.enumerated() {
      switch stage {
      case .sort(let keys):
        let written = keys.map { "\($0.path.written) \($0.isAscending ? "ASC" : "DESC")" }.joined(separator: ", ")
        var how = "full sort"
        if position == 0, stages.count > 1, case .limit(let count) = stages[1], count <= 65_536 {
          how = "heap of \(count)"
        }
        lines.append("sort     \(written) (\(how))")
      case .distinct(let paths): lines.append("distinct \(paths.map(\.written).joined(separator: ", "))")
      case .limit(let count): lines.append("limit    \(count)")
      }
    }
    for path in includes { lines.append("include  \(path.written)") }
    return lines.joined(separator: "\n")
  }

  private func describe(_ predicate: PlanPredicate, indent: String, into lines: inout [String]) {
    func add(_ text: String) { lines.append("filter   \(indent)\(text)") }
    switch predicate {
    case .always(let value): add(value ? "everything" : "nothing")
    case .and(let parts):
      add("all of")
      for part in parts.sorted(by: { cost($0) < cost($1) }) { describe(part, indent: indent + "  ", into: &lines) }
    case .or(let parts):
      add("one of")
      for part in parts.prefix(20) { describe(part, indent: indent + "  ", into: &lines) }
      if parts.count > 20 { lines.append("filter   \(indent)  and \(parts.count - 20) more") }
    case .not(let inner):
      add("not")
      describe(inner, indent: indent + "  ", into: &lines)
    case .column(let condition): add("\(condition.summary) (column, cost \(Int(cost(predicate))))")
    case .link(_, let target, let inner, let whenNull):
      add("through the link to \(target), \(whenNull ? "or null" : "not null") (batch)")
      describe(inner, indent: indent + "  ", into: &lines)
    case .comparison(let comparison): add("comparison with \(comparison.operation.rawValue) (row by row)")
    case .between: add("BETWEEN on a collection (row by row)")
    case .text(let path, _, _): add("\(path.written) TEXT (row by row)")
    case .geoWithin(let path, _, _, _): add("\(path.written) GEOWITHIN (row by row)")
    }
  }

  private func cost(_ predicate: PlanPredicate) -> Double {
    switch predicate {
    case .always: 0
    case .column(let condition): ColumnNode.cost(condition.test)
    case .link: 8
    case .and(let parts): parts.map(cost).min() ?? 0
    case .or(let parts): parts.map(cost).reduce(0, +)
    case .not(let inner): cost(inner)
    case .comparison, .between, .text, .geoWithin: 1000
    }
  }
}

extension ColumnCondition {
  /// The condition in a few words, without values of arguments that may be long.
  var summary: String {
    let not = isNegated ? "not " : ""
    let null = matchesNull ? " or null" : ""
    let tested =
      switch test {
      case .nothing: isNegated ? "present" : "null"
      case .integers(let range):
        if range.lowerBound == range.upperBound {
          "\(range.lowerBound)"
        } else {
          "in \(range.lowerBound == .min ? "" : "\(range.lowerBound) ")...\(range.upperBound == .max ? "" : " \(range.upperBound)")"
        }
      case .doubles(let low, let high): "in \(low) ... \(high)"
      case .bool(let value): "\(value)"
      case .bytes(let test): "\(test.operation)\(test.folds ? "[c]" : "") of \(test.needle.count) bytes"
      case .timestamps: "in a range of dates"
      case .integerSet(let set): "one of \(set.count) integers"
      case .bytesSet(let set): "one of \(set.values.count) strings"
      case .doubleSet(let set): "one of \(set.count) numbers"
      case .decimalSet(let set): "one of \(set.count) decimals"
      case .timestampSet(let set): "one of \(set.count) dates"
      case .links(let references): "one of \(references.count) objects"
      }
    if case .nothing = test { return "\(name) \(tested)" }
    return "\(name) \(not)\(tested)\(null)"
  }
}
