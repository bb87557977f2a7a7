import Foundation
@testable import ObjectServer
import Permissions
import ServerClusterTestSupport
import Telemetry
import TestKit
import Testing

/// A directory of an earlier release, which every later one opens: `Tests/Vectors/golden/directory-<layout>`.
@Suite(
  "directories of earlier releases",
  .enabled(if: TestStorage.isEmbedded, "opens files of earlier releases, which had no other storage"))
struct DirectoryUpgradeTests {
  private struct Answer: Decodable {
    var user_id: String
    var refresh_token: String
    var access_token: String
  }
  private struct Answers: Decodable {
    struct Key: Decodable { var _id: String, key: String }
    struct Offer: Decodable { var token: String, path: String }
    var ann: Answer, ben: Answer, robot: Answer
    var key: Key
    var offer: Offer
  }

  /// A moment at which the golden tokens are valid.
  private struct Clock: WallClock {
    var wallTime: WallTime { WallTime(secondsSince1970: 1_795_839_400) }
  }

  @Test("layout 6 is upgraded in place: users, logins, keys, grants and offers are there, and verify finds nothing")
  func layout6() throws {
    let golden = RepositoryFiles.root().appendingPathComponent("Tests/Vectors/golden/directory-6")
    let path = try DirectoryTests.path()
    defer { DirectoryTests.remove(path) }
    let folder = (path as NSString).deletingLastPathComponent
    for name in ["directory.db", "keys"] {
      try FileManager.default.copyItem(atPath: golden.path + "/" + name, toPath: folder + "/" + name)
    }
    let answers = try JSONDecoder().decode(
      Answers.self, from: Data(contentsOf: golden.appendingPathComponent("answers.json")))
    let random = RandomSource(SeededGenerator(seed: 1))
    for _ in 0..<2 {
      let directory = try SQLiteDirectory(path: path)
      defer { directory.close() }
      #expect(try directory.problems() == [])
      let accounts = Accounts(
        directory: directory, policy: AccountPolicy(),
        issuer: try ServerKeys.load(from: folder + "/keys", random: random).issuer, foreignKeys: [], random: random,
        clock: Clock())
      for answer in [answers.ann, answers.ben, answers.robot] {
        #expect(try accounts.login(refreshToken: answer.refresh_token).1.id.rawValue == answer.user_id)
        #expect(try accounts.bearer(accessToken: answer.access_token).user.rawValue == answer.user_id)
      }
      #expect(try accounts.logIn(name: "ann", password: "secret-ann", app: "").user.rawValue == answers.ann.user_id)
      #expect(try accounts.logIn(apiKey: answers.key.key, app: "").user.rawValue == answers.ann.user_id)
      #expect(try directory.grants(to: UserId(answers.ben.user_id)).map(\.level) == [.write])
      #expect(try directory.offer(answers.offer.token)?.path.description == answers.offer.path)
      #expect(try directory.offers(of: UserId(answers.ann.user_id)).map(\.token) == [answers.offer.token])
      #expect(try directory.changes(after: nil).isComplete)
    }
    // The token stood in the file, and stands in no page of it any more, used or free.
    for suffix in ["", "-wal"] {
      let bytes = FileManager.default.contents(atPath: path + suffix) ?? Data()
      #expect(bytes.range(of: Data(answers.offer.token.utf8)) == nil, "directory.db\(suffix)")
    }
    #expect(
      try Data(contentsOf: golden.appendingPathComponent("directory.db")).range(of: Data(answers.offer.token.utf8))
        != nil)
  }
}
