import Demonstration
import Foundation
import Portal
import Records
import Scheduling
import Web

enum Seed: Command {
    static let name = "seed"
    static let summary = "Fills an empty data folder with a demonstration clinic and prints its logins"
    static let options = [
        Option.data, Option.database, Option("timezone", "ZONE", "the clinic's zone (default Europe/Vienna)"),
        Option("participants", "N", "a large study besides, with so many (default none)"),
        Option("days", "N", "how long that study has run, with two prompts a day (default 28)"),
        Option("patients", "N", "a therapist with so many patients besides (default none)"),
        Option("years", "N", "how long these have answered, weekly and daily (default 1)"),
        Option.resources,
    ]

    static func run(_ arguments: Arguments) throws {
        var settings = try arguments.settings()
        // The demonstration is a practice in Vienna, wherever it is shown.
        settings.timezone = try arguments.timezone() ?? "Europe/Vienna"
        try FolderLock.take(settings)
        let participants = try arguments.number("participants", 0...100_000) ?? 0
        let days = try arguments.number("days", 1...1000) ?? 28
        let patients = try arguments.number("patients", 0...1000) ?? 0
        let years = try arguments.number("years", 1...9) ?? 1
        let services = try Services(settings)
        defer { services.close() }
        let lines = try DemonstrationClinic.seed(
            services, participants: participants, days: days, patients: patients, years: years)
        for line in lines {
            Output.line(line)
        }
    }
}

enum QuestionnaireImport: Command {
    static let name = "questionnaire import"
    static let summary = "Imports questionnaire files, all or none; an existing key gets its next version"
    static let options = [Option.data, Option.database, Option.resources]
    static let operands = "FILE…"

    static func run(_ arguments: Arguments) throws {
        guard !arguments.operands.isEmpty else { throw UsageError("questionnaire import wants files") }
        let settings = try arguments.settings()
        try FolderLock.take(
            settings, instead: "while it serves, import the files in the portal, at /questionnaires/import")
        for line in try Operations.importQuestionnaires(settings, files: arguments.operands) {
            Output.line(line)
        }
    }
}

enum BackUp: Command {
    static let name = "backup"
    static let summary = "Writes a consistent copy of the database, also while serving; keys/ is not in it"
    static let options = [Option.data, Option.database, Option.resources]
    static let operands = "FILE"

    static func run(_ arguments: Arguments) throws {
        guard arguments.operands.count == 1 else { throw UsageError("backup wants one file") }
        try Operations.backUp(try arguments.settings(), to: arguments.operands[0])
        Output.line(
            """
            \(arguments.operands[0]) is whole. It does not hold keys/: keep those apart, without them it cannot be read. It knows \
            the erased of today; copy the newest list with every backup.
            """
        )
    }
}

enum ExportStudy: Command {
    static let name = "export"
    static let summary =
        "Writes a study to a file, also while serving; who withdrew their consent is not in it"
    static let options = [
        Option.data, Option.database, Option("study", "NAME", "its short name"),
        Option(
            "format", "FORMAT",
            "csv (default), json, fhir, wide, time-points, codebook, sps, r, sav, time-points-sav, sensors, times, therapy or zip; csv-de, wide-de, time-points-de, codebook-de"
        ),
        Option.resources,
    ]
    static let operands = "FILE"

    static func run(_ arguments: Arguments) throws {
        guard arguments.operands.count == 1, let study = arguments["study"] else {
            throw UsageError("export wants --study NAME and one file")
        }
        Output.line(
            try Operations.export(
                try arguments.settings(), study: study, format: arguments["format"] ?? "csv",
                to: arguments.operands[0]))
    }
}

enum MigrateEngine: Command {
    static let name = "migrate-engine"
    static let summary =
        "Copies the database to the other engine, and proves every table there; no server runs"
    static let options = [
        Option.data, Option.database,
        Option("to", "PLACE", "postgresql://… of an empty database; back: an empty folder"),
        Option(
            "backups", "DIR", "where the file is kept (default backups/ in the data folder)", kind: .folder),
        Option.resources,
    ]

