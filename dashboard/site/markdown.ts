import { basename } from 'node:path/posix'
import GithubSlugger from 'github-slugger'
import highlighter from 'highlight.js/lib/common'
import MarkdownIt, { type Token } from 'markdown-it'
import type { SearchedSection } from './browser/search-engine.ts'
import { pageName, splitSource } from './pages.ts'

/** A page of the site, not yet HTML. */
export interface SitePage {
  /** The name of its file, such as `api.html`. */
  name: string
  /** The file of the repository that it shows. */
  source: string
  title: string
  /** The title, with that of the whole file if the page is a section of it. */
  fullTitle: string
  /** Its first paragraph as text. */
  summary: string
  tokens: Token[]
  /** What stands under its headings, of which the first is its title. */
  sections: Section[]
}

/**
 * What stands under one heading. Its text has the values of its tables, its commands and its code. The anchor is that
 * of GitHub.
 */
interface Section extends SearchedSection {
  level: number
  anchor: string
}

const parser = new MarkdownIt({ html: false })
const { rules } = parser.renderer
export const { escapeHtml } = parser.utils

/** Returns the pages of a file: one, but for {@link splitSource}. */
export function pagesOf(source: string, text: string): SitePage[] {
  const slugger = new GithubSlugger()
  const tokens = parser.parse(text, {})
  const starts = [0]
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      token.attrSet('id', slugger.slug(plainText(tokens[index + 1])))
      if (source === splitSource && token.tag === 'h2') starts.push(index)
    }
    if (/^heading_/.test(token.type) && starts.length > 1) token.tag = `h${levelOf(token) - 1}`
  }
  const book = plainText(tokens[1])
  return starts.map((start, part) => {
    const own = tokens.slice(start, starts[part + 1])
    const title = plainText(own[1])
    const summary = plainText(own[own.findIndex(({ type }) => type === 'paragraph_open') + 1])
    const end = part === 0 ? '.' : `-${own[0]?.attrGet('id')}.`
    const name = pageName(source).replace('.', end)
    const fullTitle = part === 0 ? title : `${book}: ${title}`
    const sections = sectionsOf(own, name, fullTitle)
    return { name, source, title, fullTitle, summary, tokens: own, sections }
  })
}

function sectionsOf(tokens: readonly Token[], name: string, page: string): Section[] {
  const sections: Section[] = []
  for (const [index, token] of tokens.entries()) {
    const isCode = token.type === 'fence' && !/^(json|mermaid)$/.test(token.info)
    const text = isCode ? token.content : plainText(token)
    const section = sections.at(-1)
    if (token.type === 'heading_open') {
      const heading = plainText(tokens[index + 1])
      const [level, anchor] = [levelOf(token), `${token.attrGet('id')}`]
      const to = level === 1 ? name : `${name}#${anchor}`
      sections.push({ page, heading, to, text: '', level, anchor })
    } else if (section && text && tokens[index - 1]?.type !== 'heading_open') {
      section.text = `${section.text} ${text.replaceAll(/\s+/g, ' ')}`.trim()
    }
  }
  return sections
}

const levelOf = ({ tag }: Token): number => Number(tag.slice(1))

/** The text of a paragraph, a heading or a cell. */
const plainText = (token: Token | undefined): string =>
  (token?.children ?? [])
    .map(({ type, content }) => (type.endsWith('break') ? ' ' : content))
    .join('')

/**
 * Returns the page as HTML, once. `linkTo` returns the address for a link of the source; a link without one becomes text. A diagram
 * becomes its pictures, if the site has these files. Markup in the source is shown as text.
 */
export function htmlOf(
  { source, tokens }: SitePage,
  linkTo: (link: string) => string | undefined,
  hasFile: (name: string) => boolean,
): string {
  let heading = ''
  let diagrams = 0
  for (const [index, token] of tokens.entries()) {
    setLinks(token.children ?? [], linkTo)
    if (tokens[index - 1]?.type === 'heading_open') heading = plainText(token)
    if (token.info !== 'mermaid') continue
    diagrams += 1
    const name = `images/diagrams/${basename(source, '.md').toLowerCase()}-${diagrams}`
    const files = ['light', 'dark'].map((theme) => [theme, `${name}-${theme}.svg`] as const)
    if (!files.every(([, file]) => hasFile(file))) continue
    const images = files.map(
      ([theme, file]) =>
        `<img class="only-${theme}" src="${file}" alt="${escapeHtml(heading)}" loading="lazy">`,
    )
    token.type = 'html_block'
    token.content = `<div class="scroller" tabindex="0">${images.join('')}</div>\n`
  }
  return parser.renderer.render(tokens, parser.options, {})
}

function setLinks(tokens: readonly Token[], linkTo: (link: string) => string | undefined): void {
  let isText = false
  for (const token of tokens) {
    const name = token.type === 'image' ? 'src' : 'href'
    const link = token.attrGet(name)
    const address = link === null ? undefined : linkTo(`${link}`)
    if (token.type === 'link_open') isText = address === undefined
    if (address !== undefined) token.attrSet(name, address)
    if (isText && /^link_/.test(token.type)) token.type = 'text'
  }
}

// The only alignment of the tables is to the right, and the policy permits no style. A column without a name has no heading.
for (const cell of ['th', 'td']) {
  const tagOf = (inner: Token | undefined) => (inner?.content ? cell : 'td')
  rules[`${cell}_open`] = (tokens, index) =>
    `<${tagOf(tokens[index + 1])}${tokens[index]?.attrGet('style') ? ' class="is-number"' : ''}>`
  rules[`${cell}_close`] = (tokens, index) => `</${tagOf(tokens[index - 1])}>\n`
}

rules['table_open'] = () => '<div class="scroller" tabindex="0"><table class="table">\n'
rules['table_close'] = () => '</table></div>\n'

rules['fence'] = (tokens, index) => {
  const { info: language = '', content = '' } = tokens[index] ?? {}
  const isKnown = highlighter.getLanguage(language) !== undefined
  const code = isKnown ? highlighter.highlight(content, { language }).value : escapeHtml(content)
  return `<div class="code-panel"><div class="copy"></div><pre class="scroller" tabindex="0"><code>${code}</code></pre></div>\n`
}
