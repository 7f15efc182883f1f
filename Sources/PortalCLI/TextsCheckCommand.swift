import Portal
import Records
import Wire

/// Lists the missing texts of a translation.
enum TextsCheckCommand: Command {
    static let name = "texts check"
    static let summary =
        "Lists what is missing or superfluous in a language, as it; ends with 0 when nothing is missing, else with 1"
    static let options = [Option.resources]
    static let operands = "LANGUAGE"

    static func run(_ arguments: Arguments) throws {
        guard arguments.operands.count == 1 else { throw UsageError("texts check wants one language, as it") }
        let language = arguments.operands[0]
        guard LocalizedText.isCode(language) else {
            throw UsageError(
                "\(language) is no language code: two or three lowercase letters, such as de, en, it")
        }
        let report = try Operations.checkTexts(try arguments.settings(), language: language)
        for line in report.missing { Output.line("missing      \(line)") }
        for line in report.superfluous { Output.line("superfluous  \(line)") }
        guard report.missing.isEmpty else {
            throw StartError("\(report.missing.count) of \(report.all) are missing in \(language)")
        }
        Output.line("\(language) is complete: \(report.all) sentences and pages")
    }
}
