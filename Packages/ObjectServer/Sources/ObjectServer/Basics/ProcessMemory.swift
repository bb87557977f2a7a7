import Foundation
import Glibc

/// The memory of this process as the system sees it.
enum ProcessMemory {
  private typealias Trim = @convention(c) (Int) -> CInt
  private typealias Option = @convention(c) (CInt, CInt) -> CInt

  /// Has blocks of a MiB and more come from the system and go back to it one by one, so that what large messages took is not
  /// kept in pieces: otherwise the C library keeps blocks of up to 32 MiB once one of that size was freed.
  static func returnLargeBlocks() {
    guard let symbol = dlsym(nil, "mallopt") else { return }
    // unsafeBitCast: `int mallopt(int, int)`, as the library declares it; -3 is M_MMAP_THRESHOLD.
    _ = unsafeBitCast(symbol, to: Option.self)(-3, 1 << 20)
  }

  /// The bytes of memory that the process holds; nil where the system does not tell.
  static func residentBytes() -> Int? {
    // The second number is that of resident pages.
    guard let data = FileManager.default.contents(atPath: "/proc/self/statm"),
      let pages = String(decoding: data, as: UTF8.self).split(separator: " ").dropFirst().first.flatMap({ Int($0) })
    else { return nil }
    return pages.multipliedReportingOverflow(by: sysconf(CInt(_SC_PAGESIZE))).partialValue
  }

  /// Gives whole free pages of the heap back to the system. Blocks for as long as it takes to walk the heap.
  static func release() {
    // The C library has it, its module map does not; elsewhere there is nothing to do.
    guard let symbol = dlsym(nil, "malloc_trim") else { return }
    // unsafeBitCast: `int malloc_trim(size_t)`, as the library declares it.
    _ = unsafeBitCast(symbol, to: Trim.self)(0)
  }
}
