import CStorageSupport
import Glibc
import Synchronization

/// The file `<path>.lock`: one slot of a ``ReaderSlotTable`` for each process that has the store open.
///
/// A slot belongs to the process that holds an open-file-description lock on its first byte; the system releases the
/// lock when the process ends, however it ends. The file holds nothing that outlives the processes.
///
/// The oldest version is published through shared memory, which wakes no process; the latest version is written by a
/// system call, which does. A process that is alone makes no system call, neither to read the slots of others nor to
/// announce commits.
///
/// Memory is shared from the first commit on, or from the second published version. Until then the process in slot 0,
/// nearly always the only one, publishes by system calls: the cost of a realm that is opened, read and closed is mostly
/// that of its files. The first call publishes version 1, so all versions are needed before any is read.
final class LockFile: @unchecked Sendable {
  // @unchecked: constants; the shared memory is only touched by atomic loads and stores of whole words.

  let path: String
  private let descriptor: Int32
  private let slot: Int
  /// The address of the shared memory; 0 while there is none.
  private let memory = Atomic<UInt>(0)
  /// Held while memory begins to be shared, and while a version is published by a system call.
  private let written: Mutex<Written>

  /// The version published by system calls.
  private struct Written {
    var oldestVersion: UInt64 = 1
    /// Calls after the first.
    var count = 0
  }

  /// Opens the file, creating it when missing, and takes a slot.
  init(path: String) throws {
    self.path = path
    // Users who may not read the file of the store may not read this file either.
    var status = stat()
    let mode = path.hasSuffix(".lock") && stat(String(path.dropLast(5)), &status) == 0 ? status.st_mode & 0o666 : 0o600
    let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw Self.failure("open", path, errno) }
    do { slot = try Self.claim(descriptor, path) } catch {
      Glibc.close(descriptor)
      throw error
    }
    self.descriptor = descriptor
    written = Mutex(Written())
    if slot > 0 {
      _ = try share(Written())
    } else if !write(oldestVersion: Written().oldestVersion) {
      // The write also takes the disk space that later ones need, so that none of them fails for want of it.
      throw Self.failure("write", path, errno)
    }
  }

  deinit {
    if let table {
      table.setWatching(false, slot)
      table.setOldestVersion(0, slot)
      table.unmap()
    } else if written.withLock({ $0.oldestVersion }) != 0 {
      _ = write(oldestVersion: 0)
    }
    // Closing alone would leave the lock to a process that was forked and has not begun its own program yet.
    _ = storage_unlock_byte(descriptor, ReaderSlotTable.offset(ofSlot: slot))
    Glibc.close(descriptor)
  }

  /// Takes the first free slot.
  private static func claim(_ descriptor: Int32, _ path: String) throws -> Int {
    for slot in 0..<ReaderSlotTable.slotCount {
      var acquired: Int32 = 0
      let code = storage_try_lock_byte(descriptor, ReaderSlotTable.offset(ofSlot: slot), &acquired)
      guard code == 0 else { throw failure("lock", path, code) }
      if acquired != 0 { return slot }
    }
    throw StorageError(
      .tooManyProcesses, "\(ReaderSlotTable.slotCount) processes use '\(path)' already. Close some of them.")
  }

  /// Writes the slot by a system call, not watching.
  private func write(oldestVersion: UInt64) -> Bool {
    let words = [oldestVersion, 0]
    let offset = off_t(ReaderSlotTable.offset(ofSlot: slot))
    return words.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, offset) == $0.count }
  }

  /// The table; nil while memory is not shared.
  private var table: ReaderSlotTable? {
    UnsafeMutableRawPointer(bitPattern: memory.load(ordering: .acquiring)).map { ReaderSlotTable(memory: $0) }
  }

  /// The table, shared by this call if it was not before.
  private func sharedTable() throws -> ReaderSlotTable {
    if let table { return table }
    return try written.withLock { try share($0) }
  }

  private func share(_ written: Written) throws -> ReaderSlotTable {
    if let table { return table }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw Self.failure("inspect", path, errno) }
    // The file never shrinks, so no process loses mapped pages.
    if status.st_size < ReaderSlotTable.byteCount, ftruncate(descriptor, off_t(ReaderSlotTable.byteCount)) != 0 {
      throw Self.failure("extend", path, errno)
    }
    let mapped = mmap(nil, ReaderSlotTable.byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
    guard let mapped, mapped != MAP_FAILED else { throw Self.failure("map", path, errno) }
    let table = ReaderSlotTable(memory: mapped)
    table.setOldestVersion(written.oldestVersion, slot)
    table.setWatching(false, slot)
    table.use(slot)
    memory.store(UInt(bitPattern: mapped), ordering: .releasing)
    return table
  }

  private static func failure(_ verb: String, _ path: String, _ code: Int32) -> StorageError {
    let kind: StorageError.Code =
      switch code {
      case EACCES, EPERM, EROFS: .permissionDenied
      case ENOENT, ENOTDIR: .cannotOpen
      case ENOSPC, EDQUOT: .diskFull
      default: .ioFailed
      }
    return StorageError(
      kind, "Could not \(verb) '\(path)': \(String(cString: strerror(code))). Check the folder and its permissions.")
  }
}

