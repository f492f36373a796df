import { useState } from 'preact/hooks'
import type { Product } from '../../../clients/typescript/src/types.ts'
import { Failure } from '../../components/failure.tsx'
import { announce } from '../../shell/announcer.tsx'
import { useClient } from '../../shell/client.ts'
import { useProduct } from '../../shell/product.ts'
import { useAction } from '../../shell/use-action.ts'

/** Permits games without an API key to read the NFTs of their players (D51), or forbids it. */
export function ClientAccess({ product }: { product: Product }) {
  const client = useClient()
  const { replace } = useProduct()
  const [wanted, setWanted] = useState(false)
  const change = useAction(async (_signal, clientAccess: boolean) => {
    setWanted(clientAccess)
    replace(await client.updateProduct({ clientAccess }))
    announce(clientAccess ? 'Games can read without a key.' : 'Games need your server.')
  })
  return (
    <section class="card" aria-labelledby="client-access">
      <h2 id="client-access">Games without a key</h2>
      <label class="check">
        <input
          type="checkbox"
          checked={change.isRunning ? wanted : product.clientAccess === true}
          disabled={change.isRunning}
          onChange={(event) => change.run(event.currentTarget.checked)}
        />
        <span>
          Games read the NFTs of their players with their product id and a player token
          <span class="field-hint">
            {' '}
            For games without a server of their own. Everyone who has a player token can then send
            such calls, and they have limits of their own.
          </span>
        </span>
      </label>
      {change.error !== undefined && <Failure error={change.error} />}
    </section>
  )
}
