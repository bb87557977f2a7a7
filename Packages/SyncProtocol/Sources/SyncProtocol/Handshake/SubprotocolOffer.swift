/// One entry of `Sec-WebSocket-Protocol`: a flavour and the versions it offers.
///
///     SubprotocolOffer(token: "com.mongodb.realm-sync#2-14")   // full sync, 2…14, with "#"
public struct SubprotocolOffer: Hashable, Sendable {
  /// Full or flexible sync.
  public var flavour: SyncFlavour
  /// The versions offered.
  public var versions: ClosedRange<ProtocolVersion>
  /// `#`, or `/` in clients before version 8. The answer repeats it.
  public var separator: Character

  /// An offer.
  public init(flavour: SyncFlavour, versions: ClosedRange<ProtocolVersion>, separator: Character = "#") {
    self.flavour = flavour
    self.versions = versions
    self.separator = separator
  }

  /// The meaning of a token.
  public enum Reading: Hashable, Sendable {
    /// An offer.
    case offer(SubprotocolOffer)
    /// A token of another protocol; to be ignored.
    case foreign
    /// A sync token whose version cannot be read.
    case malformed
  }

  /// Reads one token.
  public static func reading(_ token: some StringProtocol) -> Reading {
    for flavour in SyncFlavour.allCases {
      guard token.hasPrefix(flavour.tokenPrefix) else { continue }
      let rest = token.dropFirst(flavour.tokenPrefix.count)
      guard let separator = rest.first, separator == "#" || separator == "/" else { continue }
      let bounds = rest.dropFirst().split(separator: "-", omittingEmptySubsequences: false)
      let numbers = bounds.compactMap { Self.number($0) }
      guard numbers.count == bounds.count, let low = numbers.first, let high = numbers.last,
        numbers.count <= 2, low <= high
      else { return .malformed }
      let versions = ProtocolVersion(low)...ProtocolVersion(high)
      return .offer(SubprotocolOffer(flavour: flavour, versions: versions, separator: separator))
    }
    return .foreign
  }

  private static func number(_ text: some StringProtocol) -> UInt16? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return UInt16(text)
  }

  /// The tokens of a client, newest version first.
  public static func tokens(
    for flavour: SyncFlavour, versions: ClosedRange<ProtocolVersion> = ProtocolVersion.supported
  ) -> [String] {
    (versions.lowerBound.rawValue...versions.upperBound.rawValue).reversed().map { "\(flavour.tokenPrefix)#\($0)" }
  }
}
