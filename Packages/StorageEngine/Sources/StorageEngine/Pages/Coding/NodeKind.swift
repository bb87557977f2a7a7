/// The kind of a node: the first byte of its content.
enum NodeKind: UInt8 {
  case cluster = 1
  case clusterMapLeaf = 2
  case clusterMapBranch = 3
  case table = 4
  case intTree = 5
  case bytesTree = 6
  case listTree = 7
  case bytes = 8
  case clusterPatch = 9
  case intLeafPatch = 10
  case bytesLeafPatch = 11
}
