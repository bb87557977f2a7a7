import Foundation
import Testing
import Transport

@Suite("Static files")
struct StaticFilesTests {
  private static let files = StaticFiles(
    [
      "index.html": StaticFile(Array("<p>".utf8), name: "index.html"),
      "a/app.js": StaticFile(Array("long".utf8), gzip: [31, 139], name: "app.js"),
      "a/index.html": StaticFile([], name: "index.html"),
    ], headers: ["Content-Security-Policy": "default-src 'self'"])

  private static func get(_ path: String, method: String = "GET", _ headers: HTTPHeaders = [:]) -> HTTPResponse? {
    files.response(to: HTTPRequest(method: method, target: "/" + path, headers: headers), path: path)
  }

  @Test("a file is served with its type, the headers of the set, and a validator that answers 304")
  func serving() throws {
    let response = try #require(Self.get(""))
    #expect(response.status == 200)
    #expect(response.text == "<p>")
    #expect(response.headers["Content-Type"] == "text/html; charset=utf-8")
    #expect(response.headers["Content-Security-Policy"] == "default-src 'self'")
    #expect(response.headers["X-Content-Type-Options"] == "nosniff")
    let tag = try #require(response.headers["ETag"])
    for list in [tag, "\"other\", \(tag)", "W/\(tag)", "*"] {
      #expect(Self.get("", ["If-None-Match": list])?.status == 304)
    }
    #expect(Self.get("", ["If-None-Match": "\"other\""])?.status == 200)
    #expect(Self.get("a/")?.status == 200)
    #expect(Self.get("", method: "POST")?.status == 405)
  }

  @Test("the compressed form goes to those who accept it, under a validator of its own")
  func compression() throws {
    let plain = try #require(Self.get("a/app.js"))
    #expect(plain.text == "long")
    #expect(plain.headers["Vary"] == "Accept-Encoding")
    let packed = try #require(Self.get("a/app.js", ["Accept-Encoding": "br, gzip;q=0.5"]))
    #expect(packed.body == [31, 139])
    #expect(packed.headers["Content-Encoding"] == "gzip")
    #expect(packed.headers["ETag"] != plain.headers["ETag"])
    for header in ["br", "gzip;q=0", "identity"] {
      #expect(Self.get("a/app.js", ["Accept-Encoding": header])?.headers["Content-Encoding"] == nil)
    }
  }

  @Test(
    "no path leads to anything else",
    arguments: [
      "x", "a", "../index.html", "a/../index.html", "./index.html", "//index.html", "index.html/", "a//app.js",
    ])
  func tricks(path: String) { #expect(Self.get(path) == nil) }

  @Test("of a folder regular files are served, and nothing hidden or linked")
  func folder() throws {
    let root = NSTemporaryDirectory() + "static-\(UUID().uuidString)"
    let manager = FileManager.default
    defer { try? manager.removeItem(atPath: root) }
    try manager.createDirectory(atPath: root + "/pages/sub", withIntermediateDirectories: true)
    for (name, text) in [
      ("pages/index.html", "i"), ("pages/sub/a.css", "c"), ("pages/sub/a.css.gz", "z"), ("pages/.secret", "s"),
      ("outside", "o"),
    ] {
      try Data(text.utf8).write(to: URL(fileURLWithPath: root + "/" + name))
    }
    try manager.createSymbolicLink(atPath: root + "/pages/link", withDestinationPath: root + "/outside")
    let files = try StaticFiles(folder: root + "/pages/").files
    #expect(files.keys.sorted() == ["index.html", "sub/a.css"])
    #expect(files["sub/a.css"]?.gzip == Array("z".utf8))
    #expect(throws: TransportError.self) { try StaticFiles(folder: root + "/none") }
  }
}
