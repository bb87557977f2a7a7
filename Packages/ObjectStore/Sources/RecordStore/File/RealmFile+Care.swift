import Foundation
import StorageEngine

/// Sizes of a realm file, for display.
public struct RealmFileStatistics: Hashable, Sendable {
  /// The file without its write-ahead log, in bytes.
  public var fileSize: Int
  /// The part of the file that is in use, in bytes; the rest is used by later writes, or given back by ``RealmFile/compact()``.
  public var usedBytes: Int
  /// Pages of data and indexes, superseded ones included.
  public var nodes: Int
  /// Superseded pages that wait to be given back; ``RealmFile/compact()`` does it now.
  public var retiredNodes: Int
}

/// Counts of everything that a check of a whole file visited.
public struct RealmFileVerification: Hashable, Sendable {
  /// Nodes of storage.
  public var nodes: Int
  /// Entries of all indexes.
  public var indexEntries: Int
  /// Objects of all classes, embedded ones included.
  public var objects: Int
  /// Links whose object does not exist. They are legal: the object may come.
  public var unresolvedLinks: Int
  /// Entries of the history, and records that stand outside of versions.
  public var historyEntries: Int
}

extension RealmFile {
  /// Sizes. O(size of the file's directory).
  ///
  /// - Throws: ``RecordStoreError`` when the file cannot be read.
  public func statistics() throws -> RealmFileStatistics {
    try translatingErrors {
      let statistics = try store.statistics()
      return RealmFileStatistics(
        fileSize: statistics.fileSizeInBytes, usedBytes: statistics.usedBytes, nodes: statistics.nodeCount,
        retiredNodes: statistics.retiredNodeCount)
    }
  }

  /// Reads every page and every object and checks what can be checked. Keeps writers out meanwhile.
  ///
  /// - Parameter progress: called now and then with the steps done and known: every object takes one for its pages and one
  ///   for its fields. What it throws ends the check.
  /// - Throws: ``RecordStoreError`` with code `invalidDatabase` naming the first thing that is wrong.
  public func verify(
    progress: (_ done: Int, _ known: Int) throws -> Void = { _, _ in }
  ) throws -> RealmFileVerification {
    try translatingErrors {
      let report = try store.verify { try progress($0, $1 * 2) }
      let readView = try latestReadView()
      var objects = 0
      for layout in readView.catalog.classes {
        try readView.reader.forEachRow(of: layout.table) { row in
          let key = try readView.key(row, layout)
          _ = try readView.fields(row, layout)
          if let entry = layout.key?.entry(key), let keys = layout.key, try readView.firstRow(entry, keys.index) != row
          {
            throw StorageError(
              .corrupt, "\(layout.name)[\(key)] is not found by its key. Restore the file from a backup or its server.")
          }
          objects += 1
          try progress(report.rows + objects, report.rows * 2)
        }
      }
      return RealmFileVerification(
        nodes: report.nodes, indexEntries: report.indexEntries, objects: objects,
        unresolvedLinks: readView.unresolvedCount, historyEntries: report.entries)
    }
  }

  /// Gives the space of what was deleted or replaced back to the file system. Realms may be open, in this process and
  /// in others, and are read meanwhile; writers wait. O(size of the file).
  ///
  /// - Parameter progress: called now and then with the estimated share that is rewritten, 0 ... 1.
  /// - Throws: ``RecordStoreError`` when the disk refuses; the file is then as it was.
  public func compact(progress: (_ share: Double) -> Void = { _ in }) throws {
    try translatingErrors { try store.compact(progress: progress) }
  }

  /// Writes a compact copy of the latest version, with its history, to a new file, which is there only when it is
  /// complete.
  ///
  /// - Parameters:
  ///   - encryptionKey: 64 bytes to encrypt the copy with; nil writes it in clear, whatever this file is encrypted with.
  ///   - progress: called with the nodes done and known; what it throws ends the copy, and nothing is left.
  /// - Throws: ``RecordStoreError`` with code `fileExists` when there is a file, or when the copy cannot be written.
  public func writeCopy(
    toPath path: String, encryptionKey: [UInt8]? = nil,
    progress: (_ done: Int, _ known: Int) throws -> Void = { _, _ in }
  ) throws {
    let key = encryptionKey.map(EncryptionKey.init(checking:))
    do { try store.writeCopy(toPath: path, key: key, progress: progress) } catch let error as StorageError {
      throw RecordStoreError(error, fileURL: URL(fileURLWithPath: path))
    }
  }
}
