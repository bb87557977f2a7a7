/// The choice of a sub-protocol: the answer of a server to the offers of a client, and its check by the client.
///
///     try Negotiation.choose(from: ["com.mongodb.realm-sync#14, com.mongodb.realm-sync#13"]).token
///     // "com.mongodb.realm-sync#14"
public struct Negotiation: Hashable, Sendable {
  /// The dialect of the connection.
  public var dialect: Dialect
  /// The one token of the answer.
  public var token: String

  /// A refused upgrade: status 400 with the text as body.
  public struct Refusal: Error, Hashable, Sendable {
    /// The body of the answer, plain text.
    public var message: String
  }

  /// The server's choice: the highest version that both speak.
  ///
  /// - Parameters:
  ///   - headers: the values of `Sec-WebSocket-Protocol`, or single tokens.
  ///   - flavours: the flavours that the server serves.
  /// - Throws: ``Refusal`` when a sync token is malformed, when there is none, or when no version is common.
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

  /// The dialect of the server's answer; nil, which is fatal, when the client did not offer it.
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
