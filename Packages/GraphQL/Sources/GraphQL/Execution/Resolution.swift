/// Asks resolvers level by level and keeps their columns. Performs nothing that waits: it hands out what is deferred.
struct Resolution {
  let schema: GraphQLSchema
  let limits: GraphQLLimits
  let budget: ExecutionBudget
  /// The error that ended the request.
  private(set) var refusal: GraphQLError?
  private(set) var rows = 0
  /// Columns that take time, to be awaited by the owner and handed to ``settle(_:_:)``.
  private(set) var pending: [Pending] = []
  private var work: [Slot] = []

  struct Slot {
    var group: BatchNode.Group
    var index: Int
  }

  struct Pending {
    var slot: Slot
    var work: @Sendable () async throws -> FieldColumn
  }

  init(schema: GraphQLSchema, limits: GraphQLLimits, budget: ExecutionBudget) {
    self.schema = schema
    self.limits = limits
    self.budget = budget
  }

  mutating func ask(_ slot: Slot) { work.append(slot) }

  mutating func takePending() -> [Pending] {
    defer { pending = [] }
    return pending
  }

  /// Asks for columns until nothing is left but what is deferred.
  mutating func run() {
    while !work.isEmpty, refusal == nil {
      let wave = work
      work = []
      for slot in wave where refusal == nil { ask(for: slot) }
    }
    work = []
  }

  private mutating func ask(for slot: Slot) {
    let call = slot.group.calls[slot.index]
    if let error = budget.refusal(.init(rows: rows, bytes: 0)) {
      refusal = error
    } else if let error = call.argumentError {
      settle(slot, failure: error)
    } else if call.name == "__typename" {
      var writer = JSONWriter()
      writer.write(slot.group.typeName)
      slot.group.columns[slot.index] = .typeName(writer.bytes)
    } else if slot.group.typeName == schema.rootType(of: .query)?.name.text,
      let value = Introspection.root(call, schema)
    {
      settle(slot, .values(Array(repeating: value, count: slot.group.batch.count)))
    } else {
      do { settle(slot, try slot.group.batch.resolve(call)) } catch { settle(slot, failure: error) }
    }
  }

  mutating func settle(_ slot: Slot, failure: any Error) { slot.group.columns[slot.index] = .failure(failure) }

  mutating func settle(_ slot: Slot, _ column: FieldColumn) {
    let call = slot.group.calls[slot.index]
    let count = slot.group.batch.count
    switch column {
    case .deferred(let work): pending.append(Pending(slot: slot, work: work))
    case .leaves(let leaves): slot.group.columns[slot.index] = .leaves(leaves)
    case .values(let values):
      guard values.count == count else { return settle(slot, failure: mismatch(call, values.count, count)) }
      if case .composite = call.leaf {
        var objects: [any GraphQLObject] = []
        let shapes = values.map { shape($0, &objects) }
        settle(slot, ObjectRun(objects: objects), .shapes(shapes))
      } else {
        slot.group.columns[slot.index] = .values(values)
      }
    case .objects(let batch, let places):
      guard case .composite = call.leaf else {
        return settle(slot, failure: GraphQLError("The resolver of a leaf gave objects."))
      }
      let expected: Bool =
        switch places {
        case .one: batch.count == count
        case .optional(let positions): positions.count == count && positions.allSatisfy { $0 < batch.count }
        case .lists(let offsets):
          offsets.count == count + 1 && zip(offsets, offsets.dropFirst()).allSatisfy { $0 <= $1 }
            && (offsets.first ?? 0) >= 0 && (offsets.last ?? 0) <= batch.count
        case .shapes(let shapes): shapes.count == count
        }
      guard expected else { return settle(slot, failure: mismatch(call, batch.count, count)) }
      settle(slot, batch, places)
    }
  }

  private func mismatch(_ call: FieldCall, _ found: Int, _ expected: Int) -> GraphQLError {
    GraphQLError("The resolver of \"\(call.parentType).\(call.name)\" gave \(found) values for \(expected) objects.")
  }

  private mutating func settle(_ slot: Slot, _ batch: any ObjectBatch, _ places: ObjectPlaces) {
    rows += batch.count
    guard rows <= limits.rows else {
      refusal = GraphQLLimits.exceeded("rows", limits.rows, "The response has more than \(limits.rows) objects.")
      return
    }
    let call = slot.group.calls[slot.index]
    let node = node(of: batch, for: call.type.name.text) { call.fields(on: $0) }
    slot.group.columns[slot.index] = .objects(node, places)
    for group in node.groups { for index in group.calls.indices { ask(Slot(group: group, index: index)) } }
  }

  /// The groups of a batch by the types of its objects.
  func node(of batch: any ObjectBatch, for type: String, fields: (String) -> [FieldCall]) -> BatchNode {
    func group(_ batch: any ObjectBatch, _ name: String) -> BatchNode.Group {
      let isObject = schema.type(named: name)?.kind == .object
      let problem: GraphQLError? =
        isObject && schema.isPossible(name, for: type)
        ? nil
        : GraphQLError(
          isObject
            ? "The object type \"\(name)\" is no possible type of \"\(type)\"."
            : "\"\(type)\" was resolved to \"\(name)\", which is not an object type of the schema.")
      return BatchNode.Group(
        batch: batch, typeName: name, calls: problem == nil ? fields(name) : [], problem: problem)
    }
    switch batch.types {
    case .all(let name): return BatchNode(groups: [group(batch, name)], places: [])
    case .each(let names):
      var indexes: [String: Int] = [:]
      var positions: [(name: String, rows: [Int])] = []
      var places: [(group: Int, position: Int)] = []
      places.reserveCapacity(names.count)
      for (row, name) in names.enumerated() {
        let index = indexes[name] ?? positions.count
        if index == positions.count {
          indexes[name] = index
          positions.append((name, []))
        }
        places.append((index, positions[index].rows.count))
        positions[index].rows.append(row)
      }
      return BatchNode(groups: positions.map { group(batch.subset($0.rows), $0.name) }, places: places)
    }
  }

  private func shape(_ value: ResolvedValue, _ objects: inout [any GraphQLObject]) -> ObjectPlaces.Shape {
    switch value {
    case .null: return .null
    case .failure(let error): return .failure(error)
    case .object(let object):
      objects.append(object)
      return .object(objects.count - 1)
    case .list(let values): return .list(values.map { shape($0, &objects) })
    case .bool, .int, .double, .string, .json, .deferred:
      return .failure(GraphQLError("Expected an object, found a leaf."))
    }
  }
}
