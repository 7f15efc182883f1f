import Records
import SoundFiles
import Web
import Wire
import Wording

/// The form of a sound, before it is saved and afterwards.
enum SoundForm {
    /// The initial values.
    struct First {
        var title: LocalizedText?
        var category: ID<SoundCategory>?
        var credits = ""
        var licence = ""
        /// Nil for a new one.
        var position: Int?
        var loop: Range<Int>?
    }

    static func fields(
        _ first: First, _ categories: [SoundCategoryRecord], _ filled: FormState, _ c: Context<Member>
    ) -> [FieldView] {
        var fields = LocalizedFields(
            "title", label: "sound_library.title_in", first: first.title, filled, c.services
        ).fields
        fields[0].isRequired = true
        let open = categories.filter { $0.archivedAt == nil || $0.id == first.category }
        let category = filled.list(
            "category_id", label: "sound_library.category",
            first: first.category?.text ?? open.first?.id.text ?? "",
            open.map { (value: $0.id.text, label: $0.title.text(in: c.languages) ?? "") })

        let credits = filled.field(
            "credits", label: "sound_library.credits", first: first.credits,
            hint: "sound_library.credits_hint", required: true)
        let licence = filled.field(
            "licence", label: "sound_library.licence", first: first.licence,
            hint: "sound_library.licence_hint", required: true)
        fields += [category, credits, licence]
        if let position = first.position {
            fields.append(
                filled.field("position", .whole, label: "sound_library.position", first: String(position)))
        }
        for (name, value) in [("loop_start", first.loop?.lowerBound), ("loop_end", first.loop?.upperBound)] {
            fields.append(
                filled.field(
                    name, .whole, label: "sound_library.\(name)", first: value.map { String($0) } ?? "",
                    hint: "sound_library.\(name)_hint"))
        }
        return fields
    }
}

/// The measurements of a file, in words.
enum SoundFacts {
    static func all(_ file: SoundMeasure, _ c: Context<Member>) -> [Fact] {
        let texts = c.texts
        let channels =
            file.channels == 1
            ? "sound_library.mono" : file.channels == 2 ? "sound_library.stereo" : "sound_library.channels"
        return [
            Fact(
                label: texts["sound_library.length"],
                value: SoundLibraryView.clock(Double(file.lengthMilliseconds) / 1000)),
            Fact(label: texts["sound_library.format"], value: format(file.kind)),
            Fact(
                label: texts["sound_library.rate"],
                value: texts[
                    "sound_library.rate_value",
                    [
                        "rate": texts.number(Double(file.sampleRate) / 1000),
                        "channels": texts[channels, ["n": String(file.channels)]],
                    ]]
            ),
            Fact(label: texts["sound_library.samples"], value: String(file.frames)),
            Fact(
                label: texts["sound_library.loudness"],
                value: file.loudness.map { texts.number($0) + " LUFS" } ?? "–"),
            Fact(
                label: texts["sound_library.true_peak"],
                value: file.truePeak.map { decibels($0, texts) } ?? "–"),
            Fact(
                label: texts["sound_library.size"],
                value: texts.number(Double(file.bytes) / 1_000_000) + " MB"),
        ]
    }

    static func decibels(_ value: Double, _ texts: Texts) -> String {
        (value > 0 ? "+" : "") + texts.number(value) + " dB"
    }

    private static func format(_ kind: SoundKind) -> String {
        switch kind {
        case .flac: "FLAC"
        case .wav: "WAV"
        case .vorbis: "Ogg Vorbis"
        case .opus: "Opus"
        case .mp3: "MP3"
        }
    }

    /// The advice on repeating it, by the key of the sentence.
    static func advice(milliseconds: Int, mediaType: String) -> String {
        if mediaType == "audio/mpeg" { return "sound_library.advice_mp3" }
        return milliseconds > SoundRules.gaplessSeconds * 1000
            ? "sound_library.advice_long" : "sound_library.advice_gapless"
    }
}
