import Concurrency
import Telemetry

extension ObjectServer {
  /// Gives unused space back to the disk after every ``ServerConfiguration/vacuumInterval``. Runs follow each other: the next
  /// interval begins when a run has ended.
  func scheduleVacuum() {
    guard let interval = configuration.vacuumInterval else { return }
    if environment.placement != nil {
      environment.logger.warn("unused space of files is not given back on a node of a cluster: they are copies")
    }
    guard let vacuum = environment.vacuum else { return }
    environment.network.scheduler.schedule(after: interval) { [weak self] in
      guard let self, !hub.isStopping else { return }
      let (logger, scheduler, isStopping) = (environment.logger, environment.network.scheduler, isStopping)
      let scheduleNext: @Sendable () -> Void = { [weak self] in self?.scheduleVacuum() }
      environment.executor.submit(to: .maintenance) {
        do throws(ServerError) {
          let report = try vacuum { isStopping.isSet }
          logger.info(
            "gave unused space back to the disk",
            [
              "files": LogValue(report.looked), "rewritten": LogValue(report.rewritten),
              "bytes": LogValue(max(0, report.bytesBefore - report.bytesAfter)),
            ])
        } catch {
          logger.error("unused space cannot be given back", ["reason": LogValue("\(error)")])
        }
        scheduler.execute(scheduleNext)
      }
    }
  }
}
