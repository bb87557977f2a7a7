/// How far an import or export is.
public struct ExchangeProgress: Hashable, Sendable {
  /// The parts of an import or export, in their order.
  public enum Phase: String, Hashable, Sendable {
    /// Values are read for the types of the classes that are made.
    case inferring
    /// Objects are read for what does not fit.
    case checking
    /// Objects are made, so that links find them.
    case findingKeys
    /// Fields are written.
    case writing
  }

  /// The part.
  public var phase: Phase
  /// The objects of this part so far.
  public var count: Int
  /// The share of this part that is done, 0 ... 1; nil where it is not known.
  public var share: Double?
}

/// Counts and reports the objects of an import or export. Used by one thread.
final class ExchangeSteps {
  /// The length of the whole; 0 where it is not known.
  private let size: Int
  private let report: (ExchangeProgress) throws -> Void
  private var phase = ExchangeProgress.Phase.writing
  private var count = 0

  init(size: Int, report: @escaping (ExchangeProgress) throws -> Void) {
    self.size = size
    self.report = report
  }

  /// Begins a part, which counts from 0.
  func begin(_ phase: ExchangeProgress.Phase) {
    self.phase = phase
    count = 0
  }

  /// Counts an object.
  ///
  /// - Parameter offset: the length of what is done; nil where the length is the number of objects.
  func step(offset: Int? = nil) throws {
    count += 1
    let share = size > 0 ? min(1, Double(offset ?? count) / Double(size)) : nil
    try report(ExchangeProgress(phase: phase, count: count, share: share))
  }
}
