import CCmark
import Foundation
import Templates

/// CommonMark to HTML by libcmark in its safe mode: HTML in the text is left out, and links to scripts lead nowhere.
package enum Markdown {
    /// Headings start below the page's own level.
    package static func html(_ text: String) -> HTML {
        HTML(trusted: rendered(text))
    }

    /// The same as text, for the API.
    static func rendered(_ text: String) -> String {
        let options = CMARK_OPT_DEFAULT
        guard let document = cmark_parse_document(text, text.utf8.count, options) else { return "" }
        defer { cmark_node_free(document) }
        lowerHeadings(in: document)
        // HTML would be replaced by a comment; pictures from other servers would disclose the reader to them.
        for node in nodes(in: document, [CMARK_NODE_HTML_BLOCK, CMARK_NODE_HTML_INLINE]) {
            cmark_node_unlink(node)
            cmark_node_free(node)
        }
        for picture in nodes(in: document, [CMARK_NODE_IMAGE]) {
            while let inside = cmark_node_first_child(picture) { cmark_node_insert_before(picture, inside) }
            cmark_node_unlink(picture)
            cmark_node_free(picture)
        }
        guard let output = cmark_render_html(document, options) else { return "" }
        defer { free(output) }
        return String(cString: output)
    }

    /// Where a text begins with headings of the first level, which is the page's own, all are lowered by one.
    private static func lowerHeadings(in document: OpaquePointer) {
        let headings = nodes(in: document, [CMARK_NODE_HEADING])
        let levels = headings.map { cmark_node_get_heading_level($0) }
        guard levels.contains(1) else { return }
        for (node, level) in zip(headings, levels) {
            cmark_node_set_heading_level(node, min(6, level + 1))
        }
    }

    private static func nodes(in document: OpaquePointer, _ types: [cmark_node_type]) -> [OpaquePointer] {
        guard let walk = cmark_iter_new(document) else { return [] }
        defer { cmark_iter_free(walk) }
        var found: [OpaquePointer] = []
        while true {
            let event = cmark_iter_next(walk)
            if event == CMARK_EVENT_DONE { return found }
            guard event == CMARK_EVENT_ENTER, let node = cmark_iter_get_node(walk),
                types.contains(where: { $0 == cmark_node_get_type(node) })
            else { continue }
            found.append(node)
        }
    }
}
