import ChangesetOT
import CommandLineKit
import Foundation
import RecordStore

extension RealmTool {
  static let changeset = Command(
    "changeset", summary: "Look into changesets.",
    subcommands: [
      Command(
        "print", summary: "Print the instructions of a changeset, one per line.",
        discussion: """
          The file holds the bytes of one changeset, or their hexadecimal digits; '-' is standard input. Of a realm \
          file that records, the changesets that wait to be uploaded are printed.
          """,
        arguments: [.one("file", kind: .nonEmptyText, help: "The changeset, or a realm file.")]
      ) { invocation, console in
        let path = invocation.argument("file") ?? ""
        let data: Data?
        if path == "-" {
          data = try? FileHandle.standardInput.readToEnd() ?? Data()
        } else {
          data = FileManager.default.contents(atPath: path)
        }
        guard let data else {
          throw CommandFailure(
            "there is no file \(path)", remedy: "check the name", code: "noSuchFile", details: [("file", .text(path))])
        }
        guard path == "-" || !(isRealm(data) || invocation.text("key-file") != nil) else {
          return try printPending(invocation, console)
        }
        try printChangeset(bytes(data), "\(path)", invocation, console)
      }
    ])

  private static func isRealm(_ data: Data) -> Bool { data.starts(with: Array("SQLite format 3\0".utf8)) }

  /// The bytes, or those that a text of hexadecimal digits stands for.
  private static func bytes(_ data: Data) -> [UInt8] {
    let digits = data.filter { $0 > 0x20 }
    let values = digits.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    guard !digits.isEmpty, values.count == digits.count, values.count % 2 == 0 else { return Array(data) }
    return stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
  }

  private static func printPending(_ invocation: Invocation, _ console: Console) throws {
    let file = try open(invocation)
    try failing("cannot read the history of \(invocation.argument("file") ?? "")") {
      let history = ClientHistory(file)
      var cursor = UploadCursor(client: ClientVersion(0), server: ServerVersion(0))
      var count = 0
      while true {
        let scan = try history.uploadableEntries(after: cursor)
        for entry in scan.entries {
          try printChangeset(entry.changeset, "version \(entry.cursor.client.rawValue)", invocation, console)
          count += 1
        }
        guard scan.progress.client > cursor.client else { break }
        cursor = scan.progress
      }
      if !invocation.flag("json") { console.note("\(count) changeset\(count == 1 ? "" : "s") wait to be uploaded") }
    }
  }

  private static func printChangeset(
    _ bytes: [UInt8], _ title: String, _ invocation: Invocation, _ console: Console
  ) throws {
    if invocation.flag("json") {
      let changeset: Changeset
      do {
        changeset = try Changeset(
          decoding: bytes, origin: ChangesetOrigin(timestamp: OriginTimestamp(0), file: FileIdent(0)))
      } catch { throw unreadable(title, error) }
      return console.print(
        json: .object([
          ("changeset", .text(title)), ("bytes", .integer(bytes.count)),
          ("instructions", .array(changeset.instructions.map { .text("\($0)") })),
        ]))
    }
    var text = ""
    let damage = ChangesetText(bytes).write(to: &text)
    console.print(console.styled(title, .bold))
    console.write(ConsoleText(lines: text, indent: 0))
    if let damage { throw unreadable(title, damage) }
  }

  private static func unreadable(_ title: String, _ error: ChangesetDecodingError) -> CommandFailure {
    CommandFailure(
      "\(title) is no changeset: \(error)", remedy: "check that the file holds its bytes alone", code: "badChangeset")
  }
}
