import Studies
import Web
import Wording

/// The page of a study for masked leads: nothing that differs by arm (ST-5).
package struct MaskedOverview: Page {
    package static let template = "studies/masked"
    package static let section: NavigationItem? = .studies
    let head: StudyHead
    let description: String?
    let picture: String?

    private init(head: StudyHead, description: String?) {
        self.head = head
        self.description = description
        picture = nil
    }

    static let example = MaskedOverview(head: .example, description: "Stress im Alltag")

    init(_ c: Context<StudyAssessor>) {
        let study = c.proof.study
        head = StudyHead.make(c, tab: .overview)
        description = study.description.text(in: c.languages)
        picture = study.pictureVersion.map { "\(study.path)/picture?version=\($0)" }
    }
}
