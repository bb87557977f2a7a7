import Dispatch
import Foundation

// black-box: a real server and real apps, each a process of its own, with a proxy between them, on real files; they are
// killed, stopped and cut off at random, and at the end everything that was acknowledged is there, once, everywhere.
//
//   DURATION=60 SEED=3 black-box     that long, with those faults
//   CLIENTS=4 black-box              that many apps
//   STORAGE=postgresql://… black-box the server is a node over that database
//   black-box cluster                the nodes and databases of a cluster are killed, stopped and cut off; see ClusterDriver
//   black-box takeover               two processes on one file: the one that syncs it is killed, again and again

signal(SIGPIPE, SIG_IGN)
let arguments = CommandLine.arguments
switch arguments.dropFirst().first {
case "server":
  Task { await ServerRole.run(data: arguments[2]) }
  dispatchMain()
case "app":
  Task { await AppRole.run(folder: arguments[2], server: arguments[3], name: arguments[4], user: arguments[5]) }
  dispatchMain()
case "takeover":
  do {
    exit(try Driver().runTakeover(rounds: 4) ? 0 : 1)
  } catch {
    say("black-box: \(error)")
    exit(2)
  }
case "cluster":
  do {
    exit(try ClusterDriver().run() ? 0 : 1)
  } catch {
    say("cluster-faults: \(error)")
    exit(2)
  }
default:
  do {
    exit(try Driver().run() ? 0 : 1)
  } catch {
    say("black-box: \(error)")
    exit(2)
  }
}
