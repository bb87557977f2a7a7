public import ChangesetOT
import Foundation

extension RealmFile {
  /// The wall clock of this machine.
  public static var systemClock: @Sendable () -> OriginTimestamp {
    { OriginTimestamp(unixMilliseconds: Int64(Date().timeIntervalSince1970 * 1000)) }
  }
}
