import CStorageSupport
import Glibc

/// The reader-slot table: the content of a lock file, mapped into the memory of every process that shares the store.
///
///     0      latest version          8 bytes: written by a system call after a commit that another process watches for
///     8      slots used              8 bytes: no slot from this number on was ever used; 0 means 1
///     16     slot 0, slot 1, …       16 bytes each: the oldest version that the process needs, 0 for none; and
///                                    1 when the process watches for commits
///
/// A few processes share one page, which is all that opening a store touches. Every access is an atomic load or store of
/// one word, in sequentially consistent order.
struct ReaderSlotTable {
  static let slotCount = 1024
  static let versionOffset = 0
  private static let slotsOffset = 16
  private static let slotWidth = 16
  /// Bytes of a whole table.
  static let byteCount = slotsOffset + slotCount * slotWidth
  /// The bytes whose locks say that slots are taken.
  static let lockRange = (offset: Int64(slotsOffset), count: Int64(slotCount * slotWidth))

  /// The first byte of a slot: where the slot's content stands, and which byte its process locks.
  static func offset(ofSlot slot: Int) -> Int64 { Int64(slotsOffset + slot * slotWidth) }

  /// The address of the mapping.
  let memory: UnsafeMutableRawPointer

  private func word(_ slot: Int) -> UnsafeMutablePointer<UInt64> {
    (memory + Int(Self.offset(ofSlot: slot))).assumingMemoryBound(to: UInt64.self)
  }

  private var usedWord: UnsafeMutablePointer<UInt64> { memory.assumingMemoryBound(to: UInt64.self) + 1 }

  /// The slots that were ever used.
  var usedSlots: Range<Int> {
    let used = Int(clamping: storage_shared_load(usedWord))
    return 0..<min(max(used, 1), Self.slotCount)
  }

  /// Makes a slot count as used.
  func use(_ slot: Int) { storage_shared_raise(usedWord, UInt64(slot + 1)) }

  /// The oldest version that the process of a slot needs; 0 for none.
  func oldestVersion(_ slot: Int) -> UInt64 { storage_shared_load(word(slot)) }
  func setOldestVersion(_ version: UInt64, _ slot: Int) { storage_shared_store(word(slot), version) }

  /// Whether the process of a slot watches for commits.
  func isWatching(_ slot: Int) -> Bool { storage_shared_load(word(slot) + 1) != 0 }
  func setWatching(_ isWatching: Bool, _ slot: Int) { storage_shared_store(word(slot) + 1, isWatching ? 1 : 0) }

  func unmap() { munmap(memory, Self.byteCount) }
}
