/// An operation that is ready to run: parsed, validated, its variables coerced, its fields collected.
///
/// It can run many times, over other roots: a subscription runs it for every event.
public final class PreparedOperation: Sendable {
  /// The kind of the operation.
  public let kind: OperationKind
  /// The name, if it has one.
  public let name: String?
  /// The fields of the root, in the order of the response.
  public let fields: [FieldCall]
  /// The values of the variables.
  public let variables: [String: GraphQLValue]
  /// The cost as ``GraphQLLimits/complexity`` counts it.
  public let complexity: Int

  let schema: GraphQLSchema
  let limits: GraphQLLimits
  let rootType: String

  init(
    operation: OperationDefinition, rootType: String, selection: CallSelection, limits: GraphQLLimits, complexity: Int
  ) {
    kind = operation.kind
    name = operation.name?.text
    variables = selection.variables
    schema = selection.schema
    fields = selection.collect([operation.selectionSet], on: rootType)
    self.limits = limits
    self.rootType = rootType
    self.complexity = complexity
  }

  /// Runs the operation. Root fields of a mutation run one after the other, everything else side by side.
  ///
  /// - Parameters:
  ///   - root: one object of the root type.
  ///   - budget: asked while the operation runs.
  public func execute(_ root: any ObjectBatch, budget: ExecutionBudget = .unlimited) async -> GraphQLResponse {
    var run = OperationRun(self, root, budget)
    while run.advance() {
      let pending = run.resolution.takePending()
      let columns = await withTaskGroup(of: (Int, Result<FieldColumn, any Error>).self) { group in
        for (index, item) in pending.enumerated() {
          let work = item.work
          group.addTask {
            do { return (index, .success(try await work())) } catch { return (index, .failure(error)) }
          }
        }
        var columns: [Result<FieldColumn, any Error>?] = Array(repeating: nil, count: pending.count)
        for await (index, column) in group { columns[index] = column }
        return columns
      }
      for (item, column) in zip(pending, columns) {
        switch column {
        case .success(let column): run.resolution.settle(item.slot, column)
        case .failure(let error): run.resolution.settle(item.slot, failure: error)
        case nil: break
        }
      }
    }
    return run.response
  }

  /// Runs the operation on this thread. A field whose resolver takes time fails.
  ///
  /// - Parameters:
  ///   - root: one object of the root type.
  ///   - budget: asked while the operation runs.
  public func executeSynchronously(_ root: any ObjectBatch, budget: ExecutionBudget = .unlimited) -> GraphQLResponse {
    var run = OperationRun(self, root, budget)
    while run.advance() {
      for item in run.resolution.takePending() {
        run.resolution.settle(item.slot, failure: GraphQLError("This field cannot be answered without waiting."))
      }
    }
    return run.response
  }
}

/// The state of one run: resolves, and writes what is resolved.
struct OperationRun {
  var resolution: Resolution
  private let operation: PreparedOperation
  private let budget: ExecutionBudget
  private let group: BatchNode.Group
  private let node: BatchNode
  private var writer: DataWriter
  /// The root fields that were asked for, and those that were written.
  private var asked = 0
  private var wroteAll = true

  init(_ operation: PreparedOperation, _ root: any ObjectBatch, _ budget: ExecutionBudget) {
    self.operation = operation
    self.budget = budget
    resolution = Resolution(schema: operation.schema, limits: operation.limits, budget: budget)
    group = BatchNode.Group(batch: root, typeName: operation.rootType, calls: operation.fields, problem: nil)
    node = BatchNode(groups: [group], places: [])
    writer = DataWriter(limits: operation.limits, budget: budget, rows: 0)
    writer.json.raw("{")
  }

  /// Goes on until something has to be awaited, and answers true; false when the response is complete.
  mutating func advance() -> Bool {
    while true {
      resolution.run()
      if resolution.refusal != nil { return false }
      if !resolution.pending.isEmpty { return true }
      guard operation.kind == .mutation else {
        if asked > 0 || group.calls.isEmpty {
          for index in group.calls.indices where wroteAll { write(index) }
          return false
        }
        for index in group.calls.indices { resolution.ask(.init(group: group, index: index)) }
        asked = 1
        continue
      }
      if asked > 0 { write(asked - 1) }
      guard asked < group.calls.count, wroteAll else { return false }
      resolution.ask(.init(group: group, index: asked))
      asked += 1
    }
  }

  private mutating func write(_ index: Int) {
    if index > 0 { writer.json.raw(",") }
    wroteAll = writer.field(group.calls[index], group.columns[index], 0)
  }

  var response: GraphQLResponse {
    if let refusal = resolution.refusal { return GraphQLResponse(data: Array("null".utf8), errors: [refusal]) }
    guard wroteAll, writer.refusal == nil else {
      return GraphQLResponse(data: Array("null".utf8), errors: writer.listedErrors)
    }
    return GraphQLResponse(data: writer.json.bytes + [UInt8(ascii: "}")], errors: writer.listedErrors)
  }
}
