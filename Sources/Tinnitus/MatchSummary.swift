import Foundation
import Psychometrics

/// What one person's runs say together. One run says little: over five the intraclass correlation is 0.63 to 0.69.
package struct MatchSummary: Sendable {
    package let runs: Int
    /// Nil without a run.
    package let quartiles: Quartiles?
    /// Whether the runs form two clusters about an octave apart: the ear easily takes a tone for its octave.
    package let isOctaveApart: Bool

    package init(_ frequencies: [Double]) {
        runs = frequencies.count
        quartiles = Quartiles(frequencies)
        isOctaveApart = Self.isOctaveApart(frequencies)
    }

    /// The tolerance of the clusters' distance, in octaves.
    private static let tolerance = 0.25
    /// The largest width of a cluster, in octaves.
    private static let width = 0.5

    /// In octaves, the runs are parted at the widest gap between neighbours. They are two clusters when each has at
    /// least two runs and is at most half an octave wide, and their medians lie three to five quarters of an octave
    /// apart.
    private static func isOctaveApart(_ frequencies: [Double]) -> Bool {
        let octaves = frequencies.map { log2($0) }.sorted()
        guard octaves.count >= 4 else { return false }
        let gaps = zip(octaves.dropFirst(), octaves).map { $0 - $1 }
        guard let widest = gaps.indices.max(by: { gaps[$0] < gaps[$1] }) else { return false }
        let clusters = [Array(octaves[...widest]), Array(octaves[(widest + 1)...])]
        let areClusters = clusters.allSatisfy { cluster in
            cluster.count >= 2 && (cluster.last ?? 0) - (cluster.first ?? 0) <= width
        }
        guard areClusters, let low = Quartiles(clusters[0]), let high = Quartiles(clusters[1]) else {
            return false
        }
        return abs(high.median - low.median - 1) <= tolerance
    }
}
