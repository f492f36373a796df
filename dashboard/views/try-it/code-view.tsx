import { useId, useRef, useState } from 'preact/hooks'
import type { Product } from '../../../clients/typescript/src/types.ts'
import { CopyButton } from '../../components/button.tsx'
import { Notice } from '../../components/feedback.tsx'
import { Segments } from '../../components/segments.tsx'
import type { Call, CallerKind } from './call.ts'
import { type SnippetLanguage, snippetLanguages } from './snippets.ts'

const callers = [
  { value: 'server', label: 'On a server' },
  { value: 'game', label: 'In the game' },
] as const

/** The call as code in several languages, for a server with an API key or for a game without one. */
export function CodeView({
  product,
  ...request
}: { product: Product } & Pick<Call, 'origin' | 'form' | 'query'>) {
  const [caller, setCaller] = useState<CallerKind>('server')
  const [language, setLanguage] = useState(snippetLanguages[0] as SnippetLanguage)
  const id = useId()
  const code = language.write({ ...request, caller, productId: product.productId })
  return (
    <section class="card stack" aria-label="The call as code">
      <div class="spread">
        <h2>The call as code</h2>
        <Segments
          label="Where the code runs"
          value={caller}
          options={callers}
          onValue={setCaller}
        />
      </div>
      <KeyNote caller={caller} hasClientAccess={product.clientAccess === true} />
      <LanguageTabs id={id} chosen={language} onChoose={setLanguage} />
      <div
        class="code-panel"
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-${language.id}`}
      >
        <CopyButton text={code} what="the code" />
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it */}
        <pre tabIndex={0}>
          <code>{code}</code>
        </pre>
      </div>
    </section>
  )
}

function KeyNote({ caller, hasClientAccess }: { caller: CallerKind; hasClientAccess: boolean }) {
  if (caller === 'server') {
    return (
      <p class="soft">
        For servers, such as a dedicated game server: <code>API_KEY</code> is in the environment of
        the server. Never put an API key into a game that players get. Whole game servers in
        TypeScript, Go, Python, Java, C# and Rust are in the folder{' '}
        <code>examples/game-server</code> of the project.
      </p>
    )
  }
  if (hasClientAccess) {
    return (
      <p class="soft">
        For the game itself: it sends its product id in place of an API key. The platform hands it
        the player token.
      </p>
    )
  }
  return (
    <Notice kind="warning" title="Your game does not permit calls without an API key.">
      <p>
        Permit them in the <a href="/product">settings of your game</a>, or make the call on your
        server.
      </p>
    </Notice>
  )
}

/** Tabs, of which the arrow keys choose one. */
function LanguageTabs({
  id,
  chosen,
  onChoose,
}: {
  id: string
  chosen: SnippetLanguage
  onChoose: (language: SnippetLanguage) => void
}) {
  const list = useRef<HTMLDivElement>(null)
  const move = (event: KeyboardEvent) => {
    const index = snippetLanguages.indexOf(chosen)
    const targets = new Map([
      ['ArrowLeft', index - 1],
      ['ArrowRight', index + 1],
      ['Home', 0],
      ['End', -1],
    ])
    const target = targets.get(event.key)
    if (target === undefined) return
    event.preventDefault()
    const next = snippetLanguages.at(target % snippetLanguages.length) as SnippetLanguage
    onChoose(next)
    list.current?.querySelector<HTMLElement>(`#${id}-${next.id}`)?.focus()
  }
  return (
    <div ref={list} class="tabs" role="tablist" aria-label="Language" onKeyDown={move}>
      {snippetLanguages.map((language) => (
        <button
          key={language.id}
          type="button"
          role="tab"
          id={`${id}-${language.id}`}
          class={`tab bare${language === chosen ? ' strong' : ''}`}
          aria-selected={language === chosen}
          aria-controls={`${id}-panel`}
          tabIndex={language === chosen ? 0 : -1}
          onClick={() => onChoose(language)}
        >
          {language.label}
        </button>
      ))}
    </div>
  )
}
