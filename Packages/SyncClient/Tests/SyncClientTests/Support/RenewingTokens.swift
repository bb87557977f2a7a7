import Concurrency
@testable import SyncClient

/// A token that the server refuses, and the one that replaces it.
final class RenewingTokens: TokenSource {
  private let loop: any Scheduler
  private let renewed: String?
  let current = Box("old")
  let renewals = Box(0)

  init(_ loop: any Scheduler, renewed: String?) {
    self.loop = loop
    self.renewed = renewed
  }

  func token(renewing: Bool, completion: @escaping @Sendable (Result<String, TokenFailure>) -> Void) {
    if renewing {
      renewals.change { $0 += 1 }
      guard let renewed else {
        return loop.execute { completion(.failure(.loginEnded("logged out elsewhere"))) }
      }
      current.value = renewed
    }
    let token = current.value
    loop.execute { completion(.success(token)) }
  }
}
