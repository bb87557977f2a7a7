import CommandLineKit
import Foundation

/// Reading and writing of files named on the command line.
enum Files {
  /// Files larger than this are refused, in bytes.
  private static let limit = 256 << 20

  static func read(_ name: String) throws -> [UInt8] {
    if name == "-" { return Array(FileHandle.standardInput.readDataToEndOfFile()) }
    do {
      let size = try FileManager.default.attributesOfItem(atPath: name)[.size] as? Int ?? 0
      guard size <= limit else {
        throw CommandFailure("'\(name)' is larger than 256 MiB", remedy: "split the file")
      }
      return Array(try Data(contentsOf: URL(fileURLWithPath: name)))
    } catch let failure as CommandFailure {
      throw failure
    } catch {
      throw CommandFailure("cannot read '\(name)': \(reason(error))", remedy: "check the name and its permissions")
    }
  }

  static func write(_ name: String, _ text: String) throws {
    do {
      try Data(text.utf8).write(to: URL(fileURLWithPath: name), options: .atomic)
    } catch {
      throw CommandFailure("cannot write '\(name)': \(reason(error))", remedy: "check the folder and its permissions")
    }
  }

  /// What the system says, without Foundation's wrapping.
  private static func reason(_ error: any Error) -> String {
    let error = error as NSError
    let underlying = error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
    return underlying.domain == NSPOSIXErrorDomain
      ? String(cString: strerror(Int32(underlying.code))) : error.localizedDescription
  }
}
