import Foundation
import SyncProtocol
import TestKit
import Testing

/// Conversations between an unmodified Realm client and realm-core's server: every message parses and re-encodes byte for byte.
struct RecordingTests {
  @Test("every recorded message parses and re-encodes to the same bytes")
  func recordingsRoundTrip() throws {
    let recordings = try Recording.all()
    #expect(recordings.count >= 16, "Tests/Vectors/recordings is incomplete")
    var messages = 0
    for (name, recording) in recordings {
      for line in recording.lines() {
        messages += 1
        check(line, name)
      }
    }
    #expect(messages >= 300)
  }

  @Test("a file or folder named in OPENREALM_RECORDINGS holds a conversation")
  func namedRecordingsExist() throws {
    for url in RepositoryFiles.additional("OPENREALM_RECORDINGS") {
      let files = RepositoryFiles.json(at: url)
      #expect(!files.isEmpty, "\(url.path) holds no recording")
      for file in files {
        let recording = try? JSONDecoder().decode(Recording.self, from: Data(contentsOf: file))
        #expect(!(recording?.lines().isEmpty ?? true), "\(file.path) holds no message")
      }
    }
  }

  private func check(_ line: Recording.Line, _ name: String) {
    let place = "\(name) message \(line.index): \(line.text)"
    do {
      let decoder = MessageDecoder(dialect: line.dialect)
      let again: [UInt8] =
        line.isClient
        ? try decoder.clientMessage(line.bytes).encoded(for: line.dialect)
        : try decoder.serverMessage(line.bytes).encoded(for: line.dialect)
      if again == line.bytes { return }
      // Another zlib level may pack otherwise; then the heads must agree but for the packed size, and the content wholly.
      let isPacked = Self.isPacked(line)
      #expect(isPacked || Self.isSameJSON(line.bytes, again), "\(place)")
      guard isPacked else { return }
      if line.isClient {
        #expect(try decoder.clientMessage(again) == decoder.clientMessage(line.bytes), "\(place)")
      } else {
        #expect(try decoder.serverMessage(again) == decoder.serverMessage(line.bytes), "\(place)")
      }
    } catch {
      Issue.record("\(place): \(error)")
    }
  }

  private static func isPacked(_ line: Recording.Line) -> Bool {
    let fields = line.text.split(separator: " ")
    if fields.first == "upload" { return fields.count > 2 && fields[2] == "1" }
    let index = line.dialect.flavour == .flexible ? 11 : 9
    return fields.first == "download" && fields.count > index && fields[index] == "1"
  }

  /// Whether two messages differ only in how the JSON of the body is laid out.
  private static func isSameJSON(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    func body(_ bytes: [UInt8]) -> NSDictionary? {
      let data = Data(bytes.drop { $0 != 0x0A }.dropFirst())
      return (try? JSONSerialization.jsonObject(with: data)) as? NSDictionary
    }
    guard let leftBody = body(left), let rightBody = body(right) else { return false }
    return leftBody == rightBody
  }
}
