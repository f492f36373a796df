import { writeFile } from 'node:fs/promises'
import { helpIfAsked } from '@player-nfts/local/help'
import { generatedFiles } from './generated-files.ts'

helpIfAsked([
  'Usage: npm run generate',
  '',
  'Writes the files that are made from code:',
  ...Object.keys(generatedFiles).map((path) => `  ${path}`),
])

/** `npm run generate`: writes every generated file. */
for (const [path, text] of Object.entries(generatedFiles)) {
  await writeFile(new URL(`../${path}`, import.meta.url), text())
}
