import { TextArea, TextField } from '../../components/field.tsx'
import type { ProductFields } from './product-fields.ts'

/** The fields of a product, in registration and in its settings. */
export function ProductForm({
  fields,
  onFields,
  faultOf,
  isShort = false,
}: {
  fields: ProductFields
  onFields: (fields: ProductFields) => void
  /** What is wrong with a field. */
  faultOf: (name: string) => string | undefined
  /** Hides the descriptions until the user asks for them. */
  isShort?: boolean
}) {
  const bind = (name: keyof ProductFields) => ({
    value: fields[name],
    onValue: (value: string) => onFields({ ...fields, [name]: value }),
    error: faultOf(name),
    name,
  })
  const descriptions = (
    <>
      <TextArea label="About the game" isOptional {...bind('description')} />
      <TextArea label="About the company" isOptional {...bind('companyDescription')} />
    </>
  )
  const hasContent = fields.description !== '' || fields.companyDescription !== ''
  return (
    <>
      <TextField label="Name of the game" {...bind('name')} />
      <TextField label="Company" autocomplete="organization" {...bind('companyName')} />
      <TextField
        label="Contact e-mail"
        hint="Where the operator of the service can reach you."
        inputMode="email"
        autocomplete="email"
        spellcheck={false}
        {...bind('contactEmail')}
      />
      <TextField
        label="Website"
        isOptional
        inputMode="url"
        spellcheck={false}
        {...bind('website')}
      />
      {isShort ? (
        <details class="more-fields" open={hasContent}>
          <summary class="soft">Describe the game and the company</summary>
          <div class="stack">{descriptions}</div>
        </details>
      ) : (
        descriptions
      )}
    </>
  )
}
