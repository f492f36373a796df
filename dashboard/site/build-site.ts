import { globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { bundlePage, root } from '../build/bundle.ts'
import { type DashboardFiles, dashboardFile } from '../build/dashboard-files.ts'
import { htmlOf, pagesOf, type SitePage } from './markdown.ts'
import { pageHtml } from './page.ts'
import { pageGroups, startSource } from './pages.ts'

interface SiteOptions {
  /** The owner and the name of the repository on GitHub, to which links to code lead. Without it, they are text. */
  repository?: string
  /** Whether the pages contain their policy, because no header does. They then do not lead to a dashboard. */
  hasOwnPolicy?: boolean
}

const read = (path: string): Buffer => readFileSync(join(root, '..', path))

/**
 * Builds the site of the docs from the Markdown of the repository: its pages, scripts, styles, pictures and search index, by paths
 * that begin with `/docs/`. Links between them are relative. Rejects if a file is missing or the code does not compile.
 */
export async function buildSite({
  repository: name,
  hasOwnPolicy = false,
}: SiteOptions = {}): Promise<DashboardFiles> {
  const repository = name && `https://github.com/${name}`
  const entries = { site: 'site/browser/site.tsx', styles: 'site/browser/site.css' }
  const { files: built, names: assets } = await bundlePage(entries)
  const sources = [startSource, ...pageGroups.flatMap((group) => group.sources)]
  const pages = sources.flatMap((source) => pagesOf(source, `${read(source)}`))
  const site = { pages, assets, repository, hasOwnPolicy }
  const addresses = addressesOf(pages)
  const sections = pages.flatMap((page) => page.sections)
  const files = new Map<string, string | Uint8Array>([
    ['search.json', JSON.stringify(sections, ['page', 'heading', 'to', 'text'])],
    ['llms.txt', summaryOf(pages)],
  ])
  const shown = globSync('{openapi.json,images/**/*.{png,svg}}', { cwd: join(root, '../docs') })
  for (const path of shown) files.set(path.replaceAll('\\', '/'), read(`docs/${path}`))
  for (const page of pages) {
    const linkTo = (link: string) => addressOf(link, page, addresses, repository)
    const content = htmlOf(page, linkTo, (path) => files.has(path))
    files.set(page.name, pageHtml(page, content, site))
  }
  return new Map([
    ...[...files].map(([name, body]) => [`/docs/${name}`, dashboardFile(name, body)] as const),
    ...[...built].map(([path, file]) => [`/docs${path}`, file] as const),
  ])
}

/** Where each file, and each heading of it as `<file>#<anchor>`, is on the site. */
function addressesOf(pages: readonly SitePage[]): ReadonlyMap<string, string> {
  const addresses = new Map<string, string>()
  // The address of a file with several pages is that of its first one.
  for (const { source, name, sections } of pages.toReversed()) {
    addresses.set(source, name)
    for (const { anchor } of sections) addresses.set(`${source}#${anchor}`, `${name}#${anchor}`)
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

/** The list of the pages for programs: https://llmstxt.org/. */
function summaryOf(pages: readonly SitePage[]): string {
  const entries = pages.map((page) => `- [${page.fullTitle}](${page.name}): ${page.summary}`)
  return `# ${pages[0]?.title}\n\n> ${pages[0]?.summary}\n\n## Pages\n\n${entries.join('\n')}\n`
}
