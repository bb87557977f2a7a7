func forEachBit(_ bits: UInt64, _ body: (Int) -> Void) {
  var bits = bits
  while bits != 0 {
    body(bits.trailingZeroBitCount)
    bits &= bits - 1
  }
}
