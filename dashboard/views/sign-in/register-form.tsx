import { ActionForm, useForm } from '../../components/form.tsx'
import { clientWithKey, useShell } from '../../shell/shell-context.ts'
import { useDraft } from '../../shell/use-draft.ts'
import { faultsOf, noFields, registrationOf } from '../product/product-fields.ts'
import { ProductForm } from '../product/product-form.tsx'

const firstKeyNote =
  'It manages your game. For a game server, create a key with the scope Read on the page Keys.'

/** Registers a product, shows its first key, and signs in with it. */
export function RegisterForm() {
  const { session } = useShell()
  const [fields, setFields, clearFields] = useDraft('register', noFields)
  const register = useForm(async () => {
    const { apiKey } = await clientWithKey().registerProduct(registrationOf(fields))
    session.showNewSecret({
      title: 'Your API key',
      kind: 'apiKey',
      secret: apiKey,
      note: firstKeyNote,
    })
    clearFields()
    session.signIn(apiKey)
  }, faultsOf(fields))
  return (
    <ActionForm form={register} action="Register">
      <ProductForm isShort fields={fields} onFields={setFields} faultOf={register.faultOf} />
    </ActionForm>
  )
}
