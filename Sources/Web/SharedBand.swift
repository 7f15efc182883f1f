import Records
import Wire
import Wording

/// The patient whose measurements are asked for; the area that owns them checks how far they are shared.
package struct BandRequest: Sendable {
    package let therapy: any SubjectID
    package let from: Instant
    package let until: Instant
    package let now: Instant
    package let texts: Texts
    package let dates: DateFormat
    /// What the reader reads, the best first.
    package let languages: [Language]

    package init(
        therapy: any SubjectID, from: Instant, until: Instant, now: Instant, texts: Texts, dates: DateFormat,
        languages: [Language]
    ) {
        self.therapy = therapy
        self.from = from
        self.until = until
        self.now = now
        self.texts = texts
        self.dates = dates
        self.languages = languages
    }
}

/// A patient's own measurements as shared with their therapist: a band along the time.
package struct SharedBand: Sendable {
    /// One period of it.
    package struct Mark: Sendable {
        package let from: Instant
        package let until: Instant
        /// From 0 to 1.
        package let height: Double

        package init(from: Instant, until: Instant, height: Double) {
            self.from = from
            self.until = until
            self.height = height
        }
    }

    package let name: String
    /// `12-mal, 3:20 h, mittlere Bewertung 3,1 (n = 9)`.
    package let summary: String
    package let marks: [Mark]
    /// The page with all of it; nil where the band is all there is.
    package let page: String?

    package init(name: String, summary: String, marks: [Mark], page: String? = nil) {
        self.name = name
        self.summary = summary
        self.marks = marks
        self.page = page
    }
}
