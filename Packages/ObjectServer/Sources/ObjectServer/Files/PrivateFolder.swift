import Foundation

/// Folders that only the server's user can enter.
enum PrivateFolder {
  static func make(_ path: String) throws(ServerError) {
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw ServerError(
        .dataDirectoryUnusable, "the folder \(path) cannot be made: \(reason(error))",
        remedy: "make it by hand, check its permissions, or choose another with --data")
    }
  }

  static func make(ofFile path: String) throws(ServerError) {
    guard let slash = path.lastIndex(of: "/") else { return }
    let folder = String(path[..<slash])
    guard !FileManager.default.fileExists(atPath: folder) else { return }
    try make(folder)
  }

  static func reason(_ error: any Error) -> String {
    let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
    if let underlying, underlying.domain == NSPOSIXErrorDomain {
      return String(cString: strerror(Int32(truncatingIfNeeded: underlying.code)))
    }
    return (error as NSError).localizedDescription
  }
}
