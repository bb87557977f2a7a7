import Foundation
import Telemetry

extension EmbeddedServer {
  /// Puts a new key in the place of the one that signs tokens, also while a server runs: it takes the key over within a
  /// second. Nobody is logged out: refresh tokens of the old key stay good, because each is looked up in the directory as well.
  /// `keys/admin.json` is written anew.
  ///
  /// The nodes of a cluster hear of the new key before one of them signs with it.
  ///
  /// - Parameters:
  ///   - overlap: the time for which access tokens of the old key are good; zero ends them at once, for a key that became
  ///     known. Their clients come back with new ones.
  ///   - publication: the time in a cluster between the publication of the new key and its use.
  ///   - clock: the time.
  /// - Throws: ``ServerError``
  public func rotateTokenKey(
    overlap: Duration = AccountPolicy().accessTokenLifetime, publication: Duration = .seconds(2),
    clock: any WallClock = SystemWallClock()
  ) throws(ServerError) {
    try checkUsed()
    let directory = try openDirectory()
    defer { directory.close() }
    if let shared {
      try shared.changeKeys(in: layout.keys) { $0.prepareRotation(random) }
      try directory.tokenKeysChanged()
      Thread.sleep(forTimeInterval: publication / .seconds(1))
      try shared.changeKeys(in: layout.keys) { $0.finishRotation(at: clock.wallTime, overlap: overlap) }
    } else {
      try ServerKeys.rotate(in: layout.keys, random: random, at: clock.wallTime, overlap: overlap)
    }
    let keys = try ServerKeys.load(from: layout.keys, random: random)
    try writeAdministratorToken(keys.issuer, clock: clock)
    try directory.tokenKeysChanged()
  }
}
