import AdapterKit
import ByteCoding
import ChangesetOT
import Foundation
import ObjectStore
import RecordStore

extension RemoteRealm {
  /// The most writes of one call of a handler.
  private static let mostWrites = 256

  /// Records the effect in a copy of the newest state, and sends it with a number that says which transaction it belongs to. The
  /// server writes each number once, so the number is the position that is durable with the effect.
  func write<Value: Sendable>(
    _ target: ChangeDetails.WriteTarget, _ body: @escaping @Sendable (Realm) throws -> Value
  ) async throws -> Value {
    guard let copy = state.withLock({ $0.replica?.forEffects() }) else { throw RemoteServer.lacks("copy") }
    precondition(target.writes < Self.mostWrites, "a handler writes at most 256 times for one transaction")
    do {
      try await follow(copy)
      let (result, changeset) = try await perform { try copy.recording(target.objectTypes, body) }
      guard let base = copy.position else { throw RemoteServer.lacks("position") }
      let number = target.position.version.rawValue << 8 | UInt64(target.writes)
      _ = try await server.call(
        "POST", "/transactions",
        body: self.body + [
          ("number", .number(String(number))), ("base", .string(AdapterPosition.text(base))),
          changeset.isEmpty
            ? ("instructions", .array([]))
            : ("changeset", .string(Data(changeset).base64EncodedString())),
        ])
      return result
    } catch {
      // Classes of the handler may be in it that the server does not have.
      try await perform { copy.discard() }
      throw error
    }
  }

  /// Takes over what came since the copy was used last.
  private func follow(_ copy: RealmReplica) async throws {
    while let position = copy.position {
      let response = try await server.call(
        "GET", "/transactions",
        query: query + [("form", "changesets"), ("limit", "1000"), ("after", AdapterPosition.text(position))],
        known: [409, 410])
      guard response.status == 200 else { break }
      let events = try events(response)
      if events.isEmpty { return }
      try await perform { for event in events { try copy.apply(event.changeset, making: event.position) } }
    }
    try await fill(copy, from: try await server.call("GET", "/contents", query: query))
  }
}

extension RealmReplica {
  /// Runs a write on the copy and takes it back.
  ///
  /// - Returns: the result, and the changeset of what was done; empty when nothing was.
  func recording<Value>(_ types: [ObjectBase.Type], _ body: (Realm) throws -> Value) throws -> (Value, [UInt8]) {
    guard let file, let before = try contents()?.schema else { throw RemoteServer.lacks("copy") }
    let realm = try Realm(of: file, objectTypes: types)
    let after = try file.contents().schema
    var instructions: [Instruction] = []
    if before != after { instructions = try Self.additions(from: before, to: after) }
    realm.beginWrite()
    realm.editor.beginRecording()
    let result: Value
    do { result = try body(realm) } catch {
      if realm.isInWriteTransaction { realm.cancelWrite() }
      throw error
    }
    let recorded = realm.editor.recorded
    realm.cancelWrite()
    if instructions.isEmpty { return (result, recorded) }
    let origin = ChangesetOrigin(timestamp: OriginTimestamp(0), file: .none)
    instructions += try Changeset(decoding: recorded, origin: origin).instructions
    return (result, Changeset(instructions: instructions, origin: origin).encoded())
  }

  /// The declarations of classes and properties that a schema has more than another one.
  private static func additions(from old: Schema, to new: Schema) throws -> [Instruction] {
    let name = "schema of an event handler \(UUID().uuidString)"
    let file = try RealmFile.open(.inMemory(name: name), options: RealmFile.Options(recordsChangesets: true))
    try file.edit { try $0.addClasses(old) }
    let bytes = try file.edit { editor in
      try editor.addClasses(new)
      return editor.recorded
    }
    return try Changeset(decoding: bytes, origin: ChangesetOrigin(timestamp: OriginTimestamp(0), file: .none))
      .instructions
  }
}
