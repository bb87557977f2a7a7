import ChangesetOT
import DataModel
import StorageEngine

/// Decides whether changes that a client made before it was brought up with a state can be taken as made after it.
///
/// Allowed for objects that the state did not have, which are the client's own. The past of all other objects is not there to
/// be merged with.
struct BootstrapCheck {
  let writer: StoreWriter
  let log: LogWriter

  init(_ writer: StoreWriter, log: LogWriter) {
    self.writer = writer
    self.log = log
  }

  /// - Throws: ``UploadRefusal/madeBeforeState(_:)``.
  func check(_ changesets: [Changeset], from file: FileIdent, after bootstrap: ServerVersion) throws {
    var own: Set<ObjectReference>?
    for instruction in changesets.lazy.flatMap(\.instructions) {
      guard let object = instruction.object else { continue }
      guard let layout = writer.catalog[object.className], try writer.readView.row(object.key, layout) != nil else {
        continue
      }
      if own == nil { own = try created(by: file, after: bootstrap) }
      guard own?.contains(object) == true else { throw UploadRefusal.madeBeforeState(object) }
    }
  }

  /// Objects that the client made with earlier uploads.
  private func created(by file: FileIdent, after bootstrap: ServerVersion) throws -> Set<ObjectReference> {
    var objects: Set<ObjectReference> = []
    var position = Int64(bootstrap.rawValue) + 1
    guard let last = try log.lastPosition() else { return objects }
    while position <= last {
      let found = try log.entries(in: position...last, byteLimit: 1 << 20)
      guard let end = found.last?.position else { break }
      position = end + 1
      for item in found {
        let entry = try ServerLogEntry(decoding: item.content)
        guard entry.source == file, !entry.isPrivate, !entry.changeset.isEmpty else { continue }
        for case .createObject(let it) in try Changeset(decoding: entry.changeset, origin: entry.author).instructions {
          objects.insert(it.object)
        }
      }
    }
    return objects
  }
}
