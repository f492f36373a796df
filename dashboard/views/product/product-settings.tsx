import { useState } from 'preact/hooks'
import type { Product } from '../../../clients/typescript/src/types.ts'
import { Button } from '../../components/button.tsx'
import { Failure } from '../../components/feedback.tsx'
import { CheckField } from '../../components/field.tsx'
import { ActionForm, useForm } from '../../components/form.tsx'
import { announce } from '../../shell/announcer.tsx'
import { useClient, useProduct } from '../../shell/shell-context.ts'
import { useAction } from '../../shell/use-action.ts'
import { useDraft } from '../../shell/use-draft.ts'
import { changesOf, faultsOf, fieldsOf, ProductForm } from './product-form.tsx'

/** The form that changes the fields of a product. It sends only the fields that are different. */
export function ProductSettings({ product }: { product: Product }) {
  const client = useClient()
  const { replace } = useProduct()
  const before = fieldsOf(product)
  const [fields, setFields, clearDraft] = useDraft(`product.${product.productId}`, before)
  const changes = changesOf(product, fields)
  const isChanged = Object.keys(changes).length > 0
  const save = useForm(async () => {
    const changed = await client.updateProduct(changes)
    clearDraft()
    replace(changed)
    announce('Saved.')
  }, faultsOf(fields))
  const discard = () => {
    save.clear()
    clearDraft()
  }
  return (
    <ActionForm
      form={save}
      action="Save"
      layout="form is-wide"
      isDisabled={!isChanged}
      more={isChanged && <Button onClick={discard}>Discard the changes</Button>}
    >
      <ProductForm fields={fields} onFields={setFields} faultOf={save.faultOf} />
    </ActionForm>
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
      <Failure error={change.error} />
    </section>
  )
}
