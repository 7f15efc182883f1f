import Records
import Web
import Wire
import Wording

/// The library as a list to choose from: by categories, which are folded at first.
package struct SoundLibraryView: Encodable, Sendable {
    struct Entry: Encodable, Sendable {
        let title: String
        let path: String
        let length: String
        /// Nil without one.
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

    /// `0:30`, `12:05`, `1:02:05`.
    package static func clock(_ seconds: Double) -> String {
        let whole = Int(seconds.rounded())
        let two = { (number: Int) in number < 10 ? "0\(number)" : String(number) }
        let minutes = whole / 60 % 60
        let end = two(whole % 60)
        return whole >= 3600 ? "\(whole / 3600):\(two(minutes)):\(end)" : "\(minutes):\(end)"
    }
}

/// A sound's data for a player; a script reads it, and without one `audio` plays.
package struct PlayerView: Encodable, Sendable {
    let id: ID<Sound>
    let title: String
    let category: String
    /// Empty without one.
    let picture: String
    let audio: String
    let mediaType: String
    let length: String
    let seconds: String
    let gain: String
    /// The begin and end of the loop, in seconds; empty for the whole.
    let loopStart: String
    let loopEnd: String
    let isGapless: Bool
    /// Whether it lasts only seconds, so that it starts with repeating.
    let isShort: Bool
    let credits: String
    let licence: String
    /// The player's module.
    let module: String
    let stylesheet: String

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
}

/// A step of the Clinical Global Impression, to choose from.
struct RatingStep: Encodable, Sendable {
    let value: String
    let label: String

    static func all(_ texts: Texts) -> [RatingStep] {
        (1...7).map { RatingStep(value: String($0), label: texts["listening.cgi_\($0)"]) }
    }
}