// The slots of this process and of others.
extension LockFile {
  /// Publishes the oldest version that this process needs; 0 for none.
  func publish(oldestVersion version: UInt64) {
    if let table { return table.setOldestVersion(version, slot) }
    written.withLock { written in
      guard version != written.oldestVersion else { return }
      written.oldestVersion = version
      written.count += 1
      // A second version is one of many. Where memory cannot be shared, system calls go on.
      if written.count > 2, (try? share(written)) != nil { return }
      _ = write(oldestVersion: version)
      // The process reads the file of the store after it published a version.
      atomicMemoryFence(ordering: .sequentiallyConsistent)
    }
  }

  /// The oldest version that another living process needs; nil when none needs any.
  ///
  /// - Complexity: O(slots ever used), and a system call for each that needs an older version than those before.
  func oldestVersionElsewhere() throws -> UInt64? {
    let table = try sharedTable()
    var oldest: UInt64?
    for other in table.usedSlots where other != slot {
      let version = table.oldestVersion(other)
      // A process that was killed leaves its version, not its lock.
      if version != 0, version < oldest ?? .max, try isHeld(other) { oldest = version }
    }
    return oldest
  }

  /// Whether a living process holds a slot. The lock of this descriptor does not show.
  private func isHeld(_ slot: Int) throws -> Bool {
    try Self.isLocked(descriptor, path, ReaderSlotTable.offset(ofSlot: slot), count: 1)
  }

  private static func isLocked(_ descriptor: Int32, _ path: String, _ offset: Int64, count: Int64) throws -> Bool {
    var found: Int64 = -1
    let code = storage_first_locked_byte(descriptor, offset, count, &found)
    guard code == 0 else { throw failure("inspect", path, code) }
    return found >= 0
  }

  /// Whether another living process, or another store of this one, uses the file.
  func hasOthers() throws -> Bool {
    try Self.isLocked(
      descriptor, path, ReaderSlotTable.lockRange.offset, count: ReaderSlotTable.lockRange.count)
  }

  /// Whether a process uses the file at a path; false for a missing file.
  static func isInUse(path: String) throws -> Bool {
    let descriptor = Glibc.open(path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return false }
      throw failure("open", path, errno)
    }
    defer { Glibc.close(descriptor) }
    return try isLocked(
      descriptor, path, ReaderSlotTable.lockRange.offset, count: ReaderSlotTable.lockRange.count)
  }

  /// Makes commits of other processes wake this one. The caller looks for a new version afterwards: an earlier commit may
  /// have been made without waking.
  func watch() throws { try sharedTable().setWatching(true, slot) }

  /// Wakes the watchers in other processes after the commit of a version.
  func announce(version: UInt64) {
    // A process that was killed leaves its mark, which costs others a call until its slot is used again. Memory is shared
    // before the first commit.
    guard let table, table.usedSlots.contains(where: { $0 != slot && table.isWatching($0) }) else { return }
    var value = version.littleEndian
    _ = withUnsafeBytes(of: &value) {
      pwrite(descriptor, $0.baseAddress, 8, off_t(ReaderSlotTable.versionOffset))
    }
  }
}
