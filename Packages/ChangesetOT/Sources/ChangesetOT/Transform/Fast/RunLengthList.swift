/// A list of identities as runs of consecutive base elements, in chunks of bounded length: finds the base element at an
/// index after any edits.
///
/// - Complexity: O(√*n*) for each edit, with *n* the number of edits before it.
struct RunLengthList {
  private struct Run {
    /// The base index of the first element; negative for elements inserted later.
    var start: Int32
    var count: Int32
  }

  private struct Chunk {
    var runs: [Run]
    var count: Int32
  }

  /// The identity of an element that is not of the base.
  static let foreign: Int32 = -1
  private static let chunkLimit = 64
  private var chunks: [Chunk]

  /// The list of the base elements 0, 1, …, `count` - 1.
  init(count: Int32) { chunks = [Chunk(runs: [Run(start: 0, count: count)], count: count)] }

  /// The identity of the element at an index.
  func element(at index: Int32) -> Int32 {
    var rest = index
    for chunk in chunks {
      if rest >= chunk.count {
        rest -= chunk.count
        continue
      }
      for run in chunk.runs {
        if rest < run.count { return run.start < 0 ? Self.foreign : run.start + rest }
        rest -= run.count
      }
    }
    return Self.foreign
  }

  /// Inserts an element before the one at an index.
  mutating func insert(_ element: Int32, at index: Int32) {
    var rest = index
    for number in chunks.indices {
      guard rest <= chunks[number].count || number == chunks.count - 1 else {
        rest -= chunks[number].count
        continue
      }
      var position = 0
      while position < chunks[number].runs.count, rest > chunks[number].runs[position].count {
        rest -= chunks[number].runs[position].count
        position += 1
      }
      if position < chunks[number].runs.count, rest > 0 {
        let run = chunks[number].runs[position]
        position += 1
        if rest < run.count {
          let start = run.start < 0 ? Self.foreign : run.start + rest
          chunks[number].runs[position - 1].count = rest
          chunks[number].runs.insert(Run(start: start, count: run.count - rest), at: position)
        }
      }
      chunks[number].runs.insert(Run(start: element, count: 1), at: position)
      chunks[number].count += 1
      divide(number)
      return
    }
  }

  /// Removes the element at an index and returns its identity.
  mutating func remove(at index: Int32) -> Int32 {
    var rest = index
    for number in chunks.indices {
      if rest >= chunks[number].count {
        rest -= chunks[number].count
        continue
      }
      for position in chunks[number].runs.indices {
        let run = chunks[number].runs[position]
        if rest >= run.count {
          rest -= run.count
          continue
        }
        chunks[number].count -= 1
        let behind = run.count - rest - 1
        if behind > 0 {
          let start = run.start < 0 ? Self.foreign : run.start + rest + 1
          chunks[number].runs.insert(Run(start: start, count: behind), at: position + 1)
        }
        if rest > 0 { chunks[number].runs[position].count = rest } else { chunks[number].runs.remove(at: position) }
        divide(number)
        return run.start < 0 ? Self.foreign : run.start + rest
      }
    }
    return Self.foreign
  }

  /// Halves a chunk beyond the limit.
  private mutating func divide(_ number: Int) {
    guard chunks[number].runs.count > Self.chunkLimit else { return }
    let half = Self.chunkLimit / 2
    let tail = Array(chunks[number].runs[half...])
    chunks[number].runs.removeSubrange(half...)
    let moved = tail.reduce(0) { $0 + $1.count }
    chunks[number].count -= moved
    chunks.insert(Chunk(runs: tail, count: moved), at: number + 1)
  }
}
