// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "ChangesetOT",
  products: [
    .library(name: "ChangesetOT", targets: ["ChangesetOT"]),
    .library(name: "ChangesetOTTestSupport", targets: ["ChangesetOTTestSupport"]),
    .executable(name: "merge-laws", targets: ["merge-laws"]),
  ],
  dependencies: [.package(path: "../ByteCoding"), .package(path: "../DataModel"), .package(path: "../TestKit")],
  targets: [
    .target(name: "ChangesetOT", dependencies: ["ByteCoding", "DataModel"]),
    .target(name: "ChangesetOTTestSupport", dependencies: ["ByteCoding", "ChangesetOT", "DataModel", "TestKit"]),
    .executableTarget(name: "merge-laws", dependencies: ["ChangesetOT", "ChangesetOTTestSupport", "TestKit"]),
    .testTarget(
      name: "ChangesetOTTests",
      dependencies: ["ByteCoding", "DataModel", "ChangesetOT", "ChangesetOTTestSupport", "TestKit"]),
  ]
)
