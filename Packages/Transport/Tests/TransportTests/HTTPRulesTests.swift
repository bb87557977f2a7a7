import TestKit
import Testing
import Transport

@Suite("HTTP message boundaries are strict")
struct HTTPRulesTests {
  static let heads: [(String, String, HTTPHeadScanner.Finding)] = [
    ("a whole head", "GET / HTTP/1.1\r\nHost: x\r\n\r\nrest", .complete(count: 27)),
    ("blank lines before it", "\r\n\r\nGET / HTTP/1.1\r\n\r\n", .complete(count: 22)),
    ("half a head", "GET / HTTP/1.1\r\nHost: x\r\n", .partial),
    ("letters beyond ASCII in a value", "GET / HTTP/1.1\r\nA: é\r\n\r\n", .complete(count: 25)),
    ("a tab in a value", "GET / HTTP/1.1\r\nA: \tx\r\n\r\n", .complete(count: 25)),
    ("a bare line feed", "GET / HTTP/1.1\nHost: x\r\n\r\n", .broken("a line feed without a carriage return")),
    ("a bare carriage return", "GET / HTTP/1.1\rHost: x\r\n", .broken("a carriage return without a line feed")),
    ("a return within a value", "GET / HTTP/1.1\r\nA: b\rc\r\n", .broken("a carriage return without a line feed")),
    ("a folded line", "GET / HTTP/1.1\r\nA: b\r\n c\r\n\r\n", .broken("a header line that begins with a blank")),
    (
      "a blank before the first header", "GET / HTTP/1.1\r\n Host: x\r\n",
      .broken("a header line that begins with a blank")
    ),
    (
      "a blank before the colon", "GET / HTTP/1.1\r\nHost : x\r\n",
      .broken("a character in a header name that is none of a name")
    ),
    ("a line without a colon", "GET / HTTP/1.1\r\nHost\r\n", .broken("a header line without a colon")),
    ("no name", "GET / HTTP/1.1\r\n: x\r\n", .broken("a character in a header name that is none of a name")),
    ("a NUL in a value", "GET / HTTP/1.1\r\nA: b\0c\r\n", .broken("a control character in a header")),
    (
      "a NUL in a name", "GET / HTTP/1.1\r\nA\0: b\r\n", .broken("a character in a header name that is none of a name")
    ),
    ("a NUL in the target", "GET /\0 HTTP/1.1\r\n", .broken("a character in the request line that is not ASCII")),
    ("a letter beyond ASCII in the target", "GET /é", .broken("a character in the request line that is not ASCII")),
    ("a blank before the request", " GET / HTTP/1.1\r\n", .broken("a blank before the request")),
    ("101 lines", "GET / HTTP/1.1\r\n" + String(repeating: "A: b\r\n", count: 101), .tooLarge),
  ]

  @Test("a head ends, or breaks a rule, however it is cut", arguments: 0..<heads.count)
  func scanning(row: Int) {
    let (name, text, expected) = Self.heads[row]
    let bytes = Array(text.utf8)
    for cut in 0...bytes.count {
      var scanner = HTTPHeadScanner()
      var (finding, start) = (HTTPHeadScanner.Finding.partial, 0)
      for part in [bytes[..<cut], bytes[cut...]] where finding == .partial {
        start = part.startIndex
        finding = Array(part).withUnsafeBytes { scanner.scan($0) }
      }
      if case .complete(let count) = finding { finding = .complete(count: start + count) }
      #expect(finding == expected, "\(name), cut at \(cut)")
    }
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var method = "GET"
    var target = "/"
    var minor = 1
    var headers: HTTPHeaders
    /// The framing, or the rule.
    var expected: String
    var testDescription: String { "\(method) \(target) \(headers) \(expected)" }
  }

