import { appSecurityHeaders } from '../build/security-headers.ts'
import { escapeHtml, type SitePage } from './markdown.ts'
import { pageGroups, startSource } from './pages.ts'

/** What all pages of a site have in common. */
export interface Site {
  pages: readonly SitePage[]
  /** The names of the built scripts and styles, by those of their sources. */
  assets: Readonly<Record<string, string>>
  repository: string | undefined
  hasOwnPolicy: boolean
}

/** Returns the whole page with this content. */
export function pageHtml(page: SitePage, content: string, site: Site): string {
  const { hasOwnPolicy, assets } = site
  // In an element, a policy cannot say who may frame the page.
  const policy = appSecurityHeaders()['content-security-policy']?.replace(
    /; frame-ancestors[^;]*/,
    '',
  )
  const title = page.source === startSource ? '' : `${escapeHtml(page.fullTitle)} · `
  const list = contents(page)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${hasOwnPolicy ? `<meta http-equiv="Content-Security-Policy" content="${policy}">` : ''}
<title>${title}Player NFTs</title>
<meta name="description" content="${escapeHtml(page.summary)}">
<link rel="icon" href="icon.svg" type="image/svg+xml">
<script src="assets/${assets['theme']}"></script>
<link rel="stylesheet" href="assets/${assets['styles']}">
<script type="module" src="assets/${assets['site']}"></script>
</head>
<body>
<a class="skip-link" href="#site-content">Skip to the content</a>
<header class="bar line">
<button type="button" class="button is-quiet" popovertarget="site-pages">Menu</button>
<a class="brand brand-name line one-line" href="index.html"><img src="icon.svg" alt="" width="26" height="26">Player NFTs <span class="badge is-accent">Docs</span></a>
<div class="search"></div>
</header>
<div class="frame">
<nav id="site-pages" class="list" aria-label="Pages" popover>
<div class="theme"></div>
${elsewhere(page, site)}
${navigation(page, site)}
</nav>
${list && `<nav class="contents list" aria-label="On this page"><details><summary>On this page</summary>${list}</details></nav>`}
<main id="site-content" tabindex="-1">
<article>
${content}</article>
</main>
</div>
<div class="announcements"></div>
</body>
</html>
`
}

const link = (to: string, text: string, more = ''): string =>
  `<a class="nav-link" href="${escapeHtml(to)}"${more}>${escapeHtml(text)}</a>`

const listOf = (items: readonly string[]): string =>
  items.length > 0 ? `<ul class="nav"><li>${items.join('\n<li>')}</ul>` : ''

/** The links out of the site. */
const elsewhere = ({ source }: SitePage, { repository, hasOwnPolicy }: Site): string =>
  (hasOwnPolicy ? '' : link('/', 'Dashboard')) +
  (repository
    ? link(repository, 'Repository') + link(`${repository}/edit/main/${source}`, 'Edit this page')
    : '')

/** The pages by reader and task. The sections of a split page stand below it while one of them is shown. */
function navigation(page: SitePage, { pages }: Site): string {
  const linkTo = (to: SitePage | undefined) =>
    to ? link(to.name, to.title, to === page ? ' aria-current="page"' : '') : ''
  const entry = (source: string) => {
    const [first, ...parts] = pages.filter((each) => each.source === source)
    return linkTo(first) + listOf(page.source === source ? parts.map(linkTo) : [])
  }
  const groups = pageGroups.map(({ reader, task, sources }, index) => {
    const isFirst = reader !== pageGroups[index - 1]?.reader
    return `${isFirst ? `<p class="strong">${reader}</p>` : ''}<p class="small">${task}</p>${listOf(sources.map(entry))}`
  })
  return `${listOf([entry(startSource)])}\n${groups.join('\n')}`
}

/** The headings of a long page, without the deeper ones if they are too many. */
function contents({ sections }: SitePage): string {
  const headings = sections.slice(1)
  const shown = headings.filter(({ level }) => level <= (headings.length > 80 ? 2 : 3))
  const links = shown.map(
    ({ level, heading, anchor }) =>
      `<div class="level-${level}">${link(`#${anchor}`, heading)}</div>`,
  )
  return links.length > 2 ? listOf(links) : ''
}
