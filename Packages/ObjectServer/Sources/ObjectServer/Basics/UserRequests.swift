import Permissions

/// Counts the requests of each user that are under way, so that nobody's fill the queues of the server.
// @unchecked Sendable: its variable is accessed on the loop only.
final class UserRequests: @unchecked Sendable {
  /// The most requests of one user at a time.
  let limit: Int
  /// None stands for zero.
  private var underWay: [UserId: Int] = [:]

  init(limit: Int) { self.limit = limit }

  /// Counts a request that begins. Each is to be ended by ``end(_:)``.
  ///
  /// - Throws: ``APIError`` with 429, when nothing is counted.
  func begin(_ user: UserId) throws(APIError) {
    guard underWay[user, default: 0] < limit else {
      throw APIError(429, .tooManyAttempts, "\(limit) requests are under way: wait for an answer")
    }
    underWay[user, default: 0] += 1
  }

  func end(_ user: UserId) {
    guard let count = underWay[user] else { return }
    underWay[user] = count > 1 ? count - 1 : nil
  }
}
