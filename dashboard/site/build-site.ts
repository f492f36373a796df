import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { bundle, bundledFiles, earlyTheme, namesOf, root } from '../build/bundle.ts'
import { type DashboardFiles, dashboardFile } from '../build/dashboard-files.ts'
import type { SearchedSection } from './browser/search-engine.ts'
import { htmlOf, pagesOf, type SitePage, sectionsOf } from './markdown.ts'
import { pageHtml } from './page.ts'
import { pageGroups, startSource } from './pages.ts'

/** How one site differs from another. */
export interface SiteOptions {
  /** The owner and the name of the repository on GitHub, to which links to code lead. Without it, they are text. */
  repository?: string
  /** Whether the pages contain their policy, because no header does. They then do not lead to a dashboard. */
  hasOwnPolicy?: boolean
}

const repositoryFolder = join(root, '..')
const picturesFolder = join(repositoryFolder, 'docs/images')

/**
 * Builds the site of the docs from the Markdown of the repository: its pages, scripts, styles, pictures and search index, by paths
 * that begin with `/docs/`. Links between them are relative. Rejects if a file is missing or the code does not compile.
 */
export async function buildSite({
  repository,
  hasOwnPolicy = false,
}: SiteOptions = {}): Promise<DashboardFiles> {
  const address = repository && `https://github.com/${repository}`
  const [pages, pictures, scripts, theme, icon, openapi] = await Promise.all([
    readPages(),
    readPictures(),
    bundle({ site: 'site/browser/site.ts', styles: 'site/browser/site.css' }, { splitting: true }),
    earlyTheme(),
    readFile(join(root, 'icon.svg')),
    readFile(join(repositoryFolder, 'docs/openapi.json')),
  ])
  const index = JSON.stringify(pages.flatMap(searchedSections))
  const searchIndex = `search-${digest(index)}.json`
  const assets = { ...namesOf(scripts, ['site', 'styles']), ...namesOf(theme, ['theme']) }
  const site = { pages, assets, searchIndex, repository: address, hasOwnPolicy }
  const addresses = addressesOf(pages)
  const html = pages.map((page): [string, string] => {
    const linkTo = (link: string) => addressOf(link, page, addresses, address)
    return [page.name, pageHtml(page, htmlOf(page, linkTo, new Set(pictures.keys())), site)]
  })
  const files: [string, string | Uint8Array][] = [
    ...html,
    [searchIndex, index],
    ['icon.svg', icon],
    ['openapi.json', openapi],
    ['llms.txt', listOf(pages)],
    ...[...pictures].map(([name, body]): [string, Uint8Array] => [`images/${name}`, body]),
  ]
  return new Map([
    ...files.map(([name, body]) => [`/docs/${name}`, dashboardFile(name, body)] as const),
    ...[...bundledFiles(scripts, theme)].map(([path, file]) => [`/docs${path}`, file] as const),
  ])
}

async function readPages(): Promise<SitePage[]> {
  const sources = [startSource, ...pageGroups.flatMap(({ sources }) => sources)]
  const pages = sources.map(async (source) =>
    pagesOf(source, await readFile(join(repositoryFolder, source), 'utf8')),
  )
  return (await Promise.all(pages)).flat()
}

async function readPictures(): Promise<Map<string, Uint8Array>> {
  const names = await readdir(picturesFolder, { recursive: true })
  const pictures = names.filter((name) => /\.(png|svg)$/.test(name)).sort()
  const read = pictures.map(
    async (name): Promise<[string, Uint8Array]> => [
      name.replaceAll('\\', '/'),
      await readFile(join(picturesFolder, name)),
    ],
  )
  return new Map(await Promise.all(read))
}

/** Where each file, and each heading of it as `<file>#<anchor>`, is on the site. */
function addressesOf(pages: readonly SitePage[]): ReadonlyMap<string, string> {
  const addresses = new Map<string, string>()
  for (const { source, name, tokens } of pages) {
    if (!addresses.has(source)) addresses.set(source, name)
    for (const { anchor } of sectionsOf({ tokens })) {
      addresses.set(`${source}#${anchor}`, `${name}#${anchor}`)
    }
  }
  return addresses
}

/** The address of a link on a page; `undefined` if it leads to a file that only the repository has, and that has no address. */
function addressOf(
  link: string,
  { source, name }: SitePage,
  addresses: ReadonlyMap<string, string>,
  repository: string | undefined,
): string | undefined {
  if (/^[a-z][a-z+.-]*:/i.test(link)) return link
  const [path = '', anchor] = link.split('#')
  const file = path === '' ? source : posix.join(posix.dirname(source), path).replace(/\/$/, '')
  const end = anchor === undefined ? '' : `#${anchor}`
  const page = addresses.get(`${file}${end}`) ?? addresses.get(`${file}/README.md${end}`)
  if (page !== undefined) return page.startsWith(`${name}#`) ? end : page
  if (/^docs\/(images\/|openapi\.json$)/.test(file)) return file.slice('docs/'.length)
  return repository && `${repository}/blob/main/${file}${end}`
}

/** Contributors know where to look; others do not want what was decided, but what holds. */
const weights: Readonly<Record<string, number>> = { Contributors: 0.5 }

function searchedSections(page: SitePage): SearchedSection[] {
  const group = pageGroups.find(({ sources }) => sources.includes(page.source))
  return sectionsOf(page).map(({ level, text, anchor, content }) => ({
    page: page.title,
    heading: text,
    to: level === 1 ? page.name : `${page.name}#${anchor}`,
    text: content,
    weight: weights[group?.reader ?? ''] ?? 1,
  }))
}

/** The pages for programs that read: https://llmstxt.org/. */
function listOf(pages: readonly SitePage[]): string {
  const entry = (source: string) =>
    pages
      .filter((page) => page.source === source)
      .map(({ title, name, summary }) => `- [${title}](${name}): ${summary}`)
  const groups = pageGroups.flatMap(({ reader, task, sources }) => [
    `\n## ${reader}: ${task}\n`,
    ...sources.flatMap(entry),
  ])
  const [start] = pages
  return [`# ${start?.title}\n\n> ${start?.summary}\n`, ...entry(startSource), ...groups, ''].join(
    '\n',
  )
}

/** Eight characters, as those in the names that esbuild gives. */
const digest = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 8).toUpperCase()
