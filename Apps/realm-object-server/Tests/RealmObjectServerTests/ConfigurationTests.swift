import Foundation
import Testing

@Suite("settings")
struct ConfigurationTests {
  private static func check(
    _ text: String, _ arguments: [String] = [], environment: [String: String] = [:]
  ) throws -> (status: Int32, output: String, errors: String) {
    let file = ServerProcess.temporaryFolder() + ".toml"
    defer { try? FileManager.default.removeItem(atPath: file) }
    try Data(text.utf8).write(to: URL(fileURLWithPath: file))
    var result = try ServerProcess.run(["config", "check", file] + arguments, environment: environment)
    result.output = result.output.replacingOccurrences(of: file, with: "FILE")
    result.errors = result.errors.replacingOccurrences(of: file, with: "FILE")
    return result
  }

  @Test(
    "every mistake in a file is told with its line and a remedy",
    arguments: [
      ("prot = 80", "FILE:1: there is no setting 'prot'", "did you mean 'port'?"),
      ("\n\nport = 99999", "FILE:3: '99999' is no value of 'port'", "give a whole number from 0 to 65535"),
      ("port = 1\nport = 2", "FILE:2: 'port' is set in line 1 already", "remove one"),
      ("host = 0.0.0.0", "FILE:1: the value of 'host' is neither a number", "put texts in quotes"),
      ("host = \"x", "FILE:1: the value of 'host' has no closing quote", "end it"),
      ("host = \"x\" y", "FILE:1: the value of 'host' is followed by something else", "one setting per line"),
      ("host = \"a\\qb\"", "FILE:1: the value of 'host' has an unknown escape", "single quotes"),
      ("host =", "FILE:1: the value of 'host' is missing", "put texts in quotes"),
      ("[listen]\nport = 1", "FILE:1: there is no such section", "[jwt.NAME]"),
      ("[jwt.a]\nkyes = \"x\"", "FILE:2: a section [jwt.…] has no setting 'kyes'", "key-set"),
      ("[jwt.a]\n[function.a]", "FILE:2: there is a section with the name 'a' already", "its own name"),
      ("port", "FILE:1: the line is no setting", "name = value"),
      ("no_anonymous = true", "FILE:1: 'no_anonymous' is no name", "hyphens"),
      ("no-passwords = 7", "FILE:1: '7' is no value of 'no-passwords'", "give yes or no"),
      ("app = { todo \"/x\" }", "FILE:1: the value of 'app' is no table", "write it in one line"),
      ("app = { todo = \"/x\"", "FILE:1: the value of 'app' is no table", "write it in one line"),
      ("config = \"x\"", "FILE:1: there is no setting 'config'", "leave out the two hyphens"),
    ])
  func mistakes(_ text: String, _ message: String, _ remedy: String) throws {
    let result = try Self.check(text)
    #expect(result.status == 2)
    #expect(result.output.contains(message), "\(result.output)")
    #expect(result.output.contains(remedy), "\(result.output)")
  }

  @Test("what a setting names must be usable")
  func unusable() throws {
    let node = "storage = \"postgresql://127.0.0.1:1/x\"\nnode = \"a\"\nnode-address = \"https://10.0.0.7:9080\"\n"
    let rows: [(String, String)] = [
      ("tls-certificate = \"/nowhere.pem\"", "tls-key is not"),
      ("tls-certificate = \"/nowhere.pem\"\ntls-key = \"/nowhere.key\"", "/nowhere.pem cannot be read"),
      ("tls-certificate = \"/etc/hostname\"\ntls-key = \"/etc/hostname\"", "FILE:1: tls-certificate: the TLS"),
      ("public-url = \"nonsense\"", "FILE:1: public-url"),
      ("jwt-key = \"/nowhere.pem\"", "/nowhere.pem cannot be read"),
      ("jwt-key = \"k1=/nowhere.pem, /elsewhere.pem\"", "/nowhere.pem cannot be read"),
      ("[jwt.a]\nissuer = \"x\"", "[jwt.a]: it has no keys"),
      ("[jwt.a]\nkey-set = \"/nowhere.json\"", "[jwt.a]: /nowhere.json cannot be read"),
      ("[jwt.a]\nkey-set = \"/etc/hostname\"", "[jwt.a]: the text is not a JSON Web Key Set"),
      ("[function.f]\nurl = \"nonsense\"", "[function.f]: "),
      ("data = \"/etc/hostname\"", "is not a folder"),
      ("app = { todo = \"/a b\" }", "FILE:1: app: 'todo=/a b': "),
      ("app = \"todo\"", "FILE:1: app: 'todo': it has no app id or no path"),
      ("app = \"todo=/a, todo=/b\"", "'todo=/b': the app has a realm already"),
      ("trusted-proxies = \"10.0.0.1/8\"", "FILE:1: trusted-proxies: '10.0.0.1/8' is no range of addresses"),
      ("node-authority = \"/nowhere.pem\"", "node-authority is set, but storage is not"),
      (node + "node-authority = \"/nowhere.pem\"", "FILE:4: node-authority: /nowhere.pem cannot be read"),
      (node + "node-authority = \"/etc/hostname\"", "FILE:4: node-authority: the trusted certificates cannot be read"),
      ("historyTTL = 86_400\nhistory-days = 2", "FILE:1: historyTTL is set, and history-days as well"),
    ]
    for (text, words) in rows {
      let result = try Self.check(text)
      #expect(result.status != 0, "\(text): \(result)")
      #expect(result.errors.contains(words), "\(text): \(result)")
      #expect(result.errors.contains("to do:"), "\(text): \(result)")
    }
  }