    static func run(_ arguments: Arguments) throws {
        let place = try arguments.required("to")
        var settings = try arguments.settings()
        settings.backups = arguments["backups"]
        try FolderLock.take(settings)
        for line in try Operations.migrateEngine(settings, to: place) { Output.line(line) }
    }
}

enum KeysRotate: Command {
    static let name = "keys rotate"
    static let summary =
        "Changes the master key; everything sealed stays readable, the old key is kept for old backups"
    static let options = [Option.data, Option.database, Option.resources]

    static func run(_ arguments: Arguments) throws {
        let settings = try arguments.settings()
        try FolderLock.take(settings)
        try Operations.rotateKeys(settings)
        Output.line(
            "The master key is another one. Copy keys/ to where you keep it, make a backup, and destroy the retired key with the last backup that needs it."
        )
    }
}

enum Verify: Command {
    static let name = "verify"
    static let summary =
        "Checks integrity, foreign keys, migrations and the audit log of the database or of a copy"
    static let options = [Option.data, Option.database, Option.resources]
    static let operands = "[FILE]"

    static func run(_ arguments: Arguments) throws {
        let problems = try Operations.verify(try arguments.settings(), file: arguments.operands.first)
        guard problems.isEmpty else { throw StartError(problems.joined(separator: "\n")) }
        Output.line("sound")
    }
}

enum Version: Command {
    static let name = "version"
    static let summary =
        "Prints the version of this program and of the time zones; --version does the same"
    static let options: [Option] = []

    static func run(_ arguments: Arguments) throws {
        Output.line("intersession \(Settings.version)")
        Output.line(ZoneData.machine.summary)
    }
}

enum RoutesTable: Command {
    static let name = "routes"
    static let summary = "Prints every route with who may use it"
    static let options: [Option] = []

    static func run(_ arguments: Arguments) throws {
        FileHandle.standardOutput.write(Data(Operations.routes.utf8))
    }
}

enum SchemaPrint: Command {
    static let name = "schema"
    static let summary = "Prints the database schema"
    static let options: [Option] = []

    static func run(_ arguments: Arguments) throws { Output.line(try Operations.schema()) }
}

enum TableText: Command {
    static let name = "tables"
    static let summary = "Prints every table of a checkout (default here) with its owner and who reads it"
    static let options: [Option] = []
    static let operands = "[DIR]"

    static func run(_ arguments: Arguments) throws {
        let text = try Operations.tables(in: arguments.operands.first ?? ".")
        FileHandle.standardOutput.write(Data(text.utf8))
    }
}

enum OpenAPIText: Command {
    static let name = "openapi"
    static let summary = "Prints the OpenAPI document"
    static let options: [Option] = []

    static func run(_ arguments: Arguments) throws { Output.line(Operations.openAPI) }
}

enum Check: Command {
    static let name = "check"
    static let summary = "Checks the rules of the house in a checkout (default here)"
    static let options: [Option] = []
    static let operands = "[DIR]"

    static func run(_ arguments: Arguments) throws {
        let folder = arguments.operands.first ?? "."
        let broken = try Operations.brokenRules(in: folder)
        guard broken.isEmpty else { throw StartError(broken.joined(separator: "\n")) }
        Output.line("in order")
    }
}

enum GalleryPages: Command {
    static let name = "gallery"
    static let summary =
        "Draws every page of the demonstration, light and dark, in every language, for looking at"
    static let options = [Option.resources]
    static let operands = "DIR"

    static func run(_ arguments: Arguments) throws {
        guard arguments.operands.count == 1 else { throw UsageError("gallery wants one folder") }
        var settings = try arguments.settings()
        settings.data = NSTemporaryDirectory() + "gallery-\(UUID().uuidString)"
        settings.secondFactor = .optional
        let services = try Services(settings, log: .silent)
        defer {
            services.close()
            try? FileManager.default.removeItem(atPath: settings.data)
        }
        _ = try DemonstrationClinic.seed(services, participants: 0, days: 1)
        let count = try Gallery(services).write(to: arguments.operands[0])
        Output.line("\(count) files; begin at \(arguments.operands[0])/index.html")
    }
}
