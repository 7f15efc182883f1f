import CEBUR128
import Foundation

/// Loudness and true peak after EBU R128 (libebur128).
final class LoudnessMeter {
    private var state: UnsafeMutablePointer<ebur128_state>?
    private let channels: Int

    /// - Parameter places: the loudspeaker of each channel; empty for the order of a plain file.
    init?(channels: Int, sampleRate: Int, places: [LoudnessPlace] = []) {
        let mode = Int32(EBUR128_MODE_I.rawValue | EBUR128_MODE_TRUE_PEAK.rawValue)
        state = ebur128_init(UInt32(channels), UInt(sampleRate), mode)
        self.channels = channels
        guard state != nil else { return nil }
        if channels == 1 {
            // One channel is played by two loudspeakers; without this it would count as 3 LU quieter than it is.
            ebur128_set_channel(state, 0, Int32(EBUR128_DUAL_MONO.rawValue))
        }
        for (index, place) in places.enumerated() where channels > 2 {
            ebur128_set_channel(state, UInt32(index), place.code)
        }
    }

    deinit { ebur128_destroy(&state) }

    /// - Parameter samples: interleaved.
    /// - Returns: false without memory.
    func add(_ samples: UnsafeBufferPointer<Float>) -> Bool {
        guard let start = samples.baseAddress else { return true }
        return ebur128_add_frames_float(state, start, samples.count / channels)
            == Int32(EBUR128_SUCCESS.rawValue)
    }

    /// In LUFS; minus infinity when all of it is too quiet to count.
    var loudness: Double {
        var value = -Double.infinity
        ebur128_loudness_global(state, &value)
        return value
    }

    /// In dB; minus infinity for digital silence.
    var truePeak: Double {
        var highest = 0.0
        for channel in 0..<channels {
            var value = 0.0
            ebur128_true_peak(state, UInt32(channel), &value)
            // Not max(): a NaN must remain one.
            if !(value <= highest) { highest = value }
        }
        return 20 * log10(highest)
    }
}

/// The loudspeaker of a channel.
enum LoudnessPlace {
    case left, right, centre, leftSurround, rightSurround, uncounted

    fileprivate var code: Int32 {
        let channel =
            switch self {
            case .left: EBUR128_LEFT
            case .right: EBUR128_RIGHT
            case .centre: EBUR128_CENTER
            case .leftSurround: EBUR128_LEFT_SURROUND
            case .rightSurround: EBUR128_RIGHT_SURROUND
            case .uncounted: EBUR128_UNUSED
            }
        return Int32(channel.rawValue)
    }
}
