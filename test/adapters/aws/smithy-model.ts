/** A test case of a model, with the operation or error that it is about. */
export interface ModelTest {
  shape: string
  id: string
  protocol: string
  appliesTo?: string
  host?: string
  code?: number
  headers?: object
  body?: string
  params?: object
}

/** The test cases in a model of the Smithy language: the values of this trait, before or beside its shape. */
export function testsIn(model: string, trait: string): ModelTest[] {
  const begins = new RegExp(`(?:^apply (\\w+) )?@${trait}\\(`, 'gm')
  return Array.from(model.matchAll(begins)).flatMap((begin) => {
    const rest = model.slice(begin.index + begin[0].length)
    const [, following = ''] = /^(?:operation|structure) (\w+)/m.exec(rest) ?? []
    const tests = readValue(tokensIn(rest)) as ModelTest[]
    return tests.map((test) => ({ ...test, shape: begin[1] ?? following }))
  })
}

type Tokens = Iterator<string, undefined>

/** The tokens of a value. Commas and comments mean nothing. */
function* tokensIn(text: string): Generator<string, undefined> {
  const token = /"""[\s\S]*?"""|"(?:\\.|[^"\\])*"|\/\/.*|[[\]{}():]|[^\s,[\]{}():"]+/g
  for (const [found] of text.matchAll(token)) if (!found.startsWith('//')) yield found
}

function readValue(tokens: Tokens, token = tokens.next().value ?? ''): unknown {
  if (token === '[') return readList(tokens)
  if (token === '{') return readObject(tokens)
  if (token.startsWith('"""')) return blockOf(token)
  // A word without quotes names a shape.
  return /^("|-?\d|true$|false$|null$)/.test(token) ? JSON.parse(token) : token
}

function readList(tokens: Tokens): unknown[] {
  const values: unknown[] = []
  for (let token = tokens.next().value; token !== ']'; token = tokens.next().value) {
    values.push(readValue(tokens, token))
  }
  return values
}

function readObject(tokens: Tokens): object {
  const members: [string, unknown][] = []
  for (let token = tokens.next().value; token !== '}'; token = tokens.next().value) {
    tokens.next()
    members.push([
      String(readValue(tokens, token)).replace(/^"|"$/g, ''),
      readValue(tokens, tokens.next().value),
    ])
  }
  return Object.fromEntries(members)
}

/** The text of a block: its lines without the spaces that all of them begin with. */
function blockOf(token: string): string {
  const lines = token.slice(3, -3).replace(/^ *\n/, '').split('\n')
  const indents = lines
    .filter((line) => line.trim())
    .map((line) => /^ */.exec(line)?.[0].length ?? 0)
  const indent = Math.min(...indents)
  const text = lines.map((line) => line.slice(indent).trimEnd()).join('\n')
  return text.replace(/\\\n/g, '').replace(/\\(.)/g, (_, escaped) => JSON.parse(`"\\${escaped}"`))
}
