import Foundation

extension StaticFiles {
  /// The largest sum of the files of a folder, in bytes.
  public static let maximumFolderBytes = 64 << 20

  /// The regular files of a folder and its subfolders, read once. `app.js.gz` is the compressed form of `app.js`. Hidden files
  /// are left out, and symbolic links, which could lead out of the folder.
  ///
  /// - Throws: ``TransportError/Code/invalidConfiguration`` when the folder or a file cannot be read, or all together are larger
  ///   than ``maximumFolderBytes``.
  public init(folder: String, headers: HTTPHeaders = [:]) throws(TransportError) {
    let root = folder.hasSuffix("/") ? String(folder.dropLast()) : folder
    guard let walk = FileManager.default.enumerator(atPath: root) else {
      throw TransportError(.invalidConfiguration, "the folder \(root) cannot be read")
    }
    var contents: [String: [UInt8]] = [:]
    var total = 0
    while let path = walk.nextObject() as? String {
      if path.split(separator: "/").contains(where: { $0.hasPrefix(".") }) { continue }
      guard walk.fileAttributes?[.type] as? FileAttributeType == .typeRegular else { continue }
      guard let data = FileManager.default.contents(atPath: root + "/" + path) else {
        throw TransportError(.invalidConfiguration, "\(root)/\(path) cannot be read")
      }
      total += data.count
      guard total <= Self.maximumFolderBytes else {
        throw TransportError(
          .invalidConfiguration, "the files of \(root) are larger than \(Self.maximumFolderBytes) bytes together")
      }
      contents[path] = Array(data)
    }
    guard !contents.isEmpty else {
      throw TransportError(.invalidConfiguration, "there is no file in the folder \(root)")
    }
    var files: [String: StaticFile] = [:]
    for (path, bytes) in contents where !(path.hasSuffix(".gz") && contents[String(path.dropLast(3))] != nil) {
      files[path] = StaticFile(bytes, gzip: contents[path + ".gz"], name: path)
    }
    self.init(files, headers: headers)
  }
}
