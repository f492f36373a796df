// `npm run generate -- --pictures` runs it: Mermaid measures texts, so it needs a browser.

import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Diagram, diagrams } from '../../../scripts/diagrams.ts'
import { launchBrowser } from '../chromium/browser.ts'

const mermaid = join(import.meta.dirname, 'node_modules/@mermaid-js/tiny/dist/mermaid.tiny.js')

const font = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif'

/** Labels are text of SVG, which all that shows pictures can show, and not HTML. */
const configuration = (themeVariables: Diagram['colours']) => ({
  ...{ startOnLoad: false, securityLevel: 'strict', htmlLabels: false, look: 'classic' },
  ...{ theme: 'base', fontFamily: font, fontSize: 14 },
  themeVariables: { ...themeVariables, fontFamily: font, fontSize: '14px' },
  flowchart: {
    ...{ useMaxWidth: false, htmlLabels: false, wrappingWidth: 400 },
    ...{ nodeSpacing: 30, rankSpacing: 40, subGraphTitleMargin: { top: 8, bottom: 8 } },
  },
  sequence: { useMaxWidth: false, mirrorActors: false, actorMargin: 20, diagramMarginX: 10 },
})

async function draw(): Promise<Map<string, string>> {
  const texts = new Map<string, string>()
  const browser = await launchBrowser()
  try {
    for (const { path, source, colours, digest } of diagrams()) {
      // A page of its own: Mermaid counts its ids from the start of the page.
      const page = await browser.newPage()
      await page.addScriptTag({ path: mermaid })
      const config = configuration(colours)
      texts.set(path, await page.evaluate(drawIn, { source, digest, config }))
      await page.close()
    }
  } finally {
    await browser.close()
  }
  return texts
}

/** What a page draws: the text of a Mermaid block, Mermaid's configuration, and what the picture contains besides. */
interface Drawing {
  readonly source: string
  readonly config: object
  readonly digest: string
}

interface Mermaid {
  initialize(config: object): void
  render(id: string, source: string): Promise<{ svg: string }>
}

/**
 * Draws a diagram in a page that has Mermaid, and returns its SVG, with attributes in place of styles and classes: a
 * Content-Security-Policy without inline styles applies to a picture that is opened by itself. The browser runs the
 * function without the rest of this file.
 */
async function drawIn({ source, config, digest }: Drawing): Promise<string> {
  const { mermaid } = globalThis as unknown as { mermaid: Mermaid }
  const properties = [
    ...['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-dasharray', 'font-family'],
    ...['font-size', 'font-weight', 'text-anchor', 'dominant-baseline'],
  ]
  mermaid.initialize(config)
  document.body.innerHTML = (await mermaid.render('diagram', source)).svg
  const svg = document.body.firstElementChild as SVGSVGElement
  const all = [svg, ...svg.querySelectorAll('*')]
  const looks = new Map(all.map((each) => [each, lookOf(each)]))
  for (const each of all) {
    for (const name of ['class', 'style', ...properties]) each.removeAttribute(name)
    const inherited = looks.get(each.parentElement as Element)
    for (const [name, value] of looks.get(each) ?? []) {
      if (inherited?.get(name) !== value) each.setAttribute(name, value)
    }
  }
  for (const style of svg.querySelectorAll('style')) style.remove()
  // Without the actors below them, lifelines have no end.
  const { y, height } = svg.viewBox.baseVal
  for (const { y2 } of svg.querySelectorAll('line')) {
    y2.baseVal.value = Math.min(y2.baseVal.value, y + height)
  }
  for (const part of svg.querySelectorAll('defs > [id]')) if (!isUsed(part.id)) part.remove()
  const metadata = document.createElementNS('http://www.w3.org/2000/svg', 'metadata')
  metadata.textContent = digest
  svg.prepend(metadata)
  const text = new XMLSerializer().serializeToString(svg)
  return `${text.replaceAll(/>\s*<(?!\/?t(?:ext|span))/g, '>\n<')}\n`

  function lookOf(element: Element): Map<string, string> {
    const style = getComputedStyle(element)
    return new Map(properties.map((name) => [name, style.getPropertyValue(name)]))
  }

  function isUsed(id: string): boolean {
    return svg.outerHTML.includes(`#${id})`) || svg.outerHTML.includes(`"#${id}"`)
  }
}

const texts = await draw()
const folder = 'docs/images/diagrams'
await rm(folder, { recursive: true, force: true })
await mkdir(folder)
for (const [path, text] of texts) await writeFile(path, text)