  static let rows = [
    Row(headers: ["Host": "x"], expected: "length(0) / x"),
    Row(headers: ["Host": ""], expected: "length(0) / "),
    Row(headers: [:], expected: "there is no Host header"),
    Row(minor: 0, headers: [:], expected: "length(0) / -"),
    Row(headers: ["Host": "x", "host": "x"], expected: "there is more than one Host header"),
    Row(minor: 0, headers: ["Host": "x", "Host": "y"], expected: "there is more than one Host header"),
    Row(headers: ["Host": "x, y"], expected: "the Host header names no host"),
    Row(headers: ["Host": "x/y"], expected: "the Host header names no host"),
    Row(headers: ["Host": "[2001:db8::1]:80"], expected: "length(0) / [2001:db8::1]:80"),
    Row(headers: ["Host": "x", "Content-Length": "12"], expected: "length(12) / x"),
    Row(
      headers: ["Host": "x", "Content-Length": "1", "Content-Length": "1"],
      expected: "there is more than one Content-Length"),
    Row(headers: ["Host": "x", "Content-Length": "1, 1"], expected: "the Content-Length is no number"),
    Row(headers: ["Host": "x", "Content-Length": "+1"], expected: "the Content-Length is no number"),
    Row(headers: ["Host": "x", "Content-Length": "-1"], expected: "the Content-Length is no number"),
    Row(headers: ["Host": "x", "Content-Length": "0x1"], expected: "the Content-Length is no number"),
    Row(headers: ["Host": "x", "Content-Length": ""], expected: "the Content-Length is no number"),
    Row(headers: ["Host": "x", "Content-Length": "99999999999999999999"], expected: "the Content-Length is no number"),
    Row(headers: ["Host": "x", "Transfer-Encoding": "Chunked"], expected: "chunks / x"),
    Row(
      headers: ["Host": "x", "Transfer-Encoding": "chunked", "Content-Length": "1"],
      expected: "there are both Transfer-Encoding and Content-Length"),
    Row(
      headers: ["Host": "x", "Transfer-Encoding": "gzip, chunked"],
      expected: "no other Transfer-Encoding than chunked is known"),
    Row(
      headers: ["Host": "x", "Transfer-Encoding": "identity"],
      expected: "no other Transfer-Encoding than chunked is known"),
    Row(
      headers: ["Host": "x", "Transfer-Encoding": "chunked", "Transfer-Encoding": "identity"],
      expected: "no other Transfer-Encoding than chunked is known"),
    Row(
      minor: 0, headers: ["Host": "x", "Transfer-Encoding": "chunked"],
      expected: "no other Transfer-Encoding than chunked is known"),
    Row(target: "http://y:80/a?b", headers: ["Host": "x"], expected: "length(0) /a?b y:80"),
    Row(target: "HTTPS://y?b", headers: ["Host": "x"], expected: "length(0) /?b y"),
    Row(target: "http://y", headers: [:], expected: "there is no Host header"),
    Row(target: "http:///a", headers: ["Host": "x"], expected: "the target names no host"),
    Row(target: "http://u@y/", headers: ["Host": "x"], expected: "the target names no host"),
    Row(target: "ftp://y/", headers: ["Host": "x"], expected: "the target is neither a path nor a URL"),
    Row(target: "a", headers: ["Host": "x"], expected: "the target is neither a path nor a URL"),
    Row(target: "*", headers: ["Host": "x"], expected: "the target is neither a path nor a URL"),
    Row(method: "OPTIONS", target: "*", headers: ["Host": "x"], expected: "length(0) * x"),
    Row(method: "CONNECT", target: "y:80", headers: ["Host": "x"], expected: "this server is no proxy"),
  ]

  @Test("a head has one host, one length and a target", arguments: rows)
  func judging(row: Row) {
    let outcome: String
    do throws(HTTPRequestHead.Fault) {
      let head = try HTTPRequestHead(
        method: row.method, target: row.target, minorVersion: row.minor, headers: row.headers)
      outcome = "\(head.framing) \(head.target) \(head.headers["Host"] ?? "-")"
    } catch {
      outcome = error.reason
    }
    #expect(outcome == row.expected)
  }

  static let bodies: [(String, String)] = [
    ("3\r\nabc\r\n0\r\n\r\nrest", "abc 13"),
    ("3\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\n", "abc0123456789 28"),
    ("3;name=\"v\"\r\nabc\r\n0;x\r\nTrailer: y\r\n\r\n", "abc 36"),
    ("0\r\n\r\n", " 5"),
    ("3\r\nab", "goes on"),
    ("3\nabc\r\n", "the size of a chunk is no number"),
    ("3;a\nb\r\nabc\r\n", "a control character in a chunk line"),
    ("3\r\nabcd\r\n", "a chunk or its line does not end in CRLF"),
    ("3\r\nabc\n0\r\n\r\n", "a chunk or its line does not end in CRLF"),
    ("3 \r\nabc\r\n", "the size of a chunk is no number"),
    (" 3\r\nabc\r\n", "the size of a chunk has no digits"),
    ("\r\n", "the size of a chunk has no digits"),
    ("0x3\r\nabc\r\n", "the size of a chunk is no number"),
    ("-3\r\n", "the size of a chunk has no digits"),
    ("FFFFFFFFF\r\n", "the size of a chunk has more than 8 digits"),
    ("3;\(String(repeating: "x", count: 5_000))\r\n", "the lines of the chunks are too long"),
    ("0\r\n\(String(repeating: "A: b\r\n", count: 2_000))", "the lines of the chunks are too long"),
    ("0\r\n folded\r\n\r\n", "a trailer that begins with a blank"),
  ]

  @Test("chunks are read to their end, or break a rule, however they are cut", arguments: 0..<bodies.count)
  func chunking(row: Int) {
    let (text, expected) = Self.bodies[row]
    let bytes = Array(text.utf8)
    for cut in stride(from: 0, through: bytes.count, by: max(1, bytes.count / 60)) {
      var decoder = HTTPChunkDecoder()
      var (content, used) = ("", 0)
      var outcome = "goes on"
      do throws(HTTPChunkDecoder.Fault) {
        for part in [Array(bytes[..<cut]), Array(bytes[cut...])] where !decoder.isDone {
          used += try part.withUnsafeBytes { buffer in
            Result { () throws(HTTPChunkDecoder.Fault) in
              try decoder.read(buffer) { content += String(decoding: $0, as: UTF8.self) }
            }
          }.get()
        }
        if decoder.isDone { outcome = "\(content) \(used)" }
      } catch {
        outcome = error.reason
      }
      #expect(outcome == expected, "cut at \(cut)")
    }
  }
}
