// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "ChangesetOT",
  products: [
    .library(name: "ChangesetOT", targets: ["ChangesetOT"]),
    .library(name: "ChangesetOTTestSupport", targets: ["ChangesetOTTestSupport"]),
  ],
  dependencies: [.package(path: "../ByteCoding"), .package(path: "../DataModel")],
  targets: [
    .target(name: "ChangesetOT", dependencies: ["ByteCoding", "DataModel"]),
    .target(name: "ChangesetOTTestSupport", dependencies: ["ChangesetOT", "DataModel"]),
    .testTarget(
      name: "ChangesetOTTests", dependencies: ["ByteCoding", "DataModel", "ChangesetOT", "ChangesetOTTestSupport"]),
  ]
)
