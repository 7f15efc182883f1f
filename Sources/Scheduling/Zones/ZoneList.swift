import Foundation

/// Every name of the system's data, from `tzdata.zi`: zones, and links to them.
struct ZoneList: Sendable {
    /// `2026f`; nil where the list does not tell it.
    let version: String?
    /// By each name the zone whose file tells its clocks.
    let zones: [String: String]

    /// Nil where there is no list.
    init?(path: String) {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        self.init([UInt8](data))
    }

    init?(_ bytes: [UInt8]) {
        var version: String?
        var targets: [String: String] = [:]
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            // Zones and links are abbreviated in the list, and may be written out; rules and further lines are left out.
            guard let first = line.first, "#ZL".utf8.contains(first) else { continue }
            let words = line.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            guard words.count > 2 else { continue }
            switch String(decoding: words[0], as: UTF8.self) {
            case "#" where version == nil && words[1].elementsEqual("version".utf8):
                version = String(decoding: words[2], as: UTF8.self)
            case "Z", "Zone": Self.name(words[1]).map { targets[$0] = $0 }
            case "L", "Link": Self.name(words[2]).map { targets[$0] = Self.name(words[1]) }
            default: break
            }
        }
        self.version = version
        zones = targets.keys.reduce(into: [:]) { zones, name in
            zones[name] = Self.zone(of: name, targets)
        }
        if zones.isEmpty { return nil }
    }

    /// A link may lead to a link.
    private static func zone(of name: String, _ targets: [String: String]) -> String? {
        var name = name
        for _ in 0..<8 {
            guard let target = targets[name] else { return nil }
            if target == name { return name }
            name = target
        }
        return nil
    }

    /// Names of places and of nothing else: what clocks there are to set, and other kinds of data, are no zones. A name leads
    /// to a file, so it has no full stop.
    private static func name(_ bytes: ArraySlice<UInt8>) -> String? {
        let name = String(decoding: bytes, as: UTF8.self)
        let isWord = bytes.allSatisfy { byte in
            (65...90).contains(byte & 0xdf) || (48...57).contains(byte) || "/_+-".utf8.contains(byte)
        }
        let first = name.utf8.split(separator: UInt8(ascii: "/")).first.map(String.init)
        let isOther = ["Factory", "localtime", "posixrules", "right", "posix"].contains(first)
        return isWord && !isOther && bytes.first != UInt8(ascii: "/") ? name : nil
    }
}
