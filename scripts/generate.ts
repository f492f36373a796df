import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { helpIfAsked } from '@player-nfts/local/help'
import { generatedFiles } from './generated-files.ts'
import { installDependencies } from './install.mjs'

helpIfAsked([
  'Usage: npm run generate [-- --pictures]',
  '',
  'Writes the files that are made from code:',
  ...Object.keys(generatedFiles).map((path) => `  ${path}`),
  '',
  '--pictures: also draws the diagrams of the pages, in docs/images/diagrams, with a browser that it installs.',
])

/** `npm run generate`: writes every generated file. */
for (const [path, text] of Object.entries(generatedFiles)) {
  await writeFile(new URL(`../${path}`, import.meta.url), text())
}

if (process.argv.includes('--pictures')) {
  const browser = join(import.meta.dirname, '../test/browser')
  for (const packages of ['chromium', 'diagrams']) {
    await installDependencies(join(browser, packages))
  }
  execFileSync(process.execPath, [join(browser, 'diagrams/draw-diagrams.ts')], { stdio: 'inherit' })
}
