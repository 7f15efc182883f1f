import Foundation

@testable import Demonstration
@testable import Portal
@testable import PortalTesting
@testable import Records
@testable import Web
@testable import Wording

/// The pages of a demonstration of its own.
enum DrawnGallery {
    /// - Parameters:
    ///   - resources: where `templates/` and `static/` lie.
    ///   - languages: nil for all that are installed there.
    static func sheets(resources: String, languages: [Language]? = nil) throws -> [Gallery.Sheet] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "gallery-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        var settings = Cast.settings(folder.path)
        settings.resources = resources
        let services = try Services(
            settings, clock: Clock { Cast.now }, gate: Cast.gate,
            resources: resources == Cast.root ? Cast.resources : nil, log: .silent)
        defer { services.close() }
        _ = try DemonstrationClinic.seed(services, participants: 0, days: 1)
        return try Gallery(services, languages: languages).sheets
    }
}
