import Records
import Wire

/// The subject of a draft: an assignment, or a version of a questionnaire. Only looking the id up shows which.
package enum DraftSubject {}

extension ID where Entity == DraftSubject {
    package init(_ assignment: ID<Assignment>) { self.init(assignment.text) }
    package init(_ questionnaire: ID<QuestionnaireVersion>) { self.init(questionnaire.text) }

    package var assignment: ID<Assignment> { ID<Assignment>(text) }
    package var questionnaire: ID<QuestionnaireVersion> { ID<QuestionnaireVersion>(text) }
}
