import Foundation

/// The files that lists can be read from and written to.
public enum FileFormat: String, CaseIterable, Sendable {
  case todotxt, markdown, csv

  /// The format that the ending of a name says; nil for any other.
  public init?(ending name: String) {
    let name = name.lowercased()
    if name.hasSuffix(".md") || name.hasSuffix(".markdown") {
      self = .markdown
    } else if name.hasSuffix(".csv") || name.hasSuffix(".tsv") {
      self = .csv
    } else if name.hasSuffix(".txt") {
      self = .todotxt
    } else {
      return nil
    }
  }

  /// Recognises a file by its name, and where that does not tell, by its content.
  public static func detect(name: String, content: some StringProtocol) -> FileFormat {
    let ending = FileFormat(ending: name)
    if let ending, ending != .todotxt { return ending }
    let lines = content.prefix(20_000).split(whereSeparator: \.isNewline).prefix(200)
    if lines.contains(where: { MarkdownLine.isTask($0) }) { return .markdown }
    if ending == .todotxt { return .todotxt }
    if let first = lines.first, CSVColumns.looksLikeHeader(String(first)) { return .csv }
    return .todotxt
  }
}

/// The lists read from a file.
public struct ImportedFile: Equatable, Sendable {
  /// Items under the name of a list; nil where the file names none.
  public struct Part: Equatable, Sendable {
    /// The name of the list; nil where the file gives none.
    public var name: String?
    /// The items, in the order of the file.
    public var items: [ItemFields]

    /// A list, or the items without one.
    public init(name: String?, items: [ItemFields] = []) {
      self.name = name
      self.items = items
    }
  }

  /// The lists, in the order of the file; each name once.
  public var parts: [Part] = []
  /// The lines that were not understood, in the order of the file.
  public var problems: [ImportProblem] = []

  /// The number of items.
  public var count: Int { parts.reduce(0) { $0 + $1.items.count } }

  mutating func add(_ fields: ItemFields, to name: String?) {
    if let index = parts.firstIndex(where: { $0.name == name }) {
      parts[index].items.append(fields)
    } else {
      parts.append(Part(name: name, items: [fields]))
    }
  }

  mutating func report(_ line: Int, _ reason: String, isSkipped: Bool = false) {
    problems.append(ImportProblem(line: line, reason: reason, isSkipped: isSkipped))
  }
}

/// One thing about a file that could not be understood.
public struct ImportProblem: Equatable, Sendable, CustomStringConvertible {
  /// The line, counted from 1.
  public var line: Int
  /// The mistake, and what was done instead.
  public var reason: String
  /// Whether nothing of the line was imported.
  public var isSkipped: Bool

  /// Line number and reason.
  public var description: String { "line \(line): \(reason)" + (isSkipped ? "; skipped" : "") }
}

/// Reads files of every format. Pure, and total: whatever the bytes, there is a result.
public enum Importer {
  /// Reads a file.
  ///
  /// - Parameters:
  ///   - bytes: the content: UTF-8 with or without a mark, UTF-16 with one; lines of other bytes are read as Latin-1.
  ///   - name: the name of the file, for recognising the format; may be empty.
  ///   - format: the format; nil to recognise it.
  /// - Complexity: O(*n*), *n* = the number of bytes.
  public static func read(_ bytes: [UInt8], name: String = "", format: FileFormat? = nil) -> ImportedFile {
    let text = FileText(bytes)
    let format = format ?? .detect(name: name, content: text.lines.prefix(200).map(\.text).joined(separator: "\n"))
    var file =
      switch format {
      case .todotxt: TodoTxtReader.read(text.lines)
      case .markdown: MarkdownReader.read(text.lines)
      case .csv: CSVReader.read(text.lines)
      }
    file.problems = (text.problems + file.problems).sorted { $0.line < $1.line }
    return file
  }
}

/// Writes lists in every format. What it writes, ``Importer`` reads back.
public enum Exporter {
  /// The text of a file.
  public static func write(_ lists: [ItemList], as format: FileFormat) -> String {
    switch format {
    case .todotxt: TodoTxtWriter.write(lists)
    case .markdown: MarkdownWriter.write(lists)
    case .csv: CSVWriter.write(lists)
    }
  }
}
