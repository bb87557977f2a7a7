/// Writes the data of a response depth first from settled columns, and collects errors.
///
/// A function that answers false has met a null that its place does not allow; the error is recorded, and the nearest
/// place that allows null takes back what was written since and writes `null`.
struct DataWriter {
  var json = JSONWriter(capacity: 1024)
  private(set) var errors: [GraphQLError] = []
  /// The error that ended the request.
  private(set) var refusal: GraphQLError?
  private let limits: GraphQLLimits
  private let budget: ExecutionBudget
  private let rows: Int
  private var path: [PathElement] = []
  private var written = 0
  private var unlisted = 0
  private var locations: [ObjectIdentifier: [SourceLocation]] = [:]

  init(limits: GraphQLLimits, budget: ExecutionBudget, rows: Int) {
    self.limits = limits
    self.budget = budget
    self.rows = rows
  }

  /// The errors, with a note when there were more than the bound.
  var listedErrors: [GraphQLError] {
    if let refusal { return [refusal] + errors }
    return unlisted == 0 ? errors : errors + [GraphQLError("\(unlisted) more errors are not listed.")]
  }

  /// The object at a position of a batch, the value of a field or an element of it.
  mutating func object(_ node: BatchNode, _ row: Int, of call: FieldCall) -> Bool {
    guard isAllowed() else { return false }
    let place = node.places.isEmpty ? (group: 0, position: row) : node.places[row]
    let group = node.groups[place.group]
    if let problem = group.problem {
      record(problem, call)
      return false
    }
    return fields(group.calls, group.columns, place.position)
  }

  /// The fields of one object between braces.
  private mutating func fields(_ calls: [FieldCall], _ columns: [BatchNode.Column], _ row: Int) -> Bool {
    json.raw(UInt8(ascii: "{"))
    for index in calls.indices {
      if index > 0 { json.raw(UInt8(ascii: ",")) }
      guard field(calls[index], columns[index], row) else { return false }
    }
    json.raw(UInt8(ascii: "}"))
    return true
  }

  /// A list of objects of one type. Their columns are looked up once.
  mutating func objects(_ group: BatchNode.Group, _ rows: Range<Int>, _ element: TypeReference) -> Bool {
    let (calls, columns) = (group.calls, group.columns)
    return list(rows.count, element) { writer, index in
      writer.isAllowed() && writer.fields(calls, columns, rows.lowerBound + index)
    }
  }

  /// One field with its key.
  mutating func field(_ call: FieldCall, _ column: BatchNode.Column, _ row: Int) -> Bool {
    json.raw(call.keyBytes)
    let mark = json.count
    switch column {
    case .typeName(let bytes):
      json.raw(bytes)
      return true
    case .leaves(let leaves):
      do {
        if try leaves.write(row, to: &json) { return true }
        if !call.isNonNull { return true }
        path.append(.key(call.responseKey))
        recordNull(call)
      } catch {
        json.truncate(to: mark)
        path.append(.key(call.responseKey))
        record(error, call)
      }
      path.removeLast()
      return null(isAllowed: !call.isNonNull)
    case .values(let values): return within(call, mark) { $0.value(values[row], call.type, call) }
    case .objects(let node, let places):
      return within(call, mark) { $0.objects(node, places, row, call) }
    case .failure(let error):
      return within(call, mark) {
        $0.record(error, call)
        return false
      }
    case .unsettled: return null(isAllowed: !call.isNonNull)
    }
  }

  /// Runs the body below a field; a null that it may not have becomes the null of the field, if that may be.
  private mutating func within(_ call: FieldCall, _ mark: Int, _ body: (inout Self) -> Bool) -> Bool {
    path.append(.key(call.responseKey))
    let isWritten = body(&self)
    path.removeLast()
    if isWritten { return true }
    json.truncate(to: mark)
    return null(isAllowed: !call.isNonNull)
  }

  private mutating func null(isAllowed: Bool) -> Bool {
    guard isAllowed, refusal == nil else { return false }
    json.writeNull()
    return true
  }

  // MARK: Bounds and errors

  private mutating func isAllowed() -> Bool {
    if refusal != nil { return false }
    written += 1
    if json.count > limits.responseBytes {
      refusal = GraphQLLimits.exceeded(
        "responseBytes", limits.responseBytes, "The response has more than \(limits.responseBytes) bytes.")
    } else if written & 1023 == 0 {
      refusal = budget.refusal(.init(rows: rows, bytes: json.count))
    }
    return refusal == nil
  }

  mutating func recordNull(_ call: FieldCall) {
    record(GraphQLError("\"\(call.parentType).\(call.name)\" of type \"\(call.type)\" has no value."), call)
  }

  mutating func record(_ error: any Error, _ call: FieldCall) {
    guard errors.count < limits.errors else {
      unlisted += 1
      return
    }
    var listed = (error as? GraphQLError) ?? GraphQLError("\(error)")
    listed.path = path + listed.path
    if listed.locations.isEmpty {
      let id = ObjectIdentifier(call)
      listed.locations = locations[id] ?? call.locations
      locations[id] = listed.locations
    }
    errors.append(listed)
  }

  mutating func enter(_ index: Int) { path.append(.index(index)) }
  mutating func leave() { path.removeLast() }
}
