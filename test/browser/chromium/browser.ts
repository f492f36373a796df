import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import chromium from '@sparticuz/chromium'
import { type Browser, chromium as launcher } from 'playwright-core'

/** Launches a headless Chromium: the one at CHROME_PATH, else the packaged one, which runs on Linux. */
export async function launchBrowser(): Promise<Browser> {
  const { CHROME_PATH } = process.env
  if (CHROME_PATH) return await launcher.launch({ executablePath: CHROME_PATH })
  // It unpacks itself into TMPDIR, and takes for whole what an earlier run that broke off left there.
  const folder = await mkdtemp(join(tmpdir(), 'player-nfts-chromium-'))
  process.env['TMPDIR'] = folder
  const executablePath = await chromium.executablePath()
  // Not the package's own arguments, which switch off what a page relies on, such as CORS. The sandbox
  // cannot start for root, and the browser loads only what the tests serve.
  const args = ['--no-sandbox', '--disable-gpu']
  const browser = await launcher.launch({ executablePath, args })
  browser.on('disconnected', () => void rm(folder, { recursive: true, force: true }))
  return browser
}
