// `npm run generate -- --pictures` runs it: Mermaid measures texts, so it needs a browser.

import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Diagram, diagrams } from '../../../scripts/diagrams.ts'
import { launchBrowser } from '../chromium/browser.ts'
import { drawIn } from './draw-in.ts'

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

const texts = await draw()
const folder = 'docs/images/diagrams'
await rm(folder, { recursive: true, force: true })
await mkdir(folder)
for (const [path, text] of texts) await writeFile(path, text)
