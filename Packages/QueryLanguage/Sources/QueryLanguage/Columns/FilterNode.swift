import DataModel

/// A cluster with the two numbers that every condition asks of it, read once.
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

  /// The row key of a slot.
  func row(_ slot: Int) -> QueryRow { firstRow &+ QueryRow(slot) }
}

/// A condition prepared for one run: takes rows out of the selection of a cluster.
class FilterNode {
  /// The expected cost for one row, in arbitrary units; cheap conditions run first.
  let cost: Double

  init(cost: Double) { self.cost = cost }

  /// Removes the rows for which the condition does not hold.
  func apply(_ batch: Batch, _ selection: inout Selection) throws {}
}

/// TRUEPREDICATE and FALSEPREDICATE.
final class AlwaysNode: FilterNode {
  private let value: Bool

  init(_ value: Bool) {
    self.value = value
    super.init(cost: 0)
  }

  override func apply(_ batch: Batch, _ selection: inout Selection) throws { if !value { selection = Selection() } }
}

/// A conjunction: the cheapest part first, until nothing is selected.
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

/// A disjunction: each part sees only the rows that no part before it took.
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

/// A negation.
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

/// The plain form: any condition, row by row.
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
