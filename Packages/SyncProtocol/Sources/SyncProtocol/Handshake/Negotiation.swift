/// What a server answers to the sub-protocols that a client offers, and what a client makes of the answer.
///
///     try Negotiation.choose(from: ["com.mongodb.realm-sync#14, com.mongodb.realm-sync#13"]).token
///     // "com.mongodb.realm-sync#14"
public struct Negotiation: Hashable, Sendable {
  /// What both sides speak from now on.
  public var dialect: Dialect
  /// The one token of the answer.
  public var token: String

  /// Why an upgrade is refused: the status is 400, and the body is the text.
  public struct Refusal: Error, Hashable, Sendable {
    /// What to answer in the body, plain text.
    public var message: String
  }

  /// The server's choice: the highest version that both speak.
  ///
  /// - Parameters:
  ///   - headers: the values of `Sec-WebSocket-Protocol`, or single tokens.
  ///   - flavours: what the server serves.
  /// - Throws: ``Refusal`` when a token of ours is malformed, when none is ours, or when no version is common.
  public static func choose(
    from headers: [String], versions: ClosedRange<ProtocolVersion> = ProtocolVersion.supported,
    flavours: Set<SyncFlavour> = [.full]
  ) throws(Refusal) -> Negotiation {
    var offers: [SubprotocolOffer] = []
    for token in headers.flatMap({ $0.split(separator: ",") }) {
      let trimmed = token.drop { $0 == " " || $0 == "\t" }
      let end = trimmed.lastIndex { $0 != " " && $0 != "\t" }.map { trimmed.index(after: $0) } ?? trimmed.startIndex
      switch SubprotocolOffer.reading(trimmed[..<end]) {
      case .offer(let offer): offers.append(offer)
      case .foreign: continue
      case .malformed: throw Refusal(message: "Malformed sync protocol token: \(trimmed[..<end])\n")
      }
    }
    guard !offers.isEmpty else {
      throw Refusal(message: "No sync protocol among the offered WebSocket sub-protocols\n")
    }
    let usable = offers.filter { flavours.contains($0.flavour) && $0.versions.overlaps(versions) }
    let best = usable.max { $0.versions.upperBound < $1.versions.upperBound }
    guard let best else {
      let theirs = offers.map { "\($0.flavour.tokenPrefix) \($0.versions.lowerBound)-\($0.versions.upperBound)" }
      let ours = flavours.map(\.tokenPrefix).sorted().joined(separator: ", ")
      throw Refusal(
        message: "No common protocol version: client offers \(theirs.joined(separator: ", ")); "
          + "server speaks \(ours) \(versions.lowerBound)-\(versions.upperBound)\n")
    }
    let version = min(best.versions.upperBound, versions.upperBound)
    return Negotiation(
      dialect: Dialect(best.flavour, version), token: "\(best.flavour.tokenPrefix)\(best.separator)\(version)")
  }

  /// The client's reading of the answer; nil when it is not one of the versions it offered, which is fatal.
  public static func accepted(
    _ token: String?, flavour: SyncFlavour, versions: ClosedRange<ProtocolVersion> = ProtocolVersion.supported
  ) -> Dialect? {
    guard let token, case .offer(let offer) = SubprotocolOffer.reading(token), offer.flavour == flavour,
      offer.separator == "#", offer.versions.lowerBound == offer.versions.upperBound,
      versions.contains(offer.versions.lowerBound)
    else { return nil }
    return Dialect(flavour, offer.versions.lowerBound)
  }
}
