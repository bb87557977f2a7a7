public import ObjectServer
public import Permissions

/// Offers.
extension MemoryDirectory {
  /// Stores an offer.
  public func createOffer(_ offer: OfferRecord) throws(ServerError) {
    content.withLock { $0.offers[offer.token] = offer }
  }

  /// The offer with a token.
  public func offer(_ token: String) throws(ServerError) -> OfferRecord? { content.withLock { $0.offers[token] } }

  /// The offers that a user made, oldest first.
  public func offers(of user: UserId) throws(ServerError) -> [OfferRecord] {
    content.withLock { content in
      content.offers.values.filter { $0.user == user }.sorted { ($0.createdAt, $0.token) < ($1.createdAt, $1.token) }
    }
  }

  /// Removes an offer.
  public func deleteOffer(_ token: String) throws(ServerError) { content.withLock { $0.offers[token] = nil } }
}
