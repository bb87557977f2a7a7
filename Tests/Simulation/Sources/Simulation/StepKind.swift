/// The kinds of steps of a run: work of the app, and faults. A run draws its steps by the weights of its scenario.
public enum StepKind: String, CaseIterable, Codable, CodingKeyRepresentable, Sendable {
  /// One device makes a transaction.
  case commit
  /// Time passes.
  case wait
  /// The connections of one device break.
  case breakConnections
  /// One device stops syncing.
  case suspend
  /// One device syncs again.
  case resume
  /// One device is disconnected from the server silently: nothing arrives, and neither side hears of it.
  case partition
  /// Partitions end.
  case heal
  /// The server is killed, and another one starts over the same files.
  case crashServer
  /// One device makes several transactions while suspended, and then sends them all at once.
  case spell
  /// The server's files are backed up.
  case backUp
  /// The server is killed, and another one starts over the last backup.
  case restore
  /// The same with any of the backups: an earlier restoration, and everything after it, is undone.
  case restoreOlder
  /// The server is killed, and another one starts without files.
  case wipe
  /// Another device joins, with a few transactions that it made before its first connection.
  case join
  /// One device's app is killed and starts again over the same file.
  case restartDevice
  /// One device's app is killed at one of the next jobs on its file: before the job, or after its commit and before its
  /// completion.
  case killDeviceAtWork
  /// The server is restored, and devices are killed in the middle of the reset that follows.
  case restoreAndKillResets
  /// The server is killed at one of its next jobs: before the job, or after its commit and before the acknowledgement.
  case killServerAtWork
  /// One device loses power: its connections stay half-open at the server, and it comes back with new ones.
  case deviceLosesPower
  /// The server loses power: the devices do not hear of it.
  case serverLosesPower
  /// Messages between one device and the server arrive in one direction only.
  case halfOpen
  /// One device's connection gets slow.
  case slowDown
  /// All connections are quick again.
  case speedUp
  /// The calendar of the server and of one device jump, by up to a day.
  case clockJump
  /// One device's disk is full: no commit succeeds.
  case fillDeviceDisk
  /// The server's disk is full: no commit succeeds.
  case fillServerDisk
  /// All disks have space again.
  case makeRoom
  /// One device that syncs by queries changes its subscriptions.
  case subscribe

  /// The weights of kinds that a scenario does not name.
  public static let usual: [StepKind: Int] = [
    .commit: 12, .wait: 4, .breakConnections: 2, .suspend: 1, .resume: 2, .spell: 1,
  ]
}
