import Foundation

#if canImport(Glibc)
  import Glibc
#endif

extension Process {
  /// Waits for the end of the process, whatever else runs.
  ///
  /// `waitUntilExit` learns of the end by a socket, which another child that starts at the same moment can inherit: then it waits
  /// for that child, too, and two tests that wait so can hold all threads.
  ///
  /// - Returns: the exit status, or 128 and the number of the signal.
  @discardableResult
  public func waitForEnd() -> Int32 {
    while true {
      var info = siginfo_t()
      if waitid(P_PID, id_t(processIdentifier), &info, WEXITED | WNOWAIT) == 0 {
        let status = info._sifields._sigchld.si_status
        return info.si_code == Int32(CLD_EXITED) ? status : 128 + status
      }
      guard errno != EINTR else { continue }
      // Foundation has noticed the end, and taken the status.
      waitUntilExit()
      return terminationReason == .uncaughtSignal ? 128 + terminationStatus : terminationStatus
    }
  }
}
