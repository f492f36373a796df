import { basename } from 'node:path/posix'
import GithubSlugger from 'github-slugger'
import highlighter from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import typescript from 'highlight.js/lib/languages/typescript'
import MarkdownIt, { type Token } from 'markdown-it'
import { pageName, splitSource } from './pages.ts'

/** A page of the site, not yet HTML. */
export interface SitePage {
  /** The name of its file, such as `api.html`. */
  name: string
  /** The file of the repository that it shows. */
  source: string
  title: string
  /** How the navigation calls it. */
  label: string
  /** Its first paragraph as text. */
  summary: string
  /** The headings below the title. */
  headings: Heading[]
  tokens: Token[]
}

/** A heading, whose anchor is that of GitHub. */
export interface Heading {
  level: number
  text: string
  anchor: string
}

/** A part of a page under one heading, as the search finds it. */
export interface Section extends Heading {
  content: string
}

const parser = new MarkdownIt({ html: false })
const { escapeHtml } = parser.utils

export { escapeHtml }

const languages = { sh: bash, json, js: javascript, ts: typescript }
for (const [name, language] of Object.entries(languages)) {
  highlighter.registerLanguage(name, language)
}

/** Returns the pages of a file. It is one, but for {@link splitSource}. */
export function pagesOf(source: string, text: string): SitePage[] {
  const slugger = new GithubSlugger()
  const tokens = parser.parse(text, {})
  const starts = [0]
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'heading_open') continue
    token.attrSet('id', slugger.slug(plainText(tokens[index + 1])))
    if (source === splitSource && token.tag === 'h2') starts.push(index)
  }
  const [first, ...others] = starts.map((start, index) =>
    pageOf(source, tokens.slice(start, starts[index + 1])),
  )
  if (!first) return []
  const parts = others.map((part) => {
    for (const token of part.tokens.filter(({ type }) => /^heading_/.test(type))) {
      token.tag = `h${levelOf(token) - 1}`
    }
    const name = first.name.replace('.', `-${part.tokens[0]?.attrGet('id')}.`)
    return { ...part, name, title: `${first.title}: ${part.title}`, headings: headingsOf(part) }
  })
  return [first, ...parts]
}

function pageOf(source: string, tokens: Token[]): SitePage {
  const title = plainText(tokens[1])
  const paragraph = tokens.findIndex(({ type }) => type === 'paragraph_open')
  const summary = plainText(tokens[paragraph + 1])
  const headings = headingsOf({ tokens })
  return { name: pageName(source), source, title, label: title, summary, headings, tokens }
}

const headingsOf = ({ tokens }: Pick<SitePage, 'tokens'>): Heading[] =>
  sectionsOf({ tokens }).filter(({ level }) => level > 1)

/** Returns the sections of a page, each with its own text, the values of its tables and its commands. */
export function sectionsOf({ tokens }: Pick<SitePage, 'tokens'>): Section[] {
  const sections: (Section & { texts: string[] })[] = []
  for (const [index, token] of tokens.entries()) {
    const isCommand = token.type === 'fence' && token.info === 'sh'
    const text = isCommand ? token.content : plainText(token)
    if (token.type === 'heading_open') {
      const anchor = `${token.attrGet('id')}`
      const heading = plainText(tokens[index + 1])
      sections.push({ level: levelOf(token), text: heading, anchor, content: '', texts: [] })
    } else if (text && tokens[index - 1]?.type !== 'heading_open') {
      sections.at(-1)?.texts.push(text)
    }
  }
  return sections.map(({ texts, ...section }) => ({
    ...section,
    content: texts.join(' ').replaceAll(/\s+/g, ' '),
  }))
}

const levelOf = ({ tag }: Token): number => Number(tag.slice(1))

/** The text of a paragraph, a heading or a cell. */
const plainText = (token: Token | undefined): string =>
  (token?.children ?? [])
    .map(({ type, content }) => (type.endsWith('break') ? ' ' : content))
    .join('')

/**
 * Returns the page as HTML, once. `linkTo` returns the address for a link of the source; a link without one becomes text. `pictures`
 * are the names of the files in docs/images. Markup in the source is shown as text.
 */
export function htmlOf(
  { source, tokens }: SitePage,
  linkTo: (link: string) => string | undefined,
  pictures: ReadonlySet<string>,
): string {
  for (const { children } of tokens) setLinks(children ?? [], linkTo)
  let heading = ''
  for (const [index, token] of tokens.entries()) {
    if (tokens[index - 1]?.type === 'heading_open') heading = plainText(token)
    if (token.info !== 'mermaid') continue
    const number = tokens.slice(0, index + 1).filter(({ info }) => info === 'mermaid').length
    const name = `diagrams/${basename(source, '.md').toLowerCase()}-${number}`
    if (![`${name}-light.svg`, `${name}-dark.svg`].every((file) => pictures.has(file))) continue
    const [, title = heading] = /^\s*accTitle:\s*(.*)$/m.exec(token.content) ?? []
    token.type = 'html_block'
    token.content = diagram(name, escapeHtml(title))
  }
  return parser.renderer.render(tokens, parser.options, {})
}

/** Two pictures, of which the styles show that of the theme. */
const diagram = (name: string, title: string): string =>
  `<div class="scroller diagram" tabindex="0">${['light', 'dark']
    .map(
      (theme) =>
        `<img class="only-${theme}" src="images/${name}-${theme}.svg" alt="${title}" loading="lazy">`,
    )
    .join('')}</div>\n`

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

const { rules } = parser.renderer

// The only alignment of the tables is to the right, and the policy permits no style here.
for (const cell of ['th', 'td']) {
  rules[`${cell}_open`] = (tokens, index) =>
    tokens[index]?.attrGet('style') ? `<${cell} class="is-number">` : `<${cell}>`
}

rules['heading_close'] = (tokens, index) => {
  const anchor = escapeHtml(`${tokens[index - 2]?.attrGet('id')}`)
  return ` <a class="anchor" href="#${anchor}" aria-hidden="true" tabindex="-1">#</a></${tokens[index]?.tag}>\n`
}

rules['table_open'] = () => '<div class="scroller" tabindex="0"><table>\n'
rules['table_close'] = () => '</table></div>\n'

rules['fence'] = (tokens, index) => {
  const { info: language = '', content = '' } = tokens[index] ?? {}
  const isKnown = language in languages
  const code = isKnown ? highlighter.highlight(content, { language }).value : escapeHtml(content)
  return `<div class="code"><pre class="scroller" tabindex="0"><code>${code}</code></pre></div>\n`
}
