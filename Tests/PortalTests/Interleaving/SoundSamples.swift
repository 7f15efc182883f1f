import HTTP
import Wire

@testable import PortalTesting
@testable import Records
@testable import Sounds
@testable import Web

/// Requests to the library of sounds, and by its listeners.
extension WriteSamples {
    static let sounds: [String: WriteSample] = [
        "PATCH /api/v1/sounds/:sound": .call(#"{"published": false}"#) { try sound($0) },
        "DELETE /api/v1/sounds/:sound": .call("{}") { try sound($0) },
        "POST /sounds/:sound": .form([
            "title_de": "Landregen", "credits": "Ada", "licence": "CC0",
            "category_id": TestPortal.soundCategory.text,
        ]) { try sound($0) },
        "POST /sounds/:sound/publication": .form(["published": "false"]) { try sound($0) },
        "POST /sounds/:sound/archive": .form(["archived": "true"]) { try sound($0) },
        "POST /sounds/:sound/removal": .form { try sound($0) },
        "POST /api/v1/sound-categories": .call(#"{"title": {"de": "Töne"}}"#),
        "PATCH /api/v1/sound-categories/:category": .call(#"{"position": 3}"#) { try sound($0) },
        "POST /sounds/categories": .form(["title_de": "Töne"]),
        "POST /sounds/categories/:category": .form(["title_de": "Töne"], on: categories) { try sound($0) },
        "POST /sounds/categories/:category/move": .form(["direction": "up"], on: categories) {
            try sound($0)
        },
        "POST /sounds/categories/:category/archive": .form(["archived": "true"], on: categories) {
            try sound($0)
        },
        "POST /sounds/uploads/:upload": .form([
            "title_de": "Ton", "credits": "Ada", "licence": "CC0",
            "category_id": TestPortal.soundCategory.text,
        ]) { try upload($0) },
        "PUT /api/v1/my/listening-sessions/:listening": WriteSample(
            json: { stage in
                """
                {"sound_id": "\(stage.places["sound"] ?? "")", "listened_seconds": 30, "rating": 3,
                 "started_at": "\(stage.portal.now.adding(seconds: -60).text)", "rating_state": "rated"}
                """
            },
            prepare: { stage in
                try sound(stage)
                stage.places["listening"] = session
            }),
        "POST /my/sounds/:sound/sessions": .form(["id": session, "minutes": "2", "rating": "3"]) {
            try sound($0)
        },
        "POST /my/sounds/:sound/favourite": .form(["favourite": "true"]) { try sound($0) },
        "PUT /api/v1/my/sound-favourites/:sound": .call("{}") { try sound($0) },
        "DELETE /api/v1/my/sound-favourites/:sound": .call("{}") { try sound($0) },
        "PUT /api/v1/my/measurement-sharing": .call(#"{"listening": true}"#),
        "POST /my/settings/sharing": .form(["listening": "true"]),
    ]

    /// They take files: what comes between reading and writing is tried with them.
    static let uploads: Set<String> = ["POST /sounds/new", "POST /api/v1/sounds"]

    private static func upload(_ stage: Stage) throws {
        try sound(stage)
        let id: ID<SoundUpload> = "5a5a5a5a-0000-4000-8000-0000000000b1"
        let lena: ID<Account> = stage.portal.cast.accounts[.lena] ?? ""
        try stage.portal.services.records.writeUnaudited(.madeUp) { connection in
            guard let file = try SoundStore.all(connection).first else { return }
            try SoundUploadStore.insert(
                id, name: "regen.flac", audio: file.audioHash, picture: nil, of: lena,
                at: Instant(milliseconds: 1_900_000_000_000), connection)
        }
        stage.places["upload"] = id.text
    }

    private static let categories = "/sounds/categories"
    private static let session = "22222222-2222-4222-8222-222222222222"

    private static func sound(_ stage: Stage) throws {
        stage.places["sound"] = try stage.portal.addSound().text
        stage.places["category"] = TestPortal.soundCategory.text
    }
}
