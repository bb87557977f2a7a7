import Studio
import Testing
import Transport

@Suite("The pages of Studio")
struct StudioPagesTests {
  private static func get(_ path: String) -> HTTPResponse? {
    StudioPages.files.response(to: HTTPRequest(method: "GET", target: "/studio/\(path)", headers: [:]), path: path)
  }

  @Test("the first page comes with a policy that forbids other hosts and inline scripts")
  func policy() throws {
    let page = try #require(Self.get(""))
    #expect(page.headers["Content-Type"] == "text/html; charset=utf-8")
    let policy = try #require(page.headers["Content-Security-Policy"])
    #expect(policy.contains("default-src 'none'"))
    #expect(!policy.contains("unsafe"))
    #expect(!policy.contains("http"))
  }

  @Test("every file that a page or a module names is there")
  func references() throws {
    let files = StudioPages.files.files
    var seen = 0
    for (path, file) in files where path.hasSuffix(".js") || path.hasSuffix(".html") {
      let text = String(decoding: file.bytes, as: UTF8.self)
      let folder = path.split(separator: "/").dropLast().map(String.init)
      for match in text.matches(of: /(?:from '|href="|src=")([.\/a-z-]+\.(?:js|css|svg))['"]/) {
        var parts = folder
        for part in match.1.split(separator: "/") where part != "." {
          if part == ".." { parts.removeLast() } else { parts.append(String(part)) }
        }
        #expect(files[parts.joined(separator: "/")] != nil, "\(path) names \(match.1)")
        seen += 1
      }
    }
    #expect(seen > 40)
  }

  @Test("no module builds markup from text, or names another host")
  func markup() {
    for (path, file) in StudioPages.files.files where path.hasSuffix(".js") {
      let text = String(decoding: file.bytes, as: UTF8.self)
      for forbidden in [
        "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "https://",
      ] {
        #expect(!text.contains(forbidden), "\(path): \(forbidden)")
      }
    }
  }

  @Test("all pages together are small enough to load at once")
  func size() {
    #expect(StudioPages.files.files.values.reduce(0) { $0 + $1.bytes.count } < 150_000)
  }
}
