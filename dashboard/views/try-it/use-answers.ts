import { useEffect, useRef, useState } from 'preact/hooks'
import type { PlayerNfts } from '../../../clients/typescript/src/client.ts'
import type { Page } from '../../../clients/typescript/src/list.ts'
import type { RawNft, StructuredNft } from '../../../clients/typescript/src/types.ts'
import { countTriedCall } from '../../shell/session.ts'
import { useClient } from '../../shell/shell-context.ts'
import { paramsOf, type TrySettings } from './call.ts'
import { samplePlayerToken } from './sample-player.tsx'

/** One page of the answer, as the game receives it. */
export interface AnsweredPage {
  readonly page: Page<StructuredNft> | Page<RawNft>
  /** The duration of the call in the browser, in milliseconds. */
  readonly durationMs: number
  readonly at: number
  /** The moment of which the answer speaks, by the clock of this browser; absent if the answer states none. */
  readonly asOf: number | undefined
}

export type Answers = ReturnType<typeof useAnswers>

const none = {
  pages: [] as readonly AnsweredPage[],
  isRunning: false,
  error: undefined as unknown,
}

/** Makes the calls of Try it, each once, as a game would. Other settings or another token forget the answers. */
export function useAnswers(settings: TrySettings, pastedToken: string) {
  const client = useClient()
  const [state, setState] = useState(none)
  const controller = useRef(new AbortController())
  const inputs = JSON.stringify([settings, pastedToken])
  const stop = () => {
    controller.current.abort()
    setState((before) => ({ ...before, isRunning: false }))
  }
  // The answers are those of these inputs
  useEffect(() => {
    setState(none)
    return () => controller.current.abort()
  }, [client, inputs])

  const run = async (read: readonly AnsweredPage[], extent: 'next' | 'all') => {
    controller.current.abort()
    controller.current = new AbortController()
    const { signal } = controller.current
    let pages = read
    setState({ pages, isRunning: true, error: undefined })
    try {
      const { player } = settings
      const playerToken =
        player === undefined ? pastedToken : await samplePlayerToken(player, signal)
      do {
        const params = { ...paramsOf(settings, pages.at(-1)?.page.nextCursor), playerToken }
        pages = [...pages, await readPage(client, settings.form, params, signal)]
        if (!signal.aborted) setState({ pages, isRunning: true, error: undefined })
      } while (extent === 'all' && pages.at(-1)?.page.nextCursor !== undefined)
      if (!signal.aborted) setState({ pages, isRunning: false, error: undefined })
    } catch (error) {
      if (!signal.aborted) setState({ pages, isRunning: false, error })
    }
  }
  return {
    ...state,
    send: () => run([], 'next'),
    /** Reads the next page, or all pages that are left. */
    readOn: (extent: 'next' | 'all') => run(state.pages, extent),
    stop,
  }
}

/** Reads a page with one request: a retry would hide what the game sees. */
async function readPage(
  client: PlayerNfts,
  form: TrySettings['form'],
  params: ReturnType<typeof paramsOf> & { playerToken: string },
  signal: AbortSignal,
): Promise<AnsweredPage> {
  const once = { signal, maxRetries: 0 }
  const begin = performance.now()
  const list =
    form === 'raw'
      ? client.getRawMetadata(params, once)
      : client.getStructuredMetadata(params, once)
  const page = await list.page()
  countTriedCall(sessionStorage)
  const at = Date.now()
  return { page, durationMs: performance.now() - begin, at, asOf: asOfHere(page, at) }
}

/** The clock of this browser can differ from that of the service, which is in the header Date. */
function asOfHere({ asOf, headers }: AnsweredPage['page'], at: number): number | undefined {
  if (asOf === undefined) return undefined
  const answeredAt = Date.parse(headers.get('date') ?? '')
  const age = (Number.isNaN(answeredAt) ? at : answeredAt) - Date.parse(asOf)
  return at - Math.max(0, age)
}
