/// Chooses which of the uploads that wait for a realm go into one commit, so that one user's many or large uploads do not
/// stand before another's few and small ones. Pure.
///
/// Uploads are taken in rounds, of each user the next one, in each round the smallest first, up to ``byteLimit`` bytes. One
/// upload is always taken, and so is an upload of at most ``smallBytes`` in the first round. An upload that was passed over once
/// comes first the next time. The uploads of one user keep their order.
struct GroupCommit {
  /// A waiting upload.
  struct Upload {
    var user: String
    /// Its weight in budgets.
    var bytes: Int
    /// Whether the commit before left it out although it was its user's next.
    var wasPassed = false
  }

  /// The most bytes in one commit, beyond the first upload.
  let byteLimit: Int
  /// Uploads of no more than this never wait for a second commit because of other users.
  static let smallBytes = 64 << 10

  /// The indices of the uploads to be committed, ascending, and of those that were passed over.
  ///
  /// - Complexity: O(n log u) in the uploads and their users.
  func choose(_ uploads: [Upload]) -> (taken: [Int], passed: [Int]) {
    var queues: [[Int]] = []
    var places: [String: Int] = [:]
    for (index, upload) in uploads.enumerated() {
      if let place = places[upload.user] {
        queues[place].append(index)
      } else {
        places[upload.user] = queues.count
        queues.append([index])
      }
    }
    var taken: [Int] = []
    var passed: [Int] = []
    var bytes = 0
    var round = 0
    while !queues.isEmpty {
      // Of equals the first that came.
      let turns = queues.indices.sorted { rank(uploads, queues[$0][round]) < rank(uploads, queues[$1][round]) }
      var isDone: Set<Int> = []
      for place in turns {
        let index = queues[place][round]
        let size = uploads[index].bytes
        if taken.isEmpty || bytes + size <= byteLimit || (round == 0 && size <= Self.smallBytes) {
          bytes += size
          taken.append(index)
          if queues[place].count == round + 1 { isDone.insert(place) }
        } else {
          passed.append(index)
          isDone.insert(place)
        }
      }
      queues = queues.indices.filter { !isDone.contains($0) }.map { queues[$0] }
      round += 1
    }
    return (taken.sorted(), passed)
  }

  private func rank(_ uploads: [Upload], _ index: Int) -> (Int, Int, Int) {
    (uploads[index].wasPassed ? 0 : 1, uploads[index].bytes, index)
  }
}
