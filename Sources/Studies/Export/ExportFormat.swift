extension StudyExport {
    package enum Format: String, Sendable, CaseIterable {
        /// Long, wide, and what the variables mean; each also for spreadsheets set to German.
        case csv, wide, codebook
        case germanLong = "csv-de"
        case germanWide = "wide-de"
        case germanCodebook = "codebook-de"
        case json, fhir
        /// What reads the wide file into SPSS, PSPP and R.
        case sps
        case r
        /// The wide file as SPSS keeps it.
        case sav
        /// What sensors read, and when each question was answered.
        case sensors, times
        /// What was answered in the therapy meanwhile, of those who have said yes to research (IO-20).
        case therapy
        /// What profiles that go on were before (SN-4).
        case profiles
        /// The runs of matching a tinnitus.
        case matches
        /// What was heard of the library, one row a session (SN-2).
        case listening
        /// Own measurements that a study asks for and participants give: days of every source, sleeps, activities, also as SPSS
        /// keeps them; and all of them after Open mHealth (FB-2).
        case measurements, sleeps, activities
        case measurementsSav = "measurements-sav"
        case sleepsSav = "sleeps-sav"
        case activitiesSav = "activities-sav"
        case openMHealth = "open-mhealth"
        /// All of it, with a README and checksums.
        case zip

        package var type: String {
            switch self {
            case .json, .openMHealth: "application/json"
            case .fhir: "application/fhir+json"
            case .sps, .r: "text/plain; charset=utf-8"
            case .sav, .measurementsSav, .sleepsSav, .activitiesSav: "application/octet-stream"
            case .zip: "application/zip"
            default: "text/csv; charset=utf-8"
            }
        }

        /// What stands behind the study's name.
        package var suffix: String {
            switch self {
            case .csv: ".csv"
            case .json: ".json"
            case .fhir: "-fhir.json"
            case .sps: ".sps"
            case .r: ".R"
            case .sav: ".sav"
            case .measurementsSav, .sleepsSav, .activitiesSav: "-\(file ?? "").sav"
            case .openMHealth: "-open-mhealth.json"
            case .zip: ".zip"
            default: "-\(rawValue).csv"
            }
        }

        /// The name of the `StudyFile` that fills it; nil where answers do. FHIR has both.
        var file: String? {
            switch self {
            case .matches, .listening, .measurements, .sleeps, .activities, .openMHealth: rawValue
            case .measurementsSav: Format.measurements.rawValue
            case .sleepsSav: Format.sleeps.rawValue
            case .activitiesSav: Format.activities.rawValue
            case .fhir: "observations"
            default: nil
            }
        }

        /// Whether the number of its rows stands in its head, before any of them.
        var tellsRows: Bool { [.measurementsSav, .sleepsSav, .activitiesSav].contains(self) }

        /// What an archive holds.
        package static let archived = allCases.filter { $0 != .zip }
    }
}
