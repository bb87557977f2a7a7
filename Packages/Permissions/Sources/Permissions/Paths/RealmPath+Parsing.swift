extension RealmPath {
  /// What is wrong with a segment.
  public enum SegmentFlaw: Hashable, Sendable, CustomStringConvertible {
    case empty, beginsWithDot, tooLong, reservedSuffix(String), badCharacter(Character)

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
  /// What begins with `"`, `{` or is `null` is a partition; everything else is a virtual path, whose leading slash may be
  /// missing. A first segment `~` is the user's id.
  ///
  /// - Parameter user: whose folder `~` is; nil when there is none, as with an administrator's token.
  /// - Throws: ``RealmPathError``, naming the segment and the rule.
  /// - Complexity: O(bytes).
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
    // With the user's id in it, it may be longer than what was asked for.
    let bytes = segments.reduce(0) { $0 + $1.utf8.count + 1 }
    guard bytes <= Self.maximumBytes else { throw .tooLong(bytes: bytes) }
    self.init(segments: segments)
  }

  /// The rule that `segment` breaks, or nil.
  static func flaw(ofSegment segment: String) -> SegmentFlaw? {
    if segment.isEmpty { return .empty }
    if segment.hasPrefix(".") { return .beginsWithDot }
    if segment.utf8.count > maximumSegmentBytes { return .tooLong }
    for suffix in [".realm", ".realm.lock", ".realm.management"] where segment.hasSuffix(suffix) {
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
