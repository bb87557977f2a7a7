/// The jobs of one queue that have not begun, in the order of submission.
struct PendingJobs<Work: Sendable> {
  private var jobs: [(attributes: JobAttributes, work: Work?)] = []
  /// The number of jobs at the beginning of `jobs` that have begun.
  private var begun = 0
  /// Whether a job of the queue runs.
  var isRunning = false

  var first: (attributes: JobAttributes, work: Work)? {
    guard begun < jobs.count, let work = jobs[begun].work else { return nil }
    return (jobs[begun].attributes, work)
  }

  mutating func append(_ attributes: JobAttributes, _ work: Work) { jobs.append((attributes, work)) }

  /// Removes the first job and releases its work.
  ///
  /// - Complexity: O(1) amortised.
  mutating func removeFirst() {
    jobs[begun].work = nil
    begun += 1
    guard begun == jobs.count || begun > 64 && begun > jobs.count / 2 else { return }
    jobs.removeFirst(begun)
    begun = 0
  }
}
