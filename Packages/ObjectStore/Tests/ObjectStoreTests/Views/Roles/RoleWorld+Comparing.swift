import ChangesetOT
import DataModel
import Permissions
import TestKit

@testable import ObjectStore
@testable import RecordStore

extension RoleWorld {
  // MARK: Writes

  /// Writes of a client that has seen everything, and their effect.
  mutating func strictUpload(_ number: Int) throws {
    log.append("strict \(number)")
    try downloadAll(number)
    try network.upload(number)
    try noteState()
    try downloadAll(number)
    for _ in 0..<Int.random(in: 1...3, using: &random) { try edit(number) }
    let client = network.clients[number]
    guard let known = try network.server.clientFile(client.ident) else { return }
    let scan = try client.history.uploadableEntries(after: known.upload)
    let changesets = try scan.entries.map { entry in
      try Changeset(
        decoding: entry.changeset, origin: ChangesetOrigin(timestamp: entry.timestamp, file: client.ident)
      ).instructions
    }
    guard let selections = selections[number], !changesets.isEmpty else {
      try network.upload(number)
      return try noteState()
    }
    let before = try network.file.dump()
    var judge = try RoleJudge(network.file, client.access, selections)
    try judge.take(changesets)
    log.append("judged: \(judge.refusals)")
    try network.upload(number)
    try noteState()
    let refusals = network.clients[number].refusals[client.refusals.count...]
    log.append("uploaded: \(refusals)")
    let expected = try judge.file.dump()
    if try network.file.dump() != expected {
      complaint = """
        the upload of client \(number) had another effect than the monitor says
        \(StateDump.difference(try network.file.dump(), expected))
        --- before
        \(before)
        """
    }
    let versions = scan.entries.map(\.cursor.client)
    let told = Set(
      refusals.map { refusal in
        RoleJudge.Refusal(object: refusal.object, changeset: versions.firstIndex(of: refusal.clientVersion) ?? -1)
      })
    if told != judge.refusals, complaint == nil {
      complaint = """
        client \(number) is told of \(told.subtracting(judge.refusals)), and not of \(judge.refusals.subtracting(told))
        --- before
        \(before)
        """
    }
    if refusals.contains(where: { !$0.reason.hasPrefix("write not allowed: ") || $0.reason.utf8.count < 30 }) {
      complaint = complaint ?? "a refusal without a reason: \(refusals)"
    }
  }

  // MARK: Comparing

  mutating func compare() throws {
    log.append("settle")
    for _ in 0..<3 {
      for number in network.clients.indices {
        try downloadAll(number)
        try network.upload(number)
        try noteState()
      }
    }
    for number in network.clients.indices { try downloadAll(number) }
    complaint = complaint ?? ledger.complaint
    let reference = try ViewReference(network.file)
    let facts = try RoleFacts(network.file)
    for number in network.clients.indices where complaint == nil {
      let client = network.clients[number]
      let expected = try selections[number].map {
        reference.expected(
          try reference.held($0, followsLinks: client.access?.followsLinks ?? false, facts.rights(client.access)))
      }
      // Declarations stay in the file of their author.
      let wanted = expected ?? reference.dump
      let dump = try network.dump(number).withoutOwnFields(wanted)
      if dump != wanted {
        complaint = """
          client \(number) (\(client.ident.rawValue)) \(client.access.map { "\($0)" } ?? "") with \
          \(client.wanted?.json ?? "everything")
          \(StateDump.difference(dump, wanted))
          --- server
          \(reference.dump)
          """
      }
      if let books = try LinkBooks(client.history.file).complaint { complaint = "client \(number): \(books)" }
    }
    if let books = try LinkBooks(network.file).complaint { complaint = "server: \(books)" }
  }
}

extension StateDump {
  /// The dump without fields that another one does not declare: what is refused of a schema stays in its author's file.
  func withoutOwnFields(_ other: StateDump) -> StateDump {
    var dump = self
    for (name, objects) in objects where objects.isEmpty && other.objects[name] == nil { dump.objects[name] = nil }
    for (name, objects) in objects {
      for (key, fields) in objects {
        guard let known = other.objects[name]?[key] else { continue }
        dump.objects[name]?[key] = fields.filter { known[$0.key] != nil }
      }
    }
    return dump
  }
}
