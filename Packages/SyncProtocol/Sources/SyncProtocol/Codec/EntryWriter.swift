import ChangesetOT

/// Writes the entries of a body into memory of known capacity.
///
/// A large body has hundreds of thousands of digits. Writing them in place saves the checks of an array append for each:
/// benchmark rows `sync.transfer-upload` and `sync.transfer-download`.
struct EntryWriter {
  private let room: UnsafeMutableBufferPointer<UInt8>
  private(set) var count = 0

  /// The digits of the largest number, and the space after them.
  static let numberBytes = 21

  /// The body written by `write`, of at most `capacity` bytes.
  static func body(capacity: Int, _ write: (inout EntryWriter) -> Void) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: capacity) { room, count in
      var writer = EntryWriter(room: room)
      write(&writer)
      count = writer.count
    }
  }

  private init(room: UnsafeMutableBufferPointer<UInt8>) { self.room = room }

  /// A number in decimal digits, and a space.
  mutating func number(_ value: UInt64) {
    var length = 1
    var bound: UInt64 = 10
    while length < Self.numberBytes - 1, value >= bound {
      length += 1
      bound = length < Self.numberBytes - 1 ? bound &* 10 : .max
    }
    precondition(count + length < room.count, "the body is larger than it was said to be")
    var rest = value
    var index = count + length
    room[index] = 0x20
    while index > count {
      index -= 1
      room[index] = 0x30 + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    count += length + 1
  }

  /// The head of an entry: the two versions of its cursor in the order of the message, time and author.
  mutating func head(_ first: UInt64, _ second: UInt64, _ timestamp: OriginTimestamp, _ origin: FileIdent) {
    number(first)
    number(second)
    number(timestamp.rawValue)
    number(origin.rawValue)
  }

  /// The size of a changeset, and its bytes.
  mutating func changeset(_ bytes: ArraySlice<UInt8>) {
    number(UInt64(bytes.count))
    precondition(bytes.count <= room.count - count, "the body is larger than it was said to be")
    guard let start = room.baseAddress, !bytes.isEmpty else { return }
    bytes.withUnsafeBufferPointer { run in
      guard let source = run.baseAddress else { return }
      (start + count).initialize(from: source, count: run.count)
    }
    count += bytes.count
  }
}
