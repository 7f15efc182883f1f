import Identity
import JSON
import Web
import Wire

extension StudyFile {
    /// The use file of a study's export (ST-11): one row for each local day and platform on which a participant's app synchronised.
    static let use = StudyFile(
        name: "use",
        columns: [
            Column("day", "Tag am Ort der Person", "day where the person was", .day),
            Column(
                "platform", "browser, ios, android, web oder other",
                "browser, ios, android, web, or other"),
        ]
    ) { person, connection in
        try AppUseStore.days(
            of: person.account, from: person.days.lowerBound, to: person.days.upperBound, connection
        ).map { [.string($0.day.text), .string($0.platform)] }
    }
}
