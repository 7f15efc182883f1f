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

/// One that computes for all others: unoptimised it would be most of the time of all tests.
func computing(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    let optimised = SwiftSetting.unsafeFlags(["-O"], .when(configuration: .debug))
    return .target(name: name, dependencies: dependencies, swiftSettings: settings + [optimised])
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
        library("CPostgreSQL", "libpq", apt: "libpq-dev"),
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
        library("CTurboJPEG", "libturbojpeg", apt: "libturbojpeg0-dev"),
        library("CPNG", "libpng", apt: "libpng-dev"),
        library("CWebP", "libwebpdemux", apt: "libwebp-dev"),
        // Debian ships no pkg-config file for it.
        .systemLibrary(name: "CReadStat", providers: [.apt(["libreadstat-dev"])]),
        // Debian ships no module for it.
        library("CZlib", "zlib", apt: "zlib1g-dev"),
        // Functions of glibc itself.
        .systemLibrary(name: "CSpawn"),
        // Layers that have never heard of patients.
        computing("JSON", ["CJansson"]),
        module("Locks"),
        module("Programs", ["CSpawn", "Locks"]),
        computing("HTTP", ["CMicroHTTPD", "CZlib", "Locks"]),
        computing("Database", ["CSQLite", "CPostgreSQL", "Locks"]),
        computing("Templates"),
        computing("Secrets", ["CSodium", "COath", "COpenSSL"]),
        module("Outbound", ["CCurl"]),
        module("SMTP", ["Outbound"]),
        module("WebPush", ["Secrets"]),
        module("Files", ["CArchive", "CReadStat"]),
        computing("SoundFiles", ["CEBUR128", "CSndfile", "Programs", "JSON"]),
        module("Pictures", ["CTurboJPEG", "CPNG", "CWebP", "SoundFiles"]),
        // What crosses the network, and what phones work out as well.
        computing("Wire", ["JSON"]),
        computing("Scheduling", ["Locks", "Wire"]),
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
        area("Contributions", ["Therapies", "Instruments"]),
        area("Delivery", ["Contributions"]),
        area("Rules", ["Delivery"]),
        area("Studies", ["Accounts", "Contributions", "Pictures"]),
        area("Research", ["Studies", "Files"]),
        area("Protocols", ["Rules", "Studies"]),
        area("Intake", ["Rules", "Studies"]),
        area("Appointments", ["Delivery"]),
        area("Pairing", ["Protocols"]),
        area("Agenda", ["Intake", "Appointments"]),
        area("Clinic", ["Appointments", "Intake", "Pairing"]),
        area("Sounds", ["Therapies", "Psychometrics", "Files", "Pictures", "SoundFiles"]),
        area("Staff", ["Pairing"]),
        area("Push", ["Agenda", "WebPush", "Outbound"]),
        area("Tinnitus", ["Therapies", "Psychometrics"]),
        area("Wearables", ["Therapies", "Psychometrics", "CZlib"]),
        area("WearableLinks", ["Accounts", "Wearables", "Outbound"]),
        area("Participants", ["Pairing", "Push"]),
        area(
            "Portal",
            ["Clinic", "Participants", "Research", "Sounds", "Staff", "Tinnitus", "WearableLinks"]),
        area("Demonstration", ["Clinic", "Sounds", "Tinnitus", "Wearables"]),
        .executableTarget(
            name: "PortalCLI",
            dependencies: ["Portal", "Demonstration", "PortalClient", "SoundFiles", "Pictures"],
            swiftSettings: settings),
        // A whole portal in a test: the cast, a clock, a browser. It sees what is internal, so it is built with the tests
        // only: as an ordinary target it would be part of `swift build -c release`, which shows nothing internal.
        tests("EngineTesting", ["Database"]),
        tests("PortalTesting", ["Portal", "EngineTesting"]),
        tests("NetworkTesting", ["Programs"]),
        tests("JSONTests", ["JSON"]),
        tests("WireTests", ["Wire", "JSON"]),
        tests("LocksTests", ["Locks"]),
        tests("ProgramsTests", ["Programs"]),
        tests("HTTPTests", ["HTTP", "CZlib"]),
        tests("DatabaseTests", ["Database", "EngineTesting"]),
        tests("TemplatesTests", ["Templates"]),
        tests("SecretsTests", ["Secrets"]),
        tests("OutboundTests", ["Outbound", "NetworkTesting"]),
        tests("WebPushTests", ["WebPush"]),
        tests("SoundFilesTests", ["SoundFiles", "Pictures", "PortalCLI"]),
        tests("PicturesTests", ["Pictures", "CWebP", "CZlib", "PortalCLI"]),
        tests("PortalClientTests", ["JSON", "PortalClient", "Wire"]),
        tests("SchedulingTests", ["Programs", "Scheduling", "Wire"]),
        tests("PsychometricsTests", ["Psychometrics"]),
        tests("WordingTests", ["Wording", "Scheduling", "Wire"]),
        tests("RecordsTests", ["Records"]),
        tests("IdentityTests", ["Identity"]),
        tests("WebTests", ["Web"]),
        tests("TherapiesTests", ["Therapies"]),
        tests("QuestionnairesTests", ["Questionnaires", "PortalTesting"]),
        tests("AccountsTests", ["Accounts", "PortalTesting"]),
        tests("InstrumentsTests", ["Instruments", "PortalTesting"]),
        tests("ContributionsTests", ["Contributions"]),
        tests("DeliveryTests", ["Delivery", "PortalTesting"]),
        tests("RulesTests", ["Rules", "PortalTesting"]),
        tests("StudiesTests", ["Studies", "PortalTesting"]),
        tests("ResearchTests", ["Research", "PortalTesting"]),
        tests("ProtocolsTests", ["Protocols", "PortalTesting"]),
        tests("IntakeTests", ["Intake", "PortalTesting"]),
        tests("AppointmentsTests", ["Appointments", "PortalTesting"]),
        tests("PairingTests", ["Pairing", "PortalTesting"]),
        tests("AgendaTests", ["Agenda", "PortalTesting", "NetworkTesting"]),
        tests("StaffTests", ["Staff", "PortalTesting"]),
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
        tests("EndToEndTests", ["PortalCLI", "PortalClient", "Wire", "EngineTesting"]),
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

// The wings: a page of one builds nothing of another, and sees nothing of it (docs/decisions/0033).
let wings: Set = ["Clinic", "Participants", "Research", "Staff"]
for wing in wings.union(["Push", "Agenda"]) {
    let others = wings.subtracting([wing]).intersection(below[wing] ?? [])
    guard others.isEmpty else { fatalError("\(wing) stands on \(others.sorted()), another wing") }
}

// Only bin/fuzz asks for it: libFuzzer brings a main of its own.
if Context.environment["INTERSESSION_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "Fuzz", dependencies: ["Web", "Questionnaires", "Pictures"], path: "Tests/Fuzz",
            exclude: ["corpus"],
            swiftSettings: settings + [.unsafeFlags(["-parse-as-library"])]))
}
