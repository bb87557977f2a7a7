import CSQLite

/// Preallocates a write-ahead log: keeps its file longer than its content, by zeros that commits overwrite.
///
///     log  [ frames ][ zeros ]          a commit overwrites zeros: the disk writes the frames alone
///     log  [ frames ]                   a commit makes the file longer: the disk writes the frames and the file's size
///
/// Zeros are no frames, since a frame repeats the salt of the log's header: readers stop there, as at the end. The file
/// grows from the start of a log up to where a checkpoint lets it begin anew.
///
/// The size of the file is asked for only when enough pages were written to use up the zeros. The question has a price
/// of its own: Linux gives a file a new time with the first write after it, which the next sync writes to the disk,
/// too. For the thread of its connection.
public struct WALPreallocation {
  /// The size of the file when it was last measured.
  private var known: Int64?
  /// The count of written pages at which the file is measured next.
  private var due = 0
  /// Whether the last measurement added zeros.
  private var isRunning = false
  private let limit: Int64

  /// Bytes added at a time: as many as there are, within these bounds.
  private static let steps: ClosedRange<Int64> = 1 << 15...1 << 18
  /// Bytes of a page in a log, with its frame header.
  public static let frame: Int64 = 4096 + 24
  /// Pages after which a log that does not grow is measured again.
  private static let interval = 8
  // SQLite writes less than 128 KiB at a time.
  private static let zeros = [UInt8](repeating: 0, count: 1 << 15)

  /// - Parameter limit: bytes above which the file gets no more zeros.
  public init(limit: Int64) { self.limit = limit }

  /// Adds zeros when commits used up the earlier ones. Called within a write transaction, when no other connection
  /// changes the log. A disk that refuses is no failure.
  public mutating func extend(_ connection: SQLiteConnection) {
    let written = connection.pagesWritten
    guard written >= due else { return }
    var found: UnsafeMutablePointer<sqlite3_file>?
    guard sqlite3_file_control(connection.handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, &found) == SQLITE_OK,
      let file = found, let methods = file.pointee.pMethods?.pointee, let measure = methods.xFileSize,
      let write = methods.xWrite
    else { return }
    var size: sqlite3_int64 = 0
    guard measure(file, &size) == SQLITE_OK else { return }
    let (before, wasRunning) = (known, isRunning)
    known = size
    // Only a growing log gets zeros: one that begins anew has room enough.
    isRunning = size < limit && (before.map { size > $0 || wasRunning && size == $0 } ?? false)
    guard isRunning else {
      due = before == nil ? written : written + Self.interval
      return
    }
    let start = size
    let end = size + min(max(size, Self.steps.lowerBound), Self.steps.upperBound)
    Self.zeros.withUnsafeBytes { zeros in
      while size < end {
        let count = min(end - size, Int64(zeros.count))
        guard write(file, zeros.baseAddress, Int32(count), size) == SQLITE_OK else { break }
        size += count
      }
    }
    known = size
    due = written + max(1, Int((size - start) / Self.frame) - 1)
  }
}
