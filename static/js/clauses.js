// Shows the fields that a condition of the chosen kind needs, and the patients only where some are to be chosen.
for (const form of document.querySelectorAll('[data-behaviour~="clauses"]')) {
  const choose = () => {
    for (const clause of form.querySelectorAll(".clause")) {
      const kind = clause.querySelector("select").value
      for (const part of clause.querySelectorAll("[data-kinds]")) part.hidden = !part.dataset.kinds.split(" ").includes(kind)
    }
    for (const part of form.querySelectorAll("[data-reach]")) part.hidden = part.disabled = part.dataset.reach !== form.elements.reach.value
  }
  form.addEventListener("change", choose)
  choose()
}