  @Test("the command line wins over the environment, and that over the file")
  func precedence() throws {
    let text = """
      port = 1 # one
      log-level = 'warn'
      registration = "none"
      max-connections = 1_000
      historyTTL = 2_592_000
      vacuum-hours = 24
      app = { "todo-abcde" = '/todo', notes = "/notes" } # two

      """
    let result = try Self.check(text, ["--port", "3"], environment: ["REALM_OBJECT_SERVER_LOG_LEVEL": "error"])
    #expect(result.status == 0, "\(result)")
    func row(_ name: String) -> [Substring] {
      let line = result.output.split(separator: "\n").first { $0.hasPrefix(name + " ") } ?? ""
      return line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: true)
    }
    #expect(row("port").dropFirst().first == "3")
    #expect(row("port").last?.contains("command line") == true)
    #expect(row("log-level").dropFirst().first == "error")
    #expect(row("log-level").last?.contains("LOG_LEVEL") == true)
    #expect(row("registration").dropFirst().first == "none")
    #expect(row("registration").last?.contains("FILE:3") == true)
    #expect(row("max-connections").dropFirst().first == "1000")
    #expect(row("historyTTL").dropFirst().first == "2592000")
    #expect(row("vacuum-hours").dropFirst().first == "24")
    #expect(row("app").dropFirst().first == "todo-abcde=/todo,notes=/notes")
    #expect(row("host").last?.contains("default") == true)
  }

  @Test("a server takes its settings from the file, and refuses to start with a mistake in it")
  func serving() throws {
    let data = ServerProcess.temporaryFolder()
    let file = data + ".toml"
    defer { for path in [data, file] { try? FileManager.default.removeItem(atPath: path) } }
    try Data("port = 0\ndata = \"\(data)\"\nlog-level = \"off\"\n".utf8).write(to: URL(fileURLWithPath: file))
    let server = try ServerProcess(data: data, arguments: ["serve", "--config", file])
    #expect(FileManager.default.fileExists(atPath: data + "/directory.db"))
    #expect(server.stop() == 0)
    #expect(try ServerProcess.run(["users", "list", "--config", file]).status == 0)
    try Data("data = \"\(data)\"\nminimum-password = 6\n".utf8).write(to: URL(fileURLWithPath: file))
    func users(_ arguments: [String], _ password: String) throws -> (status: Int32, output: String, errors: String) {
      try ServerProcess.run(["users"] + arguments + ["--config", file], input: password + "\n")
    }
    let short = try users(["create", "ben"], "12345")
    #expect(short.status != 0, "\(short)")
    #expect(short.errors.contains("6 to 1024 bytes"), "\(short)")
    #expect(try users(["create", "ben"], "123456").status == 0)
    #expect(try users(["password", "ben"], "12345").status != 0)
    #expect(try users(["password", "ben"], "654321").status == 0)
    try Data("prot = 0\n".utf8).write(to: URL(fileURLWithPath: file))
    let refused = try ServerProcess.run(["--config", file])
    #expect(refused.status != 0)
    #expect(refused.errors.contains("\(file):1: there is no setting 'prot'"))
  }

  @Test("a mail server needs an address to write from and one to link to, and its parts make no sense without it")
  func mail() throws {
    let mail = "mail-server = \"smtp://mail.example.org:587\"\n"
    for (text, wanted) in [
      (mail, "mail-from"), (mail + "mail-from = \"a@b\"\n", "public-url"), ("mail-user = \"a\"\n", "mail-server"),
      ("mail-server = \"http://x\"\n", "mail-server"),
    ] {
      let result = try Self.check(text)
      #expect(result.status == 2, "\(text)")
      #expect(result.errors.contains(wanted), "\(result.errors)")
    }
    let whole = try Self.check(mail + "mail-from = \"a@b\"\npublic-url = \"https://c\"\n")
    #expect(whole.status == 0, "\(whole.errors)")
  }

  @Test("what is loose is listed by its setting, and a plan by default has nothing loose")
  func loose() throws {
    let usual = try Self.check("")
    #expect(!usual.output.contains("loose:"), "\(usual)")
    let text = """
      host = "0.0.0.0"
      metrics = "all"
      partition-access = "write"
      registration = "all"
      anonymous = "all"
      minimum-password = 4
      access-token-minutes = 600
      trusted-proxies = "10.0.0.0/8, 0.0.0.0/0"
      mail-plain = true

      """
    let result = try Self.check(text)
    #expect(result.status == 0)
    let found = result.output.split(separator: "\n").filter { $0.hasPrefix("loose: ") }
      .compactMap { $0.split(separator: ":").dropFirst().first?.trimmingCharacters(in: .whitespaces) }
    let expected = [
      "host", "metrics", "partition-access", "registration", "anonymous", "minimum-password", "access-token-minutes",
      "trusted-proxies", "mail-plain",
    ]
    #expect(found == expected, "\(result.output)")
  }
}
