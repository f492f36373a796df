import { useMemo, useState } from 'preact/hooks'
import type { Product } from '../../../clients/typescript/src/types.ts'
import { Button } from '../../components/button.tsx'
import { Failure } from '../../components/failure.tsx'
import { Form } from '../../components/form.tsx'
import { announce } from '../../shell/announcer.tsx'
import { useClient } from '../../shell/client.ts'
import { describeError } from '../../shell/describe-error.ts'
import { useProduct } from '../../shell/product.ts'
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
