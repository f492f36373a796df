import { appSecurityHeaders } from '../build/security-headers.ts'
import { escapeHtml, type SitePage } from './markdown.ts'
import { pageGroups } from './pages.ts'

/** What all pages of a site have in common. */
export interface Site {
  pages: readonly SitePage[]
  /** The names of the built scripts and styles, by those of their sources. */
  assets: Readonly<Record<string, string>>
  /** The name of the file that the search reads. */
  searchIndex: string
  /** The address of the repository. */
  repository: string | undefined
  hasOwnPolicy: boolean
}

/** Returns the whole page with this content. */
export function pageHtml(page: SitePage, content: string, site: Site): string {
  const name = page.name === 'index.html' ? 'Player NFTs' : `${page.title} · Player NFTs`
  const { theme, site: script, styles } = site.assets
  const list = contents(page)
  const elsewhere = site.hasOwnPolicy ? site.repository : '/'
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${site.hasOwnPolicy ? `<meta http-equiv="Content-Security-Policy" content="${ownPolicy()}">\n` : ''}<title>${escapeHtml(name)}</title>
<meta name="description" content="${escapeHtml(page.summary)}">
<link rel="icon" href="icon.svg" type="image/svg+xml">
<script src="assets/${theme}"></script>
<link rel="stylesheet" href="assets/${styles}">
<script type="module" src="assets/${script}"></script>
</head>
<body>
<a class="skip-link" href="#site-content">Skip to the content</a>
<header class="bar spread">
<div class="line"><button type="button" class="button is-quiet pages-button" popovertarget="site-pages">Menu</button>
<a class="line brand-name" href="index.html"><img src="icon.svg" alt="" width="26" height="26">Player NFTs <span class="badge is-accent">Docs</span></a></div>
<button type="button" class="button search-button" data-index="${site.searchIndex}" hidden>${searchIcon}Search <kbd class="badge">/</kbd></button>
</header>
<div class="frame">
<nav id="site-pages" class="list pages" aria-label="Pages" popover>
${navigation(page, site)}
<div class="spread list-end">
${elsewhere ? `<a href="${escapeHtml(elsewhere)}">${site.hasOwnPolicy ? 'Repository' : 'Dashboard'}</a>` : ''}
<label class="theme" hidden>Theme <select class="input"><option value="system">Auto<option value="light">Light<option value="dark">Dark</select></label>
</div>
</nav>
<main id="site-content" tabindex="-1">
${list && contentsButton}<article>
${content}</article>
${footer(page, site)}
</main>
${list && `<nav id="site-contents" class="list contents" aria-label="On this page" popover>\n<p class="strong">On this page</p><ul>${list}</ul>\n</nav>`}
</div>
<dialog class="search" aria-label="Search the docs">
<div class="line"><input type="search" class="input" aria-label="Search the docs" placeholder="Words, a code, a command" autocomplete="off" spellcheck="false"><button type="button" class="button is-quiet">Close</button></div>
<p class="hint" role="status"></p>
<ol></ol>
</dialog>
</body>
</html>
`
}

const searchIcon =
  '<svg class="icon" viewBox="0 0 20 20" aria-hidden="true"><path d="M9 3.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11zM13 13l4 4"/></svg>'

/** In an element, a policy cannot say who may frame the page. */
const ownPolicy = () =>
  appSecurityHeaders()['content-security-policy']?.replace(/; frame-ancestors [^;]*/, '') ?? ''

/** The pages by reader and task. The sections of a split page stand below it while one of them is shown. */
function navigation(page: SitePage, { pages }: Site): string {
  const link = ({ name, label }: SitePage) =>
    `<a href="${name}"${name === page.name ? ' aria-current="page"' : ''}>${escapeHtml(label)}</a>`
  const entry = (source: string) => {
    const [first, ...others] = pages.filter((each) => each.source === source)
    if (!first) return ''
    const isOpen = page.source === source && others.length > 0
    const parts = others.map((each) => `<li>${link(each)}</li>`).join('')
    return `<li>${link(first)}${isOpen ? `<ul>${parts}</ul>` : ''}</li>`
  }
  const groups = pageGroups.map(({ reader, task, sources }, index) => {
    const heading =
      reader === pageGroups[index - 1]?.reader ? '' : `<p class="strong">${reader}</p>`
    return `${heading}<p>${task}</p><ul>${sources.map(entry).join('')}</ul>`
  })
  const start = pages.filter(({ name }) => name === 'index.html').map(link)
  return `<ul><li>${start.join('')}</li></ul>${groups.join('\n')}`
}

const contentsButton =
  '<button type="button" class="button contents-button" popovertarget="site-contents">On this page</button>\n'

/** The headings of a long page, without the deeper ones if they are too many. */
function contents({ headings }: SitePage): string {
  const shown = headings.filter(({ level }) => level <= (headings.length > 80 ? 2 : 3))
  if (shown.length < 3) return ''
  const links = shown.map(
    ({ level, text, anchor }) =>
      `<li class="level-${level}"><a href="#${escapeHtml(anchor)}">${escapeHtml(text)}</a></li>`,
  )
  return links.join('\n')
}

function footer(page: SitePage, { pages, repository }: Site): string {
  const index = pages.indexOf(page)
  const link = (to: SitePage | undefined, word: string) =>
    to
      ? `<a href="${to.name}" rel="${word}">${word === 'prev' ? '← ' : ''}${escapeHtml(to.label)}${word === 'next' ? ' →' : ''}</a>`
      : ''
  const edit = repository
    ? `<p><a href="${escapeHtml(repository)}/edit/main/${page.source}">Edit this page</a></p>`
    : ''
  return `<footer>${edit}
<nav class="spread" aria-label="Next pages">${link(pages[index - 1], 'prev')}${link(pages[index + 1], 'next')}</nav>
</footer>`
}
