// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "CommandLineKit",
  products: [
    .library(name: "CommandLineKit", targets: ["CommandLineKit"]),
    .library(name: "TextWidth", targets: ["TextWidth"]),
  ],
  dependencies: [.package(path: "../TestKit")],
  targets: [
    .target(name: "TextWidth"),
    .target(name: "CommandLineKit", dependencies: ["TextWidth"]),
    .testTarget(name: "CommandLineKitTests", dependencies: ["CommandLineKit", "TextWidth", "TestKit"]),
  ]
)
