import ChangesetOT
import DataModel

/// Several peers, several steps.
struct ScenarioVector {
  let id: String
  let base: ModelState
  let peers: [FileIdent]
  let steps: [Step]
  let state: ModelState?
  let anyOrder: Bool
  let byOrder: [(order: [FileIdent], state: ModelState)]

  enum Step {
    case commit(FileIdent, OriginTimestamp, [Instruction])
    case upload(FileIdent)
    case download(FileIdent)
  }

  init(_ vector: VectorCase) throws {
    id = vector.id
    var parser = VectorParser()
    try parser.readSchema(vector.json["schema"])
    base = try parser.state(vector.json["base"])
    peers = (vector.json["peers"]?.items ?? []).compactMap { $0.number.map { FileIdent(UInt64($0)) } }
    anyOrder = vector.json["any_order"]?.flag ?? false
    steps = try (vector.json["steps"]?.items ?? []).map { step in
      let peer = FileIdent(UInt64(step["peer"]?.number ?? 0))
      switch step["do"]?.text {
      case "upload": return .upload(peer)
      case "download": return .download(peer)
      case "commit":
        let time = OriginTimestamp(UInt64(clamping: step["time"]?.number ?? 0))
        return .commit(peer, time, try parser.instructions(step["ops"]?.items ?? []))
      default: throw VectorFormatError("step \(step)")
      }
    }
    let expect = vector.json["expect"]
    var expected = VectorParser()
    try expected.readSchema(vector.json["schema"])
    try expected.readSchema(expect?["schema"])
    state = try expect?["state"].map { try expected.state($0) }
    byOrder = try (expect?["by_order"]?.items ?? []).map { entry in
      let order = (entry["upload_order"]?.items ?? []).compactMap { $0.number.map { FileIdent(UInt64($0)) } }
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
