import HTTP
import Records
import SoundFiles
import Web
import Wire
import Wording

/// The library for study leads (SN-1).
package enum SoundPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/sounds", .lead, index)
        routes.page(.get, "/sounds/:sound", .lead, show)
        routes.page(.post, "/sounds/:sound", .lead, update)
    }

    package struct Index: Page {
        package static let template = "sounds/index"
        package static let section: NavigationItem? = .sounds

        struct Row: Encodable, Sendable {
            let id: ID<Sound>
            let title: String
            let picture: String?
            let category: String
            let length: String
            let loudness: String
            let plays: String
            let rating: String
            let licence: String
            let state: String
            let tone: String
        }
        let rows: [Row]
        let hasRows: Bool
        let filters: [PageLink]
        let isEmpty: Bool
        let soundStyles: String
        /// Whether a button to fill it is shown.
        let mayStart: Bool
    }

    /// The filter of the list.
    private enum State: String, CaseIterable {
        case all, published, draft, archived

        func takes(_ sound: SoundRecord) -> Bool {
            switch self {
            case .all: sound.archivedAt == nil
            case .published: sound.archivedAt == nil && sound.publishedAt != nil
            case .draft: sound.archivedAt == nil && sound.publishedAt == nil
            case .archived: sound.archivedAt != nil
            }
        }
    }

    @Sendable static func index(_ c: Context<Member>) throws -> Reply {
        let state = c.request.query["state"].flatMap(State.init(rawValue:)) ?? .all
        let (all, uses) = try c.read { connection in
            (try SoundStore.all(connection), try ListeningStore.uses(connection))
        }
        let rows = all.filter(state.takes).map { sound in
            let use = uses[sound.id] ?? SoundUse()
            let (word, tone) = standing(of: sound, c.texts)
            return Index.Row(
                id: sound.id, title: sound.title(c.languages),
                picture: sound.pictureHash.map(SoundRules.path),
                category: sound.categoryTitle.text(in: c.languages) ?? "",
                length: SoundLibraryView.clock(sound.seconds),
                loudness: sound.loudness.map { c.texts.number($0) } ?? "–", plays: String(use.plays),
                rating: rating(use, c.texts), licence: sound.licence, state: word, tone: tone)
        }
        let filters = State.allCases.map { entry in
            PageLink(
                label: c.texts["sound_library.filter_\(entry.rawValue)"],
                path: entry == .all ? "/sounds" : "/sounds?state=\(entry.rawValue)", isCurrent: entry == state
            )
        }
        return .page(
            Index(
                rows: rows, hasRows: !rows.isEmpty, filters: filters, isEmpty: all.isEmpty,
                soundStyles: c.services.assets.alone("sounds"), mayStart: all.isEmpty))
    }

    static func standing(of sound: SoundRecord, _ texts: Texts) -> (word: String, tone: String) {
        if sound.archivedAt != nil { return (texts["sound_library.state_archived"], "plain") }
        if sound.publishedAt == nil { return (texts["sound_library.state_draft"], "warn") }
        return (texts["sound_library.state_published"], "good")
    }

    static func rating(_ use: SoundUse, _ texts: Texts) -> String {
        use.meanRating.map {
            texts["listening.mean", ["mean": texts.number($0), "n": String(use.rated)]]
        } ?? "–"
    }

    // MARK: One sound

    package struct Show: Page {
        package static let template = "sounds/show"
        package static let section: NavigationItem? = .sounds
        let id: ID<Sound>
        let title: String
        let state: String
        let tone: String
        let picture: String?
        let audio: String
        let facts: [Fact]
        /// As a path, 1000 wide and 100 high; empty without a measurement.
        let waveform: String
        let advice: String
        let fields: [FieldView]
        let isPublished: Bool
        let isArchived: Bool
        /// Whether it was never heard, so that it can be deleted.
        let canDelete: Bool
        let soundStyles: String
        let errors: ErrorSummary?
    }

    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        .page(try page(try SoundActions.find(c), FormState(c.texts), c))
    }

    @Sendable static func update(_ c: Context<Member>) throws -> Reply {
        let sound = try SoundActions.find(c)
        return try c.revise(orShow: { try page(sound, $0, c) }) { fields in
            let changed = try SoundFields.form(
                fields, over: sound, samples: SoundActions.samples(of: sound, c))
            try SoundActions.save(changed, over: sound, c)
            return .seeOther("/sounds/\(sound.id)", flash: Message("sound_library.saved"))
        }
    }

    private static func page(
        _ sound: SoundRecord, _ filled: FormState, _ c: Context<Member>
    ) throws -> Show {
        let (file, use, categories, isHeard) = try c.read { connection in
            (
                try SoundFileStore.audio(sound.audioHash, connection),
                try ListeningStore.use(of: sound.id, connection), try SoundCategoryStore.all(connection),
                try ListeningStore.isHeard(sound.id, connection)
            )
        }
        let (word, tone) = standing(of: sound, c.texts)
        var facts = file.map { SoundFacts.all($0.measure, c) } ?? []
        facts.append(
            Fact(label: c.texts["sound_library.gain"], value: SoundFacts.decibels(sound.gain, c.texts)))
        facts.append(Fact(label: c.texts["sound_library.plays"], value: String(use.plays)))
        facts.append(Fact(label: c.texts["sound_library.mean"], value: rating(use, c.texts)))
        let first = SoundForm.First(
            title: sound.title, category: sound.categoryID, credits: sound.credits, licence: sound.licence,
            position: sound.position, loop: sound.loop)
        return Show(
            id: sound.id, title: sound.title(c.languages), state: word, tone: tone,
            picture: sound.pictureHash.map(SoundRules.path), audio: SoundRules.path(sound.audioHash),
            facts: facts, waveform: file.map { WaveformPath.path($0.measure.waveform) } ?? "",
            advice: c.texts[
                SoundFacts.advice(milliseconds: sound.milliseconds, mediaType: sound.mediaType)],
            fields: SoundForm.fields(first, categories, filled, c), isPublished: sound.publishedAt != nil,
            isArchived: sound.archivedAt != nil, canDelete: !isHeard,
            soundStyles: c.services.assets.alone("sounds"), errors: filled.summary)
    }
}

/// The shape of a sound.
enum WaveformPath {
    /// An area around the middle, 1000 wide and 100 high, filled by the loudest moment; numbers give the loudness.
    /// - Parameter pairs: the lowest and the highest sample of each slice, in 127ths.
    static func path(_ pairs: [[Int]]) -> String {
        guard !pairs.isEmpty else { return "" }
        let width = 1000.0 / Double(pairs.count)
        let most = max(1, pairs.flatMap(\.self).map(abs).max() ?? 1)
        var upper = "M0 50"
        var lower = ""
        for (index, pair) in pairs.enumerated() {
            let x = Int((Double(index) * width).rounded())
            let heights = [pair.last ?? 0, pair.first ?? 0].map { 50 - $0 * 50 / most }
            upper += "L\(x) \(min(heights[0], 49))"
            lower = "L\(x) \(max(heights[1], 51))" + lower
        }
        return upper + "L1000 50" + lower + "Z"
    }
}
