import HTTP
import Identity
import Records
import Web
import Wire
import Wording

/// The library over the API (SN-1): public, kept by study leads.
enum SoundAPI {
    static func routes(_ routes: inout Routes) {
        let type = Sound.self
        routes.call(
            .get, "/sounds", .anyone,
            .many(
                "The library; with `state=all` also what is not published, for study leads", type,
                query: ["state"]),
            index)
        routes.call(.get, "/sounds/:sound", .anyone, .one("A sound", type).revised(SoundStore.revision), show)
        routes.call(
            .get, "/sounds/:sound(id)/audio", .anyone,
            .other("The sound itself; ranges are answered", "audio/flac, audio/wav, audio/ogg, audio/mpeg"),
            audio)
        routes.call(
            .get, "/sounds/files/:hash", .anyone,
            .other(
                "A file by its SHA-256: it never changes; ranges are answered",
                "audio/flac, audio/wav, audio/ogg, audio/mpeg, image/png, image/jpeg, image/webp"), file)
        routes.call(
            .post, "/sounds", .lead,
            .one(
                "Add a sound, unpublished: multipart/form-data with `audio`, `picture`, `title` (JSON by language), `category_id`, `credits`, `licence`, `loop_start`, `loop_end`",
                type, status: 201), upload: SoundUploading.limit, SoundUploadAPI.create)
        routes.call(
            .patch, "/sounds/:sound", .lead,
            .one("Change, publish or archive a sound", type, takes: Sound.change).revised(
                SoundStore.revision),
            update)
        routes.call(
            .delete, "/sounds/:sound", .lead,
            .nothing("Take away a sound that nobody has heard").revised(SoundStore.revision), destroy)
    }

    /// Whether the caller is a study lead.
    private static func isLead(_ c: Context<Anyone>) -> Bool {
        guard let person = c.actor.signedIn, person.credential.kind != .registration else { return false }
        return person.account.roles.contains(.lead)
    }

    @Sendable static func index(_ c: Context<Anyone>) throws -> Reply {
        let paging = try Paging(c.request)
        let fields = InputReader(form: c.request.query)
        let wantsAll = fields.choice("state", from: ["all", "published"]) == "all"
        try fields.finish()
        if wantsAll, !isLead(c) {
            throw c.actor.signedIn == nil
                ? Problem.signInRequired : Problem.forbidden(Message("problems.forbidden"))
        }
        let (sounds, uses) = try c.read { connection in
            (
                try wantsAll ? SoundStore.all(connection) : SoundStore.offered(connection),
                try wantsAll ? ListeningStore.uses(connection) : [:]
            )
        }
        let items = sounds.map { sound in
            let use = uses[sound.id] ?? SoundUse()
            return Item(id: sound.id, sound.wire(c.languages, library: wantsAll ? use : nil))
        }
        return try .data(paging.part(of: items))
    }

    /// Includes sounds that are not offered, for study leads.
    private static func find(_ c: Context<Anyone>) throws -> SoundRecord {
        let id: ID<Sound> = try c.id("sound")
        guard let sound = try c.read({ try SoundStore.find(id, $0) }), sound.isOffered || isLead(c) else {
            throw Problem.notFound
        }
        return sound
    }

    @Sendable static func show(_ c: Context<Anyone>) throws -> Reply {
        let sound = try find(c)
        let use = isLead(c) ? try c.read { try ListeningStore.use(of: sound.id, $0) } : nil
        return try .data(One(id: sound.id, sound.wire(c.languages, library: use)))
    }

    @Sendable static func audio(_ c: Context<Anyone>) throws -> Reply {
        let sound = try find(c)
        return .response(
            try SoundFolder(c.services.settings).response(
                to: c.request, sound.audioHash, type: sound.mediaType, isForGood: false))
    }

    /// Content under its hash never changes; knowing the hash requires having had the file or its name.
    @Sendable static func file(_ c: Context<Anyone>) throws -> Reply {
        let hash = c.places["hash"] ?? ""
        guard let stored = try c.read({ try SoundFileStore.find(hash, $0) }) else { throw Problem.notFound }
        return .response(
            try SoundFolder(c.services.settings).response(
                to: c.request, hash, type: stored.mediaType, isForGood: true))
    }

    @Sendable static func update(_ c: Context<Member>) throws -> Reply {
        let sound = try SoundActions.find(c)
        let changed = try SoundFields.change(
            try c.body(), over: sound, samples: try SoundActions.samples(of: sound, c), now: c.now)
        try SoundActions.save(changed, over: sound, c)
        return try answer(sound.id, c)
    }

    static func answer(_ id: ID<Sound>, _ c: Context<Member>, status: Int = 200) throws -> Reply {
        let (sound, use) = try c.read { connection in
            (try SoundStore.find(id, connection), try ListeningStore.use(of: id, connection))
        }
        guard let sound else { throw Problem.notFound }
        return try .data(One(id: id, sound.wire(c.languages, library: use)), status: status)
    }

    @Sendable static func destroy(_ c: Context<Member>) throws -> Reply {
        try SoundActions.delete(try c.id("sound"), c)
        return .response(.noContent)
    }
}

/// Categories over the API.
enum SoundCategoryAPI {
    static func routes(_ routes: inout Routes) {
        let type = SoundCategory.self
        routes.call(
            .get, "/sound-categories", .lead, .many("Categories of sounds, in their order", type), index)
        routes.call(
            .post, "/sound-categories", .lead,
            .one("Add a category", type, status: 201, takes: SoundCategory.sent), create)
        routes.call(
            .patch, "/sound-categories/:category", .lead,
            .one("Change, move or archive a category", type, takes: SoundCategory.change).revised(
                SoundCategoryStore.revision), update)
    }

    @Sendable static func index(_ c: Context<Member>) throws -> Reply {
        let all = try c.read { try SoundCategoryStore.all($0) }
        return try .data(try Paging(c.request).part(of: all.map { Item(id: $0.id, $0.wire) }))
    }

    @Sendable static func create(_ c: Context<Member>) throws -> Reply {
        let fields = try c.body()
        let title = fields.localized("title", limit: SoundFields.titleLimit, lines: false)
        if title?.isEmpty ?? true, fields.errors.isEmpty { fields.refuse("title", "errors.required") }
        let position = fields.whole("position", 1...10_000, first: 0).flatMap { $0 == 0 ? nil : $0 }
        try fields.finish()
        guard let title else { throw Problem.invalid(fields.errors) }
        return try answer(try SoundCategoryActions.add(title, position: position, c), c, status: 201)
    }

    @Sendable static func update(_ c: Context<Member>) throws -> Reply {
        var record = try SoundCategoryActions.find(c)
        let fields = try c.body()
        if fields.has("title") {
            let title = fields.localized("title", limit: SoundFields.titleLimit, lines: false)
            if title?.isEmpty ?? true, fields.errors.isEmpty { fields.refuse("title", "errors.required") }
            record.title = title ?? record.title
        }
        record.position = fields.whole("position", 1...10_000, first: record.position) ?? record.position
        if let isArchived = fields.bool("archived") {
            record.archivedAt = isArchived ? record.archivedAt ?? c.now : nil
        }
        try fields.finish()
        try SoundCategoryActions.save(record, c)
        return try answer(record.id, c)
    }

    private static func answer(_ id: ID<SoundCategory>, _ c: Context<Member>, status: Int = 200) throws
        -> Reply
    {
        guard let found = try c.read({ try SoundCategoryStore.find(id, $0) }) else { throw Problem.notFound }
        return try .data(One(id: id, found.wire), status: status)
    }
}
