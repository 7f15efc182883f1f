// A reading of a sensor, taken when somebody asks for it: where they are, or how loud it is. It stands in the form as the
// API takes it; sound itself is kept nowhere.
for (const part of document.querySelectorAll('[data-behaviour~="sensor"]')) {
  const take = { gps: position, microphone: loudness }[part.dataset.kind]
  const button = part.querySelector("button")
  const status = part.querySelector("[role=status]")
  const field = part.querySelector("input")
  if (!take) continue
  part.hidden = false
  button.addEventListener("click", async () => {
    button.disabled = true
    status.textContent = part.dataset.reading
    try {
      field.value = JSON.stringify(await take())
      status.textContent = part.dataset.taken
    } catch (error) {
      // Code 1 is how positions, the name how microphones say that the browser does not let them be read.
      field.value = error.code === 1 || error.name === "NotAllowedError" ? "refused" : ""
      status.textContent = part.dataset.refused
    }
    button.disabled = false
  })
}

function stamp(milliseconds) {
  return new Date(milliseconds).toISOString().replace(/\.\d+Z$/, "Z")
}

async function position() {
  const found = await new Promise((resolve, reject) => {
    navigator.geolocation.getCurrentPosition(resolve, reject, { enableHighAccuracy: true, timeout: 20_000 })
  })
  const { latitude, longitude, altitude } = found.coords
  return [{ latitude, longitude, altitude, measured_at: stamp(Date.now()) }]
}

// The highest amplitude of three seconds, each on the scale of 16 bits that phones use.
async function loudness() {
  const asked = { echoCancellation: false, noiseSuppression: false, autoGainControl: false }
  const stream = await navigator.mediaDevices.getUserMedia({ audio: asked })
  const context = new AudioContext()
  try {
    const analyser = new AnalyserNode(context, { fftSize: 2048 })
    new MediaStreamAudioSourceNode(context, { mediaStream: stream }).connect(analyser)
    await context.resume()
    const readings = []
    for (let second = 0; second < 3; second++) {
      readings.push({ amplitude: await highest(analyser, 1000), measured_at: stamp(Date.now()) })
    }
    return readings
  } finally {
    for (const track of stream.getTracks()) track.stop()
    await context.close()
  }
}

function highest(analyser, milliseconds) {
  const samples = new Float32Array(analyser.fftSize)
  const end = performance.now() + milliseconds
  let peak = 0
  return new Promise((resolve) => {
    const look = () => {
      analyser.getFloatTimeDomainData(samples)
      for (const sample of samples) peak = Math.max(peak, Math.abs(sample))
      if (performance.now() < end) setTimeout(look, 20)
      else resolve(Math.round(Math.min(peak, 1) * 32767))
    }
    look()
  })
}
