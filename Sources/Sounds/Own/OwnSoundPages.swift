import HTTP
import Identity
import Records
import Scheduling
import Web
import Wire
import Wording

/// Listening as a patient or participant (SN-2).
package enum OwnSoundPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, path, .patient, index)
        routes.page(.get, "\(path)/:sound", .patient, show)
        routes.page(.post, "\(path)/:sound/sessions", .patient, keep)
        routes.page(.post, "\(path)/:sound/favourite", .patient, choose)
    }

    static let path = "/my/sounds"

    package struct Index: Page {
        package static let template = "my/sounds"
        package static let section: NavigationItem? = .more
        /// Nil before anything was heard.
        let last: Last?
        let library: SoundLibraryView
        let soundStyles: String
        let module: String

        /// What was heard last, to hear it again.
        struct Last: Encodable, Sendable {
            let title: String
            let path: String
            let when: String
            let length: String
        }
    }

    package struct Show: Page {
        package static let template = "my/sound"
        package static let section: NavigationItem? = .more
        let player: PlayerView
        let isFavourite: Bool
        /// The id that a form without scripts sends, so that sending it twice stores one.
        let session: String
        /// The question afterwards: about a tinnitus only for people who have one.
        let asked: String
        let steps: [RatingStep]
        let minutes: FieldView
        var errors: ErrorSummary?
    }

    @Sendable static func index(_ c: Context<Member>) throws -> Reply {
        let account = c.proof.account.id
        let (sounds, favourites, heard) = try c.read { connection in
            (
                try SoundStore.offered(connection), try FavouriteStore.all(of: account, connection),
                try ListeningStore.latest(of: account, limit: lookedBack, connection)
            )
        }
        return .page(
            Index(
                last: last(heard, sounds, c),
                library: SoundLibraryView(
                    sounds, favourites: Set(favourites.map(\.sound)), base: path, c),
                soundStyles: c.services.assets.alone("sounds"), module: c.services.assets.own("listened.js")))
    }

    /// Sounds that are offered no more are passed over.
    private static let lookedBack = 20

    private static func last(
        _ heard: [ListeningRecord], _ sounds: [SoundRecord], _ c: Context<Member>
    ) -> Index.Last? {
        for session in heard {
            guard let sound = sounds.first(where: { $0.id == session.soundID }) else { continue }
            return Index.Last(
                title: sound.title(c.languages), path: "\(path)/\(sound.id)",
                when: c.dates(in: Zone(c.proof.account.timezone)).short(session.startedAt),
                length: c.texts[
                    "listening.heard_for", ["length": SoundLibraryView.clock(session.listenedSeconds)]])
        }
        return nil
    }

    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        .page(try page(try c.id("sound"), FormState(c.texts), c))
    }

    private static func page(
        _ id: ID<Sound>, _ filled: FormState, _ c: Context<Member>
    ) throws -> Show {
        let account = c.proof.account.id
        let (sound, favourites, hears) = try c.read { connection in
            (
                try SoundStore.find(id, connection), try FavouriteStore.all(of: account, connection),
                try c.services.hearsTinnitus(account, connection)
            )
        }
        guard let sound, sound.isOffered else { throw Problem.notFound }
        let minutes = filled.field("minutes", .decimal, label: "listening.minutes")
        filled.name("listened_seconds", minutes.label)
        filled.name("rating", c.texts["listening.rating"])
        let session: ID<ListeningSession> = c.newID()
        return Show(
            player: PlayerView(sound, c), isFavourite: favourites.contains { $0.sound == id },
            session: filled.form["id"] ?? session.text,
            asked: c.texts[hears ? "listening.asked_tinnitus" : "listening.asked"],
            steps: RatingStep.all(c.texts), minutes: minutes,
            errors: filled.summary)
    }

    /// Stores a script's report, or one entered afterwards without a script.
    @Sendable static func keep(_ c: Context<Member>) throws -> Reply {
        let id: ID<Sound> = try c.id("sound")
        let form = try c.form()
        do {
            guard let session = ID<ListeningSession>(uuid: form["id"]) else {
                throw Problem.invalid("id", "errors.id")
            }
            let fields = InputReader(form: try told(form, about: id, now: c.now))
            let draft = try ListeningDraft.read(fields, now: c.now)
            _ = try ListeningActions.keep(draft, session, c)
        } catch Problem.invalid(let errors) where !c.wantsNoPage {
            return .page(try page(id, FormState(form, errors, c.texts), c), status: 422)
        }
        if c.wantsNoPage { return try .taken() }
        return .seeOther("\(path)/statistics", flash: Message("listening.kept"))
    }

    /// The fields of a session; from typed minutes, one that ended just now.
    /// - Throws: `Problem.invalid` for an invalid number of minutes.
    private static func told(_ form: Form, about sound: ID<Sound>, now: Instant) throws -> Form {
        let subject = Form.Field("sound_id", sound.text)
        if form["listened_seconds"] != nil {
            return Form(form.fields.filter { $0.name != "sound_id" } + [subject])
        }
        let fields = InputReader(form: form)
        let limits = TypedNumber.Limits(minimum: 0, maximum: Double(ListeningSession.longest) / 60)
        guard let minutes = fields.number("minutes", limits) else {
            try fields.finish()
            throw Problem.invalid("minutes", "errors.required")
        }
        guard minutes > 0, minutes <= ListeningSession.longest / 60 else {
            throw Problem.invalid("minutes", "listening.minutes_wrong")
        }
        let seconds = minutes * 60
        let rating = form["rating"] ?? ""
        return Form([
            subject, Form.Field("started_at", now.adding(seconds: -Int64(seconds)).text),
            Form.Field("listened_seconds", String(seconds)), Form.Field("rating", rating),
            Form.Field("rating_state", rating.isEmpty ? "declined" : "rated"),
        ])
    }

    @Sendable static func choose(_ c: Context<Member>) throws -> Reply {
        let form = try c.form()
        let isOne = InputReader(form: form).bool("favourite") ?? false
        try ListeningActions.setFavourite(isOne, c)
        let id: ID<Sound> = try c.id("sound")
        return .seeOther(
            "\(path)/\(id)",
            flash: Message(isOne ? "listening.favourite_added" : "listening.favourite_removed"))
    }
}
