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
        /// What the participation and the therapies say beside answers (ST-10), also in SPSS's format; `therapy` has the answers.
        case participants, interventions, sessions, pauses, dailies, use
        case participantsSav = "participants-sav"
        case interventionsSav = "interventions-sav"
        case sessionsSav = "sessions-sav"
        case pausesSav = "pauses-sav"
        case dailiesSav = "dailies-sav"
        case useSav = "use-sav"
        /// All of them, with a README and checksums.
        case zip

        /// Tables that other areas fill, and the same in SPSS's format.
        private static let tables: [(csv: Format, sav: Format?)] = [
            (.matches, nil), (.listening, nil), (.measurements, .measurementsSav), (.sleeps, .sleepsSav),
            (.activities, .activitiesSav), (.participants, .participantsSav),
            (.interventions, .interventionsSav), (.sessions, .sessionsSav), (.pauses, .pausesSav),
            (.dailies, .dailiesSav), (.use, .useSav),
        ]

        package var type: String {
            switch self {
            case .json, .openMHealth: "application/json"
            case .fhir: "application/fhir+json"
            case .sps, .r: "text/plain; charset=utf-8"
            case .sav, .timePointsSav: "application/octet-stream"
            case .zip: "application/zip"
            default: tellsRows ? "application/octet-stream" : "text/csv; charset=utf-8"
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
            case .openMHealth: "-open-mhealth.json"
            case .zip: ".zip"
            default: tellsRows ? "-\(file ?? "").sav" : "-\(rawValue).csv"
            }
        }

        /// The name of the `StudyFile` that fills it; nil for files of answers. FHIR has both.
        var file: String? {
            switch self {
            case .openMHealth: rawValue
            case .fhir: "observations"
            default: Self.tables.first { $0.csv == self || $0.sav == self }?.csv.rawValue
            }
        }

        /// Whether its header holds the number of rows, before any of them: a table in SPSS's format that another area fills.
        var tellsRows: Bool { Self.tables.contains { $0.sav == self } }

        /// Whether there is one that names arms by their masked labels alone (ST-5).
        package var isMaskable: Bool {
            switch self {
            case .csv, .germanLong, .wide, .germanWide, .timePoints, .germanTimePoints, .timePointsSav,
                .codebook, .germanCodebook, .json:
                true
            default: false
            }
        }

        /// The end of the file's name, behind the study's.
        package func suffix(isMasked: Bool) -> String { isMasked ? "-masked" + suffix : suffix }

        /// The files of an archive.
        package static let archived = allCases.filter { $0 != .zip }
    }
}
