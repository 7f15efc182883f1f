import Foundation
import Locks
public import Wire

/// The zones by their names, as the system's tzdata tell them: read whole, at once, so that all are of one version. Where there
/// are none, or where the file of a zone is torn, the program's own serve (docs/decisions/0045).
public final class ZoneData: Sendable {
    /// Where the system's data lie; nil where the program's own serve.
    public let folder: String?
    /// `2026f`.
    public let version: String
    /// When the system's data were made or installed.
    public let madeAt: Instant?
    /// Zones whose files are missing or torn, for which the program's own data serve.
    public let torn: [String]
    /// By each name the zone whose file tells its clocks.
    let list: [String: String]
    let tables: [String: ZoneTable]
    private let known: [String: ZoneClocks]

    /// Those of this machine.
    public static let machine = ZoneData(folder: systemFolder)
    /// Those of this program.
    public static let program = ZoneData(list: [:], tables: [:], version: ProgramZones.version)

    private static let inForce = Lock(machine)

    /// Those that count: the machine's, and before them those by which plans were made.
    public static var current: ZoneData { inForce.withLock { $0 } }

    public static func use(_ data: ZoneData) { inForce.withLock { $0 = data } }

    private static var systemFolder: String {
        let told = ProcessInfo.processInfo.environment["TZDIR"] ?? ""
        return told.isEmpty ? "/usr/share/zoneinfo" : told
    }

    /// Reads a folder of compiled zones with their list.
    public convenience init(folder: String) {
        let path = folder + "/tzdata.zi"
        guard let list = ZoneList(path: path) else {
            self.init(list: [:], tables: [:], version: ProgramZones.version)
            return
        }
        let tables = Set(list.zones.values).reduce(into: [:]) { $0[$1] = ZoneTable(path: "\(folder)/\($1)") }
        let made = try? FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
        self.init(
            list: list.zones, tables: tables, version: list.version ?? "?", folder: folder,
            madeAt: made.map { Instant(milliseconds: Int64($0.timeIntervalSince1970) * 1000) })
    }

    /// - Parameter folder: nil for data that are no machine's.
    init(
        list: [String: String], tables: [String: ZoneTable], version: String, folder: String? = nil,
        madeAt: Instant? = nil
    ) {
        self.list = list
        self.tables = tables
        self.version = version
        self.folder = folder
        self.madeAt = madeAt
        torn = Set(list.values).filter { tables[$0] == nil }.sorted()
        known = list.reduce(into: [:]) { known, entry in
            known[entry.key] = tables[entry.value].map { .system($0) } ?? ProgramZones.clocks(entry.key)
        }
    }

    /// The same data with other clocks.
    init(_ data: ZoneData, clocks: [String: ZoneClocks]) {
        list = data.list
        tables = data.tables
        version = data.version
        folder = data.folder
        madeAt = data.madeAt
        torn = data.torn
        known = clocks
    }

    /// As the system's data tell them; nil where these are missing or torn.
    func systemClocks(_ name: String) -> ZoneClocks? {
        list[name].flatMap { tables[$0] }.map { .system($0) }
    }

    /// Whether the system's data serve every zone.
    public var isWhole: Bool { folder != nil && torn.isEmpty }

    /// Which data serve, for operators.
    public var summary: String {
        guard let folder else { return "tzdata \(version) of this program: the system has none" }
        let day =
            madeAt.map {
                " of " + LocalDate(daysSince1970: dayNumber(ofSecond: $0.seconds)).text
            } ?? ""
        let lost = torn.isEmpty ? "" : "; missing or torn: " + torn.joined(separator: ", ")
        return "tzdata \(version)\(day) in \(folder)\(lost)"
    }

    func clocks(_ name: String) -> ZoneClocks? {
        (known.isEmpty ? ProgramZones.clocks(name) : known[name]) ?? (name == "UTC" ? .system(.utc) : nil)
    }

    /// Whether a name is one of tzdata's, of a zone or of a link.
    public func knows(_ name: String) -> Bool { clocks(name) != nil }

    /// Every name, in order.
    public var names: [String] { (known.isEmpty ? ProgramZones.names : Array(known.keys)).sorted() }

    /// The names of places, in order.
    public var places: [String] {
        names.filter { $0.utf8.contains(UInt8(ascii: "/")) && !$0.utf8.starts(with: "Etc/".utf8) }
    }

    /// The zone of this machine: that of its environment, else the one its clock is set to, else UTC.
    public var machineZone: String {
        let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/etc/localtime")
        let told = [ProcessInfo.processInfo.environment["TZ"], link, ProgramZones.current]
        return told.lazy.compactMap { $0.map(Self.name) }.first { self.knows($0) } ?? "UTC"
    }

    /// The name in a path to its file, or behind the colon with which `TZ` may begin.
    private static func name(in text: String) -> String {
        let name = text.utf8.first == UInt8(ascii: ":") ? String(text.dropFirst()) : text
        return name.range(of: "/zoneinfo/").map { String(name[$0.upperBound...]) } ?? name
    }
}
