// Says that a file is too large before it is sent; the server would only hang up.
for (const input of document.querySelectorAll('[data-behaviour~="size"]')) {
  input.addEventListener("change", () => {
    const size = [...input.files].reduce((sum, file) => sum + file.size, 0)
    const isLarge = size > Number(input.dataset.limit)
    input.setCustomValidity(isLarge ? input.dataset.message : "")
    input.reportValidity()
  })
}
