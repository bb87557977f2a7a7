import ChangesetOT
import TestKit
import Testing

@testable import ObjectStore
@testable import RecordStore

@Suite("entries of a server's history in memory")
struct ServedEntriesTests {
  private func entries(_ versions: ClosedRange<UInt64>, bytes: Int = 1) -> [ServerLogEntry] {
    versions.map { version in
      ServerLogEntry(
        timestamp: OriginTimestamp(1), origin: FileIdent(2), source: FileIdent(2),
        sourceVersion: ClientVersion(version),
        bytesThrough: version, changeset: [UInt8](repeating: 7, count: bytes))
    }
  }

  private func versions(_ served: ServedEntries, _ range: ClosedRange<Int64>) -> [UInt64]? {
    served.entries(in: range)?.map(\.sourceVersion.rawValue)
  }

  @Test("a range is answered from its first version on, as far as it is known")
  func ranges() {
    var served = ServedEntries()
    #expect(versions(served, 1...3) == nil)
    served.insert(entries(4...6), from: 4)
    #expect(versions(served, 4...6) == [4, 5, 6])
    #expect(versions(served, 5...5) == [5])
    #expect(versions(served, 5...9) == [5, 6])
    #expect(versions(served, 3...6) == nil)
    #expect(versions(served, 7...9) == nil)
    served.insert(entries(7...8), from: 7)
    #expect(versions(served, 5...9) == [5, 6, 7, 8])
    served.insert(entries(3...5), from: 3)
    #expect(versions(served, 3...9) == [3, 4, 5], "what does not continue begins anew")
    #expect(versions(served, 6...6) == nil)
  }

  @Test("the oldest go when they are too much")
  func forgetting() {
    var served = ServedEntries()
    let third = ServedEntries.limit / 3
    served.insert(entries(1...5, bytes: third), from: 1)
    #expect(versions(served, 2...5) == nil)
    #expect(versions(served, 3...5) == [3, 4, 5])
    served.insert(entries(6...6, bytes: third), from: 6)
    #expect(versions(served, 3...6) == nil)
    #expect(versions(served, 4...6) == [4, 5, 6])
    served.insert(entries(7...7, bytes: ServedEntries.limit + 1), from: 7)
    #expect(versions(served, 7...7) == nil)
    served.insert(entries(8...8), from: 8)
    #expect(versions(served, 8...8) == [8])
  }

  @Test("a scan gives what the file holds, whoever asked for what before")
  func scans() throws {
    var random = SeededGenerator(seed: 9)
    let server = try ServerHistory(try memoryFile(), random: &random)
    let reader = FileIdent(1)
    let author = try server.allocateClientFile(random: &random).ident
    for number in 0..<60 {
      let table = Instruction.addTable(
        AddTable(table: "T\(number)", primaryKey: PrimaryKeyColumn(field: "id", type: .int)))
      if number % 4 == 0 {
        try server.file.commit([table])
      } else {
        // Made by a client; what is refused beside it leaves nothing behind.
        let cursor = UploadCursor(client: ClientVersion(UInt64(number) + 2), server: ServerVersion(UInt64(number)))
        func batch(_ changeset: [UInt8], of file: FileIdent) -> UploadBatch {
          let entry = UploadEntry(cursor: cursor, timestamp: OriginTimestamp(1), changeset: changeset)
          return UploadBatch(file: file, progress: cursor, lockedServerVersion: .zero, entries: [entry])
        }
        let whole = Changeset(instructions: [table], origin: .init(timestamp: .init(1), file: author)).encoded()
        let other = try server.allocateClientFile(random: &random).ident
        _ = try server.integrate([batch(whole, of: author), batch([0xFF], of: other)])
      }
      for _ in 0..<3 {
        let from = DownloadCursor(
          server: ServerVersion(.random(in: 0...UInt64(number + 1), using: &random)), client: .zero)
        let limit = [1, 30, 100, Int.max].randomElement(using: &random) ?? 1
        let remembering = try server.scan(for: reader, from: from, byteLimit: limit)
        let reading = try ServerHistory(server.file, random: &random).scan(for: reader, from: from, byteLimit: limit)
        #expect(remembering == reading, "after \(number) from \(from) with \(limit)")
      }
    }
  }
}
