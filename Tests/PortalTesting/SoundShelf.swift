import Database
import Foundation
import Wire

@testable import Records
@testable import SoundFiles
@testable import Sounds
@testable import Web

/// Sounds in a portal's library, without a decoder: their measurements are given.
extension TestPortal {
    static let soundCategory: ID<SoundCategory> = "5a5a5a5a-0000-4000-8000-000000000001"

    /// A sound of some bytes, in the one category.
    /// - Returns: its id.
    @discardableResult
    func addSound(
        _ id: ID<Sound> = "5a5a5a5a-0000-4000-8000-0000000000a1", title: String = "Regen",
        bytes: [UInt8] = Array("fLaC and so on".utf8), isPublished: Bool = true, loop: Range<Int>? = nil
    ) throws -> ID<Sound> {
        let measure = SoundMeasure(
            kind: .flac, bytes: bytes.count, frames: 96_000, sampleRate: 48_000, channels: 1, loudness: -20,
            truePeak: -6, waveform: [[-10, 10], [-100, 100]])
        let hash = try SoundFolder(services.settings).keep(bytes)
        let sound = NewSound(
            file: AudioFile(hash: hash, measure: measure), pictureHash: nil,
            title: ["de": title, "en": title], categoryID: Self.soundCategory, credits: "Ada Wieser",
            licence: "CC0 1.0", loop: loop, publishedAt: isPublished ? now : nil)
        try services.records.writeUnaudited(.madeUp) { [now] connection in
            if try SoundCategoryStore.find(Self.soundCategory, connection) == nil {
                try SoundCategoryStore.insert(
                    ["de": "Natur", "en": "Nature"], position: nil, id: Self.soundCategory, connection)
            }
            try SoundFileStore.keep(sound.file, at: now, connection)
            try SoundStore.insert(sound, id: id, at: now, connection)
        }
        return id
    }
}
