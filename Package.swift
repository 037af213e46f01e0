// swift-tools-version: 6.2

import PackageDescription

let strict: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

// Tests need longer to be optimized than they take.
let tests =
  strict + [
    .unsafeFlags(
      ["-Onone", "-no-whole-module-optimization", "-enable-batch-mode"],
      .when(configuration: .release)
    )
  ]

let package = Package(
  name: "critic-lsp",
  products: [
    .executable(name: "critic-lsp", targets: ["CriticLSP"])
  ],
  targets: [
    .target(name: "JSONRPC", swiftSettings: strict),
    .target(name: "TrackEngine", swiftSettings: strict),
    .executableTarget(
      name: "CriticLSP",
      dependencies: ["JSONRPC", "TrackEngine"],
      swiftSettings: strict
    ),
    .target(
      name: "TestSupport",
      dependencies: ["TrackEngine"],
      path: "Tests/TestSupport",
      swiftSettings: strict
    ),
    .testTarget(
      name: "JSONRPCTests",
      dependencies: ["JSONRPC", "TestSupport"],
      swiftSettings: tests
    ),
    .testTarget(
      name: "TrackEngineTests",
      dependencies: ["TestSupport", "TrackEngine"],
      swiftSettings: tests
    ),
    .testTarget(
      name: "CriticLSPTests",
      dependencies: ["CriticLSP", "JSONRPC", "TestSupport", "TrackEngine"],
      swiftSettings: tests
    ),
  ]
)

#if os(Linux)
  // The measuring instrument of `make bench`; it reads /proc.
  package.targets.append(
    .executableTarget(
      name: "Benchmarks",
      dependencies: ["JSONRPC", "TrackEngine"],
      path: "Tests/Benchmarks/Instrument",
      swiftSettings: strict
    )
  )
#endif
