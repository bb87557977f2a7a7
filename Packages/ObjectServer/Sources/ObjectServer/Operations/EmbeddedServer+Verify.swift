import Foundation
import StorageEngine

/// The result of ``EmbeddedServer/verify(isCancelled:_:)``.
public struct VerifyReport: Hashable, Sendable {
  /// Damage in one file.
  public struct Problem: Hashable, Sendable {
    /// The path of the file.
    public var file: String
    /// The damage, and the remedy.
    public var message: String
  }

  /// Files read.
  public var files = 0
  /// Rows of objects in realm files.
  public var rows = 0
  /// The damage, in the order of the files.
  public var problems: [Problem] = []
}

extension EmbeddedServer {
  /// Reads every file of the data directory, or of a backup, and checks it from end to end.
  ///
  /// A server may run meanwhile; a realm cannot be written while its file is read.
  ///
  /// - Parameters:
  ///   - isCancelled: asked before each file; true ends the work.
  ///   - progress: called now and then with the bytes of the files that are done, and of all.
  /// - Throws: ``ServerError`` when there is nothing to verify, or the work was ended; damage is reported, not thrown.
  public func verify(
    isCancelled: () -> Bool = { false }, _ progress: (_ done: Int, _ known: Int) -> Void = { _, _ in }
  ) throws(ServerError) -> VerifyReport {
    try checkIsAlone("verify a backup of the database")
    try checkUsed()
    var report = VerifyReport()
    if layout.isBackup { try compare(layout, with: try BackupManifest.read(from: layout.root), &report) }
    let realms = layout.realmFiles()
    var known: Set<String>?
    var damages: [String] = []
    check(layout.directory, &report) {
      try Self.withOpenable(layout.directory, isBackup: layout.isBackup) { path in
        let directory = try openDirectory(at: path)
        defer { directory.close() }
        damages = try directory.problems()
        known = try Self.knownRealms(directory)
      }
    }
    for damage in damages { report.problems.append(.init(file: layout.directory, message: damage)) }
    let size = FileCopies.size(layout.directory)
    let allBytes = realms.reduce(size) { $0 + FileCopies.size(layout.realms + "/" + $1) }
    var done = size
    progress(done, allBytes)
    var rows = 0
    for name in realms {
      if isCancelled() { throw .interrupted }
      let file = layout.realms + "/" + name
      let size = FileCopies.size(file)
      check(file, &report) {
        var configuration = StoreConfiguration()
        configuration.createsIfMissing = false
        rows += try Self.withOpenable(file, isBackup: layout.isBackup) { path in
          try Store.open(.file(path: path), configuration: configuration).verify { rows, known in
            progress(done + Int(Double(size) * Double(rows) / Double(max(1, known))), allBytes)
          }.rows
        }
      }
      if let known, !known.contains(name), !layout.isBackup {
        report.problems.append(
          .init(file: file, message: "no realm of the directory has this file; it can be removed"))
      }
      done += size
      progress(done, allBytes)
    }
    report.rows = rows
    return report
  }

  private func check(_ file: String, _ report: inout VerifyReport, _ work: () throws -> Void) {
    report.files += 1
    do { try work() } catch { report.problems.append(.init(file: file, message: "\(error)")) }
  }

  /// Opening a database changes its header and makes companions; a backup stays as it is, so a copy is opened instead.
  private static func withOpenable<Value>(_ file: String, isBackup: Bool, _ body: (String) throws -> Value) throws
    -> Value
  {
    guard isBackup else { return try body(file) }
    let folder = NSTemporaryDirectory() + "/openrealm-verify-" + UUID().uuidString
    try PrivateFolder.make(folder)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let copy = folder + "/" + (file as NSString).lastPathComponent
    try FileCopies.copy(file, to: copy)
    return try body(copy)
  }

  /// The directory in a file with the keys of this data directory. Of a backup that an earlier release made, nothing is
  /// sealed; its copy gets seals of a temporary key.
  private func openDirectory(at path: String) throws(ServerError) -> SQLiteDirectory {
    let (keys, isBackup) = (layout.keys, layout.isBackup)
    return try SQLiteDirectory(path: path) { isSealed throws(ServerError) in
      isBackup && !isSealed ? .random() : try DirectoryKey.load(from: keys, isSealed: isSealed)
    }
  }

  private func compare(
    _ layout: DataLayout, with manifest: BackupManifest, _ report: inout VerifyReport
  ) throws(ServerError) {
    for file in manifest.files {
      let path = layout.root + "/" + file.path
      guard let found = FileCopies.digest(of: path) else {
        report.problems.append(.init(file: path, message: "the file is missing; use another backup"))
        continue
      }
      guard found.sha256 == file.sha256 else {
        report.problems.append(
          .init(file: path, message: "the file is not what the manifest says; use another backup"))
        continue
      }
    }
  }
}
