import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { buildSite } from '@player-nfts/dashboard/site/build-site'
import { helpIfAsked } from '@player-nfts/local/help'

const usage = 'Usage: npm run build:site -- FOLDER'

helpIfAsked([
  usage,
  '',
  'Writes the site of the docs to FOLDER, which is new or empty. It works below any path of a web server, and each page',
  'contains its Content-Security-Policy.',
  '',
  '  GITHUB_REPOSITORY  owner/name on GitHub, to which links to code and "Edit this page" lead; without it, they are text',
])

const [folder, ...others] = process.argv.slice(2)
if (folder === undefined || others.length > 0) fail(usage)
mkdirSync(folder, { recursive: true })
if (readdirSync(folder).length > 0) fail(`${folder} has files already. Name a new folder.`)
const { GITHUB_REPOSITORY: repository } = process.env
const files = await buildSite({ hasOwnPolicy: true, ...(repository && { repository }) })
for (const [path, { body }] of files) {
  const file = join(folder, path.replace('/docs/', ''))
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, body)
}
console.log(`${files.size} files in ${folder}. The site begins at index.html.`)

function fail(message: string): never {
  console.error(message)
  process.exit(1)
}
