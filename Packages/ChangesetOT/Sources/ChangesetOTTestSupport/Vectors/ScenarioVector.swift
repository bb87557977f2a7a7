import ByteCoding
import ChangesetOT
import DataModel

/// A vector of several peers that commit, upload and download in a given order.
struct ScenarioVector {
  let id: String
  let base: ModelState
  let peers: [FileIdent]
  let steps: [Action]
  let state: ModelState?
  let anyOrder: Bool
  let byOrder: [(order: [FileIdent], state: ModelState)]

  enum Action {
    case commit(FileIdent, OriginTimestamp, [Instruction])
    case upload(FileIdent)
    case download(FileIdent)
  }

  init(_ vector: VectorCase) throws {
    id = vector.id
    var parser = VectorParser()
    try parser.readSchema(vector.json["schema"])
    base = try parser.state(vector.json["base"])
    peers = (vector.json["peers"]?.elements ?? []).compactMap { $0.integer.map { FileIdent(UInt64($0)) } }
    anyOrder = vector.json["any_order"]?.bool ?? false
    steps = try (vector.json["steps"]?.elements ?? []).map { step in
      let peer = FileIdent(UInt64(step["peer"]?.integer ?? 0))
      switch step["do"]?.string {
      case "upload": return .upload(peer)
      case "download": return .download(peer)
      case "commit":
        let time = OriginTimestamp(UInt64(clamping: step["time"]?.integer ?? 0))
        return .commit(peer, time, try parser.instructions(step["ops"]?.elements ?? []))
      default: throw VectorFormatError("step \(step)")
      }
    }
    let expect = vector.json["expect"]
    var expected = VectorParser()
    try expected.readSchema(vector.json["schema"])
    try expected.readSchema(expect?["schema"])
    state = try expect?["state"].map { try expected.state($0) }
    byOrder = try (expect?["by_order"]?.elements ?? []).map { entry in
      let order = (entry["upload_order"]?.elements ?? []).compactMap { $0.integer.map { FileIdent(UInt64($0)) } }
      return (order, try expected.state(entry["state"]))
    }
  }

  func failures(_ transformer: Transformer) -> [String] {
    var failures: [String] = []
    if let state {
      failures += run(nil, state, transformer)
      if anyOrder {
        for order in peers.permutations { failures += run(order, state, transformer) }
      }
    }
    for (order, state) in byOrder { failures += run(order, state, transformer) }
    if state == nil && byOrder.isEmpty { failures.append("\(id): expects nothing") }
    return failures
  }

  private func run(_ order: [FileIdent]?, _ expected: ModelState, _ transformer: Transformer) -> [String] {
    do {
      var network = ModelNetwork(state: base, clients: peers, transformer: transformer)
      for step in steps {
        switch step {
        case .commit(let peer, let time, let instructions): try network.commit(peer, instructions, at: time)
        case .upload(let peer): try network.upload(peer)
        case .download(let peer): try network.download(peer)
        }
      }
      try network.settle(uploadOrder: order)
      return network.allStates.filter { $0 != expected }.map {
        "\(id) order \(order.map { "\($0.map(\.rawValue))" } ?? "as given"): expected\n\(expected)\nfound\n\($0)"
      }
    } catch {
      return ["\(id): \(error)"]
    }
  }
}

extension Array {
  /// All orders of the elements.
  var permutations: [[Element]] {
    guard count > 1 else { return [self] }
    return indices.flatMap { index -> [[Element]] in
      var rest = self
      let element = rest.remove(at: index)
      return rest.permutations.map { [element] + $0 }
    }
  }
}
