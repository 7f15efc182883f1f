import Records
import Web
import Wire
import Wording

/// The library as a list to choose from: by categories, which are closed at first.
package struct SoundLibraryView: Encodable, Sendable {
    struct Entry: Encodable, Sendable {
        let title: String
        let path: String
        let length: String
        /// Nil for one without.
        let picture: String?
        let isFavourite: Bool
    }

    struct Group: Encodable, Sendable {
        let title: String
        let count: String
        let entries: [Entry]
    }

    let favourites: [Entry]
    let hasFavourites: Bool
    let groups: [Group]

    static let example = SoundLibraryView(
        favourites: [],
        groups: [
            Group(
                title: "Natur", count: "1 Geräusch",
                entries: [
                    Entry(title: "Regen", path: "/listen", length: "0:30", picture: nil, isFavourite: true)
                ])
        ])

    /// - Parameter base: where the pages of single sounds lie.
    init<P>(_ sounds: [SoundRecord], favourites: Set<ID<Sound>>, base: String, _ c: Context<P>) {
        let entry = { (sound: SoundRecord) in
            Entry(
                title: sound.title(c.languages), path: "\(base)/\(sound.id)",
                length: Self.clock(sound.seconds), picture: sound.pictureHash.map(SoundRules.path),
                isFavourite: favourites.contains(sound.id))
        }
        var groups: [Group] = []
        var rest = sounds[...]
        while let first = rest.first {
            let part = rest.prefix { $0.categoryID == first.categoryID }
            rest = rest.dropFirst(part.count)
            groups.append(
                Group(
                    title: first.categoryTitle.text(in: c.languages) ?? "",
                    count: c.texts.count("listening.sounds", part.count), entries: part.map(entry)))
        }
        self.groups = groups
        self.favourites = sounds.filter { favourites.contains($0.id) }.map(entry)
        hasFavourites = !self.favourites.isEmpty
    }

    private init(favourites: [Entry], groups: [Group]) {
        self.favourites = favourites
        hasFavourites = !favourites.isEmpty
        self.groups = groups
    }

    /// `0:30`, `12:05`, `1:02:05`.
    package static func clock(_ seconds: Double) -> String {
        let whole = Int(seconds.rounded())
        let two = { (number: Int) in number < 10 ? "0\(number)" : String(number) }
        let minutes = whole / 60 % 60
        let end = two(whole % 60)
        return whole >= 3600 ? "\(whole / 3600):\(two(minutes)):\(end)" : "\(minutes):\(end)"
    }
}

/// What a player needs to know of a sound; a script reads it, and without one `audio` plays.
package struct PlayerView: Encodable, Sendable {
    let id: ID<Sound>
    let title: String
    let category: String
    /// Empty for one without.
    let picture: String
    let audio: String
    let mediaType: String
    let length: String
    let seconds: String
    let gain: String
    /// Where the loop begins and ends, in seconds; empty for the whole.
    let loopStart: String
    let loopEnd: String
    let isGapless: Bool
    /// A sound of a few seconds begins with being repeated.
    let isShort: Bool
    let credits: String
    let licence: String
    /// The module that plays.
    let module: String
    let stylesheet: String

    static let example = PlayerView(
        id: "3f2504e0-4f89-41d3-9a0c-0305e82c3301", title: "Regen", category: "Natur", picture: "",
        audio: "/api/v1/sounds/files/00", mediaType: "audio/flac", length: "0:30", seconds: "30",
        gain: "-3.5", loopStart: "", loopEnd: "", isGapless: true, isShort: true, credits: "Intersession",
        licence: "CC0 1.0", module: "/assets/own/tag/player.js", stylesheet: "/assets/sounds.css")

    private static let shortSeconds = 60.0

    init<P>(_ sound: SoundRecord, _ c: Context<P>) {
        id = sound.id
        title = sound.title(c.languages)
        category = sound.categoryTitle.text(in: c.languages) ?? ""
        picture = sound.pictureHash.map(SoundRules.path) ?? ""
        audio = SoundRules.path(sound.audioHash)
        mediaType = sound.mediaType
        length = SoundLibraryView.clock(sound.seconds)
        seconds = String(sound.seconds)
        gain = String(sound.gain)
        let rate = Double(sound.sampleRate)
        loopStart = sound.loop.map { String(Double($0.lowerBound) / rate) } ?? ""
        loopEnd = sound.loop.map { String(Double($0.upperBound) / rate) } ?? ""
        isGapless = sound.isGapless
        isShort = sound.seconds < Self.shortSeconds
        credits = sound.credits
        licence = sound.licence
        module = c.services.assets.own("player.js")
        stylesheet = c.services.assets.alone("sounds")
    }

    private init(
        id: ID<Sound>, title: String, category: String, picture: String, audio: String, mediaType: String,
        length: String, seconds: String, gain: String, loopStart: String, loopEnd: String, isGapless: Bool,
        isShort: Bool, credits: String, licence: String, module: String, stylesheet: String
    ) {
        self.id = id
        self.title = title
        self.category = category
        self.picture = picture
        self.audio = audio
        self.mediaType = mediaType
        self.length = length
        self.seconds = seconds
        self.gain = gain
        self.loopStart = loopStart
        self.loopEnd = loopEnd
        self.isGapless = isGapless
        self.isShort = isShort
        self.credits = credits
        self.licence = licence
        self.module = module
        self.stylesheet = stylesheet
    }
}

/// A step of the Clinical Global Impression, to choose from.
struct RatingStep: Encodable, Sendable {
    let value: String
    let label: String

    static func all(_ texts: Texts) -> [RatingStep] {
        (1...7).map { RatingStep(value: String($0), label: texts["listening.cgi_\($0)"]) }
    }
}
