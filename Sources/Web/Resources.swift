import Templates
import Wording

/// What a portal reads from its folder at the start and never changes: templates, sentences, style sheets and scripts.
package struct Resources: Sendable {
    package let library: Library
    package let assets: Assets
    let texts: [Language: Texts]
    /// German as it is written in Austria.
    let austrian: Texts

    /// - Throws: a clear word for the operator when something is missing or broken.
    package init(folder: String) throws {
        library = try Library(folder: folder + "/templates")
        assets = try Assets(folder: folder + "/static")
        texts = try Dictionary(
            uniqueKeysWithValues: Language.allCases.map { language in
                (language, try Texts(language, folder: folder + "/templates/texts"))
            })
        austrian = try Texts(.german, as: .austria, folder: folder + "/templates/texts")
    }
}
