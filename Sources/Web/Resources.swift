import Templates
import Wording

/// What a portal reads from its folder at the start and never changes: templates, sentences, style sheets and scripts.
package struct Resources: Sendable {
    package let library: Library
    package let assets: Assets
    let texts: InstalledTexts

    /// - Throws: a message for the operator when something is missing or broken.
    package init(folder: String) throws {
        library = try Library(folder: folder + "/templates")
        assets = try Assets(folder: folder + "/static")
        texts = try InstalledTexts(folder: folder + "/templates/texts")
    }
}
