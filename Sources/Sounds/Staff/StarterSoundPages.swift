import Database
import Foundation
import HTTP
import Identity
import Records
import SoundFiles
import Web
import Wording

/// The starter sounds, all our own, for an empty library: by a button of the library and of the first steps.
enum StarterSoundPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.post, path, .author, take)
    }

    private static let path = "/sounds/starter-set"

    static func isMissing(_ connection: borrowing Connection) throws -> Bool {
        try SoundStore.all(connection).isEmpty
    }

    static func kits(_ c: Context<Member>, _ connection: borrowing Connection) throws -> [StarterKit] {
        let isOffered =
            try !c.proof.account.roles.isDisjoint(with: [.therapist, .lead]) && isMissing(connection)
        guard isOffered else { return [] }
        return [
            StarterKit(
                title: c.texts["starter.sounds"],
                text: c.texts["starter.sounds_text", ["n": String(StarterSounds.count)]], path: path)
        ]
    }

    /// They are made and measured here, which takes seconds; two requests at once still store them once.
    @Sendable static func take(_ c: Context<Member>) throws -> Reply {
        let next = NextPath.safe(try c.form()["next"])
        if try c.read({ try isMissing($0) }) {
            try c.services.limiter.count("starter sounds", limit: 10, seconds: 3600, now: c.now)
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
                "starter-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: folder) }
            try StarterSounds(seed: 1).write(to: folder.path)
            let ready = try SoundImport(folder: folder.path, c.services).prepare()
            try c.write(.starterSoundsTaken) { [now = c.now] connection in
                guard try isMissing(connection) else { return }
                _ = try ready.write(at: now, connection)
            }
        }
        return .seeOther(
            NextPath.destination(next, c.proof.account, among: c.services.routes),
            flash: Message("starter.sounds_taken"))
    }
}

extension AuditAction {
    static let starterSoundsTaken = AuditAction(name: "sounds.starter_taken")
}
