import Secrets

/// The file of an export while it waits: sealed by a key of its own, which is remembered as long as the export, and removed
/// once it is opened for sending. What a crash leaves nothing can read any more.
struct ExportFile: Codable, Sendable {
    let path: String
    private let secret: [UInt8]

    init(path: String) {
        self.path = path
        secret = SecretKey.random().bytes
    }

    var key: SecretKey {
        get throws {
            guard let key = SecretKey(secret) else { throw SealBroken() }
            return key
        }
    }
}
