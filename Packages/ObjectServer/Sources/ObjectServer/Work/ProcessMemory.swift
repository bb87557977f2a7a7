import Glibc

/// The memory of this process as the system sees it.
enum ProcessMemory {
  private typealias Trim = @convention(c) (Int) -> CInt

  /// Gives whole free pages of the heap back to the system. Blocks for as long as it takes to walk the heap.
  static func release() {
    // The C library has it, its module map does not; elsewhere there is nothing to do.
    guard let symbol = dlsym(nil, "malloc_trim") else { return }
    // unsafeBitCast: `int malloc_trim(size_t)`, as the library declares it.
    _ = unsafeBitCast(symbol, to: Trim.self)(0)
  }
}
