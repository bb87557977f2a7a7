import ChangesetOT
import RecordStore
import SyncProtocol
import TestKit
import Transport

/// The subject of the search for costs: a server's realm with long lists and many links, and the decoders.
final class CostSubject {
  /// Instructions of an input in the search; the worst are tried with more.
  static let usualSteps = 48
  static let mostSteps = 6_000
  /// Integrated uploads after which the realm is made anew.
  private static let lifetime = 200
  /// Objects that link to each hub.
  private static let origins = 300

  private var history: ServerHistory?
  private var known: [Int: CostChangeset.Known] = [:]
  private var author = FileIdent(0)
  private var version: UInt64 = 0
  private var uploads = 0
  private var realms = 0

  /// Feeds an input; returns its bytes, of which decompressed ones count.
  func feed(_ genome: CostGenome, steps limit: Int) throws -> CostMeasure {
    switch genome.kind {
    case .changeset: return try feedChangeset(genome, limit)
    case .merge: return feedMerge(genome, limit)
    case .message: return feedMessages(genome, limit / 8)
    case .stream: return feedStream(genome, limit)
    }
  }

  // MARK: Changesets

  private func feedChangeset(_ genome: CostGenome, _ limit: Int) throws -> CostMeasure {
    if history == nil || uploads >= Self.lifetime { try makeRealm() }
    var made = CostChangeset(known, salt: uploads)
    made.add(genome.steps(limit: limit))
    let batch = self.batch(made.instructions)
    guard let history else { return CostMeasure(seconds: 0, grown: 0, bytes: 0) }
    var outcome: UploadOutcome?
    let measure = CostMeasure.of {
      outcome = try? history.integrate([batch]).first
      return batch.entries[0].changeset.count
    }
    uploads += 1
    if case .integrated? = outcome {
      known = made.known
    } else if case .refused(.badChangeset)? = outcome {
      version -= 1
    } else {
      self.history = nil
    }
    return measure
  }

  private func batch(_ instructions: [Instruction]) -> UploadBatch {
    version += 1
    let changeset = Changeset(
      instructions: instructions, origin: ChangesetOrigin(timestamp: OriginTimestamp(version), file: author))
    let cursor = UploadCursor(client: ClientVersion(version), server: .zero)
    let entry = UploadEntry(cursor: cursor, timestamp: OriginTimestamp(version), changeset: changeset.encoded())
    return UploadBatch(file: author, progress: cursor, lockedServerVersion: .zero, entries: [entry])
  }

  private func makeRealm() throws {
    realms += 1
    (version, uploads) = (1, 0)
    var random = SeededGenerator(seed: UInt64(realms))
    let history = try ServerHistory(try RealmFile.open(.inMemory(name: "cost \(realms)")), random: &random)
    author = try history.allocateClientFile(random: &random).ident
    var instructions = CostChangeset.schema
    known = [:]
    for hub in 0..<CostChangeset.hubs {
      instructions.append(.createObject(CreateObject(object: CostChangeset.item(hub))))
    }
    for hub in 0..<CostChangeset.hubs {
      func at(_ field: String, _ path: PathElement...) -> Target {
        Target(object: CostChangeset.item(hub), field: field, path: path)
      }
      instructions.append(.update(Update(target: at("m"), payload: .list)))
      for number in 0..<UInt32(Self.origins) {
        let origin = CostChangeset.item(1_000 + Int(number))
        if hub == 0 { instructions.append(.createObject(CreateObject(object: origin))) }
        let link = Payload.link(CostChangeset.item(hub))
        instructions += [
          .update(Update(target: Target(object: origin, field: hub % 2 == 0 ? "ref" : "m"), payload: link)),
          .arrayInsert(
            ArrayInsert(
              target: at("refs", .index(number)),
              payload: .link(CostChangeset.item(Int(number) % CostChangeset.objects)), priorSize: number)),
          .arrayInsert(ArrayInsert(target: at("m", .index(number)), payload: .int(7), priorSize: number)),
        ]
      }
      let size = UInt32(Self.origins)
      known[hub] = CostChangeset.Known(links: size, nested: size)
    }
    guard case .integrated? = try history.integrate([batch(instructions)]).first else {
      preconditionFailure("the realm of the search is made from honest instructions")
    }
    self.history = history
  }

  // MARK: Merges

