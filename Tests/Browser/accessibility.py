"""What axe finds wrong with a page."""

from axe_playwright_python.sync_playwright import Axe

WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
_script = Axe().axe_script

# Only what is wrong leaves the page: handing over all that was looked at takes longer than looking at it.
_ASK = """tags => axe.run(document, { resultTypes: ["violations"], ...(tags ? { runOnly: tags } : {}) })
  .then(found => found.violations.map(one => `${one.id}: ${one.help}: ${one.nodes.map(node => node.html).join("\\n  ")}`))"""


def violations(page, place, tags=WCAG):
    """With None for tags what is good practice counts too."""
    page.evaluate(_script)
    return [f"{place}: {one}" for one in page.evaluate(_ASK, tags)]
