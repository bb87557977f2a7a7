/// Chooses the uploads of a realm's next commit, so that many or large uploads of one user do not delay the few and small
/// ones of others. A pure value.
///
/// Uploads are taken in rounds: in each round the next upload of each user, smallest first, up to ``byteLimit`` bytes. One
/// upload is always taken, and so is every upload of at most ``smallBytes`` in the first round. An upload that was passed
/// over once comes first the next time. The uploads of one user keep their order.
struct UploadSelection {
  /// A waiting upload.
  struct Upload {
    var user: String
    /// The weight of the upload in budgets.
    var bytes: Int
    /// Whether the commit before left the upload out although it was its user's next.
    var wasPassed = false
  }

  /// The most bytes in one commit, beyond the first upload.
  let byteLimit: Int
  /// Uploads of at most this size never wait for a second commit because of other users.
  static let smallBytes = 64 << 10

  /// The indices of the uploads to be committed, ascending, and of those that were passed over.
  ///
  /// - Complexity: O(n log u) in the uploads and their users.
  func choose(_ uploads: [Upload]) -> (taken: [Int], passed: [Int]) {
    var queues = Self.queues(uploads)
    var taken: [Int] = []
    var passed: [Int] = []
    var bytes = 0
    var round = 0
    while !queues.isEmpty {
      let order = queues.indices.sorted { rank(uploads, queues[$0][round]) < rank(uploads, queues[$1][round]) }
      var finished: Set<Int> = []
      for number in order {
        let index = queues[number][round]
        let size = uploads[index].bytes
        if taken.isEmpty || bytes + size <= byteLimit || (round == 0 && size <= Self.smallBytes) {
          bytes += size
          taken.append(index)
          if queues[number].count == round + 1 { finished.insert(number) }
        } else {
          passed.append(index)
          finished.insert(number)
        }
      }
      queues = queues.indices.filter { !finished.contains($0) }.map { queues[$0] }
      round += 1
    }
    return (taken.sorted(), passed)
  }

  /// The indices of each user's uploads, users in the order of their first upload.
  private static func queues(_ uploads: [Upload]) -> [[Int]] {
    var queues: [[Int]] = []
    var numbers: [String: Int] = [:]
    for (index, upload) in uploads.enumerated() {
      if let number = numbers[upload.user] {
        queues[number].append(index)
      } else {
        numbers[upload.user] = queues.count
        queues.append([index])
      }
    }
    return queues
  }

  /// Passed uploads first, then the smallest, then the earliest.
  private func rank(_ uploads: [Upload], _ index: Int) -> (Int, Int, Int) {
    (uploads[index].wasPassed ? 0 : 1, uploads[index].bytes, index)
  }
}
