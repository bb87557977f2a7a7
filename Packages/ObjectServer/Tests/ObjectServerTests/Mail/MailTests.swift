import Cryptography
import Foundation
@testable import ObjectServer
import Synchronization
import Telemetry
import Testing
import Transport

/// Takes messages, or refuses them as it is told.
private final class Outbox: MailTransport {
  private struct State {
    var messages: [MailMessage] = []
    var attempts = 0
    var error: MailError?
  }
  private let state = Mutex(State())

  var messages: [MailMessage] { state.withLock(\.messages) }
  var attempts: Int { state.withLock(\.attempts) }
  func fails(_ error: MailError?) { state.withLock { $0.error = error } }

  func send(_ message: MailMessage) throws(MailError) {
    let error = state.withLock { state in
      state.attempts += 1
      if state.error == nil { state.messages.append(message) }
      return state.error
    }
    if let error { throw error }
  }
}

@Suite("Mail")
struct MailTests {
  private static let base = "/api/client/v2.0/app/todo/auth/providers/local-userpass/"

  /// A server with mail, and what it sends.
  private struct Scene {
    let stage: Stage
    let outbox = Outbox()
    let folder: String

    init(confirms: Bool = true) throws {
      folder = NSTemporaryDirectory() + "/mail-\(UUID().uuidString)"
      let outbox = outbox
      stage = try Stage(
        mail: MailEnvironment(transport: outbox, folder: folder, key: Array(repeating: 5, count: 32)),
        { configuration in
          configuration.accounts.registration = .all
          configuration.accounts.minimumPasswordBytes = 8
          var mail = MailSettings(sender: "realm@example.org", linkBase: "https://sync.example.org")
          mail.confirmsAccounts = confirms
          configuration.mail = mail
        })
    }

    func remove() { try? FileManager.default.removeItem(atPath: folder) }

    func send(_ route: String, _ body: [String: String]) throws -> Int {
      let data = try JSONSerialization.data(withJSONObject: body)
      return try stage.send("POST", MailTests.base + route, body: String(decoding: data, as: UTF8.self)).status
    }

    func logIn(_ name: String, _ password: String) throws -> Int {
      try send("login", ["username": name, "password": password])
    }

