// Moves the focus to what went wrong, so that it is read out and reached at once.
document.querySelector('[data-behaviour~="focus"]')?.focus()
