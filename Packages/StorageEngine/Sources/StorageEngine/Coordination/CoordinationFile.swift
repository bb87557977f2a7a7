import CStorageSupport
import Glibc
import Synchronization

/// The file `<path>.lock`, through which processes that share a store tell each other what they need.
///
///     0      latest version          8 bytes: written after a commit that somebody watches for (which wakes watchers)
///     8      slots used              8 bytes: no slot from this number on was ever used; 0 means 1
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
///
/// Memory is shared from the first commit on, or the second pin. Until then the process that has slot 0, nearly always
/// the only one, says its pin by calls: what a realm costs that is opened, read and closed is files mostly. The first of
/// them says all versions, before any is read.
final class CoordinationFile: @unchecked Sendable {
  // @unchecked: constants; the memory is only touched by atomic loads and stores of whole slots.

  static let slotCount = 1024
  private static let slotsOffset = 16
  private static let slotWidth = 16
  private static let size = slotsOffset + slotCount * slotWidth

  let path: String
  private let descriptor: Int32
  private let slot: Int
  /// The address of the shared memory; 0 before there is any.
  private let memory = Atomic<UInt>(0)
  /// Held while memory begins to be shared, and while a pin is said by a call.
  private let called: Mutex<Called>

  /// What was said by calls.
  private struct Called {
    var pin: UInt64 = 1
    /// Pins said after the first, and that there is none.
    var count = 0
  }

  init(path: String) throws {
    self.path = path
    // Who may not read the file of the store may not read this either.
    var status = stat()
    let mode = path.hasSuffix(".lock") && stat(String(path.dropLast(5)), &status) == 0 ? status.st_mode & 0o666 : 0o600
    let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw Self.failure("open", path, errno) }
    do { slot = try Self.claim(descriptor, path) } catch {
      Glibc.close(descriptor)
      throw error
    }
    self.descriptor = descriptor
    called = Mutex(Called())
    if slot > 0 {
      _ = try share(Called())
    } else if !write(pin: Called().pin) {
      // Takes the room that later pins need, so that none fails for want of it.
      throw Self.failure("write", path, errno)
    }
  }

  deinit {
    if let memory = sharedAlready {
      storage_shared_store(Self.watcher(memory, slot), 0)
      storage_shared_store(Self.pin(memory, slot), 0)
      munmap(memory, Self.size)
    } else if called.withLock({ $0.pin }) != 0 {
      _ = write(pin: 0)
    }
    // Closing alone would leave the lock to a process that was just forked and has not yet begun its own program.
    _ = storage_unlock_byte(descriptor, Int64(Self.slotsOffset + slot * Self.slotWidth))
    Glibc.close(descriptor)
  }

  /// Takes the first slot that nobody has.
  private static func claim(_ descriptor: Int32, _ path: String) throws -> Int {
    for slot in 0..<slotCount {
      var acquired: Int32 = 0
      let code = storage_try_lock_byte(descriptor, Int64(slotsOffset + slot * slotWidth), &acquired)
      guard code == 0 else { throw failure("lock", path, code) }
      if acquired != 0 { return slot }
    }
    throw StorageError(.tooManyProcesses, "\(slotCount) processes use '\(path)' already. Close some of them.")
  }

  /// Writes what memory would hold: the pin, and that nobody is to be woken.
  private func write(pin: UInt64) -> Bool {
    let words = [pin, 0]
    let offset = off_t(Self.slotsOffset + slot * Self.slotWidth)
    return words.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, offset) == $0.count }
  }

  private var sharedAlready: UnsafeMutableRawPointer? {
    UnsafeMutableRawPointer(bitPattern: memory.load(ordering: .acquiring))
  }

  private func shared() throws -> UnsafeMutableRawPointer {
    if let memory = sharedAlready { return memory }
    return try called.withLock { try share($0) }
  }

  private func share(_ called: Called) throws -> UnsafeMutableRawPointer {
    if let memory = sharedAlready { return memory }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw Self.failure("inspect", path, errno) }
    // Never shrinks, so that no process loses mapped pages.
    if status.st_size < Self.size, ftruncate(descriptor, off_t(Self.size)) != 0 {
      throw Self.failure("extend", path, errno)
    }
    let mapped = mmap(nil, Self.size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
    guard let mapped, mapped != MAP_FAILED else { throw Self.failure("map", path, errno) }
    storage_shared_store(Self.pin(mapped, slot), called.pin)
    storage_shared_store(Self.watcher(mapped, slot), 0)
    storage_shared_raise(mapped.assumingMemoryBound(to: UInt64.self) + 1, UInt64(slot + 1))
    memory.store(UInt(bitPattern: mapped), ordering: .releasing)
    return mapped
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

  private static func pin(_ memory: UnsafeMutableRawPointer, _ slot: Int) -> UnsafeMutablePointer<UInt64> {
    (memory + slotsOffset + slot * slotWidth).assumingMemoryBound(to: UInt64.self)
  }

  private static func watcher(_ memory: UnsafeMutableRawPointer, _ slot: Int) -> UnsafeMutablePointer<UInt64> {
    pin(memory, slot) + 1
  }

  /// Says which version this process needs; 0 for none.
  func publish(oldestPin version: UInt64) {
    if let memory = sharedAlready { return storage_shared_store(Self.pin(memory, slot), version) }
    called.withLock { called in
      guard version != called.pin else { return }
      called.pin = version
      called.count += 1
      // The second pin is one of many. Where memory cannot be shared, calls go on.
      if called.count > 2, (try? share(called)) != nil { return }
      _ = write(pin: version)
      // Whoever pins looks at the file afterwards.
      atomicMemoryFence(ordering: .sequentiallyConsistent)
    }
  }

  private static func usedSlots(_ memory: UnsafeMutableRawPointer) -> Range<Int> {
    let used = Int(clamping: storage_shared_load(memory.assumingMemoryBound(to: UInt64.self) + 1))
    return 0..<min(max(used, 1), slotCount)
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
    let memory = try shared()
    var oldest: UInt64?
    for other in Self.usedSlots(memory) where other != slot {
      let pin = storage_shared_load(Self.pin(memory, other))
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
  func watch() throws { storage_shared_store(Self.watcher(try shared(), slot), 1) }

  /// Tells the watchers in other processes that a version was committed.
  func announce(version: UInt64) {
    // A process that was killed leaves its mark and costs others a call until its slot is used again. Whoever commits
    // shares memory by then.
    guard let memory = sharedAlready,
      Self.usedSlots(memory).contains(where: { $0 != slot && storage_shared_load(Self.watcher(memory, $0)) != 0 })
    else { return }
    var value = version.littleEndian
    _ = withUnsafeBytes(of: &value) { pwrite(descriptor, $0.baseAddress, 8, 0) }
  }
}
