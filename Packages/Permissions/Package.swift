// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "Permissions",
  products: [.library(name: "Permissions", targets: ["Permissions"])],
  targets: [
    .target(name: "Permissions"),
    .testTarget(name: "PermissionsTests", dependencies: ["Permissions"]),
  ]
)
