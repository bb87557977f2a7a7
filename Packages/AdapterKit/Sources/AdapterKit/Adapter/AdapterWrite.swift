public import ChangesetOT

/// One transaction that an adapter writes together with others.
///
///     try adapter.write([AdapterWrite(steps, number: 7, time: now), AdapterWrite(more, number: 8, time: now)], base: base)
public struct AdapterWrite {
  /// The steps.
  public var instructions: [AdapterInstruction]
  /// Grows with each transaction, such as the position in the log of the other system.
  public var number: UInt64
  /// Of the transaction; what is later wins over what is earlier.
  public var time: OriginTimestamp
  /// The sizes of lists at the base that the adapter knows.
  public var sizes: [AdapterPlace: Int]

  /// A transaction of these steps.
  public init(
    _ instructions: [AdapterInstruction], number: UInt64, time: OriginTimestamp, sizes: [AdapterPlace: Int] = [:]
  ) {
    (self.instructions, self.number, self.time, self.sizes) = (instructions, number, time, sizes)
  }
}
