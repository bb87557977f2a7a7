import Permissions
import PermissionsTestSupport
import Testing

@Suite("Realm paths")
struct RealmPathTests {
  @Test(
    "a path has one canonical form",
    arguments: [
      ("/~/notes", "/1234/notes"),
      ("~/notes", "/1234/notes"),
      ("/1234/notes", "/1234/notes"),
      ("1234/notes", "/1234/notes"),
      ("/announcements", "/announcements"),
      ("/a/b/c-d_e.f", "/a/b/c-d_e.f"),
      ("/default/__partial/1234/main", "/default/__partial/1234/main"),
      ("\"team a\"", "\"team a\""),
      ("\"\\u0041\\n\"", "\"A\\u000a\""),
      ("{\"$numberInt\":\"42\"}", "{\"$numberInt\":\"42\"}"),
      ("{ \"$numberLong\" : \"-7\" }", "{\"$numberLong\":\"-7\"}"),
      ("{\"$oid\":\"64FF00112233445566778899\"}", "{\"$oid\":\"64ff00112233445566778899\"}"),
      (
        "{\"$binary\":{\"base64\":\"AAECAwQFBgcICQoLDA0ODw==\",\"subType\":\"04\"}}",
        "{\"$uuid\":\"000102030405060708090a0b0c0d0e0f\"}"
      ),
      ("null", "null"),
    ])
  func canonical(text: String, expected: String) throws {
    let path = try RealmPath(text, for: "1234")
    #expect(path.description == expected)
    #expect(try RealmPath(path.description) == path)
  }

  @Test(
    "a text that breaks a rule is refused with that rule",
    arguments: [
      ("", RealmPathError.empty),
      ("/", .empty),
      ("//a", .badSegment("", at: 0, .empty)),
      ("/a/", .badSegment("", at: 1, .empty)),
      ("/.hidden", .badSegment(".hidden", at: 0, .beginsWithDot)),
      ("/a/..", .badSegment("..", at: 1, .beginsWithDot)),
      ("/a/../b", .badSegment("..", at: 1, .beginsWithDot)),
      ("/a.realm", .badSegment("a.realm", at: 0, .reservedSuffix(".realm"))),
      ("/a/b.realm.lock", .badSegment("b.realm.lock", at: 1, .reservedSuffix(".realm.lock"))),
      ("/a b", .badSegment("a b", at: 0, .badCharacter(" "))),
      ("/ä", .badSegment("ä", at: 0, .badCharacter("ä"))),
      ("/a%2fb", .badSegment("a%2fb", at: 0, .badCharacter("%"))),
      ("/a\r\n", .badSegment("a\r\n", at: 0, .badCharacter("\r\n"))),
      ("/a\u{0}", .badSegment("a\u{0}", at: 0, .badCharacter("\u{0}"))),
      ("/...", .badSegment("...", at: 0, .beginsWithDot)),
      ("/./a", .badSegment(".", at: 0, .beginsWithDot)),
      ("/a//b", .badSegment("", at: 1, .empty)),
      ("/a%2e%2e/b", .badSegment("a%2e%2e", at: 0, .badCharacter("%"))),
      ("/a\\b", .badSegment("a\\b", at: 0, .badCharacter("\\"))),
      ("/\u{FF0E}\u{FF0E}/b", .badSegment("\u{FF0E}\u{FF0E}", at: 0, .badCharacter("\u{FF0E}"))),
      ("/a\u{200B}", .badSegment("a\u{200B}", at: 0, .badCharacter("\u{200B}"))),
      ("/e\u{301}", .badSegment("e\u{301}", at: 0, .badCharacter("e\u{301}"))),
      ("/a\u{202E}b", .badSegment("a\u{202E}b", at: 0, .badCharacter("\u{202E}"))),
      ("/a?b", .badSegment("a?b", at: 0, .badCharacter("?"))),
      ("/a#b", .badSegment("a#b", at: 0, .badCharacter("#"))),
      ("/a:b", .badSegment("a:b", at: 0, .badCharacter(":"))),
      ("/*", .badSegment("*", at: 0, .badCharacter("*"))),
      ("/a/b.realm.management", .badSegment("b.realm.management", at: 1, .reservedSuffix(".realm.management"))),
      ("/~", .misplacedTilde),
      ("/a/~", .misplacedTilde),
      ("/__partial/1234/x", .badPartialView),
      ("/a/__partial/1234", .badPartialView),
      ("/a/__partial/__partial/x", .badPartialView),
      ("\"open", .badPartition("\"open")),
      ("{\"$numberInt\":\"4294967296\"}", .badPartition("{\"$numberInt\":\"4294967296\"}")),
      ("{\"a\":\"b\"}", .badPartition("{\"a\":\"b\"}")),
      ("{}", .badPartition("{}")),
      ("{\"$oid\":null}", .badPartition("{\"$oid\":null}")),
      ("{\"$numberInt\":7}", .badPartition("{\"$numberInt\":7}")),
      ("{\"$uuid\":\"00\",\"x\":1}", .badPartition("{\"$uuid\":\"00\",\"x\":1}")),
      (
        "{\"$binary\":{\"base64\":\"AAEC\",\"subType\":\"04\"}}",
        .badPartition("{\"$binary\":{\"base64\":\"AAEC\",\"subType\":\"04\"}}")
      ),
    ])
  func refused(text: String, expected: RealmPathError) {
    #expect(throws: expected) { try RealmPath(text, for: "1234") }
  }

