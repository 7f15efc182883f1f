import Foundation

/// Ids that phones make: random UUIDs in lower case, as the portal answers them.
enum NewID {
    static func make() -> String { UUID().uuidString.lowercased() }
}
