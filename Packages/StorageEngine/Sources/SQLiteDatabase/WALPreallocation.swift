import CSQLite

/// Keeps the file of a write-ahead log longer than what stands in it, by zeros that commits then overwrite.
///
///     log  [ frames ][ zeros ]          a commit goes where zeros are: the disk writes the frames alone
///     log  [ frames ]                   a commit makes the file longer: the disk writes the frames and the file's size
///
/// Zeros are no frames, since a frame repeats the salt of the log's header; who reads the log stops there, as at the
/// end. It is the start of a log that has a preallocation: its file grows up to where a checkpoint lets it begin anew.
///
/// The file is asked for its size only when so many pages were written that zeros may have run out. Asking has a price
/// beside its own: Linux gives a file a new time with the first write after somebody asked, and writes that to the disk
/// with the next sync.
public struct WALPreallocation {
  /// The size of the file when it was last looked at.
  private var known: Int64?
  /// Pages that the connection had written when it is time to look again.
  private var due = 0
  /// Whether zeros were added when it was last looked at, which were to be used up by now.
  private var isRunning = false
  private let limit: Int64

  /// Bytes that are added at a time: as many as there are, within these bounds.
  private static let steps: ClosedRange<Int64> = 1 << 15...1 << 18
  /// Bytes of a page in a log, with its head.
  public static let frame: Int64 = 4096 + 24
  /// Pages after which a log that does not grow is looked at again.
  private static let interval = 8
  // SQLite writes less than 128 KiB at a time.
  private static let zeros = [UInt8](repeating: 0, count: 1 << 15)

  /// - Parameter limit: bytes above which the file gets no more zeros.
  public init(limit: Int64) { self.limit = limit }

  /// Adds zeros when commits used up those that there were. What the disk does not take, it does without.
  ///
  /// To be called within a write transaction, when nobody else changes the log.
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
    // Only a log that grows: one that begins anew has room enough.
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
