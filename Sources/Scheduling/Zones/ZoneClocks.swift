import Foundation

/// The clocks of one zone, from the best data there are.
enum ZoneClocks: Sendable {
    /// The system's.
    case system(ZoneTable)
    /// This program's own.
    case program(TimeZone)
    /// One from a second on, the other before it.
    indirect case changing(from: Int64, ZoneClocks, before: ZoneClocks)

    /// Seconds east of Greenwich.
    func offset(at second: Int64) -> Int64 {
        switch self {
        case .system(let table): table.offset(at: second)
        case .program(let zone):
            Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(second))))
        case .changing(let begin, let later, let earlier):
            second >= begin ? later.offset(at: second) : earlier.offset(at: second)
        }
    }
}

/// The zones that are part of this program: as old as its compiler. They serve where the system's are missing.
enum ProgramZones {
    static var version: String { TimeZone.timeZoneDataVersion }
    static var names: [String] { TimeZone.knownTimeZoneIdentifiers }
    /// Of this machine.
    static var current: String { TimeZone.current.identifier }

    /// Nil for an unknown name. No file is opened for any. Offsets (`GMT+2`) have other names than those they are asked by.
    static func clocks(_ name: String) -> ZoneClocks? {
        TimeZone(identifier: name).flatMap { $0.identifier == name ? .program($0) : nil }
    }
}
