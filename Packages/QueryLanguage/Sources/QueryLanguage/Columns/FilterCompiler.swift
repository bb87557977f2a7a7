import DataModel

/// Prepares a predicate for one run over one source.
struct FilterCompiler {
  let execution: Execution

  func node(_ predicate: PlanPredicate, _ className: String) throws -> FilterNode {
    switch predicate {
    case .always(let value): return AlwaysNode(value)
    case .not(let inner): return NotNode(try node(inner, className))
    case .and(let parts): return AndNode(try parts.map { try node($0, className) })
    case .or(let parts): return OrNode(try parts.map { try node($0, className) })
    case .column(let condition):
      let declared = try execution.reader(className)?.table.schema.properties[condition.property]
      let linkTarget = try declared?.objectClassName.flatMap { try execution.reader($0) }
      return ColumnNode(condition, linkTarget: linkTarget)
    case .link(let property, let target, let inner, let whenNull):
      return LinkNode(property, target, inner, whenNull: whenNull, execution)
    case .comparison, .between, .text, .geoWithin: return RowNode(predicate, className, execution)
    }
  }
}
