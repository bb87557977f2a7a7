import Foundation
import Glibc
import StorageEngine
import Testing

/// A store is closed when its last reference is gone, whatever other threads do meanwhile.
@Suite struct ClosingTests {
  @Test("a store that watches for commits is not in use once it is closed")
  func watching() throws {
    let folder = TemporaryFolder()
    var survivals = 0
    for _ in 0..<100 {
      do {
        let store = try Store.open(.file(path: folder.file()))
        let observation = try store.observeCommits { _ in }
        observation.cancel()
      }
      if try Store.isInUse(path: folder.file()) { survivals += 1 }
    }
    #expect(survivals == 0)
  }

  @Test("a store is closed although another process has a copy of its descriptors, as between fork and exec")
  func inheritedDescriptors() throws {
    let folder = TemporaryFolder()
    var copy: Int32 = -1
    do {
      let store = try Store.open(.file(path: folder.file()))
      copy = dup(try #require(try descriptors(of: folder.file() + ".lock").first))
      #expect(try !store.isOpenElsewhere())
    }
    defer { close(copy) }
    #expect(try !Store.isInUse(path: folder.file()))
  }

  /// The open descriptors of this process that lead to a file.
  private func descriptors(of path: String) throws -> [Int32] {
    let folder = "/proc/self/fd/"
    return try FileManager.default.contentsOfDirectory(atPath: folder).compactMap { name in
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: folder + name)
      return target == path ? Int32(name) : nil
    }
  }
}
