import { expect, test } from 'vitest'
import { htmlOf, pagesOf } from '../../site/markdown.ts'

const render = (text: string, pictures: string[] = []) =>
  pagesOf('docs/api.md', text)
    .map((page) =>
      htmlOf(
        page,
        (link) => (link.startsWith('no') ? undefined : link),
        (name) => pictures.includes(name),
      ),
    )
    .join('')

test('markup in a source is text', () => {
  const hostile = '<script>alert(1)</script><img src=x onerror=alert(1)>'
  const html = render(
    `# T ${hostile}\n\n${hostile}\n\n\`\`\`sh\n${hostile}\n\`\`\`\n\n\`\`\`"><script>\n${hostile}\n\`\`\``,
  )
  expect(html).not.toMatch(/<(script|img)/)
  expect(html.match(/&lt;script&gt;/g)?.length).toBeGreaterThanOrEqual(4)
  expect(render('[a](javascript:alert(1)) ![a](data:text/html,x)')).not.toMatch(/href=|src=/)
  expect(render('![a" onerror="alert(1)](x.png "t\\" onload=\\"a")')).not.toMatch(/" on\w+="/)
})

test('a link without an address is text', () => {
  expect(render('[`a`](nowhere) and [b](c)')).toBe('<p><code>a</code> and <a href="c">b</a></p>\n')
})

test('a table has no empty heading, and is aligned by a class', () => {
  const html = render('| | a |\n| --- | ---: |\n| b | 1 |')
  expect(html).toContain('<td></td>\n<th class="is-number">a</th>')
  expect(html).toContain('<td>b</td>\n<td class="is-number">1</td>')
})

test('the anchors are those of GitHub', () => {
  const [page] = pagesOf(
    'docs/api.md',
    '# A `b` & c\n\n## 4.6 Unbind, all\n\n## `rate_limited`\n\n## rate_limited',
  )
  expect(page?.sections.map(({ anchor }) => anchor)).toEqual([
    'a-b--c',
    '46-unbind-all',
    'rate_limited',
    'rate_limited-1',
  ])
})

test('code is coloured by classes, also in a language that nobody registered', () => {
  expect(render('```json\n{ "a": 1, … }\n```')).toContain(
    '<span class="hljs-attr">&quot;a&quot;</span>',
  )
  expect(render('```cobol\nMOVE "a" TO b\n```')).toContain('<code>MOVE &quot;a&quot; TO b\n</code>')
})

test('a diagram is two pictures if both were drawn, and its text otherwise', () => {
  const text = '## Who "calls"\n\n```mermaid\nflowchart\n```\n\n```mermaid\nflowchart\n```'
  const files = [1, 2].flatMap((number) =>
    ['light', 'dark'].map((theme) => `images/diagrams/api-${number}-${theme}.svg`),
  )
  expect(render(text).match(/<img/g)).toBe(null)
  expect(render(text, files.slice(1)).match(/<img/g)).toHaveLength(2)
  const html = render(text, files)
  expect(html).toContain('src="images/diagrams/api-1-light.svg" alt="Who &quot;calls&quot;"')
  expect(html).toContain('src="images/diagrams/api-2-dark.svg" alt="Who &quot;calls&quot;"')
})

test('a section has the text, the cells and the commands under its heading', () => {
  const text =
    '# T\n\nOne\n*two*.\n\n## S\n\n| a |\n| --- |\n| `b` |\n\n- [c](d)\n\n```sh\nnpm start\n```\n\n```json\n{}\n```'
  const sections = pagesOf('docs/api.md', text).flatMap((page) => page.sections)
  expect(sections.map(({ heading, text: content }) => [heading, content])).toEqual([
    ['T', 'One two.'],
    ['S', 'a b c npm start'],
  ])
})
