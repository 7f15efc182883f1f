// swift-tools-version: 6.1
import PackageDescription

/// For all: strict, and optimised across the walls between modules (docs/decisions/0004).
let areaSettings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .unsafeFlags(["-cross-module-optimization"], .when(configuration: .release)),
]

/// For what others build on: what it imports is its own affair unless it says otherwise.
let settings = areaSettings + [.enableUpcomingFeature("InternalImportsByDefault")]

/// A C library of Debian 12, found through pkg-config.
func library(_ name: String, _ pkgConfig: String, apt: String) -> Target {
    .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([apt])])
}

func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

/// A part of the server. Its members that others need are `package`; nobody outside of this package builds on them.
func area(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: areaSettings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: settings)
}

let package = Package(
    name: "intersession",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "intersession", targets: ["PortalCLI"])],
    targets: [
        library("CMicroHTTPD", "libmicrohttpd", apt: "libmicrohttpd-dev"),
        library("CSQLite", "sqlite3", apt: "libsqlite3-dev"),
        library("CSodium", "libsodium", apt: "libsodium-dev"),
        library("CQREncode", "libqrencode", apt: "libqrencode-dev"),
        library("CJansson", "jansson", apt: "libjansson-dev"),
        library("CCurl", "libcurl", apt: "libcurl4-openssl-dev"),
        library("COpenSSL", "libcrypto", apt: "libssl-dev"),
        library("COath", "liboath", apt: "liboath-dev"),
        library("CCmark", "libcmark", apt: "libcmark-dev"),
        library("CArchive", "libarchive", apt: "libarchive-dev"),
        library("CEBUR128", "libebur128", apt: "libebur128-dev"),
        library("CSndfile", "sndfile", apt: "libsndfile1-dev"),
        // Debian ships no pkg-config file for it.
        .systemLibrary(name: "CReadStat", providers: [.apt(["libreadstat-dev"])]),
        // Debian ships no module for it.
        library("CZlib", "zlib", apt: "zlib1g-dev"),
        // Functions of glibc itself.
        .systemLibrary(name: "CSpawn"),
        // Layers that have never heard of patients.
        module("JSON", ["CJansson"]),
        module("Locks"),
        module("HTTP", ["CMicroHTTPD", "Locks"]),
        module("Database", ["CSQLite", "Locks"]),
        module("Templates"),
        module("Secrets", ["CSodium", "COath", "COpenSSL"]),
        module("Outbound", ["CCurl"]),
        module("SMTP", ["Outbound"]),
        module("WebPush", ["Secrets"]),
        module("Files", ["CArchive", "CReadStat"]),
        module("SoundFiles", ["CEBUR128", "CSndfile", "CSpawn", "JSON"]),
        // What crosses the network, and what phones work out as well.
        module("Wire"),
        module("Scheduling", ["Wire"]),
        module("PortalClient", ["Wire", "Scheduling", "Database", "Secrets"]),
        // The engine: no database, no request.
        area("Psychometrics"),
        area("Wording", ["JSON", "Templates", "Wire", "Scheduling"]),
        area("Questionnaires", ["JSON", "Wire", "Psychometrics", "Wording"]),
        // What every area stands on.
        area("Records", ["Database", "Secrets", "SMTP", "Outbound", "JSON", "Wire", "Wording"]),
        area("Identity", ["Records"]),
        area("Web", ["HTTP", "Templates", "Identity", "Scheduling", "CQREncode"]),
        // The areas; each knows those that it names, and nothing above itself.
        area("Therapies", ["Web"]),
        area("Accounts", ["Therapies", "CCmark"]),
        area("Instruments", ["Web", "Questionnaires"]),
        area("Responses", ["Therapies", "Instruments"]),
        area("Rules", ["Responses"]),
        area("Studies", ["Accounts", "Responses", "Files"]),
        area("Protocols", ["Rules", "Studies"]),
        area("Intake", ["Protocols"]),
        area("Clinic", ["Intake"]),
        area("Sounds", ["Accounts", "Files", "SoundFiles"]),
        area("Push", ["Clinic", "WebPush", "Outbound"]),
        area("Tinnitus", ["Therapies", "Psychometrics"]),
        area("Wearables", ["Therapies", "CZlib"]),
        area("WearableLinks", ["Accounts", "Wearables", "Outbound"]),
        area("Participants", ["Push"]),
        area("Portal", ["Participants", "Sounds", "Tinnitus", "WearableLinks"]),
        area("Demonstration", ["Clinic", "Sounds", "Tinnitus", "Wearables"]),
        .executableTarget(
            name: "PortalCLI", dependencies: ["Portal", "Demonstration", "PortalClient", "SoundFiles"],
            swiftSettings: settings),
        // A whole portal in a test: the cast, a clock, a browser. It sees what is internal, so it is built with the tests
        // only: as an ordinary target it would be part of `swift build -c release`, which shows nothing internal.
        tests("PortalTesting", ["Portal"]),
        tests("NetworkTesting", []),
        tests("JSONTests", ["JSON"]),
        tests("LocksTests", ["Locks"]),
        tests("HTTPTests", ["HTTP"]),
        tests("DatabaseTests", ["Database"]),
        tests("TemplatesTests", ["Templates"]),
        tests("SecretsTests", ["Secrets"]),
        tests("OutboundTests", ["Outbound", "NetworkTesting"]),
        tests("WebPushTests", ["WebPush"]),
        tests("FilesTests", ["Files"]),
        tests("SoundFilesTests", ["SoundFiles", "Files", "PortalCLI"]),
        tests("PortalClientTests", ["PortalClient", "Wire"]),
        tests("SchedulingTests", ["Scheduling", "Wire"]),
        tests("PsychometricsTests", ["Psychometrics"]),
        tests("WordingTests", ["Wording", "Scheduling", "Wire"]),
        tests("WebTests", ["Web"]),
        tests("QuestionnairesTests", ["Questionnaires", "PortalTesting"]),
        tests("AccountsTests", ["Accounts", "PortalTesting"]),
        tests("InstrumentsTests", ["Instruments", "PortalTesting"]),
        tests("ResponsesTests", ["Responses", "PortalTesting"]),
        tests("RulesTests", ["Rules", "PortalTesting"]),
        tests("StudiesTests", ["Studies", "PortalTesting"]),
        tests("ProtocolsTests", ["Protocols", "PortalTesting"]),
        tests("IntakeTests", ["Intake", "PortalTesting"]),
        tests("TinnitusTests", ["Tinnitus", "PortalTesting"]),
        tests("WearablesTests", ["Wearables", "PortalTesting"]),
        tests("WearableLinksTests", ["WearableLinks", "PortalTesting", "NetworkTesting"]),
        tests("PushTests", ["Push", "PortalTesting", "NetworkTesting"]),
        tests("ParticipantsTests", ["Participants", "PortalTesting"]),
        tests("ClinicTests", ["Clinic", "PortalTesting", "NetworkTesting"]),
        tests("SoundsTests", ["Sounds", "Demonstration", "PortalTesting"]),
        tests(
            "PortalTests", ["Portal", "Demonstration", "PortalClient", "PortalTesting", "NetworkTesting"],
            exclude: ["Goldens"]),
        tests("EndToEndTests", ["PortalCLI", "PortalClient", "Wire"]),
    ]
)

// A target names its nearest neighbours, and imports what these stand on as well. SwiftPM looks only at what is named when
// it decides what to build anew; so the rest is filled in, from the bottom up: once for each, as the list stands.
var below: [String: Set<String>] = [:]
for target in package.targets {
    let named = target.dependencies.compactMap { dependency -> String? in
        if case .byNameItem(let name, _) = dependency { name } else { nil }
    }
    let all = named.reduce(into: Set(named)) { all, name in
        guard let further = below[name] else { fatalError("\(target.name) is listed above \(name)") }
        all.formUnion(further)
    }
    below[target.name] = all
    target.dependencies = all.sorted().map { .byName(name: $0) }
}

// Only bin/fuzz asks for it: libFuzzer brings a main of its own.
if Context.environment["INTERSESSION_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "Fuzz", dependencies: ["Portal"], path: "Tests/Fuzz",
            exclude: ["corpus"],
            swiftSettings: settings + [.unsafeFlags(["-parse-as-library"])]))
}
