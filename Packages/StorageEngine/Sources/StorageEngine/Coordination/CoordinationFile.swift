import CStorageSupport
import Glibc

/// The file `<path>.lock`, through which processes that share a store tell each other what they need.
///
///     0      latest version          8 bytes: written after a commit that somebody watches for (which wakes watchers)
///     8      slots used              8 bytes: no slot from this number on was ever used
///     16     slot 0, slot 1, …       16 bytes each: the oldest version that the slot's process pins, 0 for none; and
///                                    1 when it watches for commits
///
/// What a few processes use lies in one page, which is all that opening a store touches.
///
/// A slot belongs to the process that holds an open-file-description lock on its first byte; the system lets go of
/// the lock when the process ends, however it ends. The file says nothing that outlives the processes.
///
/// Pins are stored through shared memory, which wakes nobody; the latest version is written by a call, which does. A
/// process that is alone makes no call at all, neither to look for pins nor to tell of commits.
final class CoordinationFile: @unchecked Sendable {
  // @unchecked: constants; the mapping is only touched by atomic loads and stores of whole slots.

  static let slotCount = 1024
  private static let slotsOffset = 16
  private static let slotWidth = 16
  private static let size = slotsOffset + slotCount * slotWidth

  let path: String
  private let descriptor: Int32
  private let mapping: UnsafeMutableRawPointer
  private let slot: Int

  init(path: String) throws {
    self.path = path
    let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw Self.failure("open", path, errno) }
    do {
      (mapping, slot) = try Self.claim(descriptor, path)
      self.descriptor = descriptor
    } catch {
      Glibc.close(descriptor)
      throw error
    }
  }

  deinit {
    storage_shared_store(watcher(slot), 0)
    storage_shared_store(address(slot), 0)
    munmap(mapping, Self.size)
    // Closing alone would leave the lock to a process that was just forked and has not yet begun its own program.
    _ = storage_unlock_byte(descriptor, Int64(Self.slotsOffset + slot * Self.slotWidth))
    Glibc.close(descriptor)
  }

  private static func claim(_ descriptor: Int32, _ path: String) throws -> (UnsafeMutableRawPointer, Int) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure("inspect", path, errno) }
    // Never shrinks, so that no process loses mapped pages.
    if status.st_size < size, ftruncate(descriptor, off_t(size)) != 0 { throw failure("extend", path, errno) }
    let mapped = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
    guard let mapped, mapped != MAP_FAILED else { throw failure("map", path, errno) }
    for slot in 0..<slotCount {
      var acquired: Int32 = 0
      let code = storage_try_lock_byte(descriptor, Int64(slotsOffset + slot * slotWidth), &acquired)
      guard code == 0 else {
        munmap(mapped, size)
        throw failure("lock", path, code)
      }
      guard acquired != 0 else { continue }
      let words = mapped.assumingMemoryBound(to: UInt64.self)
      storage_shared_store(words + (slotsOffset + slot * slotWidth) / 8, 0)
      storage_shared_store(words + (slotsOffset + slot * slotWidth) / 8 + 1, 0)
      storage_shared_raise(words + 1, UInt64(slot + 1))
      return (mapped, slot)
    }
    munmap(mapped, size)
    throw StorageError(.tooManyProcesses, "\(slotCount) processes use '\(path)' already. Close some of them.")
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

  private func address(_ slot: Int) -> UnsafeMutablePointer<UInt64> {
    (mapping + Self.slotsOffset + slot * Self.slotWidth).assumingMemoryBound(to: UInt64.self)
  }

  /// Says which version this process needs; 0 for none.
  func publish(oldestPin version: UInt64) { storage_shared_store(address(slot), version) }

  private func watcher(_ slot: Int) -> UnsafeMutablePointer<UInt64> {
    address(slot) + 1
  }

  private var usedSlots: Range<Int> {
    0..<min(Int(clamping: storage_shared_load(mapping.assumingMemoryBound(to: UInt64.self) + 1)), Self.slotCount)
  }

  /// Whether a living process holds the slot. The own descriptor's lock does not show.
  private func isHeld(_ slot: Int) throws -> Bool {
    var found: Int64 = -1
    let code = storage_first_locked_byte(descriptor, Int64(Self.slotsOffset + slot * Self.slotWidth), 1, &found)
    guard code == 0 else { throw Self.failure("inspect", path, code) }
    return found >= 0
  }

  /// The oldest version that another living process needs.
  func oldestPinOfOthers() throws -> UInt64? {
    var oldest: UInt64?
    for other in usedSlots where other != slot {
      let pin = storage_shared_load(address(other))
      // A process that was killed leaves its pin, not its lock.
      if pin != 0, pin < oldest ?? .max, try isHeld(other) { oldest = pin }
    }
    return oldest
  }

  /// Whether another living process, or another store of this one, uses the file.
  func hasOthers() throws -> Bool {
    var found: Int64 = -1
    let code = storage_first_locked_byte(
      descriptor, Int64(Self.slotsOffset), Int64(Self.slotCount * Self.slotWidth), &found)
    guard code == 0 else { throw Self.failure("inspect", path, code) }
    return found >= 0
  }

  /// Whether anybody uses the file; one that is not there is used by nobody.
  static func isInUse(path: String) throws -> Bool {
    let descriptor = Glibc.open(path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return false }
      throw failure("open", path, errno)
    }
    defer { Glibc.close(descriptor) }
    var found: Int64 = -1
    let code = storage_first_locked_byte(descriptor, Int64(slotsOffset), Int64(slotCount * slotWidth), &found)
    guard code == 0 else { throw failure("inspect", path, code) }
    return found >= 0
  }

  /// Says that this process wants to be woken by commits of others. Who calls this looks for a new version afterwards:
  /// a commit before that may have gone without waking.
  func watch() { storage_shared_store(watcher(slot), 1) }

  /// Tells the watchers in other processes that a version was committed.
  func announce(version: UInt64) {
    // A process that was killed leaves its mark and costs others a call until its slot is used again.
    guard usedSlots.contains(where: { $0 != slot && storage_shared_load(watcher($0)) != 0 }) else { return }
    var value = version.littleEndian
    _ = withUnsafeBytes(of: &value) { pwrite(descriptor, $0.baseAddress, 8, 0) }
  }
}
