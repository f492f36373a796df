import { useMemo, useState } from 'preact/hooks'
import type { Product } from '../../../clients/typescript/src/types.ts'
import { Button } from '../../components/button.tsx'
import { Failure } from '../../components/feedback.tsx'
import { CheckField } from '../../components/field.tsx'
import { Form } from '../../components/form.tsx'
import { announce } from '../../shell/announcer.tsx'
import { describeError } from '../../shell/describe-error.ts'
import { useClient, useProduct } from '../../shell/shell-context.ts'
import { useAction } from '../../shell/use-action.ts'
import { useDraft } from '../../shell/use-draft.ts'
import { changesOf, faultsOf, fieldsOf } from './product-fields.ts'
import { ProductForm } from './product-form.tsx'

/** The form that changes the fields of a product. It sends only the fields that are different. */
export function ProductSettings({ product }: { product: Product }) {
  const client = useClient()
  const { replace } = useProduct()
  const before = useMemo(() => fieldsOf(product), [product])
  const [fields, setFields, clearDraft] = useDraft(`product.${product.productId}`, before)
  const [isChecked, setIsChecked] = useState(false)
  const changes = changesOf(product, fields)
  const isChanged = Object.keys(changes).length > 0
  const save = useAction(async () => {
    const changed = await client.updateProduct(changes)
    clearDraft()
    replace(changed)
    announce('Saved.')
  })
  const discard = () => {
    save.clear()
    clearDraft()
  }
  const found = isChecked ? faultsOf(fields) : {}
  const refused = save.error === undefined ? {} : describeError(save.error).fields
  return (
    <Form
      layout="form is-wide"
      onSubmit={() => {
        setIsChecked(true)
        if (isChanged && Object.keys(faultsOf(fields)).length === 0) void save.run()
      }}
    >
      <ProductForm fields={fields} onFields={setFields} faults={{ ...refused, ...found }} />
      {save.error !== undefined && <Failure error={save.error} />}
      <div class="actions">
        <Button kind="primary" type="submit" isBusy={save.isRunning} disabled={!isChanged}>
          Save
        </Button>
        {isChanged && <Button onClick={discard}>Discard the changes</Button>}
      </div>
    </Form>
  )
}

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
      <CheckField
        isChecked={change.isRunning ? wanted : product.clientAccess === true}
        isDisabled={change.isRunning}
        onChecked={change.run}
      >
        Games read the NFTs of their players with their product id and a player token
        <span class="hint">
          {' '}
          For games without a server of their own. Everyone who has a player token can then send
          such calls, and they have limits of their own.
        </span>
      </CheckField>
      {change.error !== undefined && <Failure error={change.error} />}
    </section>
  )
}
