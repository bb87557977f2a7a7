/// Integers in memory, in the forms of ``IntegerRunCoding``: an arithmetic progression as its first value and step, any
/// other run as a list.
///
///     5 6 7 8        first 5, step 1        ids as they are given out, and the rows of objects in their order
///     5 6 9          [5, 6, 9]
///
/// A progression is searched by one division, without memory beside the run itself.
struct IntegerRun: Sendable {
  private(set) var count = 0
  /// The first value of a progression, and the distance between its values.
  private(set) var first: Int64 = 0
  private(set) var step: Int64 = 0
  private(set) var isProgression = true
  /// Capacity to reserve once values are listed; 0 when it is not known.
  private var room: Int32 = 0
  /// All values, unless they are a progression.
  private(set) var listed: [Int64] = []

  init() {}

  /// An empty run with room for about so many values.
  init(room: Int) { self.room = Int32(clamping: room) }

  init(_ values: [Int64]) {
    for value in values {
      append(value)
      guard isProgression else {
        listed = values
        count = values.count
        return
      }
    }
  }

  /// A run of at most `size` listed values, which `body` writes and counts.
  init(size: Int, _ body: (UnsafeMutablePointer<Int64>) -> Int) {
    // All empty arrays are one object, as in ``IntegerRunCoding/decode(_:count:)``.
    listed =
      size == 0
      ? []
      : [Int64](unsafeUninitializedCapacity: size) { buffer, count in count = buffer.baseAddress.map(body) ?? 0 }
    count = listed.count
    isProgression = count == 0
  }

  /// Bytes that the values take beside the run itself.
  var cost: Int { listed.count * 8 }

  /// The value at an index below ``count``.
  subscript(index: Int) -> Int64 {
    isProgression ? first &+ step &* Int64(truncatingIfNeeded: index) : listed[index]
  }

  mutating func append(_ value: Int64) {
    defer { count += 1 }
    guard isProgression else { return listed.append(value) }
    switch count {
    case 0: first = value
    case 1: step = value &- first
    default: if value != self[count] { list(value) }
    }
  }

  mutating func append(_ range: Range<Int>, of other: IntegerRun) {
    if count == 0, !other.isProgression, range.count > 8, !other.progresses(at: range.lowerBound) {
      listed.reserveCapacity(max(range.count, Int(room)))
      listed.append(contentsOf: other.listed[range])
      isProgression = false
      count = range.count
      return
    }
    var range = range
    // Value by value for as long as they may be a progression, which is then appended in one step.
    while isProgression, let index = range.first {
      if other.isProgression, count > 1, step == other.step, other[index] == self[count] {
        count += range.count
        return
      }
      append(other[index])
      range = index + 1..<range.upperBound
    }
    guard !range.isEmpty else { return }
    if other.isProgression {
      for index in range { listed.append(other[index]) }
    } else {
      listed.append(contentsOf: other.listed[range])
    }
    count += range.count
  }

  /// Whether the three values from an index on are a progression.
  private func progresses(at index: Int) -> Bool {
    self[index + 1] &- self[index] == self[index + 2] &- self[index + 1]
  }

  /// Turns a progression into a list and appends `value`.
  private mutating func list(_ value: Int64) {
    listed.reserveCapacity(max(2 * count, Int(room)))
    for index in 0..<count { listed.append(self[index]) }
    listed.append(value)
    isProgression = false
  }

  /// The first index whose value is at or after `value`, of a progression that ascends.
  func ascendingBound(_ value: Int64) -> Int {
    guard value > first else { return 0 }
    let distance = UInt64(bitPattern: value &- first)
    let (steps, rest) =
      step == 1 ? (distance, 0) : distance.quotientAndRemainder(dividingBy: UInt64(bitPattern: step))
    return steps >= UInt64(count) ? count : Int(steps) + (rest == 0 ? 0 : 1)
  }
}

extension IntegerRunCoding {
  static func encode(_ run: IntegerRun, into writer: inout NodeWriter) {
    guard run.isProgression else { return encode(run.listed, into: &writer) }
    guard run.count > 0 else { return }
    writer.byte(run.step == 0 || run.count == 1 ? 0 : progression)
    writer.signed(run.first)
    if run.step != 0, run.count > 1 { writer.signed(run.step) }
  }
}
