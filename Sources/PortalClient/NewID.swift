import Foundation

/// Ids made by phones: random UUIDs in lower case, as the portal returns them.
enum NewID {
    static func make() -> String { UUID().uuidString.lowercased() }
}
