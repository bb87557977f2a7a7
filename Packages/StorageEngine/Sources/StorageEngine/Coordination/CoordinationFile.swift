import CStorageSupport
import Glibc

/// The file `<path>.lock`, through which processes that share a store tell each other what they need.
///
///     0      header                  8 bytes: latest version, written after each commit (which wakes the watchers)
///     4096   slot 0, slot 1, …       8 bytes each: the oldest version that the slot's process pins; 0 for none
///
/// A slot belongs to the process that holds an open-file-description lock on its first byte; the system lets go of
/// the lock when the process ends, however it ends. The file says nothing that outlives the processes.
///
/// Pins are stored through shared memory, which wakes nobody; the header is written by a call, which does.
final class CoordinationFile: @unchecked Sendable {
  // @unchecked: constants; the mapping is only touched by atomic loads and stores of whole slots.

  static let slotCount = 1024
  private static let slotsOffset = 4096
  private static let size = slotsOffset + slotCount * 8

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
    storage_shared_store(address(slot), 0)
    munmap(mapping, Self.size)
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
      let code = storage_try_lock_byte(descriptor, Int64(slotsOffset + slot * 8), &acquired)
      guard code == 0 else {
        munmap(mapped, size)
        throw failure("lock", path, code)
      }
      guard acquired != 0 else { continue }
      let address = (mapped + slotsOffset + slot * 8).assumingMemoryBound(to: UInt64.self)
      storage_shared_store(address, 0)
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
    (mapping + Self.slotsOffset + slot * 8).assumingMemoryBound(to: UInt64.self)
  }

  /// Says which version this process needs; 0 for none.
  func publish(oldestPin version: UInt64) { storage_shared_store(address(slot), version) }

  /// The oldest version that another living process needs.
  func oldestPinOfOthers() throws -> UInt64? {
    var oldest: UInt64?
    // Locks of this descriptor do not conflict with it, so only others are found. The system names any one lock in a
    // range, not the first, so both sides of it are searched.
    var ranges = [0..<Self.slotCount]
    while let range = ranges.popLast() {
      guard !range.isEmpty else { continue }
      var found: Int64 = -1
      let offset = Self.slotsOffset + range.lowerBound * 8
      let code = storage_first_locked_byte(descriptor, Int64(offset), Int64(range.count * 8), &found)
      guard code == 0 else { throw Self.failure("inspect", path, code) }
      guard found >= 0 else { continue }
      let slot = min(max((Int(found) - Self.slotsOffset) / 8, range.lowerBound), range.upperBound - 1)
      let pin = storage_shared_load(address(slot))
      if pin != 0 { oldest = min(oldest ?? pin, pin) }
      ranges.append(range.lowerBound..<slot)
      ranges.append(slot + 1..<range.upperBound)
    }
    return oldest
  }

  /// Tells the watchers in all processes that a version was committed.
  func announce(version: UInt64) {
    var value = version.littleEndian
    _ = withUnsafeBytes(of: &value) { pwrite(descriptor, $0.baseAddress, 8, 0) }
  }
}
