import DataModel

/// A cluster on its way through the conditions.
struct Batch {
  let cluster: any QueryCluster
  let slotCount: Int
  let firstRow: QueryRow

  init(_ cluster: any QueryCluster) {
    self.cluster = cluster
    slotCount = cluster.slotCount
    firstRow = cluster.firstRow
  }

  /// The slots in which rows live.
  var live: Selection {
    var live = Selection(first: slotCount)
    if let slots = cluster.liveSlots { live.formIntersection(Selection(loading: slots)) }
    return live
  }

  @inline(__always) func row(_ slot: Int) -> QueryRow { firstRow &+ QueryRow(slot) }
}

/// A condition prepared for one run: takes rows out of the selection of a cluster.
class FilterNode {
  /// What a row is expected to cost; cheap conditions run first.
  let cost: Double

  init(cost: Double) { self.cost = cost }

  /// Removes the rows for which the condition does not hold.
  func apply(_ batch: Batch, _ selection: inout Selection) throws {}
}

final class AlwaysNode: FilterNode {
  private let value: Bool

  init(_ value: Bool) {
    self.value = value
    super.init(cost: 0)
  }

  override func apply(_ batch: Batch, _ selection: inout Selection) throws { if !value { selection = Selection() } }
}

final class AndNode: FilterNode {
  private let parts: [FilterNode]

  init(_ parts: [FilterNode]) {
    self.parts = parts.sorted { $0.cost < $1.cost }
    super.init(cost: self.parts.first?.cost ?? 0)
  }

  override func apply(_ batch: Batch, _ selection: inout Selection) throws {
    for part in parts {
      if selection.isEmpty { return }
      try part.apply(batch, &selection)
    }
  }
}

final class OrNode: FilterNode {
  private let parts: [FilterNode]

  init(_ parts: [FilterNode]) {
    self.parts = parts.sorted { $0.cost < $1.cost }
    super.init(cost: parts.reduce(0) { $0 + $1.cost })
  }

  override func apply(_ batch: Batch, _ selection: inout Selection) throws {
    var found = Selection()
    var rest = selection
    for part in parts {
      if rest.isEmpty { break }
      var holding = rest
      try part.apply(batch, &holding)
      found.formUnion(holding)
      rest.subtract(holding)
    }
    selection = found
  }
}

final class NotNode: FilterNode {
  private let inner: FilterNode

  init(_ inner: FilterNode) {
    self.inner = inner
    super.init(cost: inner.cost)
  }

  override func apply(_ batch: Batch, _ selection: inout Selection) throws {
    var holding = selection
    try inner.apply(batch, &holding)
    selection.subtract(holding)
  }
}

/// A condition that columns cannot answer, row by row.
final class RowNode: FilterNode {
  private let predicate: PlanPredicate
  private let className: String
  private let evaluator: RowEvaluator

  init(_ predicate: PlanPredicate, _ className: String, _ execution: Execution) {
    self.predicate = predicate
    self.className = className
    evaluator = RowEvaluator(execution: execution)
    super.init(cost: 1000)
  }

  override func apply(_ batch: Batch, _ selection: inout Selection) throws {
    try selection.filter { try evaluator.holds(predicate, className, batch.row($0)) }
  }
}
