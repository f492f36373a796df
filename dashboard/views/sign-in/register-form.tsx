import { useState } from 'preact/hooks'
import { Button } from '../../components/button.tsx'
import { Failure } from '../../components/feedback.tsx'
import { Form } from '../../components/form.tsx'
import { describeError } from '../../shell/describe-error.ts'
import { clientWithKey, useShell } from '../../shell/shell-context.ts'
import { useAction } from '../../shell/use-action.ts'
import { useDraft } from '../../shell/use-draft.ts'
import { faultsOf, noFields, registrationOf } from '../product/product-fields.ts'
import { ProductForm } from '../product/product-form.tsx'

const firstKeyNote =
  'It manages your game. For a game server, create a key with the scope Read on the page Keys.'

/** Registers a product, shows its first key, and signs in with it. */
export function RegisterForm() {
  const { session } = useShell()
  const [fields, setFields, clearFields] = useDraft('register', noFields)
  const [isChecked, setIsChecked] = useState(false)
  const register = useAction(async () => {
    const { apiKey } = await clientWithKey().registerProduct(registrationOf(fields))
    session.showNewSecret({
      title: 'Your API key',
      kind: 'apiKey',
      secret: apiKey,
      note: firstKeyNote,
    })
    clearFields()
    session.signIn(apiKey)
  })
  const found = isChecked ? faultsOf(fields) : {}
  const refused = register.error === undefined ? {} : describeError(register.error).fields
  return (
    <Form
      onSubmit={() => {
        setIsChecked(true)
        if (Object.keys(faultsOf(fields)).length === 0) void register.run()
      }}
    >
      <ProductForm isShort fields={fields} onFields={setFields} faults={{ ...refused, ...found }} />
      {register.error !== undefined && <Failure error={register.error} />}
      <div class="actions">
        <Button kind="primary" type="submit" isBusy={register.isRunning}>
          Register
        </Button>
      </div>
    </Form>
  )
}
