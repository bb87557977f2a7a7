import Glibc

/// Compares byte strings as `memcmp` does, a prefix before its continuations: below 0 when `left` comes first.
func compareBytes(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
  let common = min(left.count, right.count)
  if common > 0, let first = left.baseAddress, let second = right.baseAddress {
    let order = memcmp(first, second, common)
    if order != 0 { return Int(order) }
  }
  return left.count - right.count
}
