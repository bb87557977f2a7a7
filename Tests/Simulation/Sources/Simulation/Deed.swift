/// What a step of a run does. A run draws its steps by the weights that its scenario gives them.
public enum Deed: String, CaseIterable, Codable, CodingKeyRepresentable, Sendable {
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
  /// One device is cut off from the server: nothing arrives, nobody is told.
  case partition
  /// Partitions end.
  case heal
  /// The server's process is killed, and a new one starts over the same files.
  case crashServer
  /// A spell without a connection in which several transactions are made, and then all sent at once.
  case spell
  /// The server's files are backed up.
  case backUp
  /// The server is killed, its files replaced by the last backup, and a new one started over them.
  case restore
  /// The same with any of the backups: what was restored before, and what came after it, is gone again.
  case restoreOlder
  /// The server has lost everything.
  case wipe
  /// Another device joins, with a few transactions that it made before its first connection.
  case join
  /// One device's app is killed and starts again over the same file.
  case restartDevice
  /// One device's app is killed at one of the next pieces of work on its file: before it is done, or after its commit and
  /// before anybody hears of it.
  case killDeviceAtWork
  /// The server is restored, and devices are killed in the middle of the reset that follows.
  case restoreAndKillResets
  /// The server's process is killed at one of its next pieces of work: before it is done, or after its commit and before
  /// the acknowledgement.
  case killServerAtWork
  /// One device loses power: its connections stay half-open at the server, and it comes back with new ones.
  case deviceLosesPower
  /// The server's machine loses power: the devices are not told.
  case serverLosesPower
  /// Nothing arrives from one device any more, while it still hears the server; or the other way round.
  case halfOpen
  /// One device's connection becomes slow.
  case slowDown
  /// All connections are quick again.
  case speedUp
  /// The calendar of the server and of one device jump, by up to a day.
  case clockJump
  /// One device's disk is full: no commit succeeds.
  case fillDeviceDisk
  /// The server's disk is full: no commit succeeds.
  case fillServerDisk
  /// Nobody's disk is full any more.
  case makeRoom

  /// What every scenario has unless it says otherwise.
  public static let usual: [Deed: Int] = [
    .commit: 12, .wait: 4, .breakConnections: 2, .suspend: 1, .resume: 2, .spell: 1,
  ]
}
