// What a form says of the device that it is filled in on: by which clock it goes, and that an iPad is none of the Macs that it calls
// itself one of.
for (const form of document.querySelectorAll("form[data-says]")) {
  const says = form.dataset.says.split(" ")
  const say = (name, value) => form.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }))
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  if (says.includes("timezone") && timeZone) {
    const list = form.elements.timezone
    if (list) choose(list, timeZone)
    else say("timezone", timeZone)
  }
  if (says.includes("touch") && /Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1) say("touch", "true")
}

// Where the device knows, nobody is asked; what the server did not take stays to be chosen.
function choose(list, zone) {
  if (list.getAttribute("aria-invalid") === "true") return
  if (![...list.options].some(({ value }) => value === zone)) list.add(new Option(zone.replaceAll("_", " "), zone))
  list.value = zone
  list.closest(".field").hidden = true
}
