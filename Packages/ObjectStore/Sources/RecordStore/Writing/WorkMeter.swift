import StorageEngine

/// Counts the steps of a transaction, and limits those that bytes from outside can ask for beyond their number.
///
/// A step is one element looked at, or 64 bytes copied. Most of what a changeset does is paid for by its bytes, or by what
/// it takes away: that is counted here for tests at most. What could be had again and again for a few bytes is charged:
/// values that are decoded and encoded whole to change something inside, rows that are looked through, long keys.
///
///     var meter = WorkMeter()
///     meter.allow(bytes: 100)
///     try meter.charge(5_000)          // fine: 8 M and 128 for each byte are allowed
///
/// `Docs/Limitations.md` says what the budget means in time.
struct WorkMeter {
  /// Steps that everybody may take: about half a second.
  static let base = 8 << 20
  /// Steps for each byte of a changeset: about 10 µs.
  static let perByte = 128

  /// All steps.
  private(set) var steps = 0
  /// Charged steps.
  private(set) var charged = 0
  private var limit = Int.max

  /// Sets the budget of changesets that come next, of so many bytes; forgets what others used.
  mutating func allow(bytes: Int) {
    charged = 0
    let (product, overflows) = bytes.multipliedReportingOverflow(by: Self.perByte)
    limit = overflows ? .max : Self.base + min(product, .max - Self.base)
  }

  /// Lifts the limit.
  mutating func allowAll() { limit = .max }

  /// Counts steps that need no budget.
  mutating func count(_ steps: Int = 1) { self.steps &+= steps }

  /// Counts steps that need a budget, or none.
  ///
  /// - Throws: as ``charge(_:)``.
  mutating func take(_ steps: Int, isCharged: Bool) throws {
    if isCharged { try charge(steps) } else { count(steps) }
  }

  /// Counts steps that need one.
  ///
  /// - Throws: ``Refusal`` of kind ``ChangesetRefusal/workExceeded`` when it is used up.
  mutating func charge(_ steps: Int) throws {
    self.steps &+= steps
    charged &+= steps
    if charged > limit { throw Refusal(.workExceeded, "it takes more than \(limit) steps of work") }
  }

  /// Charges for a text that is copied, compared or looked up, where it is long.
  mutating func charge(text: String) throws {
    let count = text.utf8.count
    if count > 256 { try charge(count >> 6) }
  }
}

extension StoredValue {
  /// The steps that one decoding or encoding of the value takes.
  var steps: Int {
    switch self {
    case .list(let elements): elements.reduce(1) { $0 + $1.steps }
    case .dictionary(let entries): entries.reduce(1) { $0 + $1.value.steps + 1 + ($1.key.utf8.count >> 6) }
    case .string(let text): 1 + (text.utf8.count >> 6)
    case .data(let bytes): 1 + (bytes.count >> 6)
    default: 1
    }
  }
}
