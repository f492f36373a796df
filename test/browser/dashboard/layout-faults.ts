import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { BrowserPage } from '../chromium/browser.ts'

/** The widths of the windows, in pixels: from a small telephone to a large screen. */
const widths = [320, 768, 1280, 1920]

/**
 * Expects that a state of a page has no fault in windows of four widths, and is accessible in both themes and on a small
 * telephone. Writes screenshots of it into the folder SCREENSHOTS, if it is set: `<state>-<width>-<theme>.png`.
 */
export async function expectGoodLayout(page: BrowserPage, state: string): Promise<void> {
  const { SCREENSHOTS } = process.env
  // The lists of the dashboard render only what the window shows.
  const fullPage = new URL(page.url()).pathname === '/connect'
  const faults: Record<string, string[]> = {}
  const look = async (width: number, colorScheme: string) => {
    const found = await layoutFaults(page)
    if (found.length > 0) faults[`${width} ${colorScheme}`] = found
    if (!SCREENSHOTS) return
    const path = join(SCREENSHOTS, `${state}-${width}-${colorScheme}.png`)
    await page.screenshot({ path, fullPage })
  }
  // The themes differ in colours only.
  await inEachWindow(page, widths, look, SCREENSHOTS ? bothThemes : undefined)
  expect(faults).toEqual({})
  await expectAccessible(page)
  await inEachWindow(page, [320], () => expectAccessible(page, ['light']))
}

/**
 * Returns what is wrong with the layout of the page, or of its open dialog, at the present size of the window: it scrolls
 * sideways, or a control is cut or lies over another one, a disabled button looks like the others, the focus in a dialog is
 * not where typing begins, or the bar of a small telephone takes more than a line.
 */
export const layoutFaults = (page: BrowserPage): Promise<string[]> =>
  page.evaluate(async () => {
    // Charts and lists follow a new size of the window in the next frame.
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame)
    const { documentElement: root } = document
    const faults: string[] = []
    const nameOf = (element: Element) =>
      `<${element.tagName.toLowerCase()} class="${element.className}"> ${element.textContent?.slice(0, 40)}`
    if (root.scrollWidth > root.clientWidth) {
      faults.push(
        `the page has a width of ${root.scrollWidth} px in a window of ${root.clientWidth} px`,
      )
    }
    const bar = document.querySelector('.layout-side')
    if (bar && innerWidth === 320 && !bar.querySelector('.is-open') && bar.clientHeight > 64) {
      faults.push(`the bar has a height of ${bar.clientHeight} px`)
    }
    const dialog = document.querySelector('dialog[open]')
    if (dialog && dialog.scrollWidth > dialog.clientWidth)
      faults.push('the dialog scrolls sideways')
    const controls = [
      ...(dialog ?? document).querySelectorAll<HTMLElement>('button, .button, .input, .segment'),
    ].filter(
      (element) =>
        element.checkVisibility({ visibilityProperty: true }) &&
        !element.closest('.visually-hidden') &&
        !(dialog === null && element.closest('.skip-link')),
    )
    const boxes = controls.map((element) => ({ element, box: element.getBoundingClientRect() }))
    for (const { element, box } of boxes) {
      const isInScroller = element.closest('.scroller, .json') !== null
      if (!isInScroller && (box.left < -1 || box.right > root.clientWidth + 1)) {
        faults.push(`cut by the window: ${nameOf(element)}`)
      }
      if (element.matches('button, .button') && element.scrollWidth > element.clientWidth + 1) {
        faults.push(`too narrow for its text: ${nameOf(element)}`)
      }
    }
    for (const { element } of boxes) {
      if (element.matches(':disabled') && getComputedStyle(element).boxShadow !== 'none') {
        faults.push(`does not look disabled: ${nameOf(element)}`)
      }
    }
    const fields = 'input:not([type=checkbox], [type=radio], [type=file]), select, textarea'
    const field = dialog?.querySelector(fields)
    const isInField = document.activeElement?.matches(fields) === true
    if (field && !isInField) faults.push('the focus of the dialog is in none of its fields')
    for (const [index, { element, box }] of boxes.entries()) {
      for (const { element: other, box: otherBox } of boxes.slice(index + 1)) {
        const width = Math.min(box.right, otherBox.right) - Math.max(box.left, otherBox.left)
        const height = Math.min(box.bottom, otherBox.bottom) - Math.max(box.top, otherBox.top)
        if (width <= 1 || height <= 1 || element.contains(other) || other.contains(element))
          continue
        faults.push(`${nameOf(element)} lies over ${nameOf(other)}`)
      }
    }
    return faults
  })

const requireBrowserPackage = createRequire(join(import.meta.dirname, '../chromium/package.json'))

const axe = () => readFileSync(requireBrowserPackage.resolve('axe-core/axe.min.js'), 'utf8')

/** Expects that axe finds no fault on the page, by default in both themes. */
export async function expectAccessible(page: BrowserPage, themes = bothThemes): Promise<void> {
  await page.evaluate(axe())
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const faults = await page.evaluate(async () => {
      const { axe } = globalThis as unknown as { axe: Axe }
      const { violations } = await axe.run(document)
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
    })
    expect({ colorScheme, faults }).toEqual({ colorScheme, faults: [] })
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null })
}

interface Axe {
  run(document: Document): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>
}

type ColorScheme = 'light' | 'dark'

const bothThemes: readonly ColorScheme[] = ['light', 'dark']

/**
 * Runs `act` with the page in windows of these widths, by default in the light theme. The page then has its window and theme
 * back.
 */
export async function inEachWindow(
  page: BrowserPage,
  sizes: readonly number[],
  act: (width: number, colorScheme: ColorScheme) => Promise<void>,
  themes: readonly ColorScheme[] = ['light'],
): Promise<void> {
  const before = page.viewportSize()
  for (const width of sizes) {
    await page.setViewportSize({ width, height: width < 600 ? 740 : 800 })
    for (const colorScheme of themes) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await act(width, colorScheme)
    }
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null })
  if (before) await page.setViewportSize(before)
  // Charts and lists follow it in the next frame.
  await page.evaluate(
    () => new Promise((end) => requestAnimationFrame(() => requestAnimationFrame(end))),
  )
}