  /// One half of the genes against the other, both on a state with long lists.
  private func feedMerge(_ genome: CostGenome, _ limit: Int) -> CostMeasure {
    let sizes = Dictionary(
      uniqueKeysWithValues: (0..<CostChangeset.objects).map { ($0, CostChangeset.Known(links: 300, nested: 300)) })
    let middle = genome.genes.count / 2
    func side(_ genes: ArraySlice<CostGenome.Gene>, _ file: UInt64) -> [Changeset] {
      var made = CostChangeset(sizes, salt: Int(file))
      made.add(CostGenome(kind: .merge, genes: Array(genes)).steps(limit: limit / 2))
      let origin = ChangesetOrigin(timestamp: OriginTimestamp(file), file: FileIdent(file))
      return [Changeset(instructions: made.instructions, origin: origin)]
    }
    var (local, incoming) = (side(genome.genes[..<middle], 2), side(genome.genes[middle...], 3))
    let bytes = (local + incoming).reduce(0) { $0 + $1.encoded().count }
    return CostMeasure.of {
      _ = try? Transformer().transform(local: &local, incoming: &incoming)
      return bytes
    }
  }

  // MARK: Messages and streams

  private func feedMessages(_ genome: CostGenome, _ limit: Int) -> CostMeasure {
    let dialect = Dialect(.full, ProtocolVersion(14))
    var messages: [[UInt8]] = [Array("bind 1 3 0 1 0\n/~/".utf8) + [97], Array("ident 1 2 7 0 0 0 0\n".utf8)]
    for step in genome.steps(limit: limit) {
      switch step.code % 6 {
      case 0: messages.append(Array("mark \(step.first % 3) \(step.second)\n".utf8))
      case 1: messages.append(Array("bind \(step.first) 3 0 1 0\n/~/".utf8) + [97 + step.second % 20])
      case 2: messages.append(Array("unbind \(step.first % 3)\n".utf8))
      case 3: messages.append([UInt8](repeating: step.first, count: Int(step.second) * 4))
      default:
        let entry = UploadEntry(
          cursor: UploadCursor(client: ClientVersion(UInt64(step.first) + 2), server: .zero),
          timestamp: OriginTimestamp(1), changeset: step.code % 6 == 4 ? [] : [UInt8](repeating: 0, count: 16))
        let upload = UploadMessage(
          session: SessionIdent(1), progress: entry.cursor, lockedServerVersion: .zero,
          entries: Array(repeating: entry, count: Int(step.second) + 1))
        messages.append(ClientMessage.upload(upload).encoded(for: dialect))
      }
    }
    return CostMeasure.of {
      var machine = ServerConnection(dialect: dialect, correlation: "cost")
      _ = machine.start()
      for message in messages {
        for action in machine.receive(message) {
          switch action {
          case .openRealm(let key, _): _ = machine.handle(.realmOpened(key))
          case .integrate(let key, let batch): _ = machine.handle(.uploadIntegrated(key, bytes: batch.weight))
          default: break
          }
        }
        // A compressed body may expand a thousandfold, so the cost of decoding alone is measured.
        _ = try? MessageDecoder(dialect: dialect).clientMessage(message)
      }
      return messages.reduce(0) { $0 + $1.count }
    }
  }

  private func feedStream(_ genome: CostGenome, _ limit: Int) -> CostMeasure {
    var bytes: [UInt8] = []
    for step in genome.steps(limit: limit) {
      let size = Int(step.second) * (step.first % 16 == 0 ? 64 : 1)
      let opcode: UInt8 = [0x00, 0x80, 0x02, 0x82, 0x89, 0x8A, 0x01, 0x88][Int(step.code % 8)]
      bytes.append(opcode)
      if size < 126 {
        bytes.append(0x80 | UInt8(size))
      } else {
        bytes += [0xFE, UInt8(size >> 8), UInt8(size & 255)]
      }
      bytes += [0, 0, 0, 0] + [UInt8](repeating: 65, count: size)
    }
    let piece = [1, 7, 1_024, 1 << 20][Int(genome.genes.first?.first ?? 0) % 4]
    return CostMeasure.of {
      var decoder = WebSocketDecoder(role: .server, maximumMessageBytes: 64 << 20)
      for start in stride(from: 0, to: bytes.count, by: piece) {
        decoder.append(Array(bytes[start..<min(start + piece, bytes.count)]))
        while let event = try? decoder.next() { _ = event }
      }
      return bytes.count
    }
  }
}
