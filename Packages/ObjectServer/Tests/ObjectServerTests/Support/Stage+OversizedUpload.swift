import ChangesetOT
@testable import ObjectServer
import SyncProtocol
import TestKit
import Testing

extension Stage {
  /// Uploads more than the 10,000 bytes that the stage takes in one of two sessions, and expects that one alone to end.
  ///
  /// - Returns: the client with its two sessions.
  func expectOversizedUploadEndsItsSessionAlone() throws -> WireClient {
    let ann = try user("ann")
    let (phone, _) = try session(ann.token, "/~/todo")
    phone.bind(2, "/~/other")
    run(.seconds(1))
    let file = try #require(phone.take().compactMap(\.file).first)
    phone.ident(2, file)
    run(.seconds(1))
    _ = phone.take()
    var random = SeededGenerator(seed: 1)
    phone.upload(1, version: 2, bytes: (0..<20_000).map { _ in UInt8.random(in: 0...255, using: &random) })
    phone.upload(2, version: 2, bytes: [1, 2, 3])
    run(.seconds(1))
    let heard = phone.take()
    #expect(heard.compactMap(\.failureCode) == [201])
    #expect(heard.compactMap(\.download).last?.progress.upload.client == ClientVersion(2), "the other is acknowledged")
    return phone
  }
}
