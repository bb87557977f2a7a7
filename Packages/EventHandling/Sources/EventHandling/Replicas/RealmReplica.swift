import ChangesetOT
import CommitFeed
import DataModel
import Foundation
import ObjectStore
import RecordStore

/// A copy of one realm that follows its commits: it gives the realm before and after each of them.
///
/// The copy lies in the working directory and is made anew by each process: whatever happens to it, nothing is lost. One task at
/// a time may use it.
final class RealmReplica: @unchecked Sendable {
  /// Objects that are copied in one transaction.
  private static let portion = 4_096

  private let folder: String
  /// The path of the copy. Each copy has one of its own, since realms of the one before may still be read.
  private var path: String?
  private(set) var file: RealmFile?
  /// The position that the copy has; nil when there is none. Its salt counts only in copies of another server's realms.
  private(set) var position: SaltedServerVersion?

  /// A replica with files in a folder.
  init(in folder: String) { self.folder = folder }

  /// The copy in which effects are recorded that another server writes.
  private var effects: RealmReplica?

  deinit { discard() }

  /// A second copy, at the same position or after it, in which effects are recorded.
  func forEffects() -> RealmReplica {
    let copy = effects ?? RealmReplica(in: folder)
    effects = copy
    return copy
  }

  /// Forgets the copy.
  func discard() {
    position = nil
    file = nil
    effects?.discard()
    if let path { Self.remove(path) }
    path = nil
  }

  private static func remove(_ path: String) {
    for suffix in ["", "-wal", "-shm", ".lock"] { unlink(path + suffix) }
  }

  private func begin() throws -> RealmFile {
    discard()
    let path = "\(folder)/\(UUID().uuidString).realm"
    self.path = path
    let new = try RealmFile.open(.file(path: path), options: RealmFile.Options(isDurable: false))
    file = new
    return new
  }

  /// Makes the copy that of the state before a batch.
  ///
  /// - Throws: `FeedPastError` when that state can no longer be told; `RecordStoreError` when a file cannot be read or written.
  /// - Complexity: O(*n*) in the objects of the realm.
  func makeState(before batch: FeedBatch) throws {
    let file = try begin()
    if batch.start == .zero {
      position = SaltedServerVersion(version: .zero, salt: 0)
      return
    }
    let past = try batch.statesAtStart()
    try copy(batch.contents(), to: file)
    try file.edit { editor in
      for (object, fields) in past where fields != nil { try editor.create(object) }
      for (object, fields) in past {
        guard let fields else {
          try editor.erase(object)
          continue
        }
        let known = Set(editor.schema[object.className]?.properties.map(\.name) ?? [])
        try editor.set(fields.filter { known.contains($0.key) }, of: object)
      }
    }
    position = SaltedServerVersion(version: batch.start, salt: 0)
  }

  /// Makes the copy that of a state.
  ///
  /// - Throws: `RecordStoreError` when a file cannot be read or written.
  /// - Complexity: O(*n*) in the objects of the realm.
  func makeState(_ contents: RealmContents, at position: SaltedServerVersion) throws {
    try copy(contents, to: try begin())
    self.position = position
  }

  /// Makes the copy of a realm from changesets, which a caller applies one by one.
  func makeEmpty(at position: SaltedServerVersion) throws {
    _ = try begin()
    self.position = position
  }

  private func copy(_ contents: RealmContents, to file: RealmFile) throws {
    try file.edit { try $0.addClasses(contents.schema) }
    for layout in contents.schema.objectSchema where layout.kind != .embedded {
      var portion: [ObjectRecord] = []
      func flush() throws {
        guard !portion.isEmpty else { return }
        try file.edit { editor in
          for record in portion { try editor.create(record.reference) }
          for record in portion { try editor.set(record.fields, of: record.reference) }
        }
        portion.removeAll(keepingCapacity: true)
      }
      try contents.forEachObject(of: layout.className) { record in
        portion.append(record)
        if portion.count == Self.portion { try flush() }
        return true
      }
      try flush()
    }
  }

  /// Takes the next commit over.
  ///
  /// - Throws: `BadChangesetError` when it does not fit; `RecordStoreError` when the file cannot be written. The copy must be
  ///   made anew then.
  func apply(_ changeset: [UInt8], making position: SaltedServerVersion) throws {
    guard let file else { return }
    do {
      try file.edit { try $0.apply(changeset) }
      self.position = position
      // It is not to fall behind what the server keeps for the handler.
      if let effects, let known = effects.position, known.version < position.version {
        try effects.apply(changeset, making: position)
      }
    } catch {
      discard()
      throw error
    }
  }

  /// Notes that versions up to this one change nothing.
  func pass(to position: SaltedServerVersion) { if file != nil { self.position = position } }

  /// The present state as records; nil without a copy.
  func contents() throws -> RealmContents? { try file?.contents() }

  /// The present state as a frozen realm.
  func frozen(_ objectTypes: [ObjectBase.Type]) throws -> Realm? {
    try file.map { try Realm(of: $0, objectTypes: objectTypes).freeze() }
  }
}
