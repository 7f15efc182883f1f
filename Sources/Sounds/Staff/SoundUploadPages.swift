import HTTP
import Identity
import JSON
import Records
import SoundFiles
import Web
import Wording

/// Uploading in two steps: the file is measured and shown, then it gets its title and is saved.
package enum SoundUploadPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/sounds/new", .lead, new)
        routes.page(.post, "/sounds/new", .lead, upload: SoundUploading.limit, upload)
        routes.page(.get, "/sounds/uploads/:upload", .lead, show)
        routes.page(.post, "/sounds/uploads/:upload", .lead, save)
    }

    package struct New: Page {
        package static let template = "sounds/new"
        package static let section: NavigationItem? = .sounds
        let fields: [FieldView]
        /// Of one file, in bytes.
        let limit: Int
        let errors: ErrorSummary?
    }

    package struct Show: Page {
        package static let template = "sounds/upload"
        package static let section: NavigationItem? = .sounds
        let id: ID<SoundUpload>
        let name: String
        let audio: String
        let picture: String?
        let facts: [Fact]
        let waveform: String
        let advice: String
        let fields: [FieldView]
        let hasCategories: Bool
        let soundStyles: String
        let errors: ErrorSummary?

        package static let example = Show(
            id: "3f2504e0-4f89-41d3-9a0c-0305e82c3301", name: "regen.flac",
            audio: "/api/v1/sounds/files/00", picture: nil, facts: [Fact(label: "Länge", value: "0:30")],
            waveform: "M0 40H1000V60H0Z", advice: "Wird ohne Lücke wiederholt.",
            fields: [FieldView(name: "title_de", label: "Titel (Deutsch)", lang: "de")], hasCategories: true,
            soundStyles: "/assets/sounds.css", errors: nil)
    }

    @Sendable static func new(_ c: Context<Member>) throws -> Reply {
        .page(form(FormState(c.texts)))
    }

    private static func form(_ filled: FormState) -> New {
        let audio = filled.field(
            "audio", .file, label: "sound_library.file", hint: "sound_library.file_hint", required: true)
        let picture = filled.field(
            "picture", .file, label: "sound_library.picture_file", hint: "sound_library.picture_hint")
        return New(fields: [audio, picture], limit: SoundLimits.bytes, errors: filled.summary)
    }

    @Sendable static func upload(_ c: Context<Member>) throws -> Reply {
        do {
            let received = try SoundUploading.take(c)
            let id: ID<SoundUpload> = c.newID()
            let account = c.proof.account.id
            try c.write(.soundUploaded, object: id) { [now = c.now] connection in
                try SoundUploading.keep(received, at: now, connection)
                try SoundUploadStore.insert(
                    id, name: received.name, audio: received.file.hash, picture: received.picture?.hash,
                    of: account, at: now, connection)
            }
            return .seeOther("/sounds/uploads/\(id)")
        } catch Problem.invalid(let errors) {
            return .page(form(FormState(Form(), errors, c.texts)), status: 422)
        }
    }

    private static func find(_ c: Context<Member>) throws -> (SoundUpload, AudioFile) {
        let id: ID<SoundUpload> = try c.id("upload")
        let account = c.proof.account.id
        let found = try c.read { connection in
            try SoundUploadStore.find(id, of: account, connection).flatMap { upload in
                try SoundFileStore.audio(upload.audioHash, connection).map { (upload, $0) }
            }
        }
        guard let found else { throw Problem.notFound }
        return found
    }

    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        let (upload, file) = try find(c)
        return .page(try page(upload, file, FormState(c.texts), c))
    }

    private static func page(
        _ upload: SoundUpload, _ file: AudioFile, _ filled: FormState, _ c: Context<Member>
    ) throws -> Show {
        let categories = try c.read { try SoundCategoryStore.all($0) }.filter { $0.archivedAt == nil }
        let measure = file.measure
        return Show(
            id: upload.id, name: upload.name, audio: SoundRules.path(file.hash),
            picture: upload.pictureHash.map(SoundRules.path), facts: SoundFacts.all(measure, c),
            waveform: WaveformPath.path(measure.waveform),
            advice: c.texts[
                SoundFacts.advice(milliseconds: measure.lengthMilliseconds, mediaType: measure.mediaType)],
            fields: SoundForm.fields(SoundForm.First(), categories, filled, c),
            hasCategories: !categories.isEmpty, soundStyles: c.services.assets.alone("sounds"),
            errors: filled.summary)
    }

    @Sendable static func save(_ c: Context<Member>) throws -> Reply {
        let (upload, file) = try find(c)
        return try c.submit(orShow: { try page(upload, file, $0, c) }) { fields in
            let title = fields.localizedFields("title", limit: SoundFields.titleLimit, lines: false)
            let sound = try SoundFields.new(
                fields, title: title, file: file, picture: upload.pictureHash)
            let id = try SoundActions.add(sound, instead: upload.id, c)
            return .seeOther("/sounds/\(id)", flash: Message("sound_library.added"))
        }
    }
}

/// Uploading over the API: `multipart/form-data`, the one exception to JSON.
enum SoundUploadAPI {
    @Sendable static func create(_ c: Context<Member>) throws -> Reply {
        guard c.request.upload != nil else { throw Problem.unsupportedMediaType }
        let fields = InputReader(json: try json(try c.form()), hasTypedNumbers: true)
        let received = try SoundUploading.take(c)
        let title = fields.localized("title", limit: SoundFields.titleLimit, lines: false)
        let sound = try SoundFields.new(
            fields, title: title, file: received.file, picture: received.picture?.hash)
        let id = try SoundActions.add(sound, with: received, c)
        return try SoundAPI.answer(id, c, status: 201)
    }

    /// The form's fields as JSON: the title becomes an object.
    /// - Throws: `Problem.invalid`.
    private static func json(_ form: Form) throws -> JSON {
        var members: [JSON.Member] = []
        for field in form.fields where field.file == nil {
            switch field.name {
            case "title":
                guard let title = try? JSON.parse(Array(field.value.utf8), allowsNull: true) else {
                    throw Problem.invalid("title", "errors.object")
                }
                members.append(.init("title", title))
            case "loop_start", "loop_end":
                members.append(.init(field.name, field.value.isEmpty ? .null : .string(field.value)))
            default: members.append(.init(field.name, .string(field.value)))
            }
        }
        return .object(members)
    }
}
