import Clinic
import Wording

extension Operations {
    /// The table of standings in a patient's file as a document, in the English of a checkout (PR-32).
    public static func standings(in folder: String) throws -> String {
        let texts = try InstalledTexts(folder: folder + "/templates/texts")
        return StandingsTable.document(texts.texts(.english))
    }
}
