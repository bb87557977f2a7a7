@testable import ObjectServer
import Testing

/// Which uploads share a commit.
struct UploadSelectionTests {
  private func choose(_ uploads: [(String, Int)], passed: Set<Int> = [], limit: Int = 1_000_000) -> [Int] {
    UploadSelection(byteLimit: limit).choose(
      uploads.enumerated().map { UploadSelection.Upload(user: $1.0, bytes: $1.1, wasPassed: passed.contains($0)) }
    ).taken
  }

  @Test("a few small uploads are taken together")
  func small() { #expect(choose([("a", 100), ("b", 200), ("a", 100)]) == [0, 1, 2]) }

  @Test("one upload is always taken, whatever its size")
  func large() { #expect(choose([("a", 60_000_000)]) == [0]) }

  @Test("a small upload goes before the masses of another user")
  func beforeMasses() {
    let uploads = Array(repeating: ("a", 128_000), count: 500) + [("b", 100)]
    let taken = choose(uploads)
    #expect(taken.contains(500))
    #expect(taken.count == 8, "seven of the first user fill the commit")
  }

  @Test("a small upload does not wait for a huge one of another user")
  func beforeHuge() { #expect(choose([("a", 60_000_000), ("b", 100)]) == [1]) }

  @Test("a huge upload waits for no more than one commit")
  func passedOver() {
    let uploads = [("a", 60_000_000), ("b", 100), ("c", 900_000)]
    #expect(UploadSelection(byteLimit: 1_000_000).choose(uploads.map { .init(user: $0.0, bytes: $0.1) }).passed == [0])
    #expect(choose(uploads, passed: [0]) == [0, 1], "with the small one of another, and not with the large one")
  }

  @Test("the uploads of one user keep their order")
  func order() { #expect(choose([("a", 900_000), ("a", 900_000), ("a", 10)]) == [0]) }
}
