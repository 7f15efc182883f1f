import Records
import SoundFiles
import Web
import Wire
import Wording

/// A new sound. Made only by reading.
package struct NewSound: Sendable {
    package let file: AudioFile
    package let pictureHash: String?
    package let title: LocalizedText
    package let categoryID: ID<SoundCategory>
    package let credits: String
    package let licence: String
    package let loop: Range<Int>?
    /// Nil for a sound to be checked first, which is the usual case.
    package var publishedAt: Instant?
}

/// The words about a sound, from a form or a call.
package enum SoundFields {
    package static let titleLimit = 120
    private static let creditsLimit = 300

    /// A sound of an uploaded file, from the form below its measurements.
    /// - Throws: `Problem.invalid`; creator and licence are compulsory.
    package static func new(
        _ fields: InputReader, title: LocalizedText?, file: AudioFile, picture: String?
    ) throws(Problem) -> NewSound {
        let category: ID<SoundCategory>? = fields.id("category_id", required: true)
        let credits = fields.text("credits", required: true, limit: creditsLimit)
        let licence = fields.text("licence", required: true, limit: creditsLimit)
        let loop = loop(fields, samples: file.measure.frames)
        if title?.isEmpty ?? true { fields.refuse(titleField(fields), "errors.required") }
        try fields.finish()
        guard let title, let category, let credits, let licence else { throw .invalid(fields.errors) }
        return NewSound(
            file: file, pictureHash: picture, title: title, categoryID: category, credits: credits,
            licence: licence, loop: loop)
    }

    /// A call's change; fields that are not sent keep their values.
    static func change(_ fields: InputReader, over sound: SoundRecord, samples: Int, now: Instant)
        throws(Problem)
        -> SoundRecord
    {
        var changed = sound
        let required = { (name: String) in
            fields.has(name) && fields.value(name) == nil ? fields.refuse(name, "errors.required") : ()
        }
        for name in ["published", "archived", "title", "credits", "licence", "category_id", "position"] {
            required(name)
        }
        if fields.has("title"), let title = fields.localized("title", limit: titleLimit, lines: false) {
            if title.isEmpty { fields.refuse("title", "errors.required") }
            changed.title = title
        }
        if fields.has("credits"), let credits = fields.text("credits", required: true, limit: creditsLimit) {
            changed.credits = credits
        }
        if fields.has("licence"), let licence = fields.text("licence", required: true, limit: creditsLimit) {
            changed.licence = licence
        }
        if fields.has("category_id"), let id: ID<SoundCategory> = fields.id("category_id") {
            changed.categoryID = id
        }
        changed.position = fields.whole("position", 1...10_000, first: sound.position) ?? sound.position
        if fields.has("loop_start") || fields.has("loop_end") {
            changed.loop = loop(fields, samples: samples)
        }
        if let isPublished = fields.bool("published") {
            changed.publishedAt = isPublished ? sound.publishedAt ?? now : nil
        }
        if let isArchived = fields.bool("archived") {
            changed.archivedAt = isArchived ? sound.archivedAt ?? now : nil
        }
        try fields.finish()
        return changed
    }

    /// The form of a sound: all of its words at once.
    static func form(_ fields: InputReader, over sound: SoundRecord, samples: Int) throws(Problem)
        -> SoundRecord
    {
        var changed = sound
        changed.title = fields.localizedFields("title", limit: titleLimit, lines: false, over: sound.title)
        if changed.title.isEmpty { fields.refuse("title_de", "errors.required") }
        changed.credits = fields.text("credits", required: true, limit: creditsLimit) ?? ""
        changed.licence = fields.text("licence", required: true, limit: creditsLimit) ?? ""
        if let id: ID<SoundCategory> = fields.id("category_id", required: true) { changed.categoryID = id }
        changed.position = fields.whole("position", 1...10_000, first: sound.position) ?? sound.position
        changed.loop = loop(fields, samples: samples)
        try fields.finish()
        return changed
    }

    private static func titleField(_ fields: InputReader) -> String {
        fields.names.contains { $0.hasPrefix("title_") } ? "title_de" : "title"
    }

    /// Both points or neither, the end behind the start and inside the file.
    static func loop(_ fields: InputReader, samples: Int) -> Range<Int>? {
        let start = fields.whole("loop_start", 0...Int(Int32.max), first: -1)
        let end = fields.whole("loop_end", 0...Int(Int32.max), first: -1)
        guard let start, let end, start >= 0 || end >= 0 else { return nil }
        guard start >= 0, end >= 0 else {
            fields.refuse(start < 0 ? "loop_start" : "loop_end", "sound_library.loop_half")
            return nil
        }
        guard end > start else {
            fields.refuse("loop_end", "sound_library.loop_backwards")
            return nil
        }
        guard end <= samples else {
            fields.refuse("loop_end", "sound_library.loop_beyond", ["samples": String(samples)])
            return nil
        }
        return start..<end
    }
}
