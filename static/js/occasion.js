// Shows the fields of the chosen occasion only.
for (const form of document.querySelectorAll('[data-behaviour~="occasion"]')) {
  const choose = () => {
    for (const part of form.querySelectorAll("[data-for]")) part.hidden = part.dataset.for !== form.elements.occasion.value
  }
  form.elements.occasion.addEventListener("change", choose)
  choose()
}
