extension StudyExport {
    package enum Format: String, Codable, Sendable, CaseIterable {
        /// Long, wide, and the meaning of the variables; each also for spreadsheets set to German.
        case csv, wide, codebook
        case germanLong = "csv-de"
        case germanWide = "wide-de"
        case germanCodebook = "codebook-de"
        /// One row for each participant, a column for each question and scale at each time point (ST-4); for German spreadsheets and in
        /// SPSS's format, too.
        case timePoints = "time-points"
        case germanTimePoints = "time-points-de"
        case timePointsSav = "time-points-sav"
        case json, fhir
        /// Syntax that reads the wide file into SPSS, PSPP and R.
        case sps
        case r
        /// The wide file in SPSS's own format.
        case sav
        /// Readings of sensors, and when each question was answered.
        case sensors, times
        /// What became of each prompt, and when (ST-3): one row for each.
        case prompts
        /// Answers in the therapy meanwhile, of participants who consent to research (IO-20).
        case therapy
        /// Former states of continued profiles (SN-4).
        case profiles
        /// The runs of matching a tinnitus.
        case matches
        /// Listening to the library, one row for each session (SN-2).
        case listening
        /// Own measurements that a study asks for and participants give: days of every source, sleeps, activities,
        /// also in SPSS's format; and all of them after Open mHealth (FB-2).
        case measurements, sleeps, activities
        case measurementsSav = "measurements-sav"
        case sleepsSav = "sleeps-sav"
        case activitiesSav = "activities-sav"
        case openMHealth = "open-mhealth"
        /// All of them, with a README and checksums.
        case zip

        package var type: String {
            switch self {
            case .json, .openMHealth: "application/json"
            case .fhir: "application/fhir+json"
            case .sps, .r: "text/plain; charset=utf-8"
            case .sav, .timePointsSav, .measurementsSav, .sleepsSav, .activitiesSav:
                "application/octet-stream"
            case .zip: "application/zip"
            default: "text/csv; charset=utf-8"
            }
        }

        /// The end of the file's name, behind the study's.
        package var suffix: String {
            switch self {
            case .csv: ".csv"
            case .json: ".json"
            case .fhir: "-fhir.json"
            case .sps: ".sps"
            case .r: ".R"
            case .sav: ".sav"
            case .timePointsSav: "-time-points.sav"
            case .measurementsSav, .sleepsSav, .activitiesSav: "-\(file ?? "").sav"
            case .openMHealth: "-open-mhealth.json"
            case .zip: ".zip"
            default: "-\(rawValue).csv"
            }
        }

        /// The name of the `StudyFile` that fills it; nil for files of answers. FHIR has both.
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

        /// Whether its header holds the number of rows, before any of them.
        var tellsRows: Bool { [.measurementsSav, .sleepsSav, .activitiesSav].contains(self) }

        /// The files of an archive.
        package static let archived = allCases.filter { $0 != .zip }
    }
}
