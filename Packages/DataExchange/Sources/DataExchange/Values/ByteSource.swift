import Foundation

/// The bytes of a file, a chunk at a time, with the position of the next one.
struct ByteSource {
  private let handle: FileHandle
  private var chunk: [UInt8] = []
  private var next = 0
  private(set) var position = TextPosition()
  private var chunkStart = 0
  let file: String

  /// The number of bytes before the next one.
  var offset: Int { chunkStart + next }

  /// The size of a file; 0 for none.
  static func size(of path: String) -> Int {
    ((try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? NSNumber)?.intValue ?? 0
  }

  init(path: String) throws {
    guard let handle = FileHandle(forReadingAtPath: path) else {
      throw ExchangeError("the file cannot be read; check its name and permissions.", file: path)
    }
    self.handle = handle
    file = path
    // A byte order mark is skipped.
    if try peek() == 0xEF {
      if chunk.count >= 3, chunk[1] == 0xBB, chunk[2] == 0xBF { next = 3 }
    }
  }

  /// The next byte; nil at the end.
  mutating func peek() throws -> UInt8? {
    if next == chunk.count {
      chunkStart += chunk.count
      do { chunk = Array(try handle.read(upToCount: 1 << 16) ?? Data()) } catch {
        throw ExchangeError("the file cannot be read further: \(error)", at: position, in: file)
      }
      next = 0
      if chunk.isEmpty { return nil }
    }
    return chunk[next]
  }

  /// Takes the byte that ``peek()`` gave.
  mutating func skip() {
    guard next < chunk.count else { return }
    if chunk[next] == 0x0A {
      position.line += 1
      position.column = 1
    } else {
      position.column += 1
    }
    next += 1
  }
}

/// Collects text and writes it to a file in large pieces.
final class TextSink {
  private let handle: FileHandle
  private var buffer = ""
  let path: String

  /// - Throws: ``ExchangeError`` when there is a file already.
  init(path: String) throws {
    self.path = path
    guard !FileManager.default.fileExists(atPath: path) else {
      throw ExchangeError("a file of that name exists; remove it or choose another name.", file: path)
    }
    guard FileManager.default.createFile(atPath: path, contents: nil), let handle = FileHandle(forWritingAtPath: path)
    else { throw ExchangeError("the file cannot be made; check its folder.", file: path) }
    self.handle = handle
  }

  func write(_ text: String) throws {
    buffer += text
    if buffer.utf8.count >= 1 << 16 { try flush() }
  }

  func flush() throws {
    do { try handle.write(contentsOf: Data(buffer.utf8)) } catch {
      throw ExchangeError("the file cannot be written: \(error)", file: path)
    }
    buffer = ""
  }

  func close() throws {
    try flush()
    try? handle.close()
  }
}