    /// The secret and its ident in the link of the newest message.
    func link() throws -> [String: String] { try link(of: #require(outbox.messages.last)) }

    func link(of message: MailMessage) throws -> [String: String] {
      let text = message.text
      let link = try #require(text.split(separator: "\n").first { $0.hasPrefix("https://sync.example.org/mail/") })
      let values = try #require(link.split(separator: "#").last).split(separator: "&").map { $0.split(separator: "=") }
      return Dictionary(uniqueKeysWithValues: values.map { (String($0[0]), String($0[1])) })
    }
  }

  @Test("an account exists once its address is confirmed, and a link works once")
  func confirmation() throws {
    let scene = try Scene()
    defer { scene.remove() }
    #expect(try scene.send("register", ["email": "ann@example.org", "password": "password-1"]) == 201)
    #expect(try scene.logIn("ann@example.org", "password-1") == 401)
    #expect(scene.outbox.messages.map(\.recipient) == ["ann@example.org"])
    let link = try scene.link()
    #expect(link["app"] == "todo")
    for (name, value) in [
      ("token", "00"), ("token", String(repeating: "0", count: 64)), ("tokenId", "x"), ("tokenId", ""),
    ] {
      var wrong = link
      wrong[name] = value
      #expect(try scene.send("confirm", wrong) == 400, "\(name) \(value)")
    }
    #expect(try scene.send("confirm", link) == 200)
    #expect(try scene.logIn("ann@example.org", "password-1") == 200)
    #expect(try scene.send("confirm", link) == 400)
    #expect(try scene.send("register", ["email": "no address", "password": "password-1"]) == 400)
    #expect(try scene.send("register", ["email": "ben@example.org", "password": "short"]) == 400)
  }

  @Test("a link confirms the registration that it was sent for, whoever registers the address again")
  func takeover() throws {
    let scene = try Scene()
    defer { scene.remove() }
    let owner = ["email": "ann@example.org", "password": "password-1"]
    let other = ["email": "ann@example.org", "password": "password-2"]
    scene.outbox.fails(MailError("the mail server is slow"))
    #expect(try scene.send("register", owner) == 201)
    #expect(try scene.send("register", other) == 201)
    scene.outbox.fails(nil)
    scene.stage.run(.seconds(180))
    #expect(scene.outbox.messages.count == 2, "each registration has its message")
    let links = try scene.outbox.messages.map(scene.link)
    #expect(Set(links.map { $0["tokenId"] }).count == 2)
    // Either message may come first; each is of one registration.
    var results: [Int] = []
    for link in links { results.append(try scene.send("confirm", link.merging(["password": "password-1"]) { $1 })) }
    #expect(results.sorted() == [200, 400], "the page asks for the password, which is that of one registration")
    #expect(try scene.logIn("ann@example.org", "password-1") == 200)
    #expect(try scene.logIn("ann@example.org", "password-2") == 401)
    for link in links { #expect(try scene.send("confirm", link) == 400, "other registrations ended") }
    #expect(try scene.logIn("ann@example.org", "password-2") == 401)
  }

  @Test("a registration ends no link of an earlier one, of which the newest few wait")
  func registrations() throws {
    let scene = try Scene()
    defer { scene.remove() }
    for number in 1...6 {
      _ = try scene.send("register", ["email": "ann@example.org", "password": "password-\(number)"])
      scene.stage.run(.seconds(61))
    }
    let links = try scene.outbox.messages.map(scene.link)
    #expect(links.count == 6)
    #expect(try scene.send("confirm", links[1]) == 400)
    #expect(try scene.send("confirm", links[2]) == 200)
    #expect(try scene.logIn("ann@example.org", "password-3") == 200)
  }

  @Test("a crowd of registrations of one address sends it a message a minute, and the newest within minutes")
  func crowd() throws {
    let scene = try Scene()
    defer { scene.remove() }
    for number in 1...20 {
      _ = try scene.send("register", ["email": "ann@example.org", "password": "password-\(number)"])
    }
    scene.stage.run(.seconds(1))
    #expect(scene.outbox.messages.count == 1)
    scene.stage.run(.seconds(300))
    #expect(scene.outbox.messages.count <= 1 + PendingAccountRules.maximumOfName)
    var wrong = try scene.link()
    wrong["password"] = "password-1"
    #expect(try scene.send("confirm", wrong) == 400)
    let right = try scene.outbox.messages.map(scene.link).contains { link in
      try scene.send("confirm", link.merging(["password": "password-20"]) { $1 }) == 200
    }
    #expect(right, "the newest registration has its message")
  }

  @Test("a reset by mail sets the password, ends logins, and works once and in its time")
  func reset() throws {
    let scene = try Scene(confirms: false)
    defer { scene.remove() }
    #expect(try scene.send("register", ["email": "ann@example.org", "password": "password-1"]) == 201)
    #expect(try scene.logIn("ann@example.org", "password-1") == 200)
    #expect(try scene.send("reset/send", ["email": "ann@example.org"]) == 200)
    var link = try scene.link()
    link["password"] = "short"
    #expect(try scene.send("reset", link) == 400)
    link["password"] = "password-2"
    #expect(try scene.send("reset", link) == 200)
    #expect(try scene.logIn("ann@example.org", "password-1") == 401)
    #expect(try scene.logIn("ann@example.org", "password-2") == 200)
    #expect(try scene.send("reset", link) == 400)
    scene.stage.run(.seconds(61))
    #expect(try scene.send("reset/send", ["email": "ann@example.org"]) == 200)
    var late = try scene.link()
    late["password"] = "password-3"
    scene.stage.run(.seconds(3_700))
    #expect(try scene.send("reset", late) == 400)
    // A secret for one purpose is none for another.
    late["tokenId"] = late["tokenId"]?.replacingOccurrences(of: "reset", with: "confirmation")
    #expect(try scene.send("confirm", late) == 400)
  }

  @Test("a reset by mail sets the password of the name that it was asked for, of a user with several")
  func resetOfOneName() throws {
    let scene = try Scene(confirms: false)
    defer { scene.remove() }
    let names = ["ann@example.org", "bea@example.org"]
    for name in names { #expect(try scene.send("register", ["email": name, "password": "password-1"]) == 201) }
    let answer = try scene.stage.send(
      "POST", Self.base + "login", body: #"{"username":"\#(names[0])","password":"password-1"}"#)
    let bearer = try #require(try HTTPTests.json(answer)["access_token"] as? String)
    let linked = try scene.stage.send(
      "POST", Self.base + "login?link=true", bearer: bearer,
      body: #"{"username":"\#(names[1])","password":"password-1"}"#)
    #expect(linked.status == 200)
    for (number, name) in names.enumerated() {
      #expect(try scene.send("reset/send", ["email": name]) == 200)
      var link = try scene.link()
      link["password"] = "new-password-\(number)"
      #expect(try scene.send("reset", link) == 200, "\(name)")
      #expect(try scene.logIn(name, "new-password-\(number)") == 200, "\(name)")
      #expect(try scene.logIn(name, "password-1") == 401, "\(name)")
    }
  }

  @Test("answers do not tell whether there is an account, and nobody is sent two messages a minute")
  func silence() throws {
    let scene = try Scene()
    defer { scene.remove() }
    _ = try scene.send("register", ["email": "ann@example.org", "password": "password-1"])
    _ = try scene.send("confirm", try scene.link())
    let sent = scene.outbox.messages.count
    #expect(try scene.send("register", ["email": "ann@example.org", "password": "password-2"]) == 201)
    for route in ["reset/send", "confirm/send"] {
      for name in ["ann@example.org", "nobody@example.org", "nonsense"] {
        #expect(try scene.send(route, ["email": name]) == 200, "\(route) \(name)")
      }
    }
    #expect(scene.outbox.messages.count == sent + 1)
    _ = try scene.send("reset/send", ["email": "ann@example.org"])
    #expect(scene.outbox.messages.count == sent + 1)
    #expect(try scene.logIn("ann@example.org", "password-1") == 200)
    #expect(try scene.logIn("ann@example.org", "password-2") == 401)
  }

  @Test("what cannot be sent is tried again, later each time, survives a crash, and is given up after three days")
  func retry() throws {
    let scene = try Scene()
    defer { scene.remove() }
    scene.outbox.fails(MailError("the mail server is down"))
    _ = try scene.send("register", ["email": "ann@example.org", "password": "password-1"])
    #expect(scene.outbox.attempts == 1)
    scene.stage.run(.seconds(70))
    #expect(scene.outbox.attempts == 2)
    scene.stage.crashAndRestart()
    scene.stage.run(.seconds(600))
    let attempts = scene.outbox.attempts
    #expect((4...5).contains(attempts), "\(attempts)")
    scene.outbox.fails(nil)
    scene.stage.run(.seconds(3_600))
    #expect(scene.outbox.messages.count == 1)
    #expect(try scene.send("confirm", try scene.link()) == 200)

    scene.outbox.fails(MailError("still down"))
    _ = try scene.send("reset/send", ["email": "ann@example.org"])
    scene.stage.run(.seconds(4 * 86_400))
    let last = scene.outbox.attempts
    scene.stage.run(.seconds(86_400))
    #expect(scene.outbox.attempts == last)
    scene.outbox.fails(MailError("no such mailbox", isPermanent: true))
    _ = try scene.send("reset/send", ["email": "ann@example.org"])
    scene.stage.run(.seconds(86_400))
    #expect(scene.outbox.attempts == last + 1)
  }

  @Test("nothing that waits on the disk has a secret of a link, a password or its own words")
  func secrecy() throws {
    let scene = try Scene()
    defer { scene.remove() }
    scene.outbox.fails(MailError("down"))
    _ = try scene.send("register", ["email": "ann@example.org", "password": "password-1"])
    let files = try #require(FileManager.default.enumerator(atPath: scene.folder)).compactMap { $0 as? String }
    #expect(files.count { $0.hasSuffix(".order") } == 1)
    var all = ""
    for file in files {
      all +=
        FileManager.default.contents(atPath: scene.folder + "/" + file).map { String(decoding: $0, as: UTF8.self) }
        ?? ""
    }
    scene.outbox.fails(nil)
    scene.stage.run(.seconds(120))
    let secret = try #require(try scene.link()["token"])
    #expect(!all.contains(secret))
    #expect(!all.contains("password-1"))
  }

  @Test("the pages need no other host, have no script within, and are served under a strict policy")
  func pages() throws {
    let scene = try Scene()
    defer { scene.remove() }
    for page in ["confirm", "reset"] {
      let response = try scene.stage.send("GET", "/mail/\(page)")
      #expect(response.status == 200)
      #expect(response.headers["Content-Type"] == "text/html; charset=utf-8")
      #expect(response.headers["Content-Security-Policy"]?.hasPrefix("default-src 'none'") == true)
      #expect(response.headers["Referrer-Policy"] == "no-referrer")
      #expect(!response.text.contains("://"))
      #expect(!response.text.contains("<script>"))
    }
    #expect(try scene.stage.send("GET", "/mail/mail.js").headers["Content-Type"] == "text/javascript; charset=utf-8")
    #expect(try scene.stage.send("GET", "/mail/../keys/admin.json").status == 404)
    #expect(try Stage().send("GET", "/mail/reset").status == 404)
  }

  @Test("a message is ASCII in lines that end with CR and LF, and no text begins another header")
  func message() throws {
    var message = MailMessage(
      sender: "realm@example.org", senderName: "Dörte\r\nBcc: x@y.z", recipient: "ann@example.org",
      subject: String(repeating: "Grüße ", count: 30), text: "Hällo\n.\n",
      date: WallTime(millisecondsSince1970: 1_795_201_200_000),
      ident: "abc")
    let text = String(decoding: message.encoded, as: UTF8.self)
    #expect(text.utf8.allSatisfy { $0 < 0x80 })
    let head = try #require(text.components(separatedBy: "\r\n\r\n").first)
    #expect(head.components(separatedBy: "\r\n").filter { !$0.hasPrefix(" ") }.count == 9)
    #expect(head.contains("Date: Fri, 20 Nov 2026 19:00:00 +0000"))
    #expect(head.contains("Message-ID: <abc@example.org>"))
    #expect(text.split(separator: "\r\n").allSatisfy { $0.utf8.count <= 78 })
    let body = try #require(text.components(separatedBy: "\r\n\r\n").last).replacingOccurrences(of: "\r\n", with: "")
    #expect(String(decoding: try Base64.standard.decode(body), as: UTF8.self) == "Hällo\n.\n")
    message.senderName = "Plain"
    #expect(String(decoding: message.encoded, as: UTF8.self).hasPrefix("From: Plain <realm@example.org>\r\n"))
  }

  @Test(
    "addresses are told from other texts",
    arguments: [
      ("a@b", true), ("ann.b+c@example.org", true), ("", false), ("a", false), ("a@", false), ("@b", false),
      ("a@b@c", false),
      ("a b@c", false), ("a@b\r\nRCPT TO:<x@y>", false), ("<a@b>", false), ("ä@b", false), ("a@.b", false),
      (String(repeating: "a", count: 65) + "@b", false),
    ])
  func addresses(text: String, isAddress: Bool) { #expect(MailMessage.isAddress(text) == isAddress) }
}