  @Test("a path longer than a BIND message carries is refused")
  func tooLong() {
    #expect(throws: RealmPathError.tooLong(bytes: 1_025)) { try RealmPath(String(repeating: "/a", count: 512) + "b") }
    #expect(throws: RealmPathError.badSegment(String(repeating: "a", count: 201), at: 0, .tooLong)) {
      try RealmPath(String(repeating: "a", count: 201))
    }
  }

  @Test("a segment has at most 200 bytes, the user's id behind the tilde included")
  func segmentLength() throws {
    let longest = String(repeating: "a", count: 200)
    #expect(try RealmPath("/" + longest).description.utf8.count == 201)
    #expect(throws: RealmPathError.badSegment(longest + "a", at: 0, .tooLong)) { try RealmPath("/" + longest + "a") }
    #expect(throws: RealmPathError.self) { try RealmPath("/~/x", for: UserId(longest + "a")) }
  }

  @Test("names that differ in case are different realms with different owners")
  func cases() throws {
    #expect(try RealmPath("/Ann/todo") != RealmPath("/ann/todo"))
    #expect(try RealmPath("/Ann/todo").owner != RealmPath("/ann/todo").owner)
  }

  @Test("a tilde without a user is refused")
  func tildeNeedsUser() {
    #expect(throws: RealmPathError.tildeWithoutUser) { try RealmPath("/~/notes") }
  }

  @Test("a tilde cannot smuggle a user's id that is not a segment")
  func hostileUser() {
    #expect(throws: RealmPathError.self) { try RealmPath("/~/notes", for: "../../etc") }
  }

  @Test("integers of equal value and other width are different partitions")
  func widths() throws {
    #expect(try RealmPath("{\"$numberInt\":\"1\"}") != RealmPath("{\"$numberLong\":\"1\"}"))
  }

  @Test("random texts are parsed or refused, and parsed ones round-trip")
  func fuzz() throws {
    let environment = FuzzEnvironment(runs: 2_000)
    var random = environment.generator
    let alphabet = Array("~/._-\"{}:$ab1\u{0}é \\u")
    for run in 0..<environment.runs {
      let text = String(
        (0..<Int.random(in: 0...24, using: &random)).compactMap { _ in alphabet.randomElement(using: &random) })
      guard let path = try? RealmPath(text, for: "u1") else { continue }
      #expect(try RealmPath(path.description) == path, "SEED=\(environment.seed) run \(run): \(text.debugDescription)")
    }
  }
}
