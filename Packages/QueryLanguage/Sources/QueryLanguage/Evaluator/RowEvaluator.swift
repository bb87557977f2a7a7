import DataModel

/// The plain form of evaluation: every construct, one object at a time.
///
/// Column nodes and indexes take the conditions that they can answer; all others, and ``QueryPlan/matches(_:in:)``, run
/// here.
struct RowEvaluator {
  let execution: Execution

  func holds(_ predicate: PlanPredicate, _ className: String, _ row: QueryRow) throws -> Bool {
    switch predicate {
    case .always(let value): return value
    case .not(let inner): return try !holds(inner, className, row)
    case .and(let parts):
      for part in parts where try !holds(part, className, row) { return false }
      return true
    case .or(let parts):
      for part in parts where try holds(part, className, row) { return true }
      return false
    case .comparison(let comparison): return try holds(comparison, className, row)
    case .between(let side, let low, let high):
      let operand = try operand(side.expression, className, row)
      func isBetween(_ value: Value) -> Bool {
        ValueComparison.related(value, .greaterOrEqual, low) && ValueComparison.related(value, .lessOrEqual, high)
      }
      switch operand {
      case .single(let value): return isBetween(value)
      case .lists(let lists): return lists.contains { $0.allSatisfy(isBetween) }
      }
    case .text(let path, let query, let quantifier):
      return try quantified(path, quantifier, className, row) { value in
        if case .string(let text) = value { query.matches(text) } else { false }
      }
    case .geoWithin(let path, let reader, let region, let quantifier):
      let rows = try PathReader(execution: execution).rows(path, row)
      guard let table = try execution.reader(path.target) else { return false }
      let inside = try rows.map { try isInside(region, reader, table, $0) }
      return switch quantifier {
      case .any?, nil: inside.contains(true)
      case .all?: inside.allSatisfy { $0 }
      case .some(.none): !inside.contains(true)
      }
    case .column(let condition):
      guard let reader = try execution.reader(className) else { return false }
      return condition.holds(try reader.value(of: condition.property, row: row))
    case .link(let property, let target, let inner, let whenNull):
      guard let reader = try execution.reader(className) else { return whenNull }
      var rows: [QueryRow] = []
      try reader.appendLinkedRows(of: property, row: row, to: &rows)
      guard let next = rows.first, next >= 0 else { return whenNull }
      return try holds(inner, target, next)
    }
  }

  private func quantified(
    _ path: ResolvedPath, _ quantifier: Quantifier?, _ className: String, _ row: QueryRow, _ test: (Value) -> Bool
  ) throws -> Bool {
    switch try PathReader(execution: execution).values(path, row) {
    case .single(let value): return test(value)
    case .lists(let lists):
      return lists.contains { list in
        switch quantifier {
        case .any?, nil: list.contains(where: test)
        case .all?: list.allSatisfy(test)
        case .some(.none): !list.contains(where: test)
        }
      }
    }
  }

  private func isInside(_ region: GeoRegion, _ reader: GeoReader, _ table: TableReader, _ row: QueryRow) throws -> Bool
  {
    guard case .string(let type) = try table.value(of: reader.type, row: row), type.lowercased() == "point",
      case .list(let coordinates) = try table.value(of: reader.coordinates, row: row), coordinates.count >= 2,
      let longitude = Arithmetic.double(coordinates[0]), let latitude = Arithmetic.double(coordinates[1])
    else { return false }
    return region.contains(longitude: longitude, latitude: latitude)
  }

  // MARK: Operands

  /// The value of one side for one object: a single value, or one or more lists.
  enum Operand {
    case single(Value)
    case lists([[Value]])
  }

  func operand(_ expression: PlanExpression, _ className: String, _ row: QueryRow) throws -> Operand {
    let paths = PathReader(execution: execution)
    switch expression {
    case .constant(let value): return .single(value)
    case .list(let values): return .lists([values])
    case .path(let path): return try paths.values(path, row)
    case .count(let path): return try paths.count(path, row)
    case .type(let path):
      switch try paths.values(path, row) {
      case .single(let value): return .single(Self.typeBits(value, path))
      case .lists(let lists): return .lists(lists.map { $0.map { Self.typeBits($0, path) } })
      }
    case .aggregate(let path, let operation, let property):
      return try paths.aggregate(path, operation, property, row)
    case .subquery(let path, let predicate):
      let rows = try paths.rows(path, row)
      var count: Int64 = 0
      for element in rows where try holds(predicate, path.target, element) { count += 1 }
      return .single(.int(count))
    case .arithmetic(let operation, let left, let right):
      switch (try operand(left, className, row), try operand(right, className, row)) {
      case (.single(let a), .single(let b)): return .single(Arithmetic.apply(operation, a, b))
      case (.lists(let lists), .single(let b)):
        return .lists(lists.map { $0.map { Arithmetic.apply(operation, $0, b) } })
      case (.single(let a), .lists(let lists)):
        return .lists(lists.map { $0.map { Arithmetic.apply(operation, a, $0) } })
      case (.lists, .lists): return .single(.null)
      }
    }
  }

  /// The kind of a value; properties of a fixed type keep theirs when null.
  private static func typeBits(_ value: Value, _ path: ResolvedPath) -> Value {
    path.type == .mixed ? .int(TypeBits.of(value)) : .int(TypeBits.of(path.type))
  }
}
