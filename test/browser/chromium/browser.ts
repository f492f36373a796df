import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import chromium from '@sparticuz/chromium'
import { type Browser, chromium as launcher } from 'playwright-core'

export type BrowserPage = Awaited<ReturnType<Browser['newPage']>>

/** How a page differs from the default, for example in its size. */
export type PageOptions = NonNullable<Parameters<Browser['newPage']>[0]>

/** Launches a headless Chromium: that of CHROME_PATH if set, else the packaged one, which runs on Linux. */
export async function launchBrowser(): Promise<Browser> {
  const { CHROME_PATH } = process.env
  if (CHROME_PATH) return await launcher.launch({ executablePath: CHROME_PATH })
  // It unpacks itself into TMPDIR, and does not detect the incomplete files of an interrupted earlier run.
  const folder = await mkdtemp(join(tmpdir(), 'player-nfts-chromium-'))
  process.env['TMPDIR'] = folder
  const executablePath = await chromium.executablePath()
  // Not the package's own arguments, which disable features that a page depends on, such as CORS. The sandbox
  // does not start for root, and the browser loads only pages of the tests.
  const args = ['--no-sandbox', '--disable-gpu']
  const browser = await launcher.launch({ executablePath, args })
  browser.on('disconnected', () => void rm(folder, { recursive: true, force: true }))
  return browser
}
