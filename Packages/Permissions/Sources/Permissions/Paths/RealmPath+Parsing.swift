extension RealmPath {
  /// The rule that a segment breaks.
  public enum SegmentFlaw: Hashable, Sendable, CustomStringConvertible {
    /// Nothing stands between two slashes.
    case empty
    /// The segment begins with a dot.
    case beginsWithDot
    /// The segment has more than ``RealmPath/maximumSegmentBytes`` bytes.
    case tooLong
    /// The segment ends in one of ``RealmPath/reservedSuffixes``.
    case reservedSuffix(String)
    /// The first character that is not allowed.
    case badCharacter(Character)

    /// The end of a sentence that begins with the segment.
    public var description: String {
      switch self {
      case .empty: "is empty"
      case .beginsWithDot: "begins with a dot"
      case .tooLong: "has more than \(RealmPath.maximumSegmentBytes) bytes"
      case .reservedSuffix(let suffix): "ends in \(suffix)"
      case .badCharacter(let character):
        "has the character '\(character)'; only ASCII letters, digits, '_', '-' and '.' are allowed"
      }
    }
  }

  /// The realm that `text` names for `user`.
  ///
  /// A text that begins with `"` or `{`, or is `null`, is a partition; every other text is a virtual path, whose leading
  /// slash may be missing. A first segment `~` is the user's id.
  ///
  /// - Parameter user: the user for whose folder `~` stands; nil without one, as with an administrator's token.
  /// - Throws: ``RealmPathError``, naming the segment and the rule.
  /// - Complexity: O(*n*) for *n* bytes.
  public init(_ text: String, for user: UserId? = nil) throws(RealmPathError) {
    guard !text.isEmpty else { throw .empty }
    guard text.utf8.count <= Self.maximumBytes else { throw .tooLong(bytes: text.utf8.count) }
    if text.hasPrefix("\"") || text.hasPrefix("{") || text == "null" {
      guard let value = PartitionValue(extendedJSON: text) else { throw .badPartition(text) }
      self.init(partition: value)
      return
    }
    let body = text.hasPrefix("/") ? text.dropFirst() : text[...]
    guard !body.isEmpty else { throw .empty }
    var segments = body.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    if segments.first == "~" {
      guard segments.count > 1 else { throw .misplacedTilde }
      guard let user else { throw .tildeWithoutUser }
      segments[0] = user.rawValue
    }
    for (index, segment) in segments.enumerated() {
      if segment == "~" { throw .misplacedTilde }
      if let flaw = Self.flaw(ofSegment: segment) { throw .badSegment(segment, at: index, flaw) }
    }
    try Self.checkPartialView(segments)
    // The user's id may be longer than the tilde.
    let bytes = segments.reduce(0) { $0 + $1.utf8.count + 1 }
    guard bytes <= Self.maximumBytes else { throw .tooLong(bytes: bytes) }
    self.init(segments: segments)
  }

  /// The rule that `segment` breaks, or nil.
  static func flaw(ofSegment segment: String) -> SegmentFlaw? {
    if segment.isEmpty { return .empty }
    if segment.hasPrefix(".") { return .beginsWithDot }
    if segment.utf8.count > maximumSegmentBytes { return .tooLong }
    for suffix in reservedSuffixes where segment.hasSuffix(suffix) {
      return .reservedSuffix(suffix)
    }
    return segment.first { !isAllowed($0) }.map(SegmentFlaw.badCharacter)
  }

  private static func isAllowed(_ character: Character) -> Bool {
    guard let byte = character.asciiValue, character != "\r\n" else { return false }
    switch byte {
    case 48...57, 65...90, 97...122, UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."): return true
    default: return false
    }
  }

  private static func checkPartialView(_ segments: [String]) throws(RealmPathError) {
    guard let marker = segments.firstIndex(of: partialMarker) else { return }
    let hasOneMarker = segments.lastIndex(of: partialMarker) == marker
    guard hasOneMarker, marker >= 1, segments.count == marker + 3 else { throw .badPartialView }
  }
}
