// The browser prints, or saves as PDF; the button only spares a menu.
for (const button of document.querySelectorAll('[data-behaviour~="print"]')) {
  button.addEventListener("click", () => window.print())
}
