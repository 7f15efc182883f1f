// Says that a file is too large before it is sent; the server would only hang up.
for (const input of document.querySelectorAll('[data-behaviour~="size"]')) {
  input.addEventListener("change", () => {
    const isLarge = [...input.files].some((file) => file.size > Number(input.dataset.limit))
    input.setCustomValidity(isLarge ? input.dataset.message : "")
    input.reportValidity()
  })
}
