// Sounds made in the browser. The same functions play to somebody and render without a loudspeaker, so that what is stored is
// what was played.

/** The softest and the loudest that is ever played, in decibels below full scale, and how fast it may grow, in decibels a second. */
export const limits = { floor: -96, ceiling: -12, rise: 40 }

/** @param {number} level in decibels below full scale */
export const amplitude = (level) => (level <= limits.floor ? 0 : 10 ** (Math.min(level, limits.ceiling) / 20))

/**
 * Noise that is the same every time.
 * @param {BaseAudioContext} context
 * @param {number} seconds
 */
function noise(context, seconds) {
  const buffer = context.createBuffer(1, Math.round(seconds * context.sampleRate), context.sampleRate)
  const samples = buffer.getChannelData(0)
  let state = 2463534242
  for (let index = 0; index < samples.length; index += 1) {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    samples[index] = (state >>> 0) / 2147483648 - 1
  }
  const source = context.createBufferSource()
  source.buffer = buffer
  source.loop = true
  return source
}

/**
 * @param {BaseAudioContext} context
 * @param {BiquadFilterType} type
 * @param {number} frequency
 * @param {number} quality
 */
function filter(context, type, frequency, quality) {
  const made = context.createBiquadFilter()
  made.type = type
  made.frequency.value = frequency
  made.Q.value = quality
  return made
}

/** The four parts of a Butterworth filter of the eighth order, as decibels of their peaks. */
const parts = [0.50979558, 0.60134489, 0.89997622, 2.5629154].map((quality) => 20 * Math.log10(quality))

/**
 * @param {BaseAudioContext} context
 * @param {AudioNode} from
 * @param {"lowpass" | "highpass"} type
 * @param {number} frequency
 */
const steep = (context, from, type, frequency) =>
  parts.reduce((node, quality) => /** @type {AudioNode} */ (node.connect(filter(context, type, frequency, quality))), from)

/**
 * A tone, or a noise around a frequency.
 * @typedef {{ kind: string, frequency: number, bandwidth?: number | null }} Sound
 */

/**
 * Begins from nothing and grows no faster than it may.
 * @param {BaseAudioContext} context
 * @param {AudioNode} from
 * @param {number} level
 * @param {string} ear
 */
function out(context, from, level, ear) {
  const gain = context.createGain()
  const begin = context.currentTime
  gain.gain.setValueAtTime(0, begin)
  gain.gain.linearRampToValueAtTime(amplitude(level), begin + 0.25)
  from.connect(gain)
  if (ear === "both") gain.connect(context.destination)
  else {
    const panner = context.createStereoPanner()
    panner.pan.value = ear === "left" ? -1 : 1
    gain.connect(panner).connect(context.destination)
  }
  return gain
}

/**
 * Plays until it is stopped.
 * @param {BaseAudioContext} context
 * @param {Sound} sound
 * @param {number} level
 * @param {string} ear
 */
export function play(context, sound, level, ear) {
  const octaves = sound.bandwidth ?? 0.33
  const quality = Math.sqrt(2 ** octaves) / (2 ** octaves - 1)
  const source = sound.kind === "noise" ? noise(context, 4) : context.createOscillator()
  const band = sound.kind === "noise" ? filter(context, "bandpass", sound.frequency, quality) : null
  if (source instanceof OscillatorNode) source.frequency.value = sound.frequency
  const gain = out(context, band ? source.connect(band) : source, level, ear)
  source.start()
  return handle(context, gain, source, level, (frequency) => {
    const tuned = source instanceof OscillatorNode ? source.frequency : band?.frequency
    tuned?.setTargetAtTime(frequency, context.currentTime, 0.01)
  })
}

/**
 * Noise with a gap of one octave around a frequency.
 * @param {BaseAudioContext} context
 * @param {number} frequency
 * @param {number} level
 */
export function playNotched(context, frequency, level) {
  const source = noise(context, 8)
  const sum = context.createGain()
  steep(context, source, "lowpass", frequency / Math.SQRT2).connect(sum)
  const upper = frequency * Math.SQRT2
  if (upper < context.sampleRate / 2) steep(context, source, "highpass", upper).connect(sum)
  const gain = out(context, sum, level, "both")
  source.start()
  return handle(context, gain, source, level, () => undefined)
}

/**
 * @param {BaseAudioContext} context
 * @param {GainNode} gain
 * @param {AudioScheduledSourceNode} source
 * @param {number} level
 * @param {(frequency: number) => void} tune
 */
function handle(context, gain, source, level, tune) {
  let now = level
  return {
    tune,
    /** @param {number} next */
    setLevel(next) {
      const seconds = Math.max(0.05, (Math.min(next, limits.ceiling) - Math.max(now, limits.floor)) / limits.rise)
      gain.gain.cancelScheduledValues(context.currentTime)
      gain.gain.setValueAtTime(gain.gain.value, context.currentTime)
      gain.gain.linearRampToValueAtTime(amplitude(next), context.currentTime + seconds)
      now = next
    },
    stop() {
      gain.gain.cancelScheduledValues(context.currentTime)
      gain.gain.setTargetAtTime(0, context.currentTime, 0.02)
      source.stop(context.currentTime + 0.2)
    },
  }
}
