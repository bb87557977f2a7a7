import ByteCoding
import ChangesetOT
import DataModel

/// A vector of two peers, each with changesets on one base.
struct PairVector {
  let id: String
  let base: ModelState
  let a: [Changeset]
  let b: [Changeset]
  let expectedState: ModelState?
  let expectedError: String?
  let transformed: (aOverB: [[Instruction]], bOverA: [[Instruction]])?

  init(_ vector: VectorCase) throws {
    id = vector.id
    var parser = VectorParser()
    try parser.readSchema(vector.json["schema"])
    base = try parser.state(vector.json["base"])
    a = try Self.changesets(vector.json["a"], &parser)
    b = try Self.changesets(vector.json["b"], &parser)
    let expect = vector.json["expect"]
    expectedError = expect?["error"]?.string
    if expect?["state"] != nil {
      var expected = VectorParser()
      try expected.readSchema(expect?["schema"] ?? vector.json["schema"])
      if expect?["schema"] != nil {
        for (name, table) in parser.classes where table.kind == .embedded && expected.classes[name] == nil {
          expected.classes[name] = table
        }
      }
      expectedState = try expected.state(expect?["state"])
    } else {
      expectedState = nil
    }
    if let lists = vector.json["transformed"] {
      var aOverB: [[Instruction]] = []
      var bOverA: [[Instruction]] = []
      for ops in lists["a_over_b"]?.elements ?? [] { aOverB.append(try parser.instructions(ops.elements ?? [])) }
      for ops in lists["b_over_a"]?.elements ?? [] { bOverA.append(try parser.instructions(ops.elements ?? [])) }
      transformed = (aOverB, bOverA)
    } else {
      transformed = nil
    }
  }

  private static func changesets(_ side: JSONValue?, _ parser: inout VectorParser) throws -> [Changeset] {
    let file = FileIdent(UInt64(side?["peer"]?.integer ?? 0))
    return try (side?["changesets"]?.elements ?? []).map { json in
      let time = OriginTimestamp(UInt64(clamping: json["time"]?.integer ?? 0))
      return Changeset(
        instructions: try parser.instructions(json["ops"]?.elements ?? []),
        origin: ChangesetOrigin(timestamp: time, file: file))
    }
  }

  func failures(_ transformer: Transformer) throws -> [String] {
    if let expectedError { return refusals(expectedError, transformer) }
    var failures: [String] = []
    func check(_ way: String, _ run: () throws -> [ModelState]) {
      do {
        for state in try run() where state != expectedState {
          failures.append("\(id) \(way): expected\n\(expectedState?.description ?? "-")\nfound\n\(state)")
        }
      } catch {
        failures.append("\(id) \(way): \(error)")
      }
    }
    check("a into b") { [try merge(a, into: b, transformer, expecting: transformed?.aOverB, &failures)] }
    check("b into a") { [try merge(b, into: a, transformer, expecting: transformed?.bOverA, &failures)] }
    check("server, a first") { try throughServer([a, b], transformer) }
    check("server, b first") { try throughServer([b, a], transformer) }
    return failures
  }

  private func merge(
    _ incoming: [Changeset], into local: [Changeset], _ transformer: Transformer, expecting: [[Instruction]]?,
    _ failures: inout [String]
  ) throws -> ModelState {
    var state = base
    try state.apply(local)
    let rebased = try transformer.rebased(incoming, onto: local)
    if let expecting, rebased.map(\.instructions) != expecting {
      failures.append("\(id): transformed into \(rebased.map(\.instructions)), expected \(expecting)")
    }
    try state.apply(rebased)
    return state
  }

  private func throughServer(_ sides: [[Changeset]], _ transformer: Transformer) throws -> [ModelState] {
    let idents = sides.compactMap(\.first?.origin.file)
    var network = ModelNetwork(state: base, clients: idents, transformer: transformer)
    for changeset in sides.flatMap({ $0 }) {
      try network.commit(changeset.origin.file, changeset.instructions, at: changeset.origin.timestamp)
    }
    try network.settle(uploadOrder: idents)
    return network.allStates
  }

  private func refusals(_ expected: String, _ transformer: Transformer) -> [String] {
    var failures: [String] = []
    for (way, local, incoming) in [("a into b", b, a), ("b into a", a, b)] {
      do {
        _ = try transformer.rebased(incoming, onto: local)
        failures.append("\(id) \(way): was not refused")
      } catch {
        let isSchema = error.reason == .schemaMismatch
        if isSchema != (expected == "schema_mismatch") { failures.append("\(id) \(way): refused as \(error)") }
      }
    }
    return failures
  }
}
